import cytoscape from "cytoscape";
import {arrange} from "./arrange.js";
import {colourings, groupSizes, isUnknown} from "./colouring.js";
import {h, select, table} from "./dom.js";
import {legend} from "./figure.js";
import {flows} from "./flows.js";
import {capital, count, counted} from "./format.js";
import {resolved} from "./palette.js";
import {onTheme} from "./theme.js";
import {
  groupElements,
  groupLooks,
  hasArrows,
  itemElements,
  itemLooks,
  itemSize,
  mostJoints,
} from "./wholes.js";
import {verdict} from "./words.js";

/** Nodes with hyperedges, and incidences, that are drawn one by one; a larger hypergraph is drawn by groups. */
const mostItems = 6000;
const mostIncidences = 12000;
/** Moving the picture about is smooth without lines beyond so many. */
const mostMovedLines = 5000;
const mostNamed = 24;
const mostListed = 2000;
const margin = 16;

const settings = () => ({
  layout: {name: "preset"},
  userZoomingEnabled: false,
  // A finger scrolls the page.
  userPanningEnabled: !matchMedia("(pointer: coarse)").matches,
  boxSelectionEnabled: false,
  autoungrabify: true,
  autounselectify: true,
  minZoom: 0.02,
  maxZoom: 4,
});

class Overview {
  /** `open` is called with a hyperedge that was clicked. */
  constructor(view, open) {
    this.view = view;
    this.open = open;
    this.byItems = view.nodes + view.edges <= mostItems && view.incidences <= mostIncidences;
    this.colouring = colourings.true;
    this.network = null;
    this.size = 0;
    this.ended = false;
    this.canvas = h("div", {class: "network overview", role: "img", tabindex: "0"});
    this.key = h("div");
    this.status = h("p", {class: "note", role: "status"});
    this.joints = h("div");
    this.details = h("details", {}, h("summary", {}, "Numbers as a table"), this.joints);
    this.details.addEventListener("toggle", () => this.list());
    this.describe();
    this.watch();
  }

  end() {
    this.ended = true;
    this.network?.destroy();
    this.network = null;
  }

  /** Drawn when it comes into sight, and again when the room or the theme changes. */
  watch() {
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      if (this.byItems) this.drawItems();
      else this.drawGroups();
    });
    seen.observe(this.canvas);
    new ResizeObserver(() => {
      this.network?.resize();
      this.fit();
    }).observe(this.canvas);
    onTheme("overview", () => {
      if (this.network === null) return;
      if (!this.byItems) return this.drawGroups();
      this.network.style(itemLooks(this.view, this.size));
      this.paint();
    });
  }

  fit() {
    this.network?.fit(undefined, margin);
  }

  zoom(by) {
    const middle = {x: this.canvas.clientWidth / 2, y: this.canvas.clientHeight / 2};
    this.network?.zoom({level: by * this.network.zoom(), renderedPosition: middle});
  }

  colourBy(name) {
    this.colouring = colourings[name];
    this.describe();
    if (this.network === null) return;
    if (this.byItems) this.paint();
    else this.drawGroups();
  }

  /** The words and the legend. */
  describe() {
    const {view, colouring} = this;
    const sizes = [...groupSizes(view, colouring)];
    const named = sizes.slice(0, mostNamed);
    const words = named.map(([group, size]) => `${colouring.name(view, group)} ${count(size)}`);
    this.canvas.setAttribute(
      "aria-label",
      `The whole hypergraph: ${counted(view.nodes, "node")}, ${counted(view.edges, "hyperedge")}. ${view.ofNodes ? "Nodes" : "Hyperedges"} by ${colouring.text}: ${words.join(", ")}. The table below says who is joined to whom.`,
    );
    const entries = named.map(([group]) => ({
      text: colouring.name(view, group),
      colour: colouring.colour(group),
      symbol: isUnknown(group) && this.byItems ? "ring" : view.ofNodes || !this.byItems ? "dot" : "square",
    }));
    if (sizes.length > mostNamed)
      entries.push({text: `${sizes.length - mostNamed} more`, colour: "transparent"});
    if (this.byItems)
      entries.push(
        view.ofNodes
          ? {text: "hyperedge", colour: "var(--muted)", symbol: "square"}
          : {text: "node", colour: "var(--muted)"},
      );
    this.key.replaceChildren(legend(entries));
    this.list();
  }

  /** Who is joined to whom; worked out when it is looked at. */
  list() {
    if (!this.details.open) return;
    const {view, colouring} = this;
    const rows = flows(view, colouring.group(view))
      .slice(0, mostListed)
      .map(({from, to, directed, number}) => [
        colouring.name(view, from),
        colouring.name(view, to),
        directed ? "directed" : "undirected",
        count(number),
      ]);
    const through = view.ofNodes ? "Hyperedges" : "Nodes";
    this.joints.replaceChildren(table(["From", "To", "Kind", through], rows, "Who is joined to whom"));
  }

  async drawItems() {
    const points = await arrange(
      this.view,
      () => !this.ended,
      (share) => {
        this.status.textContent = `Finding a place for everything: ${Math.round(100 * share)} %`;
      },
    );
    if (points === null || this.ended) return;
    this.status.textContent = "";
    this.size = itemSize(points);
    this.network = cytoscape({
      ...settings(),
      container: this.canvas,
      elements: itemElements(this.view, points),
      style: itemLooks(this.view, this.size),
      hideEdgesOnViewport: this.view.incidences > mostMovedLines,
    });
    this.network.on("tap", "node", (event) => this.tapped(Number(event.target.id().slice(1))));
    this.paint();
    this.fit();
    this.canvas.dataset.drawn = "items";
  }

  paint() {
    const {view, network, colouring} = this;
    const group = colouring.group(view);
    const colours = new Map(
      [...groupSizes(view, colouring).keys()].map((one) => [one, resolved(colouring.colour(one))]),
    );
    network.batch(() => {
      for (let i = 0; i < view.items; ++i) {
        const element = network.getElementById(`i${view.ofNodes ? i : view.nodes + i}`);
        element.data("colour", colours.get(group(i)));
        element.toggleClass("unknown", isUnknown(group(i)));
      }
    });
  }

  drawGroups() {
    const {view, colouring} = this;
    this.network?.destroy();
    this.network = cytoscape({
      ...settings(),
      container: this.canvas,
      elements: groupElements(
        view,
        groupSizes(view, colouring),
        flows(view, colouring.group(view)),
        colouring,
      ),
      style: groupLooks(),
    });
    this.fit();
    this.canvas.dataset.drawn = "groups";
  }

  /** A hyperedge is opened, a node is told about. */
  tapped(i) {
    const {view} = this;
    if (i >= view.nodes) return this.open(i - view.nodes);
    const name = `Node ${view.nodeName(i)}`;
    if (!view.ofNodes) {
      this.status.textContent = name;
      return;
    }
    const {label, predicted, percent, right} = view.verdict(i);
    this.status.textContent = `${name}: true class ${view.words.of(label)}, predicted ${view.words.of(predicted)} (${percent} %), ${verdict(right)}`;
  }

  how() {
    const {view} = this;
    if (this.byItems)
      return `Circles are nodes, squares hyperedges; a line joins a hyperedge to a member${hasArrows(view) ? ", from tails and to heads" : ""}. A click on a square shows the hyperedge below.`;
    const [item, through] = view.ofNodes ? ["nodes", "hyperedges"] : ["hyperedges", "nodes"];
    return `Too large to be drawn one by one, so ${item} are grouped. The wider a line, the more ${through} join the two groups, from tails to heads; at most ${mostJoints} lines are drawn.`;
  }

  element() {
    const button = (text, action) => h("button", {type: "button", onclick: action}, text);
    const choices = Object.entries(colourings).map(([name, {text}]) => [name, capital(text)]);
    return h(
      "div",
      {class: "card"},
      h("h3", {}, "The whole hypergraph"),
      h("p", {class: "note lead"}, this.how()),
      h(
        "div",
        {class: "controls"},
        select(this.byItems ? "Colour" : "Group", choices, "true", (name) => this.colourBy(name)),
        button("Zoom in", () => this.zoom(1.5)),
        button("Zoom out", () => this.zoom(1 / 1.5)),
        button("Whole", () => this.fit()),
      ),
      this.key,
      this.canvas,
      this.status,
      this.details,
    );
  }
}

/** Of the run that was shown before. */
let current = null;

/** The whole hypergraph in one picture; `open` is called with a hyperedge that was clicked. */
export function overview(view, open) {
  current?.end();
  current = new Overview(view, open);
  return current.element();
}
