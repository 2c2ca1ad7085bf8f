import {h} from "./dom.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set();

const current = () => document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");

/** Called whenever light turns to dark or back. */
export function onTheme(listener) {
  listeners.add(listener);
}

const tell = () => listeners.forEach((listener) => listener());
dark.addEventListener("change", tell);

export function themeButton() {
  const words = () => (current() === "dark" ? "Light" : "Dark");
  const button = h("button", {
    type: "button", class: "theme", "aria-label": "Switch between light and dark",
    onclick: () => {
      document.documentElement.dataset.theme = current() === "dark" ? "light" : "dark";
      tell();
    },
  }, words());
  onTheme(() => { button.textContent = words(); });
  return button;
}
