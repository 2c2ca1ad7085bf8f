// Who is joined to whom, by groups: what is left of a hypergraph that is too large to be drawn.

/** The distinct groups of some items. */
const groupsOf = (items, group) => [...new Set(items.map(group))];

/** Adds 1 to the number of joints from group a to group b. */
class Joints {
  constructor() {
    this.counts = new Map();
  }
  add(from, to, directed) {
    const [a, b] = directed || from <= to ? [from, to] : [to, from];
    const key = `${a} ${b} ${directed}`;
    const found = this.counts.get(key);
    if (found) found.number += 1;
    else this.counts.set(key, {from: a, to: b, directed, number: 1});
  }
  /** All pairs of a list, each once; a group with itself only where two of its items meet. */
  addPairs(items, group) {
    const sizes = new Map();
    for (const item of items) sizes.set(group(item), (sizes.get(group(item)) ?? 0) + 1);
    const groups = [...sizes.keys()];
    groups.forEach((a, i) => {
      if (sizes.get(a) > 1) this.add(a, a, false);
      for (const b of groups.slice(i + 1)) this.add(a, b, false);
    });
  }
  sorted() {
    return [...this.counts.values()].sort((a, b) => b.number - a.number);
  }
}

/** Nodes are grouped: the hyperedges that have tails in one group and heads in another, or members in both. */
function throughHyperedges(view, group) {
  const joints = new Joints();
  for (let e = 0; e < view.edges; ++e) {
    const members = view.columns.members.slice(view.start[e], view.start[e + 1]);
    if (!view.isDirected(e)) {
      joints.addPairs(members, group);
      continue;
    }
    const tails = groupsOf(members.slice(0, view.columns.tails[e]), group);
    const heads = groupsOf(members.slice(view.columns.tails[e]), group);
    for (const from of tails) for (const to of heads) joints.add(from, to, true);
  }
  return joints.sorted();
}

/** Hyperedges are grouped: the nodes that are heads of one and tails of another, or undirected members of both. */
function throughNodes(view, group) {
  const roles = Array.from({length: view.nodes}, () => ({into: [], out: [], plain: []}));
  for (let e = 0; e < view.edges; ++e) {
    const directed = view.isDirected(e);
    for (let i = view.start[e]; i < view.start[e + 1]; ++i) {
      const role = roles[view.columns.members[i]];
      if (!directed) role.plain.push(e);
      else if (i < view.start[e] + view.columns.tails[e]) role.out.push(e);
      else role.into.push(e);
    }
  }
  const joints = new Joints();
  for (const {into, out, plain} of roles) {
    for (const from of groupsOf(into, group))
      for (const to of groupsOf(out, group)) joints.add(from, to, true);
    if (plain.length > 1) joints.addPairs(plain, group);
  }
  return joints.sorted();
}

/** {from, to, directed, number}, the largest first; `group` gives the group of an item that is classified. */
export function flows(view, group) {
  return view.ofNodes ? throughHyperedges(view, group) : throughNodes(view, group);
}
