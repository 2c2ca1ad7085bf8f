import {h, missing, select} from "./dom.js";
import {figure, legend, Plot} from "./figure.js";
import {capital, shorten} from "./format.js";

const characterWidth = 6.6;
/** Longer words are cut in the pictures; tables have them whole. */
const mostCharacters = 14;

/** The sum of the splits' counts. */
function summed(splits) {
  return splits
    .map((split) => split.confusion)
    .reduce((a, b) => a.map((row, t) => row.map((value, p) => value + b[t][p])));
}

/** Precision, recall and F1 of each class; 0 where a class was never predicted or never occurs. */
export function perClass(confusion) {
  return confusion.map((row, c) => {
    const support = row.reduce((a, b) => a + b, 0);
    const predicted = confusion.reduce((sum, other) => sum + other[c], 0);
    const precision = predicted ? row[c] / predicted : 0;
    const recall = support ? row[c] / support : 0;
    return {
      class: c,
      support,
      precision,
      recall,
      f1: precision + recall ? (2 * precision * recall) / (precision + recall) : 0,
    };
  });
}

function matrix(confusion, which, words) {
  const size = confusion.length;
  const cells = confusion.flatMap((row, truth) => {
    const support = row.reduce((a, b) => a + b, 0) || 1;
    return row.map((value, predicted) => ({truth, predicted, value, share: value / support}));
  });
  const longest = Math.max(...confusion.map((_, c) => words.short(c, mostCharacters).length));
  const right = cells.filter((d) => d.truth === d.predicted).reduce((sum, d) => sum + d.value, 0);
  const total = cells.reduce((sum, d) => sum + d.value, 0);
  return figure({
    title: "Confusion matrix",
    note: `Test items of ${which}; shade is the share of the true class.`,
    alt: `Confusion matrix of ${size} classes: ${right} of ${total} test items are classified correctly.`,
    draw: (width) => {
      const left = 32 + characterWidth * longest;
      const side = Math.min(width, 400 + left);
      const room = (side - left - 14) / size;
      // Words that are wider than their column stand on end.
      const upright = longest * characterWidth > room;
      const top = upright ? left : 40;
      const tickFormat = (c) => words.short(c, mostCharacters);
      return {
        width: side,
        height: side - left + top,
        marginLeft: left,
        marginTop: top,
        marginBottom: 14,
        marginRight: 14,
        x: {label: "predicted class", axis: "top", tickSize: 0, tickFormat, tickRotate: upright ? -90 : 0},
        y: {label: "true class", tickSize: 0, tickFormat},
        padding: 0.04,
        marks: [
          Plot.cell(cells, {x: "predicted", y: "truth", fill: "var(--line)", fillOpacity: 0.35, rx: 3}),
          Plot.cell(cells, {x: "predicted", y: "truth", fill: "var(--c0)", fillOpacity: "share", rx: 3}),
          room > 22
            ? Plot.text(cells, {
                x: "predicted",
                y: "truth",
                text: "value",
                fill: (d) => (d.share > 0.55 ? "var(--on-c0)" : "var(--ink)"),
                fontSize: Math.min(14, room / 2.6),
              })
            : null,
          Plot.tip(
            cells,
            Plot.pointer({
              x: "predicted",
              y: "truth",
              title: (d) =>
                `true: ${words.of(d.truth)}\npredicted: ${words.of(d.predicted)}\n${d.value} items, ${(100 * d.share).toFixed(1)} % of the class`,
            }),
          ),
        ],
        opacity: {domain: [0, 1]},
      };
    },
    columns: ["True \\ predicted", ...confusion.map((_, c) => words.of(c))],
    rows: () => confusion.map((row, c) => [words.of(c), ...row]),
  });
}

const measures = [
  ["precision", "var(--c0)", "circle", "dot"],
  ["recall", "var(--c1)", "diamond", "diamond"],
  ["f1", "var(--c2)", "square", "square"],
];
const measureName = {precision: "precision", recall: "recall", f1: "F1"};

/** Precision, recall and F1 of each class or label: {class, support, precision, recall, f1}. */
export function measuresFigure(rows, which, words, word = "class") {
  const name = (c) => shorten(words.of(c), mostCharacters);
  const points = rows.flatMap((row) => measures.map(([measure]) => ({...row, measure, value: row[measure]})));
  return figure({
    title: `Precision, recall and F1 by ${word}`,
    note: `Test items of ${which}.`,
    alt: rows
      .map(
        (row) =>
          `${words.of(row.class)}: precision ${row.precision.toFixed(2)}, recall ${row.recall.toFixed(2)}, F1 ${row.f1.toFixed(2)}`,
      )
      .join("; "),
    legend: legend(
      measures.map(([measure, colour, , symbol]) => ({text: measureName[measure], colour, symbol})),
    ),
    draw: () => ({
      height: Math.max(180, 60 + 40 * rows.length),
      marginLeft: 20 + characterWidth * Math.max(...rows.map((row) => name(row.class).length)),
      marginBottom: 38,
      marginRight: 16,
      x: {label: null, domain: [0, 1], grid: true, ticks: 5},
      y: {
        label: null,
        tickFormat: name,
        tickSize: 0,
        type: "band",
        domain: rows.map((row) => row.class),
      },
      marks: [
        Plot.ruleY(rows, {
          y: "class",
          x1: (d) => Math.min(d.precision, d.recall, d.f1),
          x2: (d) => Math.max(d.precision, d.recall, d.f1),
          stroke: "var(--line)",
          strokeWidth: 3,
        }),
        ...measures.map(([measure, colour, symbol], i) =>
          Plot.dot(rows, {x: measure, y: "class", fill: colour, symbol, r: 5, dy: 7 * (i - 1)}),
        ),
        Plot.tip(
          points,
          Plot.pointerY({
            x: "value",
            y: "class",
            title: (d) =>
              `${words.of(d.class)}, ${d.support} items\nprecision ${d.precision.toFixed(3)}\nrecall ${d.recall.toFixed(3)}\nF1 ${d.f1.toFixed(3)}`,
          }),
        ),
      ],
    }),
    columns: [capital(word), "Items", "Precision", "Recall", "F1"],
    rows: () =>
      rows.map((row) => [
        words.of(row.class),
        row.support,
        row.precision.toFixed(4),
        row.recall.toFixed(4),
        row.f1.toFixed(4),
      ]),
  });
}

/** Figures of some splits, all of them at first: `draw` gives them for chosen splits and the words for these. */
export function bySplit(splits, draw) {
  const place = h("div", {class: "pair"});
  const show = (value) => {
    const chosen = value === "all" ? splits : splits.filter((split) => String(split.split) === value);
    const which =
      value === "all"
        ? splits.length > 1
          ? `all ${splits.length} splits together`
          : "the only split"
        : `split ${value}`;
    place.replaceChildren(...draw(chosen, which));
  };
  show("all");
  const choices = [["all", "all splits"], ...splits.map((split) => [split.split, `split ${split.split}`])];
  return splits.length > 1
    ? [h("div", {class: "controls"}, select("Split", choices, "all", show)), place]
    : [place];
}

export function classes(run) {
  const splits = run.splits.filter((split) => split.confusion.length > 0);
  if (splits.length === 0) return [missing("This run has no confusion matrix.")];
  return bySplit(splits, (chosen, which) => {
    const confusion = summed(chosen);
    return [
      matrix(confusion, which, run.words),
      measuresFigure(perClass(confusion), which, run.words),
    ];
  });
}
