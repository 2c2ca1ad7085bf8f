import cytoscape from "cytoscape";
import {h, missing, newId, table} from "./dom.js";
import {count, counted} from "./format.js";
import {classColour, resolved} from "./palette.js";
import {onTheme} from "./theme.js";

/** Members drawn; a larger hyperedge is drawn in part and listed in whole. */
const mostDrawn = 40;
const mostListed = 500;

/** Columns to hyperedges: the members of one are worked out when it is asked for. */
class View {
  constructor(columns, predictions) {
    this.columns = columns;
    this.predictions = predictions;
    this.edges = columns.sizes.length;
    this.start = new Int32Array(this.edges + 1);
    columns.sizes.forEach((size, e) => {
      this.start[e + 1] = this.start[e] + size;
    });
    this.ofNodes = columns.target === "node";
  }

  edgeName(e) {
    return this.columns.edge_names ? this.columns.edge_names[e] : String(e);
  }
  nodeName(v) {
    return this.columns.node_names ? this.columns.node_names[v] : String(v);
  }

  /** The classes of an item of the kind that is classified. */
  verdict(item) {
    const label = this.columns.labels?.[item] ?? -1;
    const predicted = this.predictions.predicted[item];
    return {label, predicted, percent: this.predictions.percent[item], right: label === predicted};
  }

  members(e) {
    const nodes = this.columns.members.slice(this.start[e], this.start[e + 1]);
    const tails = this.columns.tails[e];
    const directed = tails > 0 && tails < nodes.length;
    return nodes.map((v, i) => ({
      v,
      name: this.nodeName(v),
      role: directed ? (i < tails ? "tail" : "head") : "member",
      ...(this.ofNodes ? this.verdict(v) : {}),
    }));
  }

  isWrong(e) {
    if (!this.ofNodes) return !this.verdict(e).right;
    for (let i = this.start[e]; i < this.start[e + 1]; ++i) {
      if (!this.verdict(this.columns.members[i]).right) return true;
    }
    return false;
  }

  /** The next hyperedge from `e` on (not itself) for which `test` holds, going round; -1 for none. */
  search(e, step, test) {
    for (let tried = 1; tried <= this.edges; ++tried) {
      const next = (((e + step * tried) % this.edges) + this.edges) % this.edges;
      if (test(next)) return next;
    }
    return -1;
  }
}

/** Tails on the left, heads on the right, undirected members all round; names on the outside. A phone has half the width. */
function positions(members, narrow) {
  const ofRole = {};
  for (const member of members) (ofRole[member.role] ??= []).push(member);
  return members.map((member) => {
    const side = ofRole[member.role];
    const i = side.indexOf(member);
    if (member.role === "member") {
      const angle = (2 * Math.PI * (i + 0.5)) / side.length - Math.PI / 2;
      const radius = Math.max(120, 7 * side.length);
      return {
        x: (narrow ? 0.9 : 1.4) * radius * Math.cos(angle),
        y: radius * Math.sin(angle),
        text: Math.cos(angle) < 0 ? "left" : "right",
      };
    }
    const s = side.length === 1 ? 0 : (2 * i) / (side.length - 1) - 1; // -1 to 1
    const x = narrow ? 112 - 26 * s * s : 190 - 50 * s * s;
    return {
      x: member.role === "tail" ? -x : x,
      y: 20 * (side.length - 1) * s,
      text: member.role === "tail" ? "left" : "right",
    };
  });
}

/** Room for the longer of the two sides, in pixels. */
function heightFor(members) {
  const heads = members.filter((m) => m.role === "head").length;
  const rows = heads > 0 ? Math.max(heads, members.length - heads) : members.length / 2;
  return Math.min(720, Math.max(260, 90 + 38 * rows));
}

function elements(view, e, members, narrow) {
  const place = positions(members, narrow);
  const shorten = (text) => (text.length > (narrow ? 10 : 18) ? `${text.slice(0, narrow ? 9 : 17)}…` : text);
  const name = shorten(view.edgeName(e));
  const list = [
    {
      data: {id: "edge", label: name, width: 28 + 9 * name.length},
      position: {x: 0, y: 0},
      classes: "hyperedge",
    },
  ];
  members.forEach((member, i) => {
    list.push({
      data: {
        id: `m${i}`,
        label:
          shorten(member.name) + (view.ofNodes ? `${narrow ? "\n" : " · "}class ${member.predicted}` : ""),
        colour: resolved(view.ofNodes ? classColour(member.predicted) : "var(--muted)"),
      },
      position: {x: place[i].x, y: place[i].y},
      classes: `${place[i].text}ward ${view.ofNodes && !member.right ? "wrong" : ""}`,
    });
    const [source, target] = member.role === "head" ? ["edge", `m${i}`] : [`m${i}`, "edge"];
    list.push({data: {id: `a${i}`, source, target}, classes: member.role});
  });
  return list;
}

function looks() {
  const ink = resolved("var(--ink)");
  const muted = resolved("var(--muted)");
  const surface = resolved("var(--surface)");
  return [
    {
      selector: "node",
      style: {
        width: 26,
        height: 26,
        label: "data(label)",
        color: ink,
        "font-size": 12,
        "font-family": "system-ui, sans-serif",
        "text-wrap": "wrap",
        "text-valign": "center",
        "text-outline-width": 3,
        "text-outline-color": surface,
        "border-width": 2,
        "border-color": surface,
      },
    },
    {
      selector: ".hyperedge",
      style: {
        shape: "round-rectangle",
        width: "data(width)",
        height: 42,
        "background-color": surface,
        "border-color": muted,
        "border-width": 2,
        "font-weight": "bold",
        "font-size": 14,
      },
    },
    {selector: "node[colour]", style: {"background-color": "data(colour)"}},
    {
      selector: ".wrong",
      style: {
        shape: "diamond",
        width: 36,
        height: 36,
        "border-width": 4,
        "border-style": "double",
        "border-color": ink,
      },
    },
    {selector: ".leftward", style: {"text-halign": "left", "text-margin-x": -6}},
    {selector: ".rightward", style: {"text-halign": "right", "text-margin-x": 6}},
    {
      selector: "edge",
      style: {
        width: 2,
        "line-color": muted,
        "curve-style": "bezier",
        "target-arrow-color": muted,
        "target-arrow-shape": "triangle",
        "arrow-scale": 1.1,
      },
    },
    {selector: "edge.member", style: {"target-arrow-shape": "none"}},
  ];
}

function words(view, e, members) {
  const tails = members.filter((m) => m.role === "tail").length;
  const kind =
    tails > 0
      ? `directed: ${counted(tails, "tail")}, ${counted(members.length - tails, "head")}`
      : `undirected: ${counted(members.length, "member")}`;
  if (!view.ofNodes) {
    const own = view.verdict(e);
    return `${kind}; true class ${own.label}, predicted ${own.predicted} (${own.percent} %), ${own.right ? "correct" : "wrong"}`;
  }
  const wrong = members.filter((m) => !m.right).length;
  return `${kind}; ${members.length - wrong} predicted correctly, ${wrong} wrongly`;
}

function memberTable(view, e, members) {
  const columns = view.ofNodes
    ? ["Node", "Role", "True class", "Predicted", "Probability", "Verdict"]
    : ["Node", "Role"];
  const rows = members
    .slice(0, mostListed)
    .map((m) =>
      view.ofNodes
        ? [m.name, m.role, m.label, m.predicted, `${m.percent} %`, m.right ? "correct" : "wrong"]
        : [m.name, m.role],
    );
  return table(columns, rows, `Members of hyperedge ${view.edgeName(e)}`);
}

/** One hyperedge at a time: found by name, by a step, or by a wrong prediction. */
export function hypergraph(run, hypergraphs) {
  if (run.details.missing) return [missing(`The hypergraph cannot be shown: ${run.details.missing}`)];
  const view = new View(hypergraphs[run.details.hypergraph], run.details.predictions);
  if (view.edges === 0) return [missing("This hypergraph has no hyperedges.")];
  let chosen = 0;
  const canvas = h("div", {class: "network", role: "img", tabindex: "0"});
  const heading = h("h3", {"aria-live": "polite"});
  const note = h("p", {class: "note"});
  const list = h("div");
  const status = h("span", {class: "note", role: "status"});
  let network = null;
  const narrow = () => canvas.clientWidth < 520;

  function show(e) {
    chosen = e;
    const members = view.members(e);
    const drawn = members.slice(0, mostDrawn);
    const text = words(view, e, members);
    heading.textContent = `Hyperedge ${view.edgeName(e)}`;
    note.textContent = `${count(e + 1)} of ${count(view.edges)} · ${text}${drawn.length < members.length ? ` · the first ${mostDrawn} are drawn` : ""}`;
    canvas.setAttribute(
      "aria-label",
      `Hyperedge ${view.edgeName(e)}, ${text}; the table below lists its members.`,
    );
    canvas.style.height = `${heightFor(drawn)}px`;
    network?.destroy();
    network = cytoscape({
      container: canvas,
      elements: elements(view, e, drawn, narrow()),
      style: looks(),
      layout: {name: "preset"},
      userZoomingEnabled: false,
      userPanningEnabled: false,
      boxSelectionEnabled: false,
      autoungrabify: true,
      autounselectify: true,
      maxZoom: 1.4,
    });
    network.fit(undefined, 12);
    list.replaceChildren(memberTable(view, e, members));
  }

  const find = (text) => {
    const wanted = text.trim().toLowerCase();
    if (wanted === "") return;
    const exact = view.search(chosen - 1, 1, (e) => view.edgeName(e).toLowerCase() === wanted);
    const found =
      exact >= 0 ? exact : view.search(chosen, 1, (e) => view.edgeName(e).toLowerCase().includes(wanted));
    status.textContent = found < 0 ? `No hyperedge is named like “${text.trim()}”.` : "";
    if (found >= 0) show(found);
  };
  const step = (by, test = () => true) => {
    const found = view.search(chosen, by, test);
    status.textContent = found < 0 ? "There is none." : "";
    if (found >= 0) show(found);
  };
  const id = newId("find");
  const button = (text, action) => h("button", {type: "button", onclick: action}, text);
  const controls = h(
    "form",
    {
      class: "controls",
      onsubmit: (event) => {
        event.preventDefault();
        find(event.target.elements.name.value);
      },
    },
    h(
      "span",
      {class: "control"},
      h("label", {for: id}, "Hyperedge"),
      h("input", {id, name: "name", type: "search", placeholder: "name", autocomplete: "off"}),
    ),
    h("button", {type: "submit"}, "Find"),
    button("Previous", () => step(-1)),
    button("Next", () => step(1)),
    button("Next with a mistake", () => step(1, (e) => view.isWrong(e))),
    status,
  );
  const total = view.columns.n_hyperedges;
  const sampled =
    view.edges < total
      ? `The page holds a seeded sample of ${count(view.edges)} of ${count(total)} hyperedges. `
      : "";
  const colours = view.ofNodes
    ? "A member's colour is its predicted class; diamonds with a double border are wrong. Split 0."
    : "Split 0.";

  let wasNarrow = null;
  new ResizeObserver(() => {
    if (network === null) return;
    if (wasNarrow !== narrow()) show(chosen);
    wasNarrow = narrow();
    network.resize();
    network.fit(undefined, 12);
  }).observe(canvas);
  onTheme("hypergraph", () => show(chosen));
  // A directed hyperedge says more than an undirected one.
  requestAnimationFrame(() =>
    show(
      Math.max(
        0,
        view.search(-1, 1, (e) => view.columns.tails[e] > 0 && view.columns.tails[e] < view.columns.sizes[e]),
      ),
    ),
  );
  return [
    h(
      "p",
      {class: "note lead"},
      `${count(view.columns.n_nodes)} nodes, ${count(total)} hyperedges, ${count(view.columns.n_incidences)} incidences. ${sampled}${colours}`,
    ),
    controls,
    h("div", {class: "card"}, heading, note, canvas, list),
  ];
}
