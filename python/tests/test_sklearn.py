import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn")
# pylint: disable=wrong-import-position
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score

import dshn
from dshn.sklearn import DSHNClassifier

QUICK = {"epochs": 40, "patience": 40, "layers": 2, "d": 2, "hidden_width": 8, "features": "role-degrees"}


@pytest.fixture(scope="module")
def samples(teams):
    return np.arange(60).reshape(-1, 1), np.array(["red", "green", "blue"])[teams.labels]


@pytest.fixture
def estimator(teams):
    return DSHNClassifier(teams.hypergraph, options=QUICK, device="cpu")


def test_it_learns_and_gives_the_same_again(estimator, samples):
    X, y = samples
    order = np.random.default_rng(0).permutation(60)
    fitted = estimator.fit(X[order[:40]], y[order[:40]])
    said = fitted.predict(X)

    assert fitted is estimator and fitted.classes_.tolist() == ["blue", "green", "red"]
    assert fitted.score(X[order[40:]], y[order[40:]]) > 0.5
    assert np.array_equal(clone(estimator).fit(X[order[:40]], y[order[:40]]).predict(X), said)
    probabilities = fitted.predict_proba(X)
    assert np.allclose(probabilities.sum(axis=1), 1)
    assert np.array_equal(fitted.classes_[probabilities.argmax(axis=1)], said)
    assert np.array_equal(pickle.loads(pickle.dumps(fitted)).predict(X), said)


def test_other_classes_are_not_looked_at(estimator, samples):
    X, y = samples
    chosen = np.r_[0:15, 20:35, 40:55]
    first = clone(estimator).fit(X[chosen], y[chosen]).predict_proba(X)
    wrong = np.roll(y, 20)
    wrong[chosen] = y[chosen]

    assert np.array_equal(clone(estimator).fit(X[chosen], wrong[chosen]).predict_proba(X), first)


def test_grids_and_folds(estimator, samples):
    X, y = samples
    estimator.set_params(options={**QUICK, "epochs": 5})
    search = GridSearchCV(estimator, {"q": [0.0, 0.25], "hidden_width": [4, 8]}, cv=3).fit(X, y)

    assert set(search.best_params_) == {"q", "hidden_width"} and len(search.cv_results_["params"]) == 4
    assert len(cross_val_score(estimator, X, y, cv=3)) == 3


def test_parameters_stay_as_given(teams):
    options = {"epochs": 3}
    estimator = DSHNClassifier(teams.hypergraph, options=options, q=0.1)

    assert estimator.get_params()["options"] is options and clone(estimator).get_params()["q"] == 0.1
    estimator.fit(np.arange(60).reshape(-1, 1), teams.labels)
    assert options == {"epochs": 3} and estimator.get_params()["q"] == 0.1


def test_what_does_not_fit_is_refused(estimator, samples):
    X, y = samples
    with pytest.raises(NotFittedError):
        estimator.predict(X)
    for wrong_X, wrong_y in ((X[:5], y), (X[:0], y[:0]), (np.c_[X, X], y), (X + 1, y), (X - 1, y), (np.r_[X, X], np.r_[y, y]),
                             (X, np.full(60, "red")), (X, np.full(60, np.nan))):
        with pytest.raises(ValueError):
            clone(estimator).fit(wrong_X, wrong_y)
    with pytest.raises(dshn.UsageError, match="hypergraph"):
        DSHNClassifier().fit(X, y)
