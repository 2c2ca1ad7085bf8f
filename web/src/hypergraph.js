import {h, missing} from "./dom.js";
import {count} from "./format.js";
import {oneHyperedge} from "./hyperedge.js";
import {overview} from "./overview.js";
import {View} from "./view.js";

/** The whole hypergraph, then one hyperedge at a time. */
export function hypergraph(run, hypergraphs) {
  const reason = run.details.missing ?? run.details.drawing?.missing;
  if (reason) return [missing(`The hypergraph cannot be shown: ${reason}`)];
  const view = new View(hypergraphs[run.details.hypergraph], run.details.predictions, run.words);
  if (view.edges === 0) return [missing("This hypergraph has no hyperedges.")];
  const {n_nodes, n_hyperedges, n_incidences} = view.columns;
  const sampled = view.edges < n_hyperedges;
  const alone = n_nodes - view.nodes;
  const sizes = `${count(n_nodes)} nodes, ${count(n_hyperedges)} hyperedges, ${count(n_incidences)} incidences.`;
  const part = sampled
    ? `The page holds a seeded sample of ${count(view.edges)} hyperedges with their members.`
    : alone > 0
      ? `${count(alone)} of the nodes are in no hyperedge and are not shown.`
      : "";
  const colours = view.ofNodes
    ? "A member's colour is its predicted class; diamonds with a double border are wrong. Split 0."
    : "Split 0.";
  const one = oneHyperedge(view);
  const whole = overview(view, (e) => {
    one.show(e);
    one.elements[1].scrollIntoView({block: "nearest"});
  });
  return [
    h("p", {class: "note lead"}, `${sizes} ${part}`),
    whole,
    h("p", {class: "note lead below"}, `One hyperedge at a time. ${colours}`),
    ...one.elements,
  ];
}
