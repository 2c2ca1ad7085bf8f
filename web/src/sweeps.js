import {percentDomain, whisker} from "./axes.js";
import {h, section} from "./dom.js";
import {figure, legend, Plot} from "./figure.js";
import {counted, meanStd, metricName} from "./format.js";
import {classColour} from "./palette.js";

const names = {q: "Charge q", layers: "Depth (layers)", d: "Stalk dimension d"};

/** Groups of runs of one data set and model that differ in nothing but one number: {data, option, series}. */
export function findSweeps(runs) {
  const sweeps = new Map();
  for (const option of Object.keys(names)) {
    const groups = new Map();
    for (const run of runs) {
      const value = Number(run.options[option]);
      if (run.options[option] === undefined || !Number.isFinite(value)) continue;
      const rest = Object.entries(run.options)
        .filter(([name]) => name !== option)
        .sort();
      const key = JSON.stringify([run.data, run.model, run.seed, run.splits.length, rest]);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push({value, run});
    }
    for (const points of groups.values()) {
      if (new Set(points.map((point) => point.value)).size < 2) continue;
      points.sort((a, b) => a.value - b.value);
      const key = `${option} ${points[0].run.data}`;
      if (!sweeps.has(key)) sweeps.set(key, {option, data: points[0].run.data, series: []});
      sweeps.get(key).series.push(points);
    }
  }
  return [...sweeps.values()];
}

function chart({option, data, series}) {
  const points = series.flatMap((group, s) =>
    group.map(({value, run}) => ({value, run, s, mean: 100 * run.test.mean, std: 100 * run.test.std})),
  );
  const titles = series.map((group) => group[0].run.title);
  const label = (s) =>
    titles.filter((title) => title === titles[s]).length > 1
      ? `${titles[s]}, from ${series[s][0].run.name}`
      : titles[s];
  const run = points[0].run;
  return figure({
    title: `${names[option]} on ${data}`,
    note: `Test ${metricName(run.metric)} in per cent, mean ± standard deviation over ${counted(run.splits.length, "split")}; nothing else differs within a line.`,
    alt: points.map((d) => `${label(d.s)} at ${option} = ${d.value}: ${meanStd(d.run.test)}`).join("; "),
    legend: legend(series.map((_, s) => ({text: label(s), colour: classColour(s), symbol: "line"}))),
    draw: () => ({
      height: 280,
      marginLeft: 48,
      marginBottom: 40,
      marginRight: 20,
      x: {label: option, ticks: [...new Set(points.map((d) => d.value))], inset: 16},
      y: {label: null, grid: true, ticks: 6, domain: percentDomain(points.flatMap(whisker))},
      marks: [
        Plot.line(points, {x: "value", y: "mean", z: "s", stroke: (d) => classColour(d.s), strokeWidth: 2}),
        Plot.ruleX(points, {
          x: "value",
          y1: (d) => whisker(d)[0],
          y2: (d) => whisker(d)[1],
          stroke: (d) => classColour(d.s),
          strokeWidth: 2,
          strokeOpacity: 0.6,
        }),
        Plot.dot(points, {x: "value", y: "mean", fill: (d) => classColour(d.s), r: 5}),
        Plot.tip(
          points,
          Plot.pointer({
            x: "value",
            y: "mean",
            title: (d) => `${label(d.s)}\n${option} = ${d.value}\n${meanStd(d.run.test)} %`,
          }),
        ),
      ],
    }),
    columns: ["Model", option, "Test %"],
    rows: () => points.map((d) => [label(d.s), d.value, meanStd(d.run.test)]),
  });
}

/** Null where no runs differ in one option alone. */
export function sweeps(runs) {
  const found = findSweeps(runs);
  return found.length === 0
    ? null
    : section(
        "sweeps",
        "What one option does",
        h("div", {class: found.length > 1 ? "pair" : null}, found.map(chart)),
      );
}
