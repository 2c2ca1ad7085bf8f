// One trial of a study.

/** In per cent. */
export const value = (trial) => 100 * trial.validation.mean;
export const isCompleted = (trial) => trial.state === "completed" && Boolean(trial.validation);

/** Whether the option has no effect in the trial, because of another option's value there. */
export function isIdle(study, trial, parameter) {
  return parameter.idle_when.some((when) => {
    const [name, setting] = when.split("=");
    return (trial.set[name] ?? study.options[name]) === setting;
  });
}
