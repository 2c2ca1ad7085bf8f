// Elements without a framework.

/**
 * h("p", {class: "note"}, "text", child): attributes that start with "on" are listeners, null children are left out.
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

let ids = 0;
export function newId(prefix) {
  return `${prefix}-${++ids}`;
}

/** A labelled <select>; `choices` are [value, text]. */
export function select(label, choices, value, onchange) {
  const id = newId("select");
  const box = h(
    "select",
    {id, onchange: (event) => onchange(event.target.value)},
    choices.map(([key, text]) => h("option", {value: key, selected: String(key) === String(value)}, text)),
  );
  return h("span", {class: "control"}, h("label", {for: id}, label), box);
}

/** A group of labelled boxes to tick; `choices` are [value, text]. The listener gets all values that are ticked. */
export function ticks(legend, choices, ticked, onchange) {
  const boxes = choices.map(([value, text]) => {
    const box = h("input", {type: "checkbox", value, checked: ticked.includes(value)});
    box.addEventListener("change", () =>
      onchange(choices.map(([key]) => key).filter((_, i) => boxes[i].firstChild.checked)),
    );
    return h("label", {}, box, ` ${text}`);
  });
  return h("fieldset", {class: "ticks"}, h("legend", {}, legend), boxes);
}

export function section(id, title, ...children) {
  return h("section", {id, "aria-labelledby": `${id}-title`}, h("h2", {id: `${id}-title`}, title), children);
}

export function missing(why) {
  return h("p", {class: "missing"}, why);
}

/** A plain table; numbers are set to the right. */
export function table(columns, rows, caption) {
  const looksNumeric = (value) => /^[−+-]?\d|^–$|^$/.test(String(value));
  const numeric = columns.map(
    (_, c) =>
      c > 0 && rows.every((row) => looksNumeric(row[c])) && rows.some((row) => /\d/.test(String(row[c]))),
  );
  const cell = (tag, text, c) =>
    h(tag, {class: numeric[c] ? "number" : null, scope: tag === "th" ? "col" : null}, String(text));
  return h(
    "div",
    {class: "scroller", tabindex: "0", role: "region", "aria-label": caption},
    h(
      "table",
      {},
      h("caption", {class: "unseen"}, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((name, c) => cell("th", name, c)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            row.map((value, c) => cell("td", value, c)),
          ),
        ),
      ),
    ),
  );
}
