// The whole hypergraph as Cytoscape takes it: item by item, or by groups.
import {count, shorten} from "./format.js";
import {edgeLooks, nodeLooks} from "./network.js";
import {resolved} from "./palette.js";

/** Beyond so many lines arrowheads only make a blot. */
const mostArrows = 2000;
/** Joints that are drawn between groups. */
export const mostJoints = 40;

export const hasArrows = (view) => view.incidences <= mostArrows;

/** A circle for each node, a square for each hyperedge, a line for each incidence. */
export function itemElements(view, points) {
  const list = points.map(({x, y}, i) => ({
    data: {id: `i${i}`},
    position: {x, y},
    classes: i < view.nodes ? "vertex" : "hyperedge",
  }));
  for (let e = 0; e < view.edges; ++e) {
    const directed = view.isDirected(e);
    for (let i = view.start[e]; i < view.start[e + 1]; ++i) {
      const isHead = directed && i >= view.start[e] + view.columns.tails[e];
      const [from, to] = [`i${view.columns.members[i]}`, `i${view.nodes + e}`];
      list.push({
        data: {source: isHead ? to : from, target: isHead ? from : to},
        classes: directed ? "directed" : "plain",
      });
    }
  }
  return list;
}

/** How large a node is drawn, so that all together cover about the same share of the picture. */
export function itemSize(points) {
  const span = (values) => Math.max(...values) - Math.min(...values);
  const side = Math.max(span(points.map(({x}) => x)), span(points.map(({y}) => y)));
  return Math.max(8, (0.28 * side) / Math.sqrt(points.length));
}

export function itemLooks(view, size) {
  const surface = resolved("var(--surface)");
  const muted = resolved("var(--muted)");
  const looks = [
    {
      selector: "node",
      style: {"border-width": size / 12, "border-color": surface, "background-color": muted},
    },
    {selector: ".vertex", style: {width: size, height: size}},
    {selector: ".hyperedge", style: {width: 0.6 * size, height: 0.6 * size, shape: "rectangle"}},
    {selector: ".hyperedge[colour]", style: {width: size, height: size}},
    {selector: "[colour]", style: {"background-color": "data(colour)"}},
    {
      selector: ".unknown",
      style: {"background-color": surface, "border-color": muted, "border-width": size / 6},
    },
    {
      selector: "edge",
      style: {
        ...edgeLooks(),
        width: size / 12,
        opacity: 0.45,
        "curve-style": hasArrows(view) ? "straight" : "haystack",
      },
    },
  ];
  if (hasArrows(view))
    looks.push({selector: "edge.directed", style: {"target-arrow-shape": "triangle", "arrow-scale": 0.6}});
  return looks;
}

/** The groups in a ring, as large as their number of items, with the strongest joints between them. */
export function groupElements(view, sizes, joints, colouring) {
  const groups = [...sizes.keys()];
  const largest = Math.max(...sizes.values());
  const radius = Math.max(150, 26 * groups.length);
  const angleOf = (i) => (2 * Math.PI * i) / groups.length - Math.PI / 2;
  const list = groups.map((group, i) => ({
    data: {
      id: `g${group}`,
      label: `${shorten(colouring.name(view, group), 18)}\n${count(sizes.get(group))}`,
      size: 18 + 52 * Math.sqrt(sizes.get(group) / largest),
      colour: resolved(colouring.colour(group)),
    },
    position: {x: 1.5 * radius * Math.cos(angleOf(i)), y: radius * Math.sin(angleOf(i))},
  }));
  for (const {from, to, directed, number} of joints.slice(0, mostJoints))
    list.push({
      data: {
        source: `g${from}`,
        target: `g${to}`,
        width: 0.7 + (6 * number) / joints[0].number,
        outward: `${Math.round((angleOf(groups.indexOf(from)) * 180) / Math.PI) + 90}deg`,
      },
      classes: directed ? "directed" : "plain",
    });
  return list;
}

export const groupLooks = () => [
  {
    selector: "node",
    style: {
      ...nodeLooks(),
      width: "data(size)",
      height: "data(size)",
      label: "data(label)",
      "background-color": "data(colour)",
      "text-valign": "bottom",
      "text-margin-y": 4,
    },
  },
  {
    selector: "edge",
    style: {
      ...edgeLooks(),
      width: "data(width)",
      opacity: 0.55,
      "curve-style": "bezier",
      "control-point-step-size": 34,
      "loop-direction": "data(outward)",
      "loop-sweep": "50deg",
    },
  },
  {selector: "edge.directed", style: {"target-arrow-shape": "triangle", "arrow-scale": 0.9}},
];
