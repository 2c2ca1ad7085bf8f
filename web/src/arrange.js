import {forceLink, forceManyBody, forceSimulation, forceX, forceY} from "d3-force";

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
/** Places of hypergraphs that were laid out, by their columns. */
const known = new WeakMap();
/** Milliseconds of work between two looks at the page. */
const slice = 30;

/** How long and how exactly: a large hypergraph has to do with less. */
const effort = (view) =>
  view.nodes + view.edges > 1500 ? {ticks: 80, theta: 1.2} : {ticks: 250, theta: 0.9};

function simulationOf(view, {ticks, theta}) {
  const points = Array.from({length: view.nodes + view.edges}, () => ({}));
  const links = [];
  for (let e = 0; e < view.edges; ++e)
    for (let i = view.start[e]; i < view.start[e + 1]; ++i)
      links.push({source: view.columns.members[i], target: view.nodes + e});
  const simulation = forceSimulation(points)
    .stop()
    .alphaDecay(1 - 0.001 ** (1 / ticks))
    .force("push", forceManyBody().strength(-40).theta(theta))
    .force("pull", forceLink(links).distance(24))
    // Parts that hang together with nothing stay in sight; the picture is wider than high.
    .force("x", forceX().strength(0.03))
    .force("y", forceY().strength(0.06));
  return {simulation, points};
}

/**
 * Places for all nodes, then all hyperedges: everything pushes everything away, a hyperedge pulls its members. The
 * same every time, and the page stays usable meanwhile. Null when `isWanted` says no.
 */
export async function arrange(view, isWanted, progress) {
  if (known.has(view.columns)) return known.get(view.columns);
  const {ticks} = effort(view);
  const {simulation, points} = simulationOf(view, effort(view));
  let began = performance.now();
  for (let tick = 0; tick < ticks; ++tick) {
    simulation.tick();
    if (performance.now() - began < slice) continue;
    progress(tick / ticks);
    await frame();
    if (!isWanted()) return null;
    began = performance.now();
  }
  known.set(view.columns, points);
  return points;
}
