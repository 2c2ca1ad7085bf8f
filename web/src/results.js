import {percentDomain, whisker} from "./axes.js";
import {h, section, select, table} from "./dom.js";
import {figure, legend, Plot} from "./figure.js";
import {capital, count, counted, intervalText, scoreText, shorten, signed} from "./format.js";
import {comparable} from "./leaderboard.js";
import {isShare, metricName} from "./metric.js";

const isScore = (score) => score !== null && typeof score === "object";
const characterWidth = 6.6;

/** As many ticks as have room for their numbers. */
const ticksFor = (width) => Math.max(3, Math.min(10, Math.floor((width * 0.5) / 45)));

/** Room for the labels on the left, and the labels cut to it. */
function labelAxis(labels, width) {
  const most = Math.max(...labels.map((label) => label.length));
  const room = Math.min(width * 0.45, 16 + characterWidth * most);
  return {
    marginLeft: room,
    y: {
      label: null,
      domain: labels,
      tickSize: 0,
      tickFormat: (label) => shorten(label, Math.floor((room - 10) / characterWidth)),
    },
  };
}

function whiskerNote(rows) {
  const drawn = rows.map((row) => row.ours).filter(isScore);
  const intervals = drawn.filter((score) => score.interval).length;
  if (intervals === 0) return "Mean and standard deviation over splits, in per cent.";
  return intervals === drawn.length
    ? "Mean over splits in per cent with its 95 % interval."
    : "Mean over splits in per cent with its 95 % interval or, where none is known, the standard deviation.";
}

/** Figures of one data set: {label, ours, paper}, in per cent; the paper's beside them where there are some. */
function scores(title, rows, note = "") {
  const beside = rows.some((row) => row.paper);
  const own = rows
    .filter((row) => isScore(row.ours))
    .map((row) => ({...row, score: row.ours, whose: "this work"}));
  const papers = rows
    .filter((row) => isScore(row.paper))
    .map((row) => ({...row, score: row.paper, whose: "paper"}));
  const points = [...own, ...papers];
  const marksOf = (list, colour, symbol, dy) => [
    Plot.ruleY(list, {
      y: "label",
      x1: (d) => whisker(d.score)[0],
      x2: (d) => whisker(d.score)[1],
      stroke: colour,
      strokeWidth: 2,
      strokeOpacity: 0.6,
      dy,
    }),
    Plot.dot(list, {y: "label", x: (d) => d.score.mean, fill: colour, symbol, r: 5, dy}),
  ];
  return figure({
    title: beside ? `${title} beside the paper's` : title,
    note: [whiskerNote(rows), beside ? "The paper's have their standard deviations." : "", note]
      .join(" ")
      .trim(),
    alt: `${title}: ${rows
      .map((row) => `${row.label}: ${scoreText(row.ours)}${beside ? `, paper ${scoreText(row.paper)}` : ""}`)
      .join("; ")}`,
    legend: beside
      ? legend([
          {text: "this work", colour: "var(--c0)"},
          {text: "paper", colour: "var(--c1)", symbol: "diamond"},
        ])
      : null,
    draw: (width) => ({
      height: 70 + (beside ? 36 : 28) * rows.length,
      marginBottom: 40,
      marginRight: 24,
      ...labelAxis(
        rows.map((row) => row.label),
        width,
      ),
      x: {
        label: "per cent",
        grid: true,
        ticks: ticksFor(width),
        domain: percentDomain(points.flatMap((point) => whisker(point.score))),
      },
      marks: [
        ...marksOf(own, "var(--c0)", "circle", beside ? -5 : 0),
        ...marksOf(papers, "var(--c1)", "diamond", 6),
        Plot.tip(
          points,
          Plot.pointerY({
            y: "label",
            x: (d) => d.score.mean,
            title: (d) => `${d.label}\n${beside ? `${d.whose}: ` : ""}${scoreText(d.score)} %`,
          }),
        ),
      ],
    }),
    columns: ["", beside ? "This work %" : "Test %", ...(beside ? ["Paper %"] : [])],
    rows: () =>
      rows.map((row) => [row.label, scoreText(row.ours), ...(beside ? [scoreText(row.paper)] : [])]),
  });
}

const wordColour = {above: "var(--c2)", below: "var(--c1)"};
const colourOf = (row) => wordColour[row.word] ?? "var(--muted)";

/** Differences with their intervals around zero, and the word that they come to: {label, mean, interval, word}. */
function differences(title, note, rows, more = []) {
  const ends = rows.flatMap((row) => row.interval ?? [row.mean]);
  const words = (row) => row.word ?? "no interval";
  const line = (row) =>
    `${row.label}: ${signed(row.mean)}${row.interval ? ` ${intervalText(row.interval)}` : ""}, ${words(row)}`;
  return figure({
    title,
    note,
    alt: `${title}: ${rows.map(line).join("; ")}`,
    legend: legend([
      {text: "above", colour: "var(--c2)"},
      {text: "below", colour: "var(--c1)"},
      {text: "not distinguishable", colour: "var(--muted)"},
    ]),
    draw: (width) => ({
      height: 70 + 28 * rows.length,
      marginBottom: 40,
      marginRight: width < 520 ? 24 : 138,
      ...labelAxis(
        rows.map((row) => row.label),
        width,
      ),
      x: {
        label: "difference in percentage points",
        grid: true,
        ticks: ticksFor(width),
        nice: true,
        domain: [Math.min(0, ...ends), Math.max(0, ...ends)],
      },
      marks: [
        Plot.ruleX([0], {stroke: "var(--ink)"}),
        Plot.ruleY(
          rows.filter((row) => row.interval),
          {
            y: "label",
            x1: (d) => d.interval[0],
            x2: (d) => d.interval[1],
            stroke: colourOf,
            strokeWidth: 2,
          },
        ),
        Plot.dot(rows, {y: "label", x: "mean", fill: colourOf, r: 5}),
        width < 520
          ? null
          : Plot.text(rows, {
              y: "label",
              text: words,
              frameAnchor: "right",
              textAnchor: "start",
              dx: 12,
              fill: "var(--ink)",
            }),
        Plot.tip(rows, Plot.pointerY({y: "label", x: "mean", title: line})),
      ],
    }),
    columns: ["", "Difference", "95 % interval", ...more.map(([name]) => name), "Word"],
    rows: () =>
      rows.map((row) => [
        row.label,
        signed(row.mean),
        row.interval ? intervalText(row.interval) : "–",
        ...more.map(([, value]) => value(row)),
        words(row),
      ]),
  });
}

function ofRuns(runs) {
  const data = runs[0].data;
  const rows = [...runs]
    .sort((a, b) => b.test.mean - a.test.mean)
    .map((run) => ({
      label: runs.length > 1 ? `${run.title} · ${run.name}` : run.title,
      ours: {mean: 100 * run.test.mean, ...(run.splits.length > 1 ? {std: 100 * run.test.std} : {})},
      paper: run.paper,
    }));
  const imitated = rows.some((row) => row.paper) && data.startsWith("synthetic-generated-");
  return scores(
    `${data}: test ${metricName(runs[0].metric)}`,
    rows,
    imitated ? "The paper's are for its own draw of this benchmark." : "",
  );
}

/** What a cell is called among those of its data set. */
function cellLabel(cell) {
  const row = cell.row ?? cell.title;
  return cell.column === undefined || cell.column === cell.data ? row : `${row} · ${cell.column}`;
}

const probability = (p) => (p === undefined ? "–" : p < 0.001 ? "< 0.001" : p.toFixed(3));

/** The figures, differences and comparisons that a table has for a data set. */
function ofTable(found, data) {
  const name = found.title ?? capital(found.table);
  const quick = found.quick ? "A quick table: few splits of few epochs." : "";
  const cells = found.cells
    .filter((cell) => cell.data === data && (cell.test || cell.paper))
    .map((cell) => ({...cell, label: cellLabel(cell), ours: cell.test}));
  const compared = cells
    .filter((cell) => cell.difference)
    .map((cell) => ({label: cell.label, ...cell.difference}));
  const pairs = found.comparisons
    .filter((row) => row.data === data)
    .map((row) => ({
      ...row,
      label: row.column && row.column !== row.data ? `${row.title} · ${row.column}` : row.title,
    }));
  return [
    cells.some((cell) => isScore(cell.ours) || isScore(cell.paper))
      ? scores(`${name}: ${data}`, cells, quick)
      : null,
    compared.length > 0
      ? differences(
          `${name}: ${data}, difference to the paper`,
          "Ours less the paper's, with the 95 % interval where both deviations are known; the word says where zero lies.",
          compared,
        )
      : null,
    pairs.length > 0
      ? differences(
          `${name}: ${data}, compared on the same splits`,
          "Mean difference with its 95 % interval; the word goes by the p value after Holm's correction.",
          pairs,
          [
            ["p", (row) => probability(row.p)],
            ["p after Holm", (row) => probability(row.p_holm)],
          ],
        )
      : null,
  ];
}

function listingValue(value, decimals = 2) {
  if (value === null) return "–";
  if (Array.isArray(value)) return value.map((entry) => listingValue(entry, decimals)).join(", ");
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? count(value) : value.toFixed(decimals);
}

/** A table of other figures, as it is. */
function listing({title, table: name, listing: {columns, rows}}) {
  return h(
    "div",
    {class: "card"},
    h("h3", {}, title ?? capital(name)),
    table(
      columns.map((column) => column.title),
      rows.map((row) => row.map((value, c) => listingValue(value, columns[c].decimals))),
      title ?? name,
    ),
  );
}

/** Figures of runs and of tables, a data set at a time, then tables of other figures. Null where there is none. */
export function results(report) {
  // Errors of numbers, which are of any size, are in the leaderboard.
  const runs = report.runs.filter((run) => isShare(run.metric));
  const groups = comparable(runs);
  const sets = [
    ...new Set([
      ...runs.map((run) => run.data),
      ...report.tables.flatMap((found) =>
        found.cells.filter((cell) => cell.test || cell.paper).map((cell) => cell.data),
      ),
    ]),
  ];
  const listings = report.tables.filter((found) => found.listing).map(listing);
  if (sets.length === 0 && listings.length === 0) return null;
  const place = h("div", {class: "stack"});
  const show = (data) =>
    place.replaceChildren(
      ...groups.filter(([run]) => run.data === data).map(ofRuns),
      ...report.tables.flatMap((found) => ofTable(found, data)).filter(Boolean),
    );
  if (sets.length > 0) show(sets[0]);
  return section(
    "results",
    "Results",
    sets.length > 1
      ? h(
          "div",
          {class: "controls"},
          select(
            "Data set",
            sets.map((name) => [name, name]),
            sets[0],
            show,
          ),
          h("span", {class: "note"}, counted(sets.length, "data set")),
        )
      : null,
    place,
    listings.length > 0 ? h("div", {class: "stack below"}, listings) : null,
  );
}
