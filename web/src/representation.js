import {h, missing, select} from "./dom.js";
import {figure, legend, Plot} from "./figure.js";
import {capital, count} from "./format.js";
import {classColour} from "./palette.js";
import {isRight} from "./words.js";

/** Classes in the legend; the tip names the others. */
const mostNamed = 24;

function scatter(columns, part, item, words) {
  const all = columns.x.map((x, i) => ({
    x,
    y: columns.y[i],
    id: columns.id[i],
    label: columns.label[i],
    predicted: columns.predicted[i],
    part: columns.part[i],
    right: isRight(columns.label[i], columns.predicted[i]),
  }));
  const points = all.filter(
    (d) => part === "all" || (part === "unknown" ? d.right === null : d.part === part),
  );
  const right = points.filter((d) => d.right === true);
  const wrong = points.filter((d) => d.right === false);
  const unknown = points.filter((d) => d.right === null);
  const colour = (d) => classColour(d.right === null ? d.predicted : d.label);
  const used = [...new Set(all.flatMap((d) => (d.right === null ? d.predicted : d.label)))].sort(
    (a, b) => a - b,
  );
  const share = (j) => (100 * columns.shares[j]).toFixed(0);
  const sampled =
    columns.of > all.length
      ? `A seeded sample of ${count(all.length)} of ${count(columns.of)} ${item}s. `
      : "";
  return figure({
    title: `What the model makes of each ${item}`,
    note: `${sampled}Two leading principal components (${share(0)} % and ${share(1)} % of the variance) of ${columns.shown}. Split 0, coloured by true class${unknown.length > 0 ? "; where that is unknown, a ring in the colour of the predicted one" : ""}.`,
    alt: `Scatter plot of ${points.length} ${item}s in ${used.length} classes: ${right.length} are classified correctly, ${wrong.length} wrongly${unknown.length > 0 ? `, and of ${unknown.length} the class is unknown` : ""}.`,
    legend: legend([
      ...used.slice(0, mostNamed).map((c) => ({text: words.of(c), colour: classColour(c)})),
      ...(used.length > mostNamed
        ? [{text: `${used.length - mostNamed} more classes`, colour: "transparent"}]
        : []),
      {text: "wrongly classified", colour: "var(--ink)", symbol: "cross"},
      ...(unknown.length > 0 ? [{text: "unknown", colour: "var(--ink)", symbol: "ring"}] : []),
    ]),
    draw: (width) => ({
      height: Math.min(540, Math.max(320, width * 0.6)),
      marginLeft: 44,
      marginBottom: 38,
      marginRight: 12,
      x: {label: "first component", ticks: 6, nice: true},
      y: {label: "second component", ticks: 6, nice: true},
      grid: true,
      marks: [
        Plot.dot(unknown, {
          x: "x",
          y: "y",
          stroke: colour,
          strokeWidth: 1.5,
          r: all.length > 1500 ? 2.2 : 3.4,
        }),
        Plot.dot(right, {
          x: "x",
          y: "y",
          fill: colour,
          r: all.length > 1500 ? 2.2 : 3.4,
          fillOpacity: 0.75,
        }),
        Plot.dot(wrong, {
          x: "x",
          y: "y",
          stroke: colour,
          symbol: "times",
          strokeWidth: 2,
          r: all.length > 1500 ? 3 : 4.5,
        }),
        Plot.dot(points, Plot.pointer({x: "x", y: "y", stroke: "var(--ink)", strokeWidth: 1.5, r: 6})),
        Plot.tip(
          points,
          Plot.pointer({
            x: "x",
            y: "y",
            title: (d) =>
              `${item} ${d.id}\ntrue: ${words.of(d.label)}\npredicted: ${words.of(d.predicted)}${d.part ? `\n${d.part} item` : ""}`,
          }),
        ),
      ],
    }),
    columns: [capital(item), "Part", "True class", "Predicted", "x", "y"],
    rows: () => points.map((d) => [d.id, d.part || "–", words.of(d.label), words.of(d.predicted), d.x, d.y]),
  });
}

export function representation(run) {
  const found = run.details.missing ? run.details : run.details.representation;
  if (found.missing) return [missing(`The representations cannot be shown: ${found.missing}`)];
  const item = run.task.startsWith("hyperedge") ? "hyperedge" : "node";
  const place = h("div");
  const show = (part) => place.replaceChildren(scatter(found, part, item, run.words));
  show("all");
  const parts = ["train", "val", "test"].filter((part) => found.part.includes(part));
  const names = {train: "training", val: "validation", test: "test"};
  const choices = [["all", "all"], ...parts.map((part) => [part, names[part]])];
  if (found.label.some((label) => label < 0)) choices.push(["unknown", "unknown class"]);
  return [h("div", {class: "controls"}, select("Items", choices, "all", show)), place];
}
