import "./style.css";
import {classes} from "./classes.js";
import {curves} from "./curves.js";
import {h, missing, section, select} from "./dom.js";
import {explanations, isExplained} from "./explain.js";
import {counted} from "./format.js";
import {hypergraph} from "./hypergraph.js";
import {labels} from "./labels.js";
import {leaderboard, summary} from "./leaderboard.js";
import {numbers} from "./numbers.js";
import {representation} from "./representation.js";
import {results} from "./results.js";
import {spectrum} from "./spectrum.js";
import {studies} from "./study.js";
import {sweeps} from "./sweeps.js";
import {themeButton} from "./theme.js";
import {ClassWords} from "./words.js";

const report = JSON.parse(document.getElementById("dshn-data").textContent);
report.runs.forEach((run, index) => {
  run.index = index;
  run.words = new ClassWords(run.class_names ?? report.hypergraphs[run.details.hypergraph]?.class_names);
});

/** Sections of the page as a whole; null where there is nothing to show. */
const ofTheReport = [
  () => (report.problems.length > 0 ? problems() : null),
  (choose) => (report.runs.length > 0 ? leaderboard(report.runs, choose) : null),
  () => results(report),
  () => (report.studies.length > 0 ? studies(report.studies) : null),
  () => sweeps(report.runs),
];

const ofClasses = report.runs.every((run) => run.target === "classes");
/** What a run's predictions are shown by. */
const outcomes = (run) => ({numbers, labels})[run.target]?.(run) ?? classes(run);

/** Sections that show one run: id, heading, what fills them. */
const ofOneRun = [
  ["run", "Run", (run) => [summary(run)]],
  ["curves", "Training curves", (run) => curves(run, report.runs)],
  [ofClasses ? "classes" : "predictions", ofClasses ? "Classes" : "Predictions", outcomes],
  ["representations", "Learned representations", representation],
  ["spectrum", "Spectrum", spectrum],
  ["hypergraph", "Hypergraph", (run) => hypergraph(run, report.hypergraphs)],
  ...(report.runs.some(isExplained) ? [["explanations", "Explanations", explanations]] : []),
];

function problems() {
  return section(
    "problems",
    "Left out",
    h(
      "ul",
      {class: "missing"},
      report.problems.map((line) => h("li", {}, line)),
    ),
  );
}

/** What a section shows, or why it cannot: one that fails does not take the others with it. */
function guarded(fill) {
  try {
    return fill();
  } catch (error) {
    return [missing(`This cannot be shown: ${error.message}`)];
  }
}

function subtitle() {
  const sets = new Set([
    ...report.runs.map((run) => run.data),
    ...report.studies.map((study) => study.data),
    ...report.tables.flatMap((table) => table.cells.map((cell) => cell.data)),
  ]);
  return [
    [report.runs.length, "run"],
    [report.studies.length, "study", "studies"],
    [report.tables.length, "table"],
    [sets.size, "data set"],
  ]
    .filter(([number]) => number > 0)
    .map((words) => counted(...words))
    .join(" · ");
}

const name = (run) =>
  report.runs.length > 1 ? `${run.name} (${run.title} on ${run.data})` : `${run.title} on ${run.data}`;

function start() {
  const shown =
    report.runs.length === 0
      ? []
      : ofOneRun.map(([id, title, fill]) => {
          const body = h("div", {class: "body"});
          return {
            element: section(id, title, body),
            update: (run) => body.replaceChildren(...guarded(() => fill(run))),
          };
        });
  const picker =
    report.runs.length > 1
      ? select(
          "Run",
          report.runs.map((run) => [run.index, name(run)]),
          0,
          (value) => choose(Number(value)),
        )
      : null;
  function choose(index) {
    const run = report.runs[index];
    if (picker) picker.querySelector("select").value = index;
    shown.forEach(({update}) => update(run));
    const heading = document.getElementById("run-title");
    if (heading) heading.textContent = name(run);
  }
  const chooseAndGo = (index) => {
    choose(index);
    picker?.querySelector("select").focus();
    document.getElementById("run").scrollIntoView();
  };
  const sections = [
    ...ofTheReport.flatMap((make) => guarded(() => make(chooseAndGo))).filter(Boolean),
    ...shown.map(({element}) => element),
  ];
  document.body.append(...frame(sections, picker));
  if (report.runs.length > 0) choose(0);
  document.documentElement.dataset.ready = "yes";
}

function frame(sections, picker) {
  const links = sections
    .filter(({id}) => id)
    .map(({id}) => h("a", {href: `#${id}`}, id[0].toUpperCase() + id.slice(1)));
  return [
    h("a", {class: "skip", href: "#main"}, "Skip to the content"),
    h(
      "header",
      {},
      h("div", {class: "title"}, h("h1", {}, report.title), h("p", {class: "note"}, subtitle())),
      themeButton(),
    ),
    h("nav", {"aria-label": "Sections"}, h("div", {class: "links"}, links), picker),
    h("main", {id: "main", tabindex: "-1"}, sections),
    h(
      "footer",
      {},
      h(
        "p",
        {class: "note"},
        "Made by dshn report. Charts: Observable Plot; hypergraph: Cytoscape.js and d3-force. This file needs no network.",
      ),
    ),
  ];
}

start();
