import {figureDomain} from "./axes.js";
import {h, missing, section, select, table} from "./dom.js";
import {figure, legend, Plot} from "./figure.js";
import {capital, count, counted, figureText, meanStd, scaledText, significant, unitOf} from "./format.js";
import {isShare, metricName} from "./metric.js";
import {parallel} from "./parallel.js";
import {isCompleted, isIdle, value, valueText} from "./trial.js";

/** The options that were searched, the most important first. */
function searched(study) {
  const share = new Map((study.importance ?? []).map(({name, share}) => [name, share]));
  return study.space
    .filter(({values}) => values.length > 1)
    .map((parameter) => ({...parameter, share: share.get(parameter.name) ?? null}))
    .sort((a, b) => (b.share ?? -1) - (a.share ?? -1));
}

function tiles(study) {
  const tile = (name, figures, unit) =>
    h("div", {class: "tile"}, h("dt", {}, name), h("dd", {}, figures, h("small", {}, unit)));
  const ofFigure = (name, {mean, std = 0}) => tile(name, figureText(mean, study.metric), ` ± ${figureText(std, study.metric)}${unitOf(study.metric)}`);
  const best = study.trials.find((trial) => trial.number === study.best);
  const again = study.confirmation?.trials.find((trial) => trial.number === study.best);
  return h(
    "dl",
    {class: "tiles"},
    best?.validation ? ofFigure("Best validation", best.validation) : null,
    again?.validation ? ofFigure("Confirmed", again.validation) : null,
    study.final ? ofFigure("Test of the winner", study.final.test) : null,
    tile("Trials", count(study.trials.length), ` of ${count(study.trials_asked ?? study.trials.length)}`),
  );
}

function summary(study) {
  const best = study.trials.find((trial) => trial.number === study.best);
  const states = ["completed", "pruned", "failed", "running", "waiting"]
    .map((state) => [state, study.trials.filter((trial) => trial.state === state).length])
    .filter(([, number]) => number > 0)
    .map(([state, number]) => `${count(number)} ${state}`);
  const metric = study.metric || study.options.metric;
  return h(
    "div",
    {class: "summary"},
    h("h3", {}, `${study.name}: ${study.title} on ${study.data}`),
    tiles(study),
    h(
      "p",
      {class: "note"},
      `${capital(states.join(", "))}. Sampler ${study.sampler}, seed ${study.seed}; a trial's figure is the mean validation ${metric && metric !== "auto" ? metricName(metric) : "figure"} over ${counted(study.splits, "split")}${study.objective === "steady" ? ", around the best epoch" : ""}.`,
    ),
    best
      ? h(
          "div",
          {},
          h("p", {class: "note"}, `Trial ${best.number}, the best:`),
          h(
            "ul",
            {class: "options"},
            Object.entries(best.set).map(([name, setting]) => h("li", {}, h("b", {}, name), ` ${setting}`)),
          ),
        )
      : null,
  );
}

function leaderboard(study, options) {
  const again = new Map((study.confirmation?.trials ?? []).map((trial) => [trial.number, trial]));
  const failed = study.trials.some((trial) => trial.message);
  const figures = (trial) => (trial?.validation ? meanStd({std: 0, ...trial.validation}, study.metric) : "–");
  const setting = (trial, option) => (isIdle(study, trial, option) ? "–" : (trial.set[option.name] ?? "–"));
  return h(
    "div",
    {class: "card"},
    h("h3", {}, "Trials, the best first"),
    h("p", {class: "note lead"}, "Options by importance; – where an option has no effect."),
    table(
      [
        "Trial",
        "State",
        `Validation${unitOf(study.metric)}`,
        ...(again.size > 0 ? [`Confirmed${unitOf(study.metric)}`] : []),
        "Splits",
        ...options.map(({name}) => name),
        ...(failed ? ["Why it failed"] : []),
      ],
      study.trials.map((trial) => [
        `${trial.number}${trial.number === study.best ? " ★" : ""}`,
        trial.state,
        figures(trial),
        ...(again.size > 0 ? [figures(again.get(trial.number))] : []),
        trial.splits ?? 0,
        ...options.map((option) => setting(trial, option)),
        ...(failed ? [trial.message ?? ""] : []),
      ]),
      `Trials of ${study.name}`,
    ),
  );
}

/** The figure of every trial in the order in which they were proposed, and the best so far. */
function overTrials(study) {
  const trials = study.trials.filter((trial) => trial.validation).sort((a, b) => a.number - b.number);
  const completed = trials.filter(isCompleted);
  const others = trials.filter((trial) => !isCompleted(trial));
  let best = -Infinity;
  const steps = completed.map((trial) => ({
    number: trial.number,
    best: (best = Math.max(best, value(trial))),
  }));
  return figure({
    title: "Validation by trial",
    note: `${isShare(study.metric) ? "In per cent. " : ""}A pruned trial has the mean of the splits that it came to.`,
    alt: `Validation of ${counted(trials.length, "trial")}; the best of ${counted(completed.length, "completed trial")} is ${scaledText(best, study.metric)}${unitOf(study.metric)}.`,
    legend: legend([
      {text: "completed", colour: "var(--c0)"},
      {text: "pruned or unfinished", colour: "var(--muted)", symbol: "ring"},
      {text: "best so far", colour: "var(--c1)", symbol: "line"},
    ]),
    draw: () => ({
      height: 300,
      marginLeft: 48,
      marginBottom: 40,
      marginRight: 16,
      x: {label: "trial", tickFormat: "d", inset: 8, ticks: Math.min(8, trials.length)},
      y: {label: null, grid: true, domain: figureDomain(trials.map(value), study.metric), ticks: 6},
      marks: [
        Plot.line(steps, {x: "number", y: "best", stroke: "var(--c1)", strokeWidth: 2, curve: "step-after"}),
        Plot.dot(others, {x: "number", y: value, stroke: "var(--muted)", r: 4}),
        Plot.dot(completed, {x: "number", y: value, fill: "var(--c0)", r: 4.5}),
        Plot.tip(
          trials,
          Plot.pointer({
            x: "number",
            y: value,
            title: (d) => `trial ${d.number}, ${d.state}\n${valueText(d)}`,
          }),
        ),
      ],
    }),
    columns: ["Trial", "State", `Validation${unitOf(study.metric)}`],
    rows: () => trials.map((trial) => [trial.number, trial.state, scaledText(value(trial), study.metric)]),
  });
}

/** " in which it has an effect (not where maps=trivial or dropout=0)"; nothing where it always has one. */
const whereItActs = ({idle_when: when}) =>
  when.length > 0 ? ` in which it has an effect (not where ${when.join(" or ")})` : "";

/** One option at a time: what its values came to. */
function slice(study, option) {
  const trials = study.trials.filter((trial) => isCompleted(trial) && !isIdle(study, trial, option));
  const of = (trial) => trial.set[option.name];
  const means = option.values
    .map((setting) => ({setting, own: trials.filter((trial) => of(trial) === setting)}))
    .filter(({own}) => own.length > 0)
    .map(({setting, own}) => ({setting, mean: own.reduce((sum, t) => sum + value(t), 0) / own.length, own}));
  return figure({
    title: `${option.name}: validation by value`,
    note: `Completed trials${whereItActs(option)}; the bar is the mean.`,
    alt: means
      .map((d) => `${d.setting}: ${scaledText(d.mean, study.metric)}${unitOf(study.metric)} in ${counted(d.own.length, "trial")}`)
      .join("; "),
    draw: () => ({
      height: 300,
      marginLeft: 48,
      marginBottom: 40,
      marginRight: 16,
      x: {label: option.name, type: "band", domain: option.values, padding: 0.5},
      y: {label: null, grid: true, ticks: 6, domain: figureDomain(trials.map(value), study.metric)},
      marks: [
        Plot.tickY(means, {x: "setting", y: "mean", stroke: "var(--c1)", strokeWidth: 3}),
        Plot.dot(trials, {x: of, y: value, fill: "var(--c0)", fillOpacity: 0.65, r: 4.5}),
        Plot.tip(
          trials,
          Plot.pointer({
            x: of,
            y: value,
            title: (d) => `trial ${d.number}\n${option.name} = ${of(d)}\n${valueText(d)}`,
          }),
        ),
      ],
    }),
    columns: [option.name, "Trials", `Mean${unitOf(study.metric)}`, `Best${unitOf(study.metric)}`],
    rows: () =>
      means.map((d) => [
        d.setting,
        d.own.length,
        scaledText(d.mean, study.metric),
        scaledText(Math.max(...d.own.map(value)), study.metric),
      ]),
  });
}

function slices(study, options) {
  const place = h("div");
  const show = (name) =>
    place.replaceChildren(
      slice(
        study,
        options.find((option) => option.name === name),
      ),
    );
  show(options[0].name);
  const importance = ({share}) => (share === null ? "" : ` (importance ${significant(100 * share, 2)} %)`);
  return h(
    "div",
    {},
    h(
      "div",
      {class: "controls"},
      select(
        "Option",
        options.map((option) => [option.name, option.name + importance(option)]),
        options[0].name,
        show,
      ),
    ),
    place,
  );
}

function body(study) {
  const options = searched(study);
  const completed = study.trials.filter(isCompleted);
  if (study.trials.every((trial) => !trial.validation))
    return [summary(study), missing("No trial has a figure yet.")];
  return [
    summary(study),
    leaderboard(study, options),
    completed.length === 0 || options.length === 0
      ? overTrials(study)
      : h("div", {class: "pair"}, overTrials(study), slices(study, options)),
    completed.length > 1 && options.length > 1 ? parallel(study, options, completed) : null,
  ].filter(Boolean);
}

/** Searches of `dshn tune`, one at a time. */
export function studies(list) {
  for (const study of list)
    for (const trial of [...study.trials, ...(study.confirmation?.trials ?? [])]) trial.metric = study.metric;
  const place = h("div", {class: "stack"});
  const show = (index) => place.replaceChildren(...body(list[index]));
  show(0);
  return section(
    "studies",
    list.length > 1 ? "Studies" : "Study",
    list.length > 1
      ? h(
          "div",
          {class: "controls"},
          select(
            "Study",
            list.map((study, i) => [i, `${study.name} (${study.title} on ${study.data})`]),
            0,
            (index) => show(Number(index)),
          ),
        )
      : null,
    place,
  );
}
