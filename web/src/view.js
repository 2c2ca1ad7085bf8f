import {isRight} from "./words.js";

/** A hypergraph of the page with a run's predictions: columns to hyperedges, worked out when they are asked for. */
export class View {
  constructor(columns, predictions, words) {
    this.columns = columns;
    this.predictions = predictions;
    this.words = words;
    this.edges = columns.sizes.length;
    this.start = new Int32Array(this.edges + 1);
    columns.sizes.forEach((size, e) => {
      this.start[e + 1] = this.start[e] + size;
    });
    this.incidences = this.start[this.edges];
    this.ofNodes = columns.target === "node";
    this.nodes = columns.node_names?.length ?? columns.n_nodes;
    /** What is classified. */
    this.items = this.ofNodes ? this.nodes : this.edges;
  }

  edgeName(e) {
    return this.columns.edge_names ? this.columns.edge_names[e] : String(e);
  }
  nodeName(v) {
    return this.columns.node_names ? this.columns.node_names[v] : String(v);
  }

  label(item) {
    return this.columns.labels?.[item] ?? -1;
  }
  predicted(item) {
    return this.predictions.predicted[item];
  }

  /** The classes of an item of the kind that is classified; `right` is null where the true one is unknown. */
  verdict(item) {
    const label = this.label(item);
    const predicted = this.predicted(item);
    return {label, predicted, percent: this.predictions.percent[item], right: isRight(label, predicted)};
  }

  isDirected(e) {
    const tails = this.columns.tails[e];
    return tails > 0 && tails < this.columns.sizes[e];
  }

  members(e) {
    const nodes = this.columns.members.slice(this.start[e], this.start[e + 1]);
    const tails = this.columns.tails[e];
    const directed = this.isDirected(e);
    return nodes.map((v, i) => ({
      v,
      name: this.nodeName(v),
      role: directed ? (i < tails ? "tail" : "head") : "member",
      ...(this.ofNodes ? this.verdict(v) : {}),
    }));
  }

  isWrong(e) {
    if (!this.ofNodes) return this.verdict(e).right === false;
    for (let i = this.start[e]; i < this.start[e + 1]; ++i) {
      if (this.verdict(this.columns.members[i]).right === false) return true;
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
