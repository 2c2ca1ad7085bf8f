export const percent = (fraction) => (100 * fraction).toFixed(2);
export const meanStd = (figure) => `${percent(figure.mean)} ± ${percent(figure.std)}`;
export const count = (number) => Math.round(number).toLocaleString("en");
/** "1 run", "2 runs" */
export const counted = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;

/** The paper's figure of a run or cell, in per cent. */
export function paperText(paper) {
  if (!paper) return "–";
  return typeof paper === "string" ? "out of memory" : `${paper.mean.toFixed(2)} ± ${paper.std.toFixed(2)}`;
}

export function significant(number, digits = 3) {
  return Number.isFinite(number) ? String(Number(number.toPrecision(digits))) : "–";
}

export const milliseconds = (number) => (number >= 100 ? count(number) : number.toPrecision(3));

const metricNames = {
  accuracy: "accuracy",
  "macro-f1": "macro F1",
  "micro-f1": "micro F1",
  "weighted-f1": "weighted F1",
};
export const metricName = (metric) => metricNames[metric] ?? metric;
