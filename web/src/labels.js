import {bySplit, measuresFigure} from "./classes.js";

/** Precision, recall and F1 of each label from its counts in some splits; 0 where one of them has no meaning. */
export function perLabel(splits) {
  return splits[0].labels.map((_, label) => {
    const sum = (key) => splits.reduce((total, split) => total + split.labels[label][key], 0);
    const [support, predicted, both] = ["support", "predicted", "both"].map(sum);
    return {
      class: label,
      support,
      precision: predicted ? both / predicted : 0,
      recall: support ? both / support : 0,
      f1: support + predicted ? (2 * both) / (support + predicted) : 0,
    };
  });
}

/** Items that may have several labels. */
export const labels = (run) =>
  bySplit(run.splits, (chosen, which) => [measuresFigure(perLabel(chosen), which, run.words, "label")]);
