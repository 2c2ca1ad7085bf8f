"""Data sets by name, and generated ones."""
from __future__ import annotations

from typing import Any, List, NamedTuple

from . import _core
from .data import Dataset
from .hypergraph import Hypergraph


class Entry(NamedTuple):
    """A built-in data set; ``here`` says whether it can be opened on this machine."""

    name: str
    title: str
    here: bool


def available() -> List[Entry]:
    """All built-in data sets. `dshn data fetch NAME` brings those that are not here; the environment variable
    DSHN_DATA_DIR names a folder where they are looked for."""
    return [Entry(*entry) for entry in _core.catalogue()]


def load(name: str, **reading: Any) -> Dataset:
    """A built-in data set, a data set folder, or a file: :meth:`dshn.data.Dataset.open`.

    >>> load("synthetic-generated-io10").n_classes
    5
    """
    return Dataset.open(name, **reading)


def synthetic(*, nodes: int = 500, classes: int = 5, intra: int = 30, inter: int = 30, h_min: int = 3, h_max: int = 10,
              seed: int = 0) -> Dataset:
    """The paper's benchmark: undirected hyperedges inside each class (``intra`` of them), directed ones from each class to
    each later one (``inter``). It has no features; models are given degrees unless told otherwise.

    >>> synthetic(nodes=60, classes=3).hypergraph.directed
    True
    """
    core, labels = _core.synthetic(nodes, classes, intra, inter, h_min, h_max, seed)
    return Dataset(Hypergraph._of(core), labels=labels, name="synthetic")


def random(*, nodes: int = 1000, hyperedges: int = 1000, mean_size: float = 5, directed_share: float = 1,
           seed: int = 0) -> Hypergraph:
    """A random hypergraph, for measurements."""
    return Hypergraph._of(_core.random_hypergraph(nodes, hyperedges, mean_size, directed_share, seed))
