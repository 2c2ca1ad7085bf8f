import {figure, legend, Plot} from "./figure.js";
import {scaledText, shorten, unitOf} from "./format.js";
import {isIdle, value, valueText} from "./trial.js";

const characterWidth = 6.6;
/** The best share of the trials stands out. */
const best = 0.1;

/** A row for each option with its values along it, a line for each trial; options that are idle in it are passed over. */
export function parallel(study, options, trials) {
  const ranked = [...trials].sort((a, b) => b.validation.mean - a.validation.mean);
  const chosen = Math.max(1, Math.round(best * ranked.length));
  const place = ({values}, setting) =>
    values.length === 1 ? 0.5 : values.indexOf(setting) / (values.length - 1);
  const points = ranked
    .flatMap((trial, rank) =>
      options
        .filter((option) => !isIdle(study, trial, option))
        .map((option) => ({
          trial,
          rank,
          option: option.name,
          setting: trial.set[option.name],
          at: place(option, trial.set[option.name]),
        })),
    )
    .reverse(); // the best are drawn last
  const axis = options.flatMap((option) =>
    option.values.map((setting) => ({option: option.name, setting, at: place(option, setting)})),
  );
  const isBest = (d) => d.rank < chosen;
  const longest = Math.max(...options.map(({name}) => name.length));
  const common = ({setting}, option) =>
    ranked.slice(0, chosen).filter((trial) => trial.set[option.name] === setting).length;
  return figure({
    title: "Options of all completed trials",
    note: `A line is a trial, a row an option with its values. The best ${chosen === 1 ? "one stands" : `${chosen} stand`} out.`,
    alt: `The best ${chosen} of ${ranked.length} completed trials have ${options
      .map((option) => {
        const counts = option.values.map((setting) => [setting, common({setting}, option)]);
        const [setting, number] = counts.reduce((a, b) => (b[1] > a[1] ? b : a));
        return `${option.name} = ${setting} (${number} of ${chosen})`;
      })
      .join(", ")}.`,
    legend: legend([
      {
        text: chosen === 1 ? "the best trial" : `the best ${chosen} trials`,
        colour: "var(--c1)",
        symbol: "line",
      },
      {text: "other completed trials", colour: "var(--c0)", symbol: "line"},
    ]),
    draw: (width) => {
      const room = Math.min(width * 0.36, 12 + characterWidth * longest);
      return {
        height: 40 + 44 * options.length,
        marginLeft: room,
        marginRight: 30,
        marginTop: 20,
        marginBottom: 20,
        x: {axis: null, domain: [0, 1], inset: 14},
        y: {
          type: "point",
          domain: options.map(({name}) => name),
          label: null,
          tickSize: 0,
          tickFormat: (name) => shorten(name, Math.floor((room - 8) / characterWidth)),
          padding: 0.3,
        },
        marks: [
          Plot.ruleY(
            options.map(({name}) => name),
            {stroke: "var(--line)"},
          ),
          Plot.line(points, {
            x: "at",
            y: "option",
            z: (d) => d.trial.number,
            stroke: (d) => (isBest(d) ? "var(--c1)" : "var(--c0)"),
            strokeWidth: (d) => (isBest(d) ? 2 : 1),
            strokeOpacity: (d) => (isBest(d) ? 0.9 : Math.max(0.12, Math.min(0.5, 12 / ranked.length))),
            curve: "bump-y",
          }),
          Plot.text(axis, {
            x: "at",
            y: "option",
            text: (d) => shorten(d.setting, 9),
            dy: -9,
            fontSize: 11,
            fill: "var(--ink)",
            stroke: "var(--surface)",
            strokeWidth: 3,
          }),
          Plot.tip(
            points,
            Plot.pointer({
              x: "at",
              y: "option",
              title: (d) =>
                `trial ${d.trial.number}, place ${d.rank + 1}\n${d.option} = ${d.setting}\n${valueText(d.trial)}`,
            }),
          ),
        ],
      };
    },
    columns: ["Place", "Trial", `Validation${unitOf(study.metric)}`, ...options.map(({name}) => name)],
    rows: () =>
      ranked.map((trial, rank) => [
        rank + 1,
        trial.number,
        scaledText(value(trial), study.metric),
        ...options.map((option) => (isIdle(study, trial, option) ? "–" : trial.set[option.name])),
      ]),
  });
}
