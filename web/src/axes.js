// Ends and ticks of axes that Plot would choose otherwise.
import {isShare} from "./metric.js";

/** Ends of an axis in per cent: around the values, never beyond what a percentage can be. */
export function percentDomain(values) {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const room = Math.max(0.5, 0.04 * (most - least));
  return [Math.max(0, least - room), Math.min(100, most + room)];
}

/** Ends of an axis of figures: shares are in per cent, others may be anything. */
export function figureDomain(values, metric) {
  if (isShare(metric)) return percentDomain(values);
  const least = Math.min(...values);
  const most = Math.max(...values);
  const room = 0.04 * (most - least) || 0.04 * Math.abs(most) || 1;
  return [least - room, most + room];
}

/** A whisker's ends, of shares cut to what can be: the interval, or the deviation where none is known. */
export function whisker({mean, std = 0, interval}, metric) {
  const [low, high] = interval ?? [mean - std, mean + std];
  return isShare(metric) ? [Math.max(0, low), Math.min(100, high)] : [low, high];
}

/** At most eight round numbers between two positive ones, for a logarithmic axis; Plot leaves some without words. */
export function logTicks(least, most) {
  for (const digits of [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1]]) {
    const ticks = [];
    for (let power = Math.floor(Math.log10(least)); power <= Math.log10(most); ++power)
      for (const digit of digits) {
        const tick = Number(`${digit}e${power}`);
        if (tick >= least && tick <= most) ticks.push(tick);
      }
    if (ticks.length <= 8) return ticks;
  }
  const first = Math.ceil(Math.log10(least));
  const step = Math.ceil((Math.log10(most) - first) / 7);
  return Array.from({length: 8}, (_, i) => Number(`1e${first + i * step}`)).filter((tick) => tick <= most);
}

/** Options of a scale for positive values, of which there may be many: logarithmic where they lie far apart. */
export function positiveScale(values) {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!(least > 0) || most / least < 4) return {type: "linear", nice: true, ticks: 6};
  return {
    type: "log",
    domain: [least, most],
    ticks: logTicks(least, most),
    tickFormat: (tick) => String(tick),
  };
}
