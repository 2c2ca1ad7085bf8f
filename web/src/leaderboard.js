import {h, newId, section} from "./dom.js";
import {count, counted, figureText, meanStd, milliseconds, scoreText, unitOf} from "./format.js";
import {isLowerBetter, isShare, metricName} from "./metric.js";

const columns = [
  {name: "Run", value: (run) => run.name},
  {name: "Model", value: (run) => run.title},
  {
    name: "Test",
    isFigure: true,
    value: (run) => run.test.mean,
    text: (run) => meanStd(run.test, run.metric),
    number: true,
    strong: true,
    first: true,
  },
  {
    name: "Validation",
    isFigure: true,
    value: (run) => run.val.mean,
    text: (run) => meanStd(run.val, run.metric),
    number: true,
  },
  {
    name: "Paper %",
    value: (run) => run.paper?.mean ?? -1,
    text: (run) => scoreText(run.paper),
    number: true,
    needed: (runs) => runs.some((run) => run.paper),
  },
  {name: "Splits", value: (run) => run.splits.length, number: true},
  {name: "Parameters", value: (run) => run.parameters, text: (run) => count(run.parameters), number: true},
  {name: "ms/epoch", value: (run) => run.epoch_ms, text: (run) => milliseconds(run.epoch_ms), number: true},
  {name: "Peak MiB", value: (run) => run.peak_mb, text: (run) => count(run.peak_mb), number: true},
];

function compare(a, b) {
  return typeof a === "number" ? a - b : String(a).localeCompare(String(b), "en", {numeric: true});
}

/** Runs whose figures can be held against each other: of one data set and one metric. */
export function comparable(runs) {
  const groups = new Map();
  for (const run of runs) {
    const key = JSON.stringify([run.data, run.metric]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(run);
  }
  return [...groups.values()];
}

function matches(run, words) {
  const options = Object.entries(run.options).map(([name, value]) => `${name}=${value}`);
  const text = [run.name, run.data, run.title, run.model, ...options].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The runs of one data set, the best first, sortable by any column; a run's name shows it in the sections below. */
function board(runs, choose) {
  const used = columns.filter(({needed}) => !needed || needed(runs));
  const {data, metric} = runs[0];
  let sorted = {column: used.findIndex((column) => column.first), ascending: isLowerBetter(metric)};
  let words = [];
  const body = h("tbody");
  const headings = used.map((column, c) =>
    h(
      "th",
      {scope: "col", class: column.number ? "number" : null},
      h(
        "button",
        {
          type: "button",
          onclick: () => {
            sorted = {column: c, ascending: sorted.column === c ? !sorted.ascending : !column.number};
            fill(words);
          },
        },
        column.isFigure && isShare(metric) ? `${column.name} %` : column.name,
      ),
    ),
  );
  const cell = (column, run) => {
    const text = String((column.text ?? column.value)(run));
    return h(
      "td",
      {class: [column.number && "number", column.strong && "strong"].filter(Boolean).join(" ") || null},
      column === columns[0]
        ? h("button", {type: "button", class: "link", onclick: () => choose(run.index)}, text)
        : text,
    );
  };
  const element = h(
    "div",
    {class: "group"},
    h("h3", {}, data),
    h("p", {class: "note lead"}, `Test and validation ${metricName(metric)}.`),
    h(
      "div",
      {class: "scroller", tabindex: "0", role: "region", "aria-label": `Leaderboard of ${data}`},
      h("table", {class: "board"}, h("thead", {}, h("tr", {}, headings)), body),
    ),
  );
  /** Shows the runs that match all words; says how many. */
  function fill(wanted) {
    words = wanted;
    headings.forEach((heading, c) =>
      heading.setAttribute(
        "aria-sort",
        c !== sorted.column ? "none" : sorted.ascending ? "ascending" : "descending",
      ),
    );
    const value = used[sorted.column].value;
    const shown = runs
      .filter((run) => matches(run, words))
      .sort((a, b) => (sorted.ascending ? 1 : -1) * compare(value(a), value(b)));
    body.replaceChildren(
      ...shown.map((run) =>
        h(
          "tr",
          {},
          used.map((column) => cell(column, run)),
        ),
      ),
    );
    element.hidden = shown.length === 0;
    return shown.length;
  }
  return {element, fill};
}

/** A leaderboard for each data set, with one filter for all. */
export function leaderboard(runs, choose) {
  const boards = comparable(runs).map((group) => board(group, choose));
  const status = h("p", {class: "note", role: "status"});
  const fill = (words) => {
    const shown = boards.reduce((sum, one) => sum + one.fill(words), 0);
    status.textContent =
      shown === runs.length
        ? counted(runs.length, "run")
        : `${count(shown)} of ${counted(runs.length, "run")}`;
  };
  fill([]);
  const id = newId("filter");
  const filter = h("input", {
    id,
    type: "search",
    placeholder: "data, model, q=0.25 …",
    oninput: (event) => fill(event.target.value.toLowerCase().split(/\s+/).filter(Boolean)),
  });
  return section(
    "leaderboard",
    "Leaderboard",
    h(
      "div",
      {class: "controls"},
      h("span", {class: "control"}, h("label", {for: id}, "Filter"), filter),
      status,
    ),
    boards.map(({element}) => element),
  );
}

/** The chosen run in a few large figures, with what they mean. */
export function summary(run) {
  const tile = (name, value, unit = "") =>
    h("div", {class: "tile"}, h("dt", {}, name), h("dd", {}, value, h("small", {}, unit)));
  const ofFigure = (name, {mean, std}) =>
    tile(name, figureText(mean, run.metric), ` ± ${figureText(std, run.metric)}${unitOf(run.metric)}`);
  return h(
    "div",
    {class: "summary"},
    h(
      "dl",
      {class: "tiles"},
      ofFigure("Test", run.test),
      ofFigure("Validation", run.val),
      run.paper
        ? tile(
            "Paper",
            typeof run.paper === "string" ? "OOM" : run.paper.mean.toFixed(2),
            typeof run.paper === "string" ? " out of memory" : ` ± ${run.paper.std.toFixed(2)} %`,
          )
        : null,
      tile("Parameters", count(run.parameters)),
      tile("Epoch", milliseconds(run.epoch_ms), " ms"),
      tile("Memory", count(run.peak_mb), " MiB"),
    ),
    h("p", {class: "note"}, run.protocol),
    h(
      "details",
      {},
      h("summary", {}, "Options of this run"),
      h(
        "ul",
        {class: "options"},
        Object.entries(run.options).map(([name, value]) => h("li", {}, h("b", {}, name), ` ${value}`)),
      ),
    ),
  );
}
