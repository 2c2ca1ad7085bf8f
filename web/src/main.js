import "./style.css";
import {classes} from "./classes.js";
import {curves} from "./curves.js";
import {h, section, select} from "./dom.js";
import {counted} from "./format.js";
import {hypergraph} from "./hypergraph.js";
import {leaderboard, summary} from "./leaderboard.js";
import {representation} from "./representation.js";
import {results} from "./results.js";
import {spectrum} from "./spectrum.js";
import {sweeps} from "./sweeps.js";
import {themeButton} from "./theme.js";

const report = JSON.parse(document.getElementById("dshn-data").textContent);
report.runs.forEach((run, index) => {
  run.index = index;
});

/** Sections that show one run: id, heading, what fills them. */
const ofOneRun = [
  ["run", "Run", (run) => [summary(run)]],
  ["curves", "Training curves", curves],
  ["classes", "Classes", classes],
  ["representations", "Learned representations", representation],
  ["spectrum", "Spectrum", spectrum],
  ["hypergraph", "Hypergraph", (run) => hypergraph(run, report.hypergraphs)],
];

function subtitle() {
  const sets = new Set([
    ...report.runs.map((run) => run.data),
    ...report.tables.flatMap((table) => table.cells.map((cell) => cell.data)),
  ]);
  return [
    counted(report.runs.length, "run"),
    report.tables.length ? counted(report.tables.length, "table") : null,
    counted(sets.size, "data set"),
  ]
    .filter(Boolean)
    .join(" · ");
}

function start() {
  const sections = [];
  if (report.runs.length > 0)
    sections.push(
      leaderboard(report.runs, (index) => {
        choose(index);
        picker?.querySelector("select").focus();
        document.getElementById("run").scrollIntoView();
      }),
    );
  sections.push(results(report));
  const swept = sweeps(report.runs);
  if (swept) sections.push(swept);
  const shown =
    report.runs.length === 0
      ? []
      : ofOneRun.map(([id, title, fill]) => {
          const body = h("div", {class: "body"});
          return {element: section(id, title, body), update: (run) => body.replaceChildren(...fill(run))};
        });
  sections.push(...shown.map(({element}) => element));

  const name = (run) =>
    report.runs.length > 1 ? `${run.name} (${run.title} on ${run.data})` : `${run.title} on ${run.data}`;
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

  const links = sections.map(({id}) => h("a", {href: `#${id}`}, id[0].toUpperCase() + id.slice(1)));
  document.body.append(
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
        "Made by dshn report. Charts: Observable Plot; hypergraph: Cytoscape.js. This file needs no network.",
      ),
    ),
  );
  if (report.runs.length > 0) choose(0);
  document.documentElement.dataset.ready = "yes";
}

start();
