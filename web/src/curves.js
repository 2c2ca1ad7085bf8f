import {positiveScale} from "./axes.js";
import {h, missing, select, ticks} from "./dom.js";
import {figure, legend, Plot} from "./figure.js";
import {capital, count, counted, significant} from "./format.js";
import {isShare, metricName} from "./metric.js";
import {classColour} from "./palette.js";

const losses = [
  {key: "loss", name: "training"},
  {key: "val_loss", name: "validation"},
];
const metrics = [
  {key: "train", name: "training"},
  {key: "val", name: "validation"},
];

const lossNames = {
  classes: "Cross entropy",
  labels: "Binary cross entropy",
  numbers: "Mean squared error of standardised numbers",
};

const drawable = (run) => run.curves.some((curve) => curve.epoch.length > 1);

/** A line for each run, split and series; columns to points. */
function linesOf(shown, series) {
  return shown.flatMap(({run, curves, colour}) =>
    curves.flatMap((curve) =>
      series.map(({key, name}, s) => ({
        run,
        split: curve.split,
        name,
        // One run: a colour for each series. Several: a colour for each run, training dashed.
        colour: shown.length > 1 ? colour : classColour(s),
        dashed: shown.length > 1 && s === 0,
        points: curve.epoch
          .map((epoch, i) => ({epoch, value: curve[key][i], split: curve.split, name, run}))
          .filter(({value}) => value !== null),
      })),
    ),
  );
}

function legendOf(shown, series) {
  if (shown.length === 1)
    return legend(series.map(({name}, s) => ({text: name, colour: classColour(s), symbol: "line"})));
  return legend([
    ...shown.map(({run, colour}) => ({text: run.name, colour, symbol: "line"})),
    {text: "training", colour: "var(--muted)", symbol: "dashes"},
    {text: "validation", colour: "var(--muted)", symbol: "line"},
  ]);
}

function notes(shown, best) {
  const step = Math.max(...shown.flatMap(({curves}) => curves.map((curve) => curve.step)));
  return (
    (step > 1 ? ` Long trainings are drawn with every ${step}th epoch.` : "") +
    (best ? ` The dashed upright is the chosen epoch, ${best}.` : "")
  );
}

/** The epoch that was chosen, where there is one line to choose from. */
function bestEpoch([{run, curves}, ...others]) {
  if (others.length > 0 || curves.length !== 1) return undefined;
  return run.splits.find((split) => split.split === curves[0].split)?.best_epoch;
}

function chart(title, unit, shown, series, scale) {
  const lines = linesOf(shown, series);
  const points = lines.flatMap((line) => line.points);
  const best = bestEpoch(shown);
  const thin = lines.length > 2 * shown.length;
  const y = scale(points.map((point) => point.value));
  const several = shown.length > 1;
  const whose = (d) => (several ? `${d.run.name}: ${d.name}` : d.name);
  const ends = lines
    .slice(0, 12)
    .map((line) => `${whose(line)} ends at ${significant(line.points.at(-1)?.value)}`);
  const splits = new Set(lines.map((line) => line.split)).size;
  return figure({
    title,
    note: `${unit}${y.type === "log" ? ", logarithmic scale" : ""}.${notes(shown, best)}`,
    alt: `${title} by epoch, ${several ? `${counted(shown.length, "run")}, ` : ""}${counted(splits, "split")}: ${ends.join(", ")}.`,
    legend: legendOf(shown, series),
    draw: () => ({
      height: 300,
      marginLeft: 52,
      marginRight: 16,
      marginBottom: 38,
      x: {
        label: "epoch",
        ticks: Math.min(6, Math.max(...lines.map((line) => line.points.length)) - 1),
        tickFormat: "d",
      },
      y: {label: null, grid: true, ...y},
      marks: [
        best ? Plot.ruleX([best], {stroke: "var(--muted)", strokeDasharray: "4 4"}) : null,
        ...lines.map((line) =>
          Plot.line(line.points, {
            x: "epoch",
            y: "value",
            stroke: line.colour,
            strokeWidth: thin ? 1.2 : 2,
            strokeOpacity: thin ? 0.6 : 1,
            strokeDasharray: line.dashed ? "5 3" : null,
          }),
        ),
        Plot.dot(points, Plot.pointer({x: "epoch", y: "value", fill: "var(--ink)", r: 3})),
        Plot.tip(
          points,
          Plot.pointer({
            x: "epoch",
            y: "value",
            title: (d) => `${whose(d)}\nsplit ${d.split}, epoch ${d.epoch}\n${significant(d.value, 4)}`,
          }),
        ),
      ],
    }),
    columns: [...(several ? ["Run"] : []), "Split", "Epoch", ...series.map(({name}) => capital(name))],
    rows: () =>
      shown.flatMap(({run, curves}) =>
        curves.flatMap((curve) =>
          curve.epoch.map((epoch, i) => [
            ...(several ? [run.name] : []),
            curve.split,
            epoch,
            ...series.map(({key}) => curve[key][i] ?? "–"),
          ]),
        ),
      ),
  });
}

/** The other runs that were ticked stay so when another run is chosen. */
let ticked = [];

/** Loss and metric by epoch: of one run, or of several over each other on the same axes. */
export function curves(run, runs) {
  if (run.curves.length === 0) return [missing("This run has no metrics.jsonl, so there are no curves.")];
  if (!drawable(run)) return [missing("This model is not trained in epochs, so there are no curves.")];
  const place = h("div", {class: "pair"});
  let split = String(run.curves[0].split);
  const others = runs.filter((other) => other !== run && drawable(other));
  function show() {
    const shown = [run, ...others.filter((other) => ticked.includes(other.index))]
      .map((one, i) => ({
        run: one,
        colour: classColour(i),
        curves: split === "all" ? one.curves : one.curves.filter((curve) => String(curve.split) === split),
      }))
      .filter((one) => one.curves.length > 0);
    const names = [...new Set(shown.map((one) => metricName(one.run.metric)))];
    const kinds = [...new Set(shown.map((one) => lossNames[one.run.target] ?? lossNames.classes))];
    const unit = shown.every((one) => isShare(one.run.metric))
      ? "A fraction between 0 and 1"
      : "On training and validation items";
    place.replaceChildren(
      chart("Loss", kinds.join(" and "), shown, losses, positiveScale),
      chart(capital(names.join(" and ")), unit, shown, metrics, () => ({
        nice: true,
        ticks: 6,
      })),
    );
  }
  show();
  const controls = [];
  if (run.curves.length > 1) {
    const choices = run.curves.map((curve) => [curve.split, `split ${curve.split}`]);
    controls.push(
      select("Split", [...choices, ["all", "all splits"]], split, (value) => {
        split = value;
        show();
      }),
    );
  }
  if (others.length > 0)
    controls.push(
      h(
        "details",
        {class: "choice", open: others.length <= 8},
        h("summary", {}, `Draw other runs over it (${count(others.length)})`),
        ticks(
          "Runs to draw on the same axes",
          others.map((other) => [other.index, `${other.name} (${other.title} on ${other.data})`]),
          ticked,
          (values) => {
            ticked = values;
            show();
          },
        ),
      ),
    );
  return controls.length > 0 ? [h("div", {class: "controls"}, controls), place] : [place];
}
