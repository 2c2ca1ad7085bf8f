import {logTicks} from "./axes.js";
import {h, missing} from "./dom.js";
import {figure, Plot} from "./figure.js";
import {count, counted, significant} from "./format.js";

const label = "eigenvalue λ";
/** Below this an eigenvalue is 0 but for rounding. */
const zero = 1e-9;
const bars = 40;
const fewest = 20;

const lambda = (value) => (Math.abs(value) < zero ? "0" : significant(value, 4));

/** Equal parts from 0 to the largest. */
function binned(values) {
  const top = Math.max(1, ...values);
  const bins = Array.from({length: bars}, (_, i) => ({
    from: (i * top) / bars,
    to: ((i + 1) * top) / bars,
    number: 0,
  }));
  for (const value of values)
    bins[Math.min(bars - 1, Math.max(0, Math.floor((value / top) * bars)))].number += 1;
  return bins;
}

/** Counts on a logarithmic axis: a single small eigenvalue is as visible as the crowd. */
function histogram(values, sheaf) {
  const bins = binned(values);
  const most = Math.max(...bins.map((bin) => bin.number));
  const ends = `λ_min = ${lambda(values[0])}, λ_max = ${lambda(values.at(-1))}`;
  return figure({
    title: "Eigenvalues of the Laplacian L_N",
    note: `All ${count(values.length)}, ${sheaf}. ${ends}. Counts on a logarithmic scale.`,
    alt: `Histogram of ${values.length} eigenvalues; ${ends}.`,
    draw: () => ({
      height: 280,
      marginLeft: 48,
      marginBottom: 40,
      marginRight: 16,
      x: {label, domain: [0, bins.at(-1).to]},
      y: {
        label: "number",
        grid: true,
        type: "log",
        domain: [0.6, Math.max(2, most)],
        ticks: logTicks(1, Math.max(2, most)),
        tickFormat: (tick) => String(tick),
      },
      marks: [
        Plot.rect(
          bins.filter((bin) => bin.number > 0),
          {x1: "from", x2: "to", y1: 0.6, y2: "number", fill: "var(--c0)", inset: 0.5},
        ),
        Plot.ruleX([values[0]], {stroke: "var(--c1)", strokeWidth: 1.5}),
        Plot.tip(
          bins,
          Plot.pointerX({
            x: (d) => (d.from + d.to) / 2,
            y: (d) => Math.max(1, d.number),
            title: (d) =>
              `${counted(d.number, "eigenvalue")}\nfrom ${d.from.toFixed(3)} to ${d.to.toFixed(3)}`,
          }),
        ),
      ],
    }),
    columns: ["From", "To", "Eigenvalues"],
    rows: () => bins.map((bin) => [bin.from.toFixed(4), bin.to.toFixed(4), bin.number]),
  });
}

/** The smallest ones by their size, which a histogram puts into one bar. */
function smallest(values) {
  const zeros = values.filter((value) => value < zero).length;
  const shown = values.slice(zeros, zeros + fewest).map((value, i) => ({value, place: zeros + i + 1}));
  if (shown.length < 2) return null;
  const words = zeros === 0 ? "None is 0" : `${counted(zeros, "eigenvalue")} ${zeros === 1 ? "is" : "are"} 0`;
  const ends = [shown[0].value, shown.at(-1).value];
  const wide = ends[1] / ends[0] > 2;
  return figure({
    title: "The smallest eigenvalues",
    note: `${words} (below ${zero}); then the ${count(shown.length)} smallest, one by one${wide ? ", on a logarithmic scale" : ""}.`,
    alt: `${words}; the next are ${shown
      .slice(0, 8)
      .map((d) => lambda(d.value))
      .join(", ")}.`,
    draw: () => ({
      height: 280,
      marginLeft: 64,
      marginBottom: 40,
      marginRight: 16,
      x: {label: "place", tickFormat: "d", ticks: Math.min(10, shown.length), inset: 8},
      y: {
        label,
        grid: true,
        ...(wide
          ? {type: "log", ticks: logTicks(...ends), tickFormat: (tick) => String(tick)}
          : {nice: true, ticks: 5}),
      },
      marks: [
        Plot.dot(shown, {x: "place", y: "value", fill: "var(--c0)", r: 4}),
        Plot.tip(
          shown,
          Plot.pointerX({x: "place", y: "value", title: (d) => `λ number ${d.place}\n${lambda(d.value)}`}),
        ),
      ],
    }),
    columns: ["Place", "λ"],
    rows: () => values.slice(0, 200).map((value, i) => [i + 1, lambda(value)]),
  });
}

function density(spectrum) {
  // The method leaves ripples around zero, which a logarithm would blow up.
  const top = Math.max(...spectrum.density);
  const floor = top / 1e5;
  const points = spectrum.lambda.map((value, i) => ({
    lambda: value,
    density: spectrum.density[i],
    drawn: Math.max(floor, spectrum.density[i]),
  }));
  const peak = points.reduce((a, b) => (b.density > a.density ? b : a));
  const least =
    spectrum.smallest?.length > 0
      ? `λ_min = ${lambda(spectrum.smallest[0])}.`
      : "λ_min was not found in reasonable time.";
  return figure({
    title: "Spectral density of the Laplacian L_N",
    note: `Estimated (kernel polynomial method), ${spectrum.sheaf}. ${least} Logarithmic scale.`,
    alt: `Estimated density of eigenvalues, highest at ${peak.lambda.toFixed(3)}. ${least}`,
    draw: () => ({
      height: 280,
      marginLeft: 60,
      marginBottom: 40,
      marginRight: 16,
      x: {label},
      y: {
        label: "density",
        grid: true,
        type: "log",
        domain: [floor, top],
        ticks: logTicks(floor, top),
        tickFormat: (tick) => String(tick),
      },
      marks: [
        Plot.areaY(points, {x: "lambda", y1: floor, y2: "drawn", fill: "var(--c0)", fillOpacity: 0.25}),
        Plot.lineY(points, {x: "lambda", y: "drawn", stroke: "var(--c0)", strokeWidth: 2}),
        spectrum.smallest?.length > 0
          ? Plot.ruleX(spectrum.smallest, {stroke: "var(--c1)", strokeWidth: 1.5})
          : null,
        Plot.tip(
          points,
          Plot.pointerX({
            x: "lambda",
            y: "drawn",
            title: (d) => `λ = ${d.lambda.toFixed(3)}\ndensity ${significant(d.density)}`,
          }),
        ),
      ],
    }),
    columns: ["λ", "Density"],
    rows: () => points.map((d) => [d.lambda.toFixed(4), significant(d.density, 4)]),
  });
}

export function spectrum(run) {
  const found = run.details.missing ? run.details : run.details.spectrum;
  if (found.missing) return [missing(`The spectrum cannot be shown: ${found.missing}`)];
  if (!found.eigenvalues) return [density(found)];
  const values = [...found.eigenvalues].sort((a, b) => a - b);
  return [h("div", {class: "pair"}, histogram(values, found.sheaf), smallest(values))];
}
