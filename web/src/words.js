// The words for classes: the data's own, or numbers where it has none.
import {shorten} from "./format.js";

export class ClassWords {
  /** @param {string[]|null|undefined} names by class; names that are only the numbers are none */
  constructor(names) {
    this.names = names?.some((name, c) => name !== String(c)) ? names : null;
  }

  /** "red", "class 3", or "unknown" for an item without a label. */
  of(c) {
    if (c === null || c === undefined || c < 0) return "unknown";
    return this.names?.[c] ?? `class ${c}`;
  }

  /** What fits under a tick or into a picture: "3" where classes are numbers. */
  short(c, most = 14) {
    if (c === null || c === undefined || c < 0) return "unknown";
    return shorten(this.names?.[c] ?? String(c), most);
  }
}

/** Whether a prediction hit: null where nobody knows. */
export const isRight = (label, predicted) => (label < 0 ? null : label === predicted);

export const verdict = (right) => (right === null ? "unknown" : right ? "correct" : "wrong");
