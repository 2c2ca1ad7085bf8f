export const percent = (fraction) => (100 * fraction).toFixed(2);
export const meanStd = (figure) => `${percent(figure.mean)} ± ${percent(figure.std)}`;
export const count = (number) => Math.round(number).toLocaleString("en");
/** "1 run", "2 runs" */
export const counted = (number, word, plural = `${word}s`) =>
  `${count(number)} ${number === 1 ? word : plural}`;
/** With an ellipsis where it is too long. */
export const shorten = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
export const capital = (text) => text.replace(/^./, (letter) => letter.toUpperCase());

/** A figure in per cent: "83.85 ± 7.15 [79.10, 88.60]"; one split, or a plot that was read, has no deviation. */
export function scoreText(score) {
  if (!score) return "–";
  if (typeof score === "string") return score;
  const deviation = score.std === undefined ? "" : ` ± ${score.std.toFixed(2)}`;
  return score.mean.toFixed(2) + deviation + (score.interval ? ` ${intervalText(score.interval)}` : "");
}

export const intervalText = (interval) => `[${interval.map((end) => end.toFixed(2)).join(", ")}]`;
/** "+1.20" */
export const signed = (number) => `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(2)}`;

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
