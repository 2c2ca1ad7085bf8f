import {h, missing, select} from "./dom.js";
import {figure, legend, Plot} from "./figure.js";
import {count} from "./format.js";
import {classColour} from "./palette.js";

function scatter(columns, part, item) {
  const all = columns.x.map((x, i) => ({
    x,
    y: columns.y[i],
    id: columns.id[i],
    label: columns.label[i],
    predicted: columns.predicted[i],
    part: columns.part[i],
  }));
  const points = part === "all" ? all : all.filter((d) => d.part === part);
  const right = points.filter((d) => d.label === d.predicted);
  const wrong = points.filter((d) => d.label !== d.predicted);
  const used = [...new Set(all.map((d) => d.label))].sort((a, b) => a - b);
  const share = (j) => (100 * columns.shares[j]).toFixed(0);
  const sampled =
    columns.of > all.length
      ? `A seeded sample of ${count(all.length)} of ${count(columns.of)} ${item}s. `
      : "";
  return figure({
    title: `What the model makes of each ${item}`,
    note: `${sampled}Two leading principal components (${share(0)} % and ${share(1)} % of the variance) of ${columns.shown}. Split 0, coloured by true class.`,
    alt: `Scatter plot of ${points.length} ${item}s in ${used.length} classes; ${wrong.length} of them are classified wrongly.`,
    legend: legend([
      ...used.slice(0, 16).map((c) => ({text: `class ${c}`, colour: classColour(c)})),
      {text: "wrongly classified", colour: "var(--ink)", symbol: "cross"},
    ]),
    draw: (width) => ({
      height: Math.min(540, Math.max(320, width * 0.6)),
      marginLeft: 44,
      marginBottom: 38,
      marginRight: 12,
      x: {label: "first component", ticks: 6, nice: true},
      y: {label: "second component", ticks: 6, nice: true},
      grid: true,
      marks: [
        Plot.dot(right, {
          x: "x",
          y: "y",
          fill: (d) => classColour(d.label),
          r: all.length > 1500 ? 2.2 : 3.4,
          fillOpacity: 0.75,
        }),
        Plot.dot(wrong, {
          x: "x",
          y: "y",
          stroke: (d) => classColour(d.label),
          symbol: "times",
          strokeWidth: 2,
          r: all.length > 1500 ? 3 : 4.5,
        }),
        Plot.dot(points, Plot.pointer({x: "x", y: "y", stroke: "var(--ink)", strokeWidth: 1.5, r: 6})),
        Plot.tip(
          points,
          Plot.pointer({
            x: "x",
            y: "y",
            title: (d) =>
              `${item} ${d.id}\ntrue class ${d.label}\npredicted ${d.predicted}${d.part ? `\n${d.part} item` : ""}`,
          }),
        ),
      ],
    }),
    columns: [item, "Part", "True class", "Predicted", "x", "y"],
    rows: () => points.map((d) => [d.id, d.part || "–", d.label, d.predicted, d.x, d.y]),
  });
}

export function representation(run) {
  const found = run.details.missing ? run.details : run.details.representation;
  if (found.missing) return [missing(`The representations cannot be shown: ${found.missing}`)];
  const item = run.task === "hyperedge classification" ? "hyperedge" : "node";
  const place = h("div");
  const show = (part) => place.replaceChildren(scatter(found, part, item));
  show("all");
  const parts = ["train", "val", "test"].filter((part) => found.part.includes(part));
  const words = {train: "training", val: "validation", test: "test"};
  return [
    h(
      "div",
      {class: "controls"},
      select("Items", [["all", "all"], ...parts.map((part) => [part, words[part]])], "all", show),
    ),
    place,
  ];
}
