import {h, missing, select} from "./dom.js";
import {figure, legend, Plot} from "./figure.js";
import {counted, metricName, significant} from "./format.js";

/** Columns to points: one per epoch and series. */
function points(curves, series) {
  return curves.flatMap((curve) =>
    curve.epoch.flatMap((epoch, i) =>
      series
        .filter(({key}) => curve[key][i] !== null)
        .map(({key, name}) => ({epoch, split: curve.split, name, value: curve[key][i]})),
    ),
  );
}

function lines(title, curves, series, run, {log, note}) {
  const all = points(curves, series);
  const best =
    curves.length === 1 ? run.splits.find((split) => split.split === curves[0].split)?.best_epoch : undefined;
  const last = series.map(
    ({name}) => `${name} ends at ${significant(all.filter((d) => d.name === name).at(-1)?.value)}`,
  );
  return figure({
    title,
    note:
      note +
      (curves[0].step > 1 ? ` Every ${curves[0].step}th epoch is drawn.` : "") +
      (best ? ` The dashed line is the chosen epoch, ${best}.` : ""),
    alt: `${title} by epoch, ${counted(curves.length, "split")}: ${last.join(", ")}.`,
    legend: legend(series.map(({name, colour}) => ({text: name, colour, symbol: "line"}))),
    draw: () => ({
      height: 280,
      marginLeft: 52,
      marginRight: 16,
      marginBottom: 38,
      x: {
        label: "epoch",
        ticks: Math.min(6, Math.max(...curves.map((curve) => curve.epoch.length)) - 1),
        tickFormat: "d",
      },
      y: {
        label: null,
        grid: true,
        type: log ? "log" : "linear",
        nice: !log,
        ticks: 6,
        tickFormat: log ? "~g" : undefined,
      },
      marks: [
        best ? Plot.ruleX([best], {stroke: "var(--muted)", strokeDasharray: "4 4"}) : null,
        ...series.map(({name, colour}) =>
          Plot.line(
            all.filter((d) => d.name === name),
            {
              x: "epoch",
              y: "value",
              z: "split",
              stroke: colour,
              strokeWidth: curves.length === 1 ? 2 : 1.2,
              strokeOpacity: curves.length === 1 ? 1 : 0.6,
            },
          ),
        ),
        Plot.dot(all, Plot.pointer({x: "epoch", y: "value", fill: "var(--ink)", r: 3})),
        Plot.tip(
          all,
          Plot.pointer({
            x: "epoch",
            y: "value",
            title: (d) => `${d.name}\nsplit ${d.split}, epoch ${d.epoch}\n${significant(d.value, 4)}`,
          }),
        ),
      ],
    }),
    columns: ["Split", "Epoch", ...series.map(({name}) => name)],
    rows: () =>
      curves.flatMap((curve) =>
        curve.epoch.map((epoch, i) => [curve.split, epoch, ...series.map(({key}) => curve[key][i] ?? "–")]),
      ),
  });
}

export function curves(run) {
  if (run.curves.length === 0) return [missing("This run has no metrics.jsonl, so there are no curves.")];
  if (run.curves.every((curve) => curve.epoch.length < 2))
    return [missing("This model is not trained in epochs, so there are no curves.")];
  const place = h("div", {class: "pair"});
  const show = (value) => {
    const chosen = value === "all" ? run.curves : run.curves.filter((curve) => String(curve.split) === value);
    const positive = chosen.every((curve) =>
      [...curve.loss, ...curve.val_loss].every((loss) => loss === null || loss > 0),
    );
    place.replaceChildren(
      lines(
        "Loss",
        chosen,
        [
          {key: "loss", name: "training", colour: "var(--c0)"},
          {key: "val_loss", name: "validation", colour: "var(--c1)"},
        ],
        run,
        {log: positive, note: positive ? "Cross entropy, logarithmic scale." : "Cross entropy."},
      ),
      lines(
        metricName(run.metric).replace(/^./, (letter) => letter.toUpperCase()),
        chosen,
        [
          {key: "train", name: "training", colour: "var(--c0)"},
          {key: "val", name: "validation", colour: "var(--c1)"},
        ],
        run,
        {log: false, note: "A fraction between 0 and 1."},
      ),
    );
  };
  const first = String(run.curves[0].split);
  show(first);
  const choices = [
    ...run.curves.map((curve) => [curve.split, `split ${curve.split}`]),
    ["all", "all splits"],
  ];
  if (run.curves.length === 1) return [place];
  return [h("div", {class: "controls"}, select("Split", choices, first, show)), place];
}
