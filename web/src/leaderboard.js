import {h, newId, section} from "./dom.js";
import {count, counted, meanStd, milliseconds, paperText, percent} from "./format.js";

const columns = [
  {name: "Run", value: (run) => run.name},
  {name: "Data", value: (run) => run.data},
  {name: "Model", value: (run) => run.title},
  {
    name: "Test %",
    value: (run) => run.test.mean,
    text: (run) => meanStd(run.test),
    number: true,
    strong: true,
  },
  {name: "Validation %", value: (run) => run.val.mean, text: (run) => meanStd(run.val), number: true},
  {name: "Paper %", value: (run) => run.paper?.mean ?? -1, text: (run) => paperText(run.paper), number: true},
  {name: "Splits", value: (run) => run.splits.length, number: true},
  {name: "Parameters", value: (run) => run.parameters, text: (run) => count(run.parameters), number: true},
  {name: "ms/epoch", value: (run) => run.epoch_ms, text: (run) => milliseconds(run.epoch_ms), number: true},
  {name: "Peak MiB", value: (run) => run.peak_mb, text: (run) => count(run.peak_mb), number: true},
];

function compare(a, b) {
  return typeof a === "number" ? a - b : String(a).localeCompare(String(b), "en", {numeric: true});
}

/** All runs, sortable by any column, with a filter; a run's name shows it in the sections below. */
export function leaderboard(runs, choose) {
  let sorted = {column: 3, ascending: false};
  let words = [];
  const body = h("tbody");
  const status = h("p", {class: "note", role: "status"});
  const headings = columns.map((column, c) =>
    h(
      "th",
      {scope: "col", class: column.number ? "number" : null},
      h(
        "button",
        {
          type: "button",
          onclick: () => {
            sorted = {column: c, ascending: sorted.column === c ? !sorted.ascending : !column.number};
            fill();
          },
        },
        column.name,
      ),
    ),
  );
  const matches = (run) => {
    const text = [
      run.name,
      run.data,
      run.title,
      run.model,
      ...Object.entries(run.options).map(([k, v]) => `${k}=${v}`),
    ]
      .join(" ")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  };
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
  function fill() {
    headings.forEach((heading, c) =>
      heading.setAttribute(
        "aria-sort",
        c !== sorted.column ? "none" : sorted.ascending ? "ascending" : "descending",
      ),
    );
    const value = columns[sorted.column].value;
    const shown = runs
      .filter(matches)
      .sort((a, b) => (sorted.ascending ? 1 : -1) * compare(value(a), value(b)));
    body.replaceChildren(
      ...shown.map((run) =>
        h(
          "tr",
          {},
          columns.map((column) => cell(column, run)),
        ),
      ),
    );
    status.textContent =
      shown.length === runs.length
        ? counted(runs.length, "run")
        : `${count(shown.length)} of ${count(runs.length)} runs`;
  }
  fill();
  const id = newId("filter");
  const filter = h("input", {
    id,
    type: "search",
    placeholder: "data, model, q=0.25 …",
    oninput: (event) => {
      words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
      fill();
    },
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
    h(
      "div",
      {class: "scroller", tabindex: "0", role: "region", "aria-label": "Leaderboard"},
      h("table", {class: "board"}, h("thead", {}, h("tr", {}, headings)), body),
    ),
  );
}

/** The chosen run in a few large figures, with what they mean. */
export function summary(run) {
  const tile = (name, value, unit = "") =>
    h("div", {class: "tile"}, h("dt", {}, name), h("dd", {}, value, h("small", {}, unit)));
  return h(
    "div",
    {class: "summary"},
    h(
      "dl",
      {class: "tiles"},
      tile("Test", percent(run.test.mean), ` ± ${percent(run.test.std)} %`),
      tile("Validation", percent(run.val.mean), ` ± ${percent(run.val.std)} %`),
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
