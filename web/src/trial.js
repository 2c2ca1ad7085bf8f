// One trial of a study.

import {scaled, scaledText, unitOf} from "./format.js";

/** In per cent, where the figure is a share. A trial knows its study's metric. */
export const value = (trial) => scaled(trial.validation.mean, trial.metric);
export const valueText = (trial) => scaledText(value(trial), trial.metric) + unitOf(trial.metric);
export const isCompleted = (trial) => trial.state === "completed" && Boolean(trial.validation);

/** Whether the option has no effect in the trial, because of another option's value there. */
export function isIdle(study, trial, parameter) {
  return parameter.idle_when.some((when) => {
    const [name, setting] = when.split("=");
    return (trial.set[name] ?? study.options[name]) === setting;
  });
}
