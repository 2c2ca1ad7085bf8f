"""What the tests share: random hypergraphs, devices, and what a build or a machine may be without."""
import importlib.util
import pathlib
import random

import pytest
import torch

import dshn
from dshn import program

#: The folder of the package's sources.
PACKAGE = pathlib.Path(__file__).resolve().parent.parent
#: CUDA where there is a card; a build without CUDA kernels is meant for machines without one.
DEVICES = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]


def what_lacks(call):
    """The message by which a build says that it was made without something; empty where it was not."""
    try:
        call()
    except dshn.Failure as missing:
        if "this build has no" not in str(missing):
            raise
        return str(missing)
    return ""


LACKS_EIGENVALUES = what_lacks(lambda: dshn.Laplacian(dshn.Hypergraph([[0, 1]])).eigenvalues(1))
HAS_PAGE = (program.share_folder() / "report.js").is_file()
needs_eigenvalues = pytest.mark.skipif(bool(LACKS_EIGENVALUES), reason=LACKS_EIGENVALUES)
needs_page = pytest.mark.skipif(not HAS_PAGE, reason="this build has no page of dshn report: npm was missing")


def needs_module(name):
    return pytest.mark.skipif(importlib.util.find_spec(name) is None, reason=f"{name} is not installed")


def random_lists(rng, nodes, hyperedges, names=str, largest=6):
    """(tails, heads) of each hyperedge, by name. Some are undirected, some empty."""
    made = []
    for _ in range(hyperedges):
        members = rng.sample(range(nodes), rng.randint(0, min(nodes, largest)))
        cut = rng.randint(0, len(members))
        made.append((sorted(members[:cut]), sorted(members[cut:])))
    return [([names(v) for v in tails], [names(v) for v in heads]) for tails, heads in made]


@pytest.fixture(params=range(8))
def hypergraph(request):
    """Of a seed: directed and undirected hyperedges, isolated nodes, names that are words, numbers, or neither."""
    rng = random.Random(request.param)
    nodes, edges = rng.randint(1, 12), rng.randint(0, 10)
    words = request.param % 2 == 1
    name = (lambda v: f"node {v}") if words else (lambda v: v)
    lists = random_lists(rng, nodes, edges, name)
    names = [f"edge {e}" for e in range(edges)] if words else None
    return dshn.Hypergraph(lists, nodes=[name(v) for v in range(nodes)], names=names)


@pytest.fixture(scope="session")
def teams():
    """A small data set that can be learned: two classes, features that say a little."""
    return dshn.datasets.synthetic(nodes=60, classes=3, intra=10, inter=10, seed=3)


QUICK = {"epochs": 6, "hidden_width": 8, "layers": 2, "d": 2}
