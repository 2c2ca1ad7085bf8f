"""An estimator for scikit-learn.

In scikit-learn a sample is a row of X. Here it is a node: X has one column with the numbers of nodes, and hypergraph and
features, which belong to all nodes, are parameters of the estimator. So X can be cut into folds, and a grid can be searched:

>>> import numpy as np
>>> from sklearn.model_selection import GridSearchCV
>>> from dshn import datasets
>>> data = datasets.synthetic(nodes=60, classes=3)
>>> X, y = np.arange(60).reshape(-1, 1), data.labels
>>> search = GridSearchCV(DSHNClassifier(data.hypergraph, options={"epochs": 3, "hidden_width": 4}), {"q": [0, 0.25]}, cv=2)
>>> sorted(search.fit(X, y).best_params_)
['q']

Classes of other nodes are never looked at; their features and hyperedges are (learning is transductive).

scikit-learn's own checks of estimators (``check_estimator``) draw X themselves, as matrices of features, and know of no
hypergraph; they do not apply. Of what they check, these hold here and are tested: ``clone``, ``get_params`` and
``set_params``; the parameters are left as they were given; ``fit`` returns the estimator and gives the same result when
repeated; unfitted estimators say so; X and y of different lengths, X without rows or with more columns, numbers that are no
nodes, one class only and missing values are refused; ``classes_`` are sorted; words as classes; ``predict_proba`` sums to 1 and
agrees with ``predict``; fitted estimators can be pickled.
"""
from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import train_test_split
from sklearn.utils.validation import check_array, check_is_fitted, check_X_y

from .data import Dataset
from .errors import UsageError
from .hypergraph import Hypergraph
from .training import train


class DSHNClassifier(ClassifierMixin, BaseEstimator):
    """A model of the library that classifies nodes of one hypergraph.

    ``model`` is any that `dshn train --model` takes; ``options`` are those of the model and of training; ``q``, ``d``,
    ``layers``, ``hidden_width``, ``dropout``, ``lr``, ``weight_decay`` and ``epochs`` can also be given, and searched, by
    themselves. A share ``validation`` of the samples chooses the epoch. ``seed`` decides all that is random.
    """

    def __init__(self, hypergraph: Optional[Hypergraph] = None, features: Any = None, *, model: str = "dshn",
                 options: Optional[Mapping[str, Any]] = None, validation: float = 0.25, seed: int = 0, device: str = "auto",
                 q: Any = None, d: Any = None, layers: Any = None, hidden_width: Any = None, dropout: Any = None,
                 lr: Any = None, weight_decay: Any = None, epochs: Any = None):
        self.hypergraph, self.features, self.model, self.options = hypergraph, features, model, options
        self.validation, self.seed, self.device = validation, seed, device
        self.q, self.d, self.layers, self.hidden_width, self.dropout = q, d, layers, hidden_width, dropout
        self.lr, self.weight_decay, self.epochs = lr, weight_decay, epochs

    def _options(self) -> Dict[str, Any]:
        own = ("q", "d", "layers", "hidden_width", "dropout", "lr", "weight_decay", "epochs")
        return {**(self.options or {}), **{name: getattr(self, name) for name in own if getattr(self, name) is not None}}

    def _nodes(self, X: Any) -> np.ndarray:
        nodes = check_array(X, dtype=np.int64)
        if nodes.shape[1] != 1:
            raise UsageError(f"X has {nodes.shape[1]} columns; expected one, the numbers of nodes")
        if nodes.min() < 0 or nodes.max() >= self.hypergraph.n_nodes:  # type: ignore[union-attr]
            raise UsageError(f"X names a node outside of 0..{self.hypergraph.n_nodes - 1}")  # type: ignore[union-attr]
        return nodes[:, 0]

    def fit(self, X: Any, y: Any) -> "DSHNClassifier":
        if not isinstance(self.hypergraph, Hypergraph):
            raise UsageError(f"hypergraph={self.hypergraph!r}: expected a dshn.Hypergraph")
        X, y = check_X_y(X, y, dtype=np.int64)
        nodes = self._nodes(X)
        if len(np.unique(nodes)) != len(nodes):
            raise UsageError("X names a node twice")
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise UsageError(f"y has one class, {classes[0]!r}; a classifier needs two at least")
        enough = np.bincount(codes).min() > 1
        rest, chosen = train_test_split(np.arange(len(nodes)), test_size=self.validation, random_state=self.seed,
                                        stratify=codes if enough else None)
        labels = np.full(self.hypergraph.n_nodes, -1, np.int64)
        labels[nodes] = codes
        if len(chosen) < 2:
            raise UsageError(f"{len(nodes)} samples are too few; expected two for validation at least")
        # A split has items to test with. Nothing is tested here, so that is one: the figure of the run is of no use.
        parts = (nodes[rest], nodes[chosen[1:]], nodes[chosen[:1]])
        data = Dataset(self.hypergraph, features=self.features, labels=labels, splits=[parts], name="samples")
        run = train(data, model=self.model, splits=1, seed=self.seed, preset="none", options=self._options(),
                    device=self.device, progress=False)
        self.classes_, self.n_features_in_ = classes, 1
        self.probabilities_ = run.predictions.probabilities[:, :len(classes)]
        self.validation_score_ = run.val.mean
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "probabilities_")
        return self.probabilities_[self._nodes(X)]

    def predict(self, X: Any) -> np.ndarray:
        likeliest = self.predict_proba(X).argmax(axis=1)
        return self.classes_[likeliest]
