import cytoscape from "cytoscape";
import {h, missing, newId, table} from "./dom.js";
import {count} from "./format.js";
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
    columns.sizes.forEach((size, e) => { this.start[e + 1] = this.start[e] + size; });
    this.ofNodes = columns.target === "node";
  }

  edgeName(e) { return this.columns.edge_names ? this.columns.edge_names[e] : String(e); }
  nodeName(v) { return this.columns.node_names ? this.columns.node_names[v] : String(v); }

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
      v, name: this.nodeName(v), role: directed ? (i < tails ? "tail" : "head") : "member",
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

/** Tails on the left, heads on the right, undirected members all round. */
function positions(members) {
  const sides = {tail: members.filter((m) => m.role === "tail"), head: members.filter((m) => m.role === "head")};
  const spread = (i, number) => (number === 1 ? 0 : (i / (number - 1) - 0.5));
  return members.map((member, i) => {
    if (member.role === "member") {
      const angle = (2 * Math.PI * i) / members.length - Math.PI / 2;
      return {x: 190 * Math.cos(angle), y: 135 * Math.sin(angle)};
    }
    const side = sides[member.role];
    const height = Math.max(Math.min(300, 66 * (side.length - 1)), 30 * (side.length - 1));
    const s = spread(side.indexOf(member), side.length);
    return {x: (member.role === "tail" ? -1 : 1) * (200 - 60 * Math.abs(2 * s) ** 2), y: height * s};
  });
}

function elements(view, e, members) {
  const place = positions(members);
  const shorten = (text) => (text.length > 14 ? `${text.slice(0, 13)}…` : text);
  const name = shorten(view.edgeName(e));
  const list = [{data: {id: "edge", label: name, width: 28 + 9 * name.length}, position: {x: 0, y: 0}, classes: "hyperedge"}];
  members.forEach((member, i) => {
    list.push({
      data: {id: `m${i}`, label: shorten(member.name) + (view.ofNodes ? `\nclass ${member.predicted}` : ""), colour: resolved(view.ofNodes ? classColour(member.predicted) : "var(--muted)")},
      position: place[i], classes: view.ofNodes ? (member.right ? "right" : "wrong") : "plain",
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
    {selector: "node", style: {width: 30, height: 30, label: "data(label)", color: ink, "font-size": 12, "font-family": "system-ui, sans-serif", "text-wrap": "wrap", "text-valign": "bottom", "text-margin-y": 4, "text-outline-width": 3, "text-outline-color": surface, "border-width": 2, "border-color": surface}},
    {selector: ".hyperedge", style: {shape: "round-rectangle", width: "data(width)", height: 42, "background-color": surface, "border-color": muted, "border-width": 2, "text-valign": "center", "text-margin-y": 0, "font-weight": "bold", "font-size": 14}},
    {selector: "node[colour]", style: {"background-color": "data(colour)"}},
    {selector: ".wrong", style: {shape: "diamond", width: 40, height: 40, "border-width": 4, "border-style": "double", "border-color": ink}},
    {selector: "edge", style: {width: 2, "line-color": muted, "curve-style": "bezier", "target-arrow-color": muted, "target-arrow-shape": "triangle", "arrow-scale": 1.1}},
    {selector: "edge.member", style: {"target-arrow-shape": "none"}},
  ];
}

function words(view, e, members) {
  const tails = members.filter((m) => m.role === "tail").length;
  const kind = tails > 0 ? `directed: ${tails} tails, ${members.length - tails} heads` : `undirected: ${members.length} members`;
  if (!view.ofNodes) {
    const own = view.verdict(e);
    return `${kind}; true class ${own.label}, predicted ${own.predicted} (${own.percent} %), ${own.right ? "correct" : "wrong"}`;
  }
  const wrong = members.filter((m) => !m.right).length;
  return `${kind}; ${members.length - wrong} predicted correctly, ${wrong} wrongly`;
}

function memberTable(view, e, members) {
  const columns = view.ofNodes ? ["Node", "Role", "True class", "Predicted", "Probability", "Verdict"] : ["Node", "Role"];
  const rows = members.slice(0, mostListed).map((m) => (view.ofNodes ? [m.name, m.role, m.label, m.predicted, `${m.percent} %`, m.right ? "correct" : "wrong"] : [m.name, m.role]));
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

  function show(e) {
    chosen = e;
    const members = view.members(e);
    const drawn = members.slice(0, mostDrawn);
    const text = words(view, e, members);
    heading.textContent = `Hyperedge ${view.edgeName(e)}`;
    note.textContent = `${count(e + 1)} of ${count(view.edges)} · ${text}${drawn.length < members.length ? ` · the first ${mostDrawn} are drawn` : ""}`;
    canvas.setAttribute("aria-label", `Hyperedge ${view.edgeName(e)}, ${text}; the table below lists its members.`);
    network?.destroy();
    network = cytoscape({
      container: canvas, elements: elements(view, e, drawn), style: looks(), layout: {name: "preset", fit: true, padding: 34},
      userZoomingEnabled: false, userPanningEnabled: false, boxSelectionEnabled: false, autoungrabify: true, autounselectify: true,
      maxZoom: 1.4,
    });
    network.fit(undefined, 34);
    list.replaceChildren(memberTable(view, e, members));
  }

  const find = (text) => {
    const wanted = text.trim().toLowerCase();
    if (wanted === "") return;
    const exact = view.search(chosen - 1, 1, (e) => view.edgeName(e).toLowerCase() === wanted);
    const found = exact >= 0 ? exact : view.search(chosen, 1, (e) => view.edgeName(e).toLowerCase().includes(wanted));
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
  const controls = h("form", {class: "controls", onsubmit: (event) => { event.preventDefault(); find(event.target.elements.name.value); }},
    h("span", {class: "control"}, h("label", {for: id}, "Hyperedge"), h("input", {id, name: "name", type: "search", placeholder: "name", autocomplete: "off"})),
    h("button", {type: "submit"}, "Find"), button("Previous", () => step(-1)), button("Next", () => step(1)),
    button("Next with a mistake", () => step(1, (e) => view.isWrong(e))), status);
  const total = view.columns.n_hyperedges;
  const sampled = view.edges < total ? `The page holds a seeded sample of ${count(view.edges)} of ${count(total)} hyperedges. ` : "";
  const colours = view.ofNodes ? "A member's colour is its predicted class; diamonds with a double border are wrong. Split 0." : "Split 0.";

  new ResizeObserver(() => { network?.resize(); network?.fit(undefined, 34); }).observe(canvas);
  onTheme(() => { if (canvas.isConnected) show(chosen); });
  // A directed hyperedge says more than an undirected one.
  requestAnimationFrame(() => show(Math.max(0, view.search(-1, 1, (e) => view.columns.tails[e] > 0 && view.columns.tails[e] < view.columns.sizes[e]))));
  return [
    h("p", {class: "note lead"}, `${count(view.columns.n_nodes)} nodes, ${count(total)} hyperedges, ${count(view.columns.n_incidences)} incidences. ${sampled}${colours}`),
    controls, h("div", {class: "card"}, heading, note, canvas, list)];
}
