import {h} from "./dom.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Map();

const current = () => document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");

/** `listener` is called whenever light turns to dark or back; it takes the place of an earlier one of that name. */
export function onTheme(name, listener) {
  listeners.set(name, listener);
}

const tell = () => listeners.forEach((listener) => listener());
dark.addEventListener("change", tell);

export function themeButton() {
  const words = () => (current() === "dark" ? "Light" : "Dark");
  const button = h(
    "button",
    {
      type: "button",
      class: "theme",
      "aria-label": "Switch between light and dark",
      onclick: () => {
        document.documentElement.dataset.theme = current() === "dark" ? "light" : "dark";
        tell();
      },
    },
    words(),
  );
  onTheme("button", () => {
    button.textContent = words();
  });
  return button;
}
