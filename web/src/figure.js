import * as Plot from "@observablehq/plot";
import {h, missing, table} from "./dom.js";

/** Options that every chart shares: transparent, in the text's own colour and font. */
const common = {
  style: {
    background: "transparent",
    color: "var(--ink)",
    fontSize: "12px",
    fontFamily: "inherit",
    overflow: "visible",
  },
};

const observer = new ResizeObserver((entries) => entries.forEach(({target}) => target.redraw?.()));

/**
 * A chart with its heading, words for those who do not see it, and its numbers as a table.
 * @param {{title: string, note?: string, alt: string, draw: (width: number) => object,
 *          legend?: HTMLElement, columns: string[], rows: () => Array<Array>}} spec
 *        draw gives options for Plot; rows is called when the table is opened.
 */
export function figure({title, note, alt, draw, legend, columns, rows}) {
  const chart = h("div", {class: "chart", tabindex: "0", role: "group", "aria-label": `Chart: ${title}`});
  let drawn = 0;
  chart.redraw = () => {
    const width = Math.floor(chart.clientWidth);
    if (width === 0 || width === drawn) return;
    drawn = width;
    try {
      const svg = Plot.plot({...common, width, ...draw(width)});
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", alt);
      chart.replaceChildren(svg);
    } catch (error) {
      chart.replaceChildren(missing(`This cannot be drawn: ${error.message}. The table has the numbers.`));
    }
  };
  observer.observe(chart);
  const details = h("details", {}, h("summary", {}, "Numbers as a table"));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(table(columns, rows(), title));
  });
  return h(
    "figure",
    {},
    h("figcaption", {}, h("h3", {}, title), note ? h("p", {class: "note"}, note) : null),
    legend ?? null,
    chart,
    details,
  );
}

/** Swatches with words; `symbol` is "dot", "line", "dashes", "square", "cross", "diamond" or "ring". */
export function legend(entries) {
  return h(
    "ul",
    {class: "legend"},
    entries.map(({text, colour, symbol = "dot"}) =>
      h(
        "li",
        {},
        h("span", {class: `swatch ${symbol}`, style: `--swatch: ${colour}`, "aria-hidden": "true"}),
        text,
      ),
    ),
  );
}

export {Plot};
