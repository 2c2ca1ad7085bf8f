import {missing} from "./dom.js";
import {figure, Plot} from "./figure.js";

const label = "eigenvalue λ";

function histogram(values, sheaf) {
  const bins = new Array(40).fill(0);
  const top = Math.max(1, ...values);
  for (const value of values)
    bins[Math.min(bins.length - 1, Math.max(0, Math.floor((value / top) * bins.length)))] += 1;
  const bars = bins.map((number, i) => ({
    from: (i * top) / bins.length,
    to: ((i + 1) * top) / bins.length,
    number,
  }));
  return figure({
    title: "Eigenvalues of the Laplacian L_N",
    note: `All ${values.length}, ${sheaf}.`,
    alt: `Histogram of ${values.length} eigenvalues between ${Math.min(...values).toFixed(3)} and ${Math.max(...values).toFixed(3)}.`,
    draw: () => ({
      height: 260,
      marginLeft: 48,
      marginBottom: 40,
      marginRight: 16,
      x: {label, domain: [0, top]},
      y: {label: "number", grid: true, ticks: 5},
      marks: [
        Plot.rectY(bars, {x1: "from", x2: "to", y: "number", fill: "var(--c0)", inset: 0.5}),
        Plot.ruleY([0], {stroke: "var(--muted)"}),
        Plot.tip(
          bars,
          Plot.pointerX({
            x: (d) => (d.from + d.to) / 2,
            y: "number",
            title: (d) => `${d.number} eigenvalues\nfrom ${d.from.toFixed(3)} to ${d.to.toFixed(3)}`,
          }),
        ),
      ],
    }),
    columns: ["From", "To", "Eigenvalues"],
    rows: () => bars.map((bar) => [bar.from.toFixed(4), bar.to.toFixed(4), bar.number]),
  });
}

function density(spectrum) {
  const points = spectrum.lambda.map((lambda, i) => ({lambda, density: spectrum.density[i]}));
  const peak = points.reduce((a, b) => (b.density > a.density ? b : a));
  return figure({
    title: "Spectral density of the Laplacian L_N",
    note: `Estimated (kernel polynomial method), ${spectrum.sheaf}.`,
    alt: `Estimated density of eigenvalues, highest at ${peak.lambda.toFixed(3)}.`,
    draw: () => ({
      height: 260,
      marginLeft: 48,
      marginBottom: 40,
      marginRight: 16,
      x: {label},
      y: {label: "density", grid: true, ticks: 5},
      marks: [
        Plot.areaY(points, {x: "lambda", y: "density", fill: "var(--c0)", fillOpacity: 0.25}),
        Plot.lineY(points, {x: "lambda", y: "density", stroke: "var(--c0)", strokeWidth: 2}),
        Plot.ruleY([0], {stroke: "var(--muted)"}),
        Plot.tip(
          points,
          Plot.pointerX({
            x: "lambda",
            y: "density",
            title: (d) => `λ = ${d.lambda.toFixed(3)}\ndensity ${d.density.toFixed(3)}`,
          }),
        ),
      ],
    }),
    columns: ["λ", "Density"],
    rows: () => points.map((d) => [d.lambda.toFixed(4), d.density.toFixed(4)]),
  });
}

export function spectrum(run) {
  const found = run.details.missing ? run.details : run.details.spectrum;
  if (found.missing) return [missing(`The spectrum cannot be shown: ${found.missing}`)];
  return [found.eigenvalues ? histogram(found.eigenvalues, found.sheaf) : density(found)];
}
