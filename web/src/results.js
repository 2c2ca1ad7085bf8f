import {h, missing, section, select} from "./dom.js";
import {figure, legend, Plot} from "./figure.js";
import {metricName} from "./format.js";

/** Figures of runs and of tables in per cent: {data, label, ours, paper}. */
function figuresOf(report) {
  const rows = report.runs.map((run) => ({
    data: run.data,
    label: report.runs.length > 1 ? `${run.title} · ${run.name}` : run.title,
    metric: metricName(run.metric),
    ours: {mean: 100 * run.test.mean, std: 100 * run.test.std},
    paper: run.paper,
  }));
  for (const {cells} of report.tables) {
    for (const cell of cells) {
      if (cell.test || cell.paper)
        rows.push({
          data: cell.data,
          label: cell.title,
          metric: "accuracy",
          ours: cell.test,
          paper: cell.paper,
        });
    }
  }
  return rows;
}

/** "83.85 ± 7.15 [79.10, 88.60]"; a mean of one split or read from a plot has no deviation. */
function text(score) {
  if (!score) return "–";
  if (typeof score === "string") return score;
  const deviation = score.std === undefined ? "" : ` ± ${score.std.toFixed(2)}`;
  const interval = score.interval ? ` [${score.interval.map((end) => end.toFixed(2)).join(", ")}]` : "";
  return score.mean.toFixed(2) + deviation + interval;
}

const low = (score) => score.mean - (score.std ?? 0);
const high = (score) => score.mean + (score.std ?? 0);

function chart(data, rows) {
  const marks = [];
  const points = [];
  for (const row of rows) {
    if (row.ours) points.push({...row.ours, label: row.label, whose: "this work"});
    if (row.paper && typeof row.paper === "object")
      points.push({...row.paper, label: row.label, whose: "paper"});
  }
  for (const [whose, dy, colour, symbol] of [
    ["this work", -5, "var(--c0)", "circle"],
    ["paper", 6, "var(--c1)", "diamond"],
  ]) {
    const own = points.filter((point) => point.whose === whose);
    marks.push(
      Plot.ruleY(own, {
        y: "label",
        x1: low,
        x2: high,
        stroke: colour,
        strokeWidth: 2,
        strokeOpacity: 0.6,
        dy,
      }),
      Plot.dot(own, {y: "label", x: "mean", fill: colour, symbol, r: 5, dy}),
    );
  }
  const least = Math.min(...points.map(low));
  const most = Math.max(...points.map(high));
  const longest = Math.max(...rows.map((row) => row.label.length));
  return figure({
    title: `${data}: test ${rows[0].metric} beside the paper's`,
    note: `Mean and standard deviation over splits, in per cent; in square brackets, where it is known, the 95 % interval.${data.startsWith("synthetic-generated-") ? " The paper's are for its own draw of this benchmark." : ""}`,
    alt: `Test figures on ${data}: ${rows.map((row) => `${row.label}: ${text(row.ours)}, paper ${text(row.paper)}`).join("; ")}`,
    legend: legend([
      {text: "this work", colour: "var(--c0)"},
      {text: "paper", colour: "var(--c1)", symbol: "diamond"},
    ]),
    draw: (width) => ({
      height: 70 + 36 * rows.length,
      marginLeft: Math.min(width * 0.45, 16 + 6.6 * longest),
      marginBottom: 40,
      marginRight: 24,
      x: {
        label: "per cent",
        grid: true,
        nice: true,
        domain: [Math.max(0, least - 1), Math.min(100, most) + 0.5],
      },
      y: {
        label: null,
        domain: rows.map((row) => row.label),
        tickFormat: (d) =>
          d.length * 6.6 > width * 0.42 ? `${d.slice(0, Math.floor((width * 0.42) / 6.6))}…` : d,
      },
      marks: [
        ...marks,
        Plot.tip(
          points,
          Plot.pointerY({y: "label", x: "mean", title: (d) => `${d.label}\n${d.whose}: ${text(d)}`}),
        ),
      ],
    }),
    columns: ["Model", "This work", "Paper"],
    rows: () => rows.map((row) => [row.label, text(row.ours), text(row.paper)]),
  });
}

export function results(report) {
  const rows = figuresOf(report);
  const sets = [...new Set(rows.map((row) => row.data))];
  const place = h("div");
  const show = (data) => {
    const own = rows.filter((row) => row.data === data);
    const drawable = own.some((row) => row.ours || (row.paper && typeof row.paper === "object"));
    place.replaceChildren(drawable ? chart(data, own) : missing("There are no figures for this data set."));
  };
  show(sets[0]);
  return section(
    "results",
    "Results beside the paper",
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
        )
      : null,
    place,
  );
}
