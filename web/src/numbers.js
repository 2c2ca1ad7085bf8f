import {h, select, table} from "./dom.js";
import {figure, legend, Plot} from "./figure.js";
import {count, significant} from "./format.js";

const parts = [
  ["train", "training", "var(--c2)", "square"],
  ["val", "validation", "var(--c1)", "diamond"],
  ["test", "test", "var(--c0)", "dot"],
];
const symbols = {square: "square", diamond: "diamond", dot: "circle"};

/** The name of a column of numbers; one that is alone may have none. */
const nameOf = (run, c) => run.class_names?.[c] ?? `number ${c}`;

/** True numbers against predicted ones: on the line the two are the same. */
function scatter(run, c) {
  const {of, id, part} = run.numbers;
  const {true: truth, predicted} = run.numbers.columns[c];
  const points = id.map((name, i) => ({id: name, part: part[i], truth: truth[i], predicted: predicted[i]}));
  const drawn = points.filter((d) => parts.some(([word]) => word === d.part));
  const all = drawn.flatMap((d) => [d.truth, d.predicted]);
  const ends = [Math.min(...all), Math.max(...all)];
  const shown = parts.filter(([word]) => drawn.some((d) => d.part === word));
  const sampled = of > id.length ? `A seeded sample of ${count(id.length)} of ${count(of)} items. ` : "";
  return figure({
    title: `True and predicted: ${nameOf(run, c)}`,
    note: `${sampled}Split 0; on the line a prediction is right.`,
    alt: `Scatter plot of ${count(drawn.length)} items, true number against predicted one; split 0 has R² ${significant(run.splits[0].r2)} on test items.`,
    legend: legend(shown.map(([, text, colour, symbol]) => ({text, colour, symbol}))),
    draw: (width) => ({
      height: Math.min(480, Math.max(300, width * 0.6)),
      marginLeft: 56,
      marginBottom: 38,
      marginRight: 16,
      x: {label: "true", grid: true, ticks: 6, nice: true},
      y: {label: "predicted", grid: true, ticks: 6, nice: true},
      marks: [
        Plot.line(
          ends.map((end) => [end, end]),
          {stroke: "var(--muted)", strokeDasharray: "4 4"},
        ),
        ...shown.map(([word, , colour, symbol]) =>
          Plot.dot(
            drawn.filter((d) => d.part === word),
            {x: "truth", y: "predicted", fill: colour, fillOpacity: 0.7, symbol: symbols[symbol], r: 3.4},
          ),
        ),
        Plot.tip(
          drawn,
          Plot.pointer({
            x: "truth",
            y: "predicted",
            title: (d) =>
              `${d.id}, ${d.part} item\ntrue ${significant(d.truth, 4)}\npredicted ${significant(d.predicted, 4)}`,
          }),
        ),
      ],
    }),
    columns: ["Item", "Part", "True", "Predicted"],
    rows: () => drawn.map((d) => [d.id, d.part, d.truth, d.predicted]),
  });
}

/** Errors of each split's test items, in the units of the data. */
function errors(run) {
  return h(
    "div",
    {class: "card"},
    h("h3", {}, "Errors on test items"),
    h("p", {class: "note lead"}, "RMSE and MAE are in the units of the data."),
    table(
      ["Split", "R²", "RMSE", "MAE"],
      run.splits.map((split) => [
        split.split,
        ...["r2", "rmse", "mae"].map((metric) => significant(split[metric], 4)),
      ]),
      `Errors of ${run.name}`,
    ),
  );
}

/** A run that predicts numbers. */
export function numbers(run) {
  const place = h("div", {class: "pair"});
  const show = (c) => place.replaceChildren(scatter(run, Number(c)), errors(run));
  show(0);
  const choices = run.numbers.columns.map((_, c) => [c, nameOf(run, c)]);
  return choices.length > 1 ? [h("div", {class: "controls"}, select("Number", choices, 0, show)), place] : [place];
}
