import cytoscape from "cytoscape";
import {h, newId, table} from "./dom.js";
import {count, counted, shorten} from "./format.js";
import {edgeLooks, nodeLooks} from "./network.js";
import {classColour, resolved} from "./palette.js";
import {onTheme} from "./theme.js";
import {verdict} from "./words.js";

/** Members drawn; a larger hyperedge is drawn in part and listed in whole. */
const mostDrawn = 40;
const mostListed = 500;
/** Undirected members stand in a ring up to here, in two columns beyond. */
const mostInRing = 8;
const characterWidth = 6.8;

const label = (view, member) => (view.ofNodes ? view.words.of(member.predicted) : "");

/**
 * Where everything goes, in pixels around the middle: nothing is ever shrunk to fit, so names can be read. Tails on
 * the left, heads on the right; names on the outside, with the class behind them or, where there is no room, below.
 */
function plan(view, members, width) {
  const x = Math.min(190, Math.max(58, 0.2 * width));
  const room = Math.floor((width / 2 - x - 26) / characterWidth);
  const longest = Math.max(0, ...members.map((m) => m.name.length + label(view, m).length + 3));
  const stacked = view.ofNodes && longest > room;
  const row = stacked ? 36 : 28;
  const directed = members.some((m) => m.role !== "member");
  const inRing = !directed && members.length <= mostInRing;
  const half = Math.ceil(members.length / 2);
  const left = members.filter((m, i) => (directed ? m.role === "tail" : i < half)).length;
  const rows = inRing ? 0 : Math.max(left, members.length - left);
  const height = Math.max(inRing ? 260 : 140, row * rows + 40);
  const places = members.map((_, i) => {
    if (inRing) {
      const angle = (2 * Math.PI * (i + 0.5)) / members.length - Math.PI / 2;
      return {x: x * Math.cos(angle), y: (height / 2 - 30) * Math.sin(angle), onLeft: Math.cos(angle) < 0};
    }
    const onLeft = i < left;
    const side = onLeft ? left : members.length - left;
    const s = (onLeft ? i : i - left) - (side - 1) / 2;
    const bent = x - 0.25 * x * (side > 1 ? ((2 * s) / (side - 1)) ** 2 : 0);
    return {x: onLeft ? -bent : bent, y: row * s, onLeft};
  });
  return {places, height, stacked, room: Math.max(6, room), boxRoom: 2 * (x - 44)};
}

function elements(view, e, members, {places, stacked, room, boxRoom}) {
  const name = shorten(view.edgeName(e), 18);
  const width = 28 + 9 * name.length;
  const fits = width <= boxRoom;
  const list = [
    {
      data: {id: "edge", label: fits ? name : "", width: fits ? width : 22, height: fits ? 42 : 22},
      position: {x: 0, y: 0},
      classes: "hyperedge",
    },
  ];
  members.forEach((member, i) => {
    const word = label(view, member);
    const text = stacked
      ? `${shorten(member.name, room)}\n${shorten(word, room)}`
      : shorten(word ? `${member.name} · ${word}` : member.name, room);
    list.push({
      data: {
        id: `m${i}`,
        label: text,
        colour: resolved(view.ofNodes ? classColour(member.predicted) : "var(--muted)"),
      },
      position: {x: places[i].x, y: places[i].y},
      classes: `${places[i].onLeft ? "leftward" : "rightward"} ${member.right === false ? "wrong" : ""}`,
    });
    const [source, target] = member.role === "head" ? ["edge", `m${i}`] : [`m${i}`, "edge"];
    list.push({data: {id: `a${i}`, source, target}, classes: member.role});
  });
  return list;
}

function looks() {
  const ink = resolved("var(--ink)");
  const muted = resolved("var(--muted)");
  return [
    {selector: "node", style: {...nodeLooks(), width: 18, height: 18, label: "data(label)"}},
    {
      selector: ".hyperedge",
      style: {
        shape: "round-rectangle",
        width: "data(width)",
        height: "data(height)",
        "background-color": resolved("var(--surface)"),
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
        width: 20,
        height: 20,
        "border-width": 3,
        "border-style": "double",
        "border-color": ink,
      },
    },
    {
      selector: ".leftward",
      style: {"text-halign": "left", "text-margin-x": -6, "text-justification": "right"},
    },
    {
      selector: ".rightward",
      style: {"text-halign": "right", "text-margin-x": 6, "text-justification": "left"},
    },
    {
      selector: "edge",
      style: {...edgeLooks(), width: 1.5, "curve-style": "straight", "target-arrow-shape": "triangle"},
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
    return `${kind}; true class: ${view.words.of(own.label)}; predicted: ${view.words.of(own.predicted)} (${own.percent} %), ${verdict(own.right)}`;
  }
  const number = (right) => members.filter((m) => m.right === right).length;
  const unknown = number(null) > 0 ? `, ${number(null)} of unknown class` : "";
  return `${kind}; ${number(true)} predicted correctly, ${number(false)} wrongly${unknown}`;
}

function memberTable(view, e, members) {
  const columns = view.ofNodes
    ? ["Node", "Role", "True class", "Predicted", "Probability", "Verdict"]
    : ["Node", "Role"];
  const rows = members
    .slice(0, mostListed)
    .map((m) =>
      view.ofNodes
        ? [
            m.name,
            m.role,
            view.words.of(m.label),
            view.words.of(m.predicted),
            `${m.percent} %`,
            verdict(m.right),
          ]
        : [m.name, m.role],
    );
  return table(columns, rows, `Members of hyperedge ${view.edgeName(e)}`);
}

class OneHyperedge {
  constructor(view) {
    this.view = view;
    this.chosen = 0;
    this.network = null;
    this.drawnWidth = 0;
    this.canvas = h("div", {class: "network", role: "img", tabindex: "0"});
    this.heading = h("h3", {"aria-live": "polite"});
    this.note = h("p", {class: "note"});
    this.list = h("div");
    this.status = h("span", {class: "note", role: "status"});
    new ResizeObserver(() => {
      if (this.canvas.clientWidth !== this.drawnWidth) this.draw();
    }).observe(this.canvas);
    onTheme("hyperedge", () => this.draw());
    // A directed hyperedge says more than an undirected one.
    const first = view.search(-1, 1, (e) => view.isDirected(e));
    requestAnimationFrame(() => this.show(Math.max(0, first)));
  }

  draw() {
    const {view, chosen, canvas} = this;
    this.drawnWidth = canvas.clientWidth;
    if (this.drawnWidth === 0) return;
    const members = view.members(chosen).slice(0, mostDrawn);
    const planned = plan(view, members, this.drawnWidth);
    canvas.style.height = `${planned.height}px`;
    this.network?.destroy();
    this.network = cytoscape({
      container: canvas,
      elements: elements(view, chosen, members, planned),
      style: looks(),
      layout: {name: "preset", fit: false},
      zoom: 1,
      pan: {x: this.drawnWidth / 2, y: planned.height / 2},
      userZoomingEnabled: false,
      userPanningEnabled: false,
      boxSelectionEnabled: false,
      autoungrabify: true,
      autounselectify: true,
    });
  }

  show(e) {
    const {view} = this;
    this.chosen = e;
    const members = view.members(e);
    const text = words(view, e, members);
    const part = members.length > mostDrawn ? ` · the first ${mostDrawn} are drawn` : "";
    this.heading.textContent = `Hyperedge ${view.edgeName(e)}`;
    this.note.textContent = `${count(e + 1)} of ${count(view.edges)} · ${text}${part}`;
    this.canvas.setAttribute(
      "aria-label",
      `Hyperedge ${view.edgeName(e)}, ${text}; the table below lists its members.`,
    );
    this.draw();
    this.list.replaceChildren(memberTable(view, e, members));
  }

  find(text) {
    const {view} = this;
    const wanted = text.trim().toLowerCase();
    if (wanted === "") return;
    const name = (e) => view.edgeName(e).toLowerCase();
    const exact = view.search(this.chosen - 1, 1, (e) => name(e) === wanted);
    const found = exact >= 0 ? exact : view.search(this.chosen, 1, (e) => name(e).includes(wanted));
    this.status.textContent = found < 0 ? `No hyperedge is named like “${text.trim()}”.` : "";
    if (found >= 0) this.show(found);
  }

  step(by, test = () => true) {
    const found = this.view.search(this.chosen, by, test);
    this.status.textContent = found < 0 ? "There is none." : "";
    if (found >= 0) this.show(found);
  }

  form() {
    const id = newId("find");
    const button = (text, action) => h("button", {type: "button", onclick: action}, text);
    return h(
      "form",
      {
        class: "controls",
        onsubmit: (event) => {
          event.preventDefault();
          this.find(event.target.elements.name.value);
        },
      },
      h(
        "span",
        {class: "control"},
        h("label", {for: id}, "Hyperedge"),
        h("input", {id, name: "name", type: "search", placeholder: "name", autocomplete: "off"}),
      ),
      h("button", {type: "submit"}, "Find"),
      button("Previous", () => this.step(-1)),
      button("Next", () => this.step(1)),
      button("Next with a mistake", () => this.step(1, (e) => this.view.isWrong(e))),
      this.status,
    );
  }

  card() {
    return h("div", {class: "card"}, this.heading, this.note, this.canvas, this.list);
  }
}

/** Of the run that was shown before. */
let current = null;

/** One hyperedge at a time: found by name, by a step, or by a wrong prediction. {elements, show(e)} */
export function oneHyperedge(view) {
  current?.network?.destroy();
  current = new OneHyperedge(view);
  const own = current;
  return {elements: [own.form(), own.card()], show: (e) => own.show(e)};
}
