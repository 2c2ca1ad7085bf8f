"""Data sets: a hypergraph with features, targets and splits."""
from __future__ import annotations

import os
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _core, ids
from .errors import InvalidInput, UsageError
from .hypergraph import Hypergraph, Name


class Split(NamedTuple):
    """Numbers of the items to train with, to choose the epoch by, and to test with."""

    train: np.ndarray
    val: np.ndarray
    test: np.ndarray


class Dataset:
    """Everything that training needs to know.

    >>> h = Hypergraph([(["ann"], ["bob", "cy"]), (["bob"], ["dee"])])
    >>> data = Dataset(h, labels={"ann": "red", "bob": "blue", "cy": "red"}, name="mails")
    >>> data
    Dataset('mails', Hypergraph(4 nodes, 2 hyperedges of which 2 directed, 5 incidences), 2 classes of nodes)
    >>> data.class_names, data.labels.tolist()
    (['blue', 'red'], [1, 0, 1, -1])
    """

    def __init__(self, hypergraph: Hypergraph, *, features: Any = None, labels: Any = None, targets: Any = None,
                 splits: Any = None, edge_features: Any = None, task: str = "nodes", name: str = "data"):
        """``features`` and ``edge_features`` have a row for each node or hyperedge: an array, a tensor, a scipy matrix, or a
        pandas frame whose index are the names. ``labels`` has a class for each item of the ``task`` (``"nodes"`` or
        ``"hyperedges"``), numbers from 0 or words: an array, or by name a dictionary or a pandas series. -1, None and NaN
        mean that it is not known. ``targets`` stands in the place of labels where no class is predicted: a number for each
        item, or a row of them, NaN where it is not known; a matrix of bool says which of several labels an item has.
        ``splits`` is a list of triples (train, val, test) of numbers or masks; without it, splits
        are drawn when a model is trained.
        """
        if not isinstance(hypergraph, Hypergraph):
            raise UsageError(f"hypergraph={hypergraph!r}: expected a dshn.Hypergraph")
        if task not in ("nodes", "hyperedges"):
            raise UsageError(f"task={task!r}: expected 'nodes' or 'hyperedges'")
        of_nodes = task == "nodes"
        arrays: Dict[str, Any] = {}
        _add_features(arrays, "x", features, lambda: hypergraph.node_names)
        _add_features(arrays, "edge_x", edge_features, lambda: hypergraph.hyperedge_names)
        key = "y" if of_nodes else "edge_y"
        words: List[str] = []
        items: Names = lambda: hypergraph.node_names if of_nodes else hypergraph.hyperedge_names
        if labels is not None and targets is not None:
            raise UsageError("labels and targets: expected one of them")
        if labels is not None:
            arrays[key], words = _classes(labels, items)
        elif targets is not None:
            arrays[key], arrays[f"{key}_target"], words = _targets(targets, items)
        if words:
            arrays["class_names"] = words
        if splits is not None:
            arrays.update(_masks(splits, hypergraph.n_nodes if of_nodes else hypergraph.n_hyperedges))
        self._set(_core.assemble_dataset(hypergraph._core, arrays, str(name), task), hypergraph, None, {})

    def _set(self, core: Any, hypergraph: Optional[Hypergraph], source: Optional[str], reading: Dict[str, str]) -> None:
        self._core = core
        self.hypergraph = Hypergraph._of(core.hypergraph) if hypergraph is None else hypergraph
        #: What `dshn train --data` would be given; None for data from memory.
        self.source, self.reading = source, reading

    @classmethod
    def open(cls, what: Union[str, "os.PathLike[str]"], *, seed: int = 0, **reading: Any) -> "Dataset":
        """A built-in data set by name, a data set folder, or a file, as the program opens them. ``reading`` are the program's
        reading flags with underscores: ``labels="firms.csv"``, ``features="firms.csv"``, ``task="hyperedges"``, ..."""
        source, chosen = os.fspath(what), ids.assignments(reading)
        made = cls.__new__(cls)
        made._set(_core.open_dataset(source, chosen, seed), None, source, chosen)
        return made

    def save(self, folder: Union[str, "os.PathLike[str]"]) -> "Dataset":
        """Writes a data set folder, or a binary file where the name ends in ``.dshn``, and opens it: a run on that can be
        found again later."""
        arrays: Dict[str, Any] = {}
        _keep(arrays, "x", self.features, self._core.feature_names)
        _keep(arrays, "edge_x", self.edge_features, self._core.edge_feature_names)
        key = "y" if self.task == "nodes" else "edge_y"
        if self.targets is not None:
            arrays[key], arrays[f"{key}_target"] = self.targets, [self.target]
        elif len(self.labels):
            arrays[key] = self.labels.astype(np.int64)
        if self._core.class_names:
            arrays["class_names"] = list(self._core.class_names)
        if self.splits:
            arrays.update(_masks(self.splits, self.n_items))
        _core.save_dataset(self.hypergraph._core, arrays, os.fspath(folder))
        reading = {"task": "hyperedges"} if self.task == "hyperedges" else {}
        return Dataset.open(os.path.abspath(os.fspath(folder)), seed=0, **reading)

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def task(self) -> str:
        """What is classified: ``"nodes"`` or ``"hyperedges"``."""
        return "nodes" if self._core.of_nodes else "hyperedges"

    @property
    def n_items(self) -> int:
        return self.hypergraph.n_nodes if self.task == "nodes" else self.hypergraph.n_hyperedges

    @property
    def item_names(self) -> List[Name]:
        return self.hypergraph.node_names if self.task == "nodes" else self.hypergraph.hyperedge_names

    @property
    def features(self) -> Optional[np.ndarray]:
        """float32 [nodes, columns], not to be written; None where there are none."""
        return self._core.features

    @property
    def edge_features(self) -> Optional[np.ndarray]:
        return self._core.edge_features

    @property
    def labels(self) -> np.ndarray:
        """The class of each item, -1 where it is not known; empty where there are none."""
        return self._core.labels

    @property
    def target(self) -> str:
        """What is predicted of an item: one of several ``"classes"``, ``"numbers"``, or any of several ``"labels"``."""
        return self._core.target

    @property
    def targets(self) -> Optional[np.ndarray]:
        """Numbers, or labels as 0 and 1, float64 [items, columns], NaN where they are not known; None of classes."""
        return self._core.targets

    @property
    def n_classes(self) -> int:
        """Of classes and labels their number, of numbers that of their columns."""
        return self._core.n_classes

    @property
    def class_names(self) -> List[str]:
        return self._core.class_names or [str(c) for c in range(self.n_classes)]

    @property
    def splits(self) -> List[Split]:
        """Those that the data came with."""
        return [Split(*parts) for parts in self._core.splits]

    @property
    def warnings(self) -> List[str]:
        return self._core.warnings

    def replace(self, **changes: Any) -> "Dataset":
        """A copy from memory in which some of what the constructor takes is other: ``data.replace(features=z)``. A
        hypergraph must have the nodes and hyperedges of the old one where something else has a row for each of them."""
        given: Dict[str, Any] = {"features": _named(self.features, self._core.feature_names),
                                 "edge_features": _named(self.edge_features, self._core.edge_feature_names),
                                 "splits": self.splits or None, "task": self.task, "name": self.name}
        if self.target != "classes":
            given["targets"] = _named(self.targets if self.target == "numbers" else _marks(self.targets),
                                      self._core.class_names)
        elif len(self.labels):
            words = self._core.class_names
            given["labels"] = [words[c] if c >= 0 else None for c in self.labels] if words else self.labels
        if ("labels" in changes) != ("targets" in changes):
            given.pop("targets" if "labels" in changes else "labels", None)
        return Dataset(changes.pop("hypergraph", self.hypergraph), **{**given, **changes})

    def transform(self, *steps: Callable[["Dataset"], "Dataset"]) -> "Dataset":
        """What the steps make of the data set, one after another; each takes one and gives one.

        >>> data = Dataset(Hypergraph([(["ann"], ["bob"])]), labels=["red", "blue"])
        >>> data.transform(without_direction, degree_features).features.tolist()
        [[1.0], [1.0]]
        """
        made = self
        for step in steps:
            made = step(made)
            if not isinstance(made, Dataset):
                raise UsageError(f"transform: {step!r} gave {type(made).__name__}; expected a dshn.data.Dataset")
        return made

    def __repr__(self) -> str:
        return f"Dataset({self.name!r}, {self.hypergraph!r}, {self._what()})"

    def _what(self) -> str:
        return f"{self.n_classes} {'columns of numbers' if self.target == 'numbers' else self.target} of {self.task}"

    def _repr_html_(self) -> str:
        return f"<div>{self.name}: {self._what()}{self.hypergraph._repr_html_()}</div>"


def reversed_direction(data: Dataset) -> Dataset:
    """A step of :meth:`Dataset.transform`: tails become heads."""
    return data.replace(hypergraph=data.hypergraph.reversed())


def without_direction(data: Dataset) -> Dataset:
    """A step of :meth:`Dataset.transform`: all hyperedges undirected."""
    return data.replace(hypergraph=data.hypergraph.without_direction())


def degree_features(data: Dataset) -> Dataset:
    """A step of :meth:`Dataset.transform`: the number of hyperedges of each node as one more column of features."""
    degree = np.diff(data.hypergraph.by_node[0]).astype(np.float32).reshape(-1, 1)
    return data.replace(features=degree if data.features is None else np.hstack([data.features, degree]))


def normalise_rows(data: Dataset) -> Dataset:
    """A step of :meth:`Dataset.transform`: features of each node divided by their sum of absolute values."""
    if data.features is None:
        raise UsageError("normalise_rows: the data set has no features")
    total = np.abs(data.features).sum(axis=1, keepdims=True)
    return data.replace(features=data.features / np.where(total == 0, 1, total))


def _keep(arrays: Dict[str, Any], key: str, features: Optional[np.ndarray], names: List[str]) -> None:
    if features is not None:
        arrays[key] = features
        if names:
            arrays[f"{key}_names"] = list(names)


class _Named(NamedTuple):
    """A matrix with names of its columns, as a frame has them, where rows are those of the items."""

    values: np.ndarray
    names: List[str]


def _named(values: Optional[np.ndarray], names: List[str]) -> Any:
    return _Named(values, list(names)) if values is not None and names else values


def _marks(values: Optional[np.ndarray]) -> np.ndarray:
    """1, 0 and -1 (not known) for labels."""
    assert values is not None
    return np.where(np.isnan(values), -1, values).astype(np.int64)


def _row_of(index: List[Name], given: Any, what: str) -> np.ndarray:
    """The row of each item in a table that has these ids."""
    place = {name: row for row, name in enumerate(ids.plain(given))}
    missing = [name for name in index if name not in place]
    if missing:
        raise InvalidInput(f"{what}: {len(missing)} items have no row, the first of them {missing[0]!r}")
    return np.array([place[name] for name in index], dtype=np.int64)


#: Names are asked for where something is joined by them: there may be millions.
Names = Callable[[], List[Name]]


def _add_features(arrays: Dict[str, Any], key: str, features: Any, items: Names) -> None:
    if features is None:
        return
    if isinstance(features, _Named):
        features, arrays[f"{key}_names"] = features
    elif hasattr(features, "columns") and hasattr(features, "index"):
        rows = _row_of(items(), features.index.to_numpy(), key)
        arrays[f"{key}_names"] = [str(column) for column in features.columns]
        features = features.to_numpy()[rows]
    elif hasattr(features, "toarray"):
        features = features.toarray()
    elif hasattr(features, "detach"):
        features = features.detach().cpu().numpy()
    try:
        arrays[key] = np.ascontiguousarray(features, dtype=np.float32)
    except (ValueError, TypeError) as problem:
        raise InvalidInput(f"{key}: not a matrix of numbers: {problem}") from None


def _unknown(label: Any) -> bool:
    return label is None or (isinstance(label, float) and label != label)


def _classes(labels: Any, items: Names) -> Tuple[np.ndarray, List[str]]:
    """The class of each item and the words of the classes; no words where classes are numbers from 0."""
    if isinstance(labels, Mapping) or hasattr(labels, "index") and hasattr(labels, "items"):
        by_name = {key.item() if isinstance(key, np.generic) else key: value for key, value in labels.items()}
        names = items()
        there = set(names)
        strange = [key for key in by_name if key not in there]
        if strange:
            raise InvalidInput(f"labels: there is no item {strange[0]!r}")
        labels = [by_name.get(name) for name in names]
    given = ids.array(labels) if hasattr(labels, "__iter__") else None
    if given is None:
        raise UsageError(f"labels={labels!r}: expected a class for each item")
    if given.dtype.kind in "iu":
        return given.astype(np.int64), []
    values = given.tolist()
    known = [value for value in values if not _unknown(value)]
    if all(isinstance(value, (bool, int)) or (isinstance(value, float) and value.is_integer()) for value in known):
        return np.array([-1 if _unknown(value) else int(value) for value in values], dtype=np.int64), []
    strange = [value for value in known if isinstance(value, float) or not isinstance(value, (str, int))]
    if strange:
        raise InvalidInput(f"labels: {strange[0]!r} is no class; expected whole numbers from 0, or words")
    words = sorted({str(value) for value in known})
    place = {word: c for c, word in enumerate(words)}
    return np.array([-1 if _unknown(value) else place[str(value)] for value in values], dtype=np.int64), words


def _targets(targets: Any, items: Names) -> Tuple[np.ndarray, List[str], List[str]]:
    """A row for each item, the kind of target, and names of the columns where they have some."""
    words: List[str] = []
    if isinstance(targets, _Named):
        targets, words = targets
    elif hasattr(targets, "columns") and hasattr(targets, "index"):
        words = [str(column) for column in targets.columns]
        targets = targets.to_numpy()[_row_of(items(), targets.index.to_numpy(), "targets")]
    elif hasattr(targets, "index") and hasattr(targets, "to_numpy"):
        targets = targets.to_numpy()[_row_of(items(), targets.index.to_numpy(), "targets")]
    elif isinstance(targets, Mapping):
        names = items()
        strange = set(targets) - set(names)
        if strange:
            raise InvalidInput(f"targets: there is no item {min(strange, key=str)!r}")
        targets = [targets.get(name, np.nan) for name in names]
    elif hasattr(targets, "detach"):
        targets = targets.detach().cpu().numpy()
    given = np.asarray(targets)
    marks = given.dtype.kind == "b" or (given.dtype.kind in "iu" and bool(np.isin(given, (-1, 0, 1)).all()))
    several = given.ndim == 2 and marks
    try:
        return np.ascontiguousarray(given, dtype=np.float64), ["labels" if several else "numbers"], words
    except (ValueError, TypeError) as problem:
        raise InvalidInput(f"targets: not numbers: {problem}") from None


def _masks(splits: Any, items: int) -> Dict[str, np.ndarray]:
    """Masks [splits, items] of the three parts."""
    listed = list(splits)
    if listed and not isinstance(listed[0], (tuple, list, Mapping)):
        listed = [splits]
    parts: Dict[str, np.ndarray] = {f"{part}_masks": np.zeros((len(listed), items), bool) for part in Split._fields}
    for s, split in enumerate(listed):
        triple = [split[part] for part in Split._fields] if isinstance(split, Mapping) else list(split)
        if len(triple) != 3:
            raise UsageError(f"split {s} has {len(triple)} parts; expected train, val and test")
        for part, chosen in zip(Split._fields, triple):
            which = ids.array(chosen)
            if which.dtype.kind == "b" and len(which) != items:
                raise InvalidInput(f"split {s}: the mask {part} has {len(which)} entries, but there are {items} items")
            if which.dtype.kind != "b":
                which = ids.positions(which, "item")
                if which.size and int(which.max()) >= items:
                    raise InvalidInput(f"split {s}: {part} names item {int(which.max())}, but there are {items}")
            parts[f"{part}_masks"][s][which] = True
    return parts
