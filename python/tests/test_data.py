import shutil

import numpy as np
import pytest
import scipy.sparse
import torch

import dshn
from dshn import Hypergraph
from dshn.data import Dataset, degree_features, normalise_rows, reversed_direction, without_direction

FIRMS = ["acme", "bolt", "cork", "dune"]


@pytest.fixture
def deals():
    return Hypergraph([(["acme"], ["bolt", "cork"]), (["dune"], ["acme"])], names=["d1", "d2"])


def test_frames_are_joined_by_id(deals):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"size": [4.0, 3.0, 2.0, 1.0], "age": [1, 2, 3, 4]}, index=FIRMS[::-1])
    labels = pandas.Series(["good", "bad", "good"], index=["dune", "acme", "bolt"])

    data = Dataset(deals, features=frame, labels=labels)

    assert data.features.tolist() == [[1, 4], [2, 3], [3, 2], [4, 1]]
    assert data.class_names == ["bad", "good"] and data.labels.tolist() == [0, 1, -1, 1]
    with pytest.raises(dshn.InvalidInput, match="'acme'"):
        Dataset(deals, features=frame.drop(index="acme"))
    with pytest.raises(dshn.InvalidInput, match="'zinc'"):
        Dataset(deals, labels={"zinc": 1})


def test_matrices_are_taken_row_by_row(deals):
    rows = np.arange(8, dtype=np.float64).reshape(4, 2)
    for features in (rows, rows.tolist(), torch.tensor(rows), scipy.sparse.csr_matrix(rows)):
        assert Dataset(deals, features=features).features.tolist() == rows.tolist()
    for wrong in (rows[:3], [["a"]], np.full((4, 1), np.nan)):
        with pytest.raises(dshn.InvalidInput):
            Dataset(deals, features=wrong)


def test_binary_files_are_used_where_they_lie(deals, tmp_path):
    file = tmp_path / "deals.dshn"
    made = Dataset(deals, features=np.arange(8, dtype=np.float32).reshape(4, 2), labels=["a", "b", "a", "b"])
    made.save(file)

    data = Dataset.open(file)
    assert data.hypergraph == deals and Hypergraph.load(file) == deals
    assert data.features.tolist() == made.features.tolist() and data.class_names == ["a", "b"]
    features, loaded = data.features, data.hypergraph
    del data
    file.rename(tmp_path / "elsewhere.dshn")
    assert features[3].tolist() == [6, 7] and loaded == deals
    with pytest.raises(ValueError):
        features[0] = 1

    deals.save(tmp_path / "alone.dshn")
    assert Hypergraph.load(tmp_path / "alone.dshn") == deals
    (tmp_path / "cut.dshn").write_bytes((tmp_path / "alone.dshn").read_bytes()[:-1])
    with pytest.raises(dshn.InvalidInput, match="the file ends here"):
        Dataset.open(tmp_path / "cut.dshn")


def test_numbers_are_classes_as_they_are(deals):
    with pytest.raises(dshn.UsageError, match="labels=7"):
        Dataset(deals, labels=7)
    for labels in ([0, 1, -1, 1], np.array([0, 1, -1, 1]), torch.tensor([0, 1, -1, 1]), [0.0, 1.0, float("nan"), 1.0]):
        data = Dataset(deals, labels=labels)
        assert data.labels.tolist() == [0, 1, -1, 1] and data.class_names == ["0", "1"]
    with pytest.raises(dshn.InvalidInput, match="5"):
        Dataset(deals, labels=[0, 1, 0, 1, 1])
    for wrong in ([0.5, 1, 0, 1], [0, (1,), 0, 1], ["a", 0.5, "b", "a"]):
        with pytest.raises(dshn.InvalidInput):
            Dataset(deals, labels=wrong)


def test_splits_are_numbers_or_masks(deals):
    by_number = Dataset(deals, labels=[0, 1, 0, 1], splits=[([0, 1], [2], [3])])
    by_mask = Dataset(deals, labels=[0, 1, 0, 1], splits=[{"train": [True, True, False, False],
                                                         "val": np.array([False, False, True, False]),
                                                         "test": torch.tensor([False, False, False, True])}])

    for data in (by_number, by_mask):
        assert [part.tolist() for part in data.splits[0]] == [[0, 1], [2], [3]]
    for wrong in ([([0], [0], [1])], [([0], [9], [1])], [([True], [0], [1])]):
        with pytest.raises(dshn.InvalidInput):
            Dataset(deals, labels=[0, 1, 0, 1], splits=wrong)


def test_folder_and_back(deals, tmp_path):
    data = Dataset(deals, features=np.eye(4), labels=["x", "y", None, "x"], splits=[([0], [1], [3])],
                   edge_features=np.ones((2, 3)), name="deals")
    again = data.save(tmp_path / "deals")

    assert again.source == str(tmp_path / "deals") and again.name == "deals"
    assert again.hypergraph == deals and again.class_names == ["x", "y"]
    for part in ("features", "edge_features", "labels"):
        assert getattr(again, part).tolist() == getattr(data, part).tolist()
    assert [p.tolist() for p in again.splits[0]] == [p.tolist() for p in data.splits[0]]


def test_hyperedges_may_be_what_is_classified(deals, tmp_path):
    data = Dataset(deals, labels={"d2": "sale", "d1": "loan"}, task="hyperedges")

    assert data.task == "hyperedges" and data.labels.tolist() == [0, 1]
    assert data.save(tmp_path / "deals").task == "hyperedges"


def test_files_with_labels_beside_them(tmp_path):
    (tmp_path / "deals.csv").write_text("hyperedge,node,role\nd1,a,tail\nd1,b,head\nd2,b,tail\n")
    (tmp_path / "firms.csv").write_text("id,label,size\nb,good,2\na,bad,1\n")
    data = Dataset.open(tmp_path / "deals.csv", labels=tmp_path / "firms.csv", features=tmp_path / "firms.csv")

    assert dict(zip(data.item_names, data.labels.tolist())) == {"a": data.class_names.index("bad"),
                                                               "b": data.class_names.index("good")}
    assert data.reading["labels"] == str(tmp_path / "firms.csv")


def test_names_that_there_are_not():
    with pytest.raises(dshn.UsageError, match="telegram"):
        dshn.datasets.load("telegrm")
    assert {"telegram", "cora"} <= {entry.name for entry in dshn.datasets.available()}


def test_targets_are_numbers_or_labels(deals, tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"age": [1.5, np.nan, 3, 4], "size": [1, 2, 3, 4]}, index=FIRMS[::-1])
    data = Dataset(deals, targets=frame)
    assert data.target == "numbers" and data.class_names == ["age", "size"] and len(data.labels) == 0
    assert np.array_equal(data.targets[deals.node_names.index("dune")], [1.5, 1])
    assert np.isnan(data.targets[deals.node_names.index("cork")]).all(), "a row is known or it is not"
    single = Dataset(deals, targets={"acme": 2.0, "dune": 1})
    assert single.targets.shape == (4, 1) and np.isnan(single.targets[:, 0]).sum() == 2
    marks = np.array([[1, 0], [0, 1], [-1, -1], [1, 1]])
    for given in (marks, torch.tensor(marks)):
        labels = Dataset(deals, targets=given)
        assert labels.target == "labels" and np.isnan(labels.targets[2]).all()
        assert np.array_equal(labels.save(tmp_path / "labels").targets, labels.targets, equal_nan=True)
        shutil.rmtree(tmp_path / "labels")
    for wrong, kind in (({"nobody": 1}, dshn.InvalidInput), ([1, 2], dshn.InvalidInput), ([1, 2, np.inf, 1], dshn.InvalidInput),
                        (["a", "b", "c", "d"], dshn.InvalidInput)):
        with pytest.raises(kind):
            Dataset(deals, targets=wrong)
    with pytest.raises(dshn.UsageError, match="one of them"):
        Dataset(deals, labels=[0, 1, 0, 1], targets=[1, 2, 3, 4])


def test_steps_make_other_data_sets(deals):
    pd = pytest.importorskip("pandas")
    people = pd.DataFrame({"age": [1, 2, 3, 4]}, index=FIRMS)
    data = Dataset(deals, features=people, labels=dict(zip(FIRMS, "abab")), splits=[([0, 1], [2], [3])], name="deals")
    other = data.transform(without_direction, degree_features, normalise_rows)
    assert data.hypergraph.directed and not other.hypergraph.directed
    degrees = [len(deals.hyperedges_of(node)) for node in range(4)]
    expected = np.column_stack([data.features[:, 0], degrees])
    assert np.allclose(other.features, expected / expected.sum(axis=1, keepdims=True))
    assert other.class_names == ["a", "b"] and np.array_equal(other.labels, data.labels) and other.name == "deals"
    assert [list(part) for part in other.splits[0]] == [[0, 1], [2], [3]]
    assert data.transform(reversed_direction, reversed_direction).hypergraph == data.hypergraph
    assert data.replace()._core.feature_names == ["age"]
    numbers = data.replace(targets=[1, 2, 3, 4])
    assert numbers.target == "numbers" and numbers.replace(name="n").targets.tolist() == numbers.targets.tolist()
    several = data.replace(targets=np.eye(4, dtype=bool))
    assert several.replace(name="n").target == "labels" and several.replace(labels=[0, 1, 0, 1]).target == "classes"
    with pytest.raises(dshn.UsageError, match="int"):
        data.transform(lambda given: 7)
    with pytest.raises(dshn.UsageError, match="no features"):
        Dataset(deals).transform(normalise_rows)
