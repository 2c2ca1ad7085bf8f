// What the picture of a hypergraph is coloured or grouped by.
import {classColour} from "./palette.js";
import {verdict} from "./words.js";

const unknown = "var(--muted)";
const verdictColours = {correct: "var(--c0)", wrong: "var(--c1)", unknown};

/** By name: words, the group of an item that is classified, the group's name and colour. */
export const colourings = {
  true: {
    text: "true class",
    group: (view) => (item) => view.label(item),
    name: (view, c) => view.words.of(c),
    colour: (c) => (c < 0 ? unknown : classColour(c)),
  },
  predicted: {
    text: "predicted class",
    group: (view) => (item) => view.predicted(item),
    name: (view, c) => view.words.of(c),
    colour: classColour,
  },
  verdict: {
    text: "correct or wrong",
    group: (view) => (item) => verdict(view.verdict(item).right),
    name: (_, word) => word,
    colour: (word) => verdictColours[word],
  },
};

export const isUnknown = (group) => group === -1 || group === "unknown";

/** How many items each group has; the unknown ones come last. */
export function groupSizes(view, colouring) {
  const group = colouring.group(view);
  const sizes = new Map();
  for (let item = 0; item < view.items; ++item) sizes.set(group(item), (sizes.get(group(item)) ?? 0) + 1);
  const order = (a, b) => isUnknown(a) - isUnknown(b) || (a < b ? -1 : 1);
  return new Map([...sizes].sort(([a], [b]) => order(a, b)));
}
