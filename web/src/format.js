import {isShare} from "./metric.js";

export const percent = (fraction) => (100 * fraction).toFixed(2);
/** A figure as a number for a chart: shares in per cent, others as they are. */
export const scaled = (value, metric) => (isShare(metric) ? 100 * value : value);
/** Such a number in words, without its unit. */
export const scaledText = (number, metric) => (isShare(metric) ? number.toFixed(2) : significant(number, 4));
export const figureText = (value, metric) => scaledText(scaled(value, metric), metric);
export const meanStd = (figure, metric) =>
  `${figureText(figure.mean, metric)} ± ${figureText(figure.std, metric)}`;
/** What stands behind a figure: " %", or nothing. */
export const unitOf = (metric) => (isShare(metric) ? " %" : "");
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

