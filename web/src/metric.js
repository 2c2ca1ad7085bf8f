// What the figures are that validation goes by.

const known = {
  accuracy: {name: "accuracy"},
  "macro-f1": {name: "macro F1"},
  "micro-f1": {name: "micro F1"},
  "weighted-f1": {name: "weighted F1"},
  "subset-accuracy": {name: "subset accuracy"},
  r2: {name: "R²", isShare: false},
  rmse: {name: "RMSE", isShare: false, isLowerBetter: true},
  mae: {name: "MAE", isShare: false, isLowerBetter: true},
};

export const metricName = (metric) => known[metric]?.name ?? metric;
/** Between 0 and 1, and shown in per cent; studies of version 0.1 do not name their metric, which is one. */
export const isShare = (metric) => known[metric]?.isShare ?? true;
export const isLowerBetter = (metric) => known[metric]?.isLowerBetter ?? false;
