import {h, missing, select} from "./dom.js";
import {figure, legend, Plot} from "./figure.js";
import {capital, count, significant} from "./format.js";

const colours = {tail: "var(--c0)", head: "var(--c1)", member: "var(--c7)"};
const roleNames = {tail: "tail", head: "head", member: "member of an undirected hyperedge"};

/** With its sign: of log-odds to a thousandth, of numbers, which are of any size, to four digits. */
const signedAs = (text) => (number) => {
  const size = text(Math.abs(number));
  return Number(size) === 0 ? "0" : `${number > 0 ? "+" : "−"}${size}`;
};
const ofNumbers = (found) => found.target === "numbers";
const signedOf = (found) => signedAs((size) => (ofNumbers(found) ? significant(size, 4) : size.toFixed(3)));
/** "class" or "label". */
const wordOf = (found) => (found.target === "labels" ? "label" : "class");

const shortened = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** What other roles would change. */
function turnedText(turned, found) {
  if (!turned) return "–";
  const effect = signedOf(found)(turned.effect);
  return ofNumbers(found)
    ? `${effect}: ${significant(turned.predicted, 5)}`
    : `${effect}: ${wordOf(found)} ${turned.predicted} (${turned.probability.toFixed(3)})`;
}

const membersText = (edge) =>
  edge.members.length > 0 ? edge.members.join(", ") : `${edge.tails.join(", ")} → ${edge.heads.join(", ")}`;

const checkText = (check) =>
  `Tried: ${count(check.checked)} of ${count(check.candidates)}` +
  (check.agreement === null
    ? "."
    : `; rank correlation with the gradient's estimates ${check.agreement.toFixed(2)}.`);

/** Bars of effects, each in the colour of its role; `tip` says more of one. */
function bars(found, {title, note, rows, name, tip, columns, cells}) {
  const signed = signedOf(found);
  const data = rows.map((row, place) => ({...row, place}));
  const roles = Object.keys(colours).filter((role) => rows.some((row) => row.role === role));
  const swatches = roles.map((role) => ({text: roleNames[role], colour: colours[role], symbol: "square"}));
  return figure({
    title,
    note,
    alt: `${title}: ${rows.map((row) => `${name(row)} ${signed(row.effect)}`).join("; ")}.`,
    legend: roles.length > 0 ? legend(swatches) : null,
    draw: (width) => ({
      height: 56 + 26 * rows.length,
      marginLeft: Math.min(180, width / 3),
      marginRight: 16,
      marginBottom: 38,
      x: {label: ofNumbers(found) ? "effect on the number" : "effect on the log-odds", grid: true, ticks: 5},
      y: {
        label: null,
        type: "band",
        domain: data.map((row) => row.place),
        tickFormat: (place) => shortened(name(data[place]), width < 500 ? 14 : 24),
        tickSize: 0,
      },
      marks: [
        Plot.barX(data, {x: "effect", y: "place", fill: (d) => colours[d.role] ?? "var(--c0)", inset: 1}),
        Plot.ruleX([0], {stroke: "var(--muted)"}),
        Plot.tip(data, Plot.pointerY({x: "effect", y: "place", title: tip})),
      ],
    }),
    columns,
    rows: () => rows.map(cells),
  });
}

function hyperedgeFigure(found) {
  const ofNode = found.item === "node";
  const signed = signedOf(found);
  return bars(found, {
    title: ofNode ? "Hyperedges" : "Hyperedges beside it",
    note: `What taking each of them away does. ${checkText(found.checks.hyperedges)}`,
    rows: found.hyperedges,
    name: (row) => String(row.id),
    tip: (row) =>
      [
        `hyperedge ${row.id}${ofNode ? `, here a ${row.role}` : ""}`,
        `effect ${signed(row.effect)}`,
        row.turned ? `role turned around ${turnedText(row.turned, found)}` : null,
        shortened(membersText(row), 60),
      ]
        .filter(Boolean)
        .join("\n"),
    columns: [
      "Hyperedge",
      "Effect",
      "Estimate",
      ...(ofNode ? ["Role", "Role turned around"] : []),
      "Members",
    ],
    cells: (row) => [
      row.id,
      signed(row.effect),
      signed(row.estimate),
      ...(ofNode ? [row.role, turnedText(row.turned, found)] : []),
      membersText(row),
    ],
  });
}

function memberFigure(found) {
  const ofNode = found.item === "node";
  const where = ofNode ? "its hyperedge" : "the hyperedge";
  const signed = signedOf(found);
  return bars(found, {
    title: "Members",
    note: `What each of them leaving ${where} does. ${checkText(found.checks.members)}`,
    rows: found.members,
    name: (row) => (ofNode ? `${row.id} in ${row.hyperedge}` : String(row.id)),
    tip: (row) =>
      `node ${row.id}, a ${row.role} of hyperedge ${row.hyperedge}\neffect ${signed(row.effect)}` +
      (row.turned ? `\nrole turned around ${turnedText(row.turned, found)}` : ""),
    columns: ["Member", "Hyperedge", "Role", "Effect", "Estimate", ...(ofNode ? [] : ["Role turned around"])],
    cells: (row) => [
      row.id,
      row.hyperedge,
      row.role,
      signed(row.effect),
      signed(row.estimate),
      ...(ofNode ? [] : [turnedText(row.turned, found)]),
    ],
  });
}

function featureFigure(found) {
  const signed = signedOf(found);
  return bars(found, {
    title: "Features",
    note: `What setting each of them to 0 does. ${checkText(found.checks.features)}`,
    rows: found.features,
    name: (row) => String(row.id),
    tip: (row) => `${row.id} = ${significant(row.value)} (of the ${row.of})\neffect ${signed(row.effect)}`,
    columns: ["Feature", "Of", "Value", "Effect", "Estimate"],
    cells: (row) => [row.id, row.of, significant(row.value), signed(row.effect), signed(row.estimate)],
  });
}

/** The prediction, what the item's roles do for it, and what the numbers mean. */
function verdict(found) {
  const {predicted, probability, roles, all_roles_turned: turned} = found;
  const {hyperedges, mean_effect: mean} = found.checks.elsewhere;
  const signed = signedOf(found);
  const truth =
    found.true === null
      ? ""
      : ofNumbers(found)
        ? `; its true number is ${significant(found.true, 5)}`
        : found.target === "labels"
          ? `; its true labels are ${found.true}`
          : found.true === predicted
            ? ", which is its true class"
            : `; its true class is ${found.true}`;
  const answer = ofNumbers(found)
    ? `${significant(predicted, 5)} is predicted`
    : `${capital(wordOf(found))} ${predicted} with probability ${probability.toFixed(4)}`;
  const falls = ofNumbers(found) ? "the predicted number falls" : `the log-odds of the predicted ${wordOf(found)} fall`;
  const ofRoles = roles.map((one) => `${one.role} (${count(one.count)}) ${signed(one.effect)}`).join("; ");
  return h(
    "div",
    {class: "card"},
    h("h3", {}, `${found.item === "node" ? "Node" : "Hyperedge"} ${found.id}`),
    h("p", {}, `${answer}${truth}.`),
    roles.length > 0 ? h("p", {}, `Effect of all that it is in a role: ${ofRoles}.`) : null,
    turned ? h("p", {}, `With all roles turned around: ${turnedText(turned, found)}.`) : null,
    h(
      "p",
      {class: "note"},
      `Effect: by how much ${falls} when something is taken away and the model is run again; `,
      `below 0 it speaks ${ofNumbers(found) ? "for a smaller number" : `against that ${wordOf(found)}`}. `,
      hyperedges > 0
        ? `${hyperedges} hyperedges elsewhere have an effect of ${ofNumbers(found) ? significant(mean, 4) : mean.toFixed(3)} on average.`
        : "",
    ),
  );
}

function shown(found) {
  if (found.missing) return [missing(`${found.id} cannot be explained: ${found.missing}`)];
  const figures = [
    [found.hyperedges, hyperedgeFigure],
    [found.members, memberFigure],
    [found.features, featureFigure],
  ].flatMap(([rows, draw]) => (rows.length > 0 ? [draw(found)] : []));
  return [verdict(found), h("div", {class: "pair"}, figures)];
}

export const isExplained = (run) => (run.details.explanations ?? []).length > 0;

export function explanations(run) {
  if (!isExplained(run)) return [missing("No prediction of this run was explained.")];
  const all = run.details.explanations;
  const place = h("div", {class: "explanation"});
  const show = (index) => place.replaceChildren(...shown(all[index]));
  show(0);
  const choices = all.map((found, index) => [index, `${found.item ?? ""} ${found.id}`.trim()]);
  return all.length > 1 ? [h("div", {class: "controls"}, select("Item", choices, 0, show)), place] : [place];
}
