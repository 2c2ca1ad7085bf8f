import {figureDomain, whisker} from "./axes.js";
import {h, section} from "./dom.js";
import {figure, legend, Plot} from "./figure.js";
import {counted, meanStd, scaled, unitOf} from "./format.js";
import {isShare, metricName} from "./metric.js";
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
      const key = JSON.stringify([run.data, run.metric, run.model, run.seed, run.splits.length, rest]);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push({value, run});
    }
    for (const points of groups.values()) {
      if (new Set(points.map((point) => point.value)).size < 2) continue;
      points.sort((a, b) => a.value - b.value);
      const key = `${option} ${points[0].run.metric} ${points[0].run.data}`;
      if (!sweeps.has(key)) sweeps.set(key, {option, data: points[0].run.data, series: []});
      sweeps.get(key).series.push(points);
    }
  }
  return [...sweeps.values()];
}

function chart({option, data, series}) {
  const points = series.flatMap((group, s) =>
    group.map(({value, run}) => ({
      value,
      run,
      s,
      mean: scaled(run.test.mean, run.metric),
      std: scaled(run.test.std, run.metric),
    })),
  );
  const titles = series.map((group) => group[0].run.title);
  const label = (s) =>
    titles.filter((title) => title === titles[s]).length > 1
      ? `${titles[s]}, from ${series[s][0].run.name}`
      : titles[s];
  const run = points[0].run;
  const ends = (d) => whisker(d, run.metric);
  return figure({
    title: `${names[option]} on ${data}`,
    note: `Test ${metricName(run.metric)}${isShare(run.metric) ? " in per cent" : ""}, mean ± standard deviation over ${counted(run.splits.length, "split")}; nothing else differs within a line.`,
    alt: points.map((d) => `${label(d.s)} at ${option} = ${d.value}: ${meanStd(d.run.test, run.metric)}`).join("; "),
    legend: legend(series.map((_, s) => ({text: label(s), colour: classColour(s), symbol: "line"}))),
    draw: () => ({
      height: 280,
      marginLeft: 48,
      marginBottom: 40,
      marginRight: 20,
      x: {label: option, ticks: [...new Set(points.map((d) => d.value))], inset: 16},
      y: {label: null, grid: true, ticks: 6, domain: figureDomain(points.flatMap(ends), run.metric)},
      marks: [
        Plot.line(points, {x: "value", y: "mean", z: "s", stroke: (d) => classColour(d.s), strokeWidth: 2}),
        Plot.ruleX(points, {
          x: "value",
          y1: (d) => ends(d)[0],
          y2: (d) => ends(d)[1],
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
            title: (d) => `${label(d.s)}\n${option} = ${d.value}\n${meanStd(d.run.test, run.metric)}${unitOf(run.metric)}`,
          }),
        ),
      ],
    }),
    columns: ["Model", option, `Test${unitOf(run.metric)}`],
    rows: () => points.map((d) => [label(d.s), d.value, meanStd(d.run.test, run.metric)]),
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
