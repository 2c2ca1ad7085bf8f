"""Wrong arguments by the thousand, and many objects made and let go."""
import gc
import random

import numpy as np
import pytest
import torch

import dshn

HYPERGRAPH = dshn.Hypergraph([([0, 1], [2]), [1, 3]])

STRANGE = [None, True, 0, -1, 3, 2**31, 2**63, 1.5, float("nan"), "", "dshn", "a\0b", "\udcff", b"x", [], [0], [[0]], [0, "a"],
           [None], (0, 1), {}, {"a": 1}, {1, 2}, object(), dict, lambda: 1, np.zeros(3), np.zeros((2, 2)), np.array(1),
           np.array(["a"]), np.zeros(0), np.array([object()]), np.arange(3, dtype=np.uint64), np.array([np.inf]),
           torch.zeros(2), torch.zeros(0, dtype=torch.int64), torch.zeros(2, 2, dtype=torch.complex64), range(3),
           (v for v in [0, 1]), HYPERGRAPH, dshn.Hypergraph([]), "/nowhere/x.json"]

CALLS = {
    "Hypergraph": (dshn.Hypergraph, ["hyperedges", "nodes", "names", "weights", "on_conflict"]),
    "from_incidences": (dshn.Hypergraph.from_incidences, ["edge", "node", "role", "nodes", "hyperedges", "weights"]),
    "from_dict": (dshn.Hypergraph.from_dict, ["hyperedges"]),
    "from_scipy": (dshn.Hypergraph.from_scipy, ["tails", "heads", "nodes"]),
    "from_networkx": (dshn.Hypergraph.from_networkx, ["graph", "kind"]),
    "from_xgi": (dshn.Hypergraph.from_xgi, ["given"]),
    "from_pyg": (dshn.Hypergraph.from_pyg, ["given"]),
    "load": (dshn.Hypergraph.load, ["path"]),
    "tails": (HYPERGRAPH.tails, ["hyperedge"]),
    "hyperedges_of": (HYPERGRAPH.hyperedges_of, ["node"]),
    "Dataset": (dshn.data.Dataset, ["hypergraph", "features", "labels", "splits", "edge_features", "task", "name"]),
    "Dataset.open": (dshn.data.Dataset.open, ["what", "seed", "labels"]),
    "Laplacian": (dshn.Laplacian, ["hypergraph", "q", "maps", "d", "rank", "seed", "form"]),
    "apply": (dshn.Laplacian(HYPERGRAPH).apply, ["x"]),
    "eigenvalues": (dshn.Laplacian(HYPERGRAPH).eigenvalues, ["k"]),
    "DSHN": (dshn.nn.DSHN, ["features", "classes", "hypergraph", "target", "layers", "q"]),
    "forward": (dshn.nn.HGNN(3, 2, HYPERGRAPH), ["x", "edge_x", "hypergraph"]),
    "gather_sum": (dshn.ops.gather_sum, ["x", "over", "hypergraph", "coefficients"]),
    "sheaf_diffuse": (dshn.ops.sheaf_diffuse, ["x", "maps", "q", "hypergraph"]),
    "maps": (dshn.ops.maps_from_parameters, ["kind", "parameters", "d", "rank"]),
    "train": (dshn.train, ["data", "model", "splits", "seed", "preset", "options", "device"]),
    "Run.open": (dshn.Run.open, ["folder"]),
}


@pytest.mark.filterwarnings("ignore")
def test_a_thousand_wrong_arguments_and_no_crash():
    """Whatever is refused is refused by an ordinary exception."""
    rng = random.Random(0)
    refused = 0
    for _ in range(1000):
        function, names = CALLS[rng.choice(list(CALLS))]
        arguments = {name: rng.choice(STRANGE) for name in names if rng.random() < 0.8}
        try:
            function(**arguments)
        except Exception:  # pylint: disable=broad-except
            refused += 1
    assert refused > 800


def resident_mib():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096 / 2**20


def create_and_destroy(times):
    features, x = np.ones((4, 2), np.float32), torch.ones(4, 2)
    for i in range(times):
        h = dshn.Hypergraph.from_incidences(edge=[0, 0, 1, 1], node=["a", "b", "c", "d"], role=[True, False, True, False])
        views = h.by_hyperedge, h.by_node, h.to_list()
        dataset = dshn.data.Dataset(h, features=features, labels=[0, 1, 0, 1])
        if i % 10 == 0:
            network = dshn.nn.DSHN(features=2, classes=2, hypergraph=h, layers=1, hidden_width=4, d=2)
            network(x).sum().backward()
            dshn.Laplacian(h) @ np.ones(4)
        with pytest.raises(dshn.InvalidInput):
            dshn.Hypergraph.from_incidences(edge=[0], node=[-1])
        del views, dataset, h


def test_ten_thousand_objects_leave_nothing():
    create_and_destroy(2000)  # caches and heaps find their size
    gc.collect()
    before = resident_mib()

    create_and_destroy(10000)

    gc.collect()
    assert resident_mib() - before < 8
