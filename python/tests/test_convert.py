"""Other libraries' hypergraphs and back. XGI, HyperNetX and PyTorch Geometric are stood in for by classes with the part of their
documented interfaces that is used."""
import sys
import types

import numpy as np
import pytest
import scipy.sparse
import torch

import dshn
from conftest import needs_module
from dshn import Hypergraph


def undirected_as_tails(hypergraph):
    """Where a library knows members only, those of an undirected hyperedge come back as tails."""
    lists = [(tails, heads) if tails and heads else (sorted(tails + heads, key=str), []) for tails, heads in hypergraph.to_list()]
    return Hypergraph(lists, nodes=hypergraph.node_names, names=hypergraph.hyperedge_names)


@needs_module("pandas")
def test_pandas(hypergraph):
    frame = hypergraph.to_pandas()
    again = Hypergraph.from_pandas(frame.sample(frac=1, random_state=0), nodes=hypergraph.node_names,
                                   hyperedges=hypergraph.hyperedge_names)

    assert again == hypergraph


def test_pandas_with_columns_of_other_names():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"deal": ["d1", "d1", "d2"], "firm": ["a", "b", "a"], "side": ["tail", "head", "tail"]})
    h = Hypergraph.from_pandas(frame, edge="deal", node="firm", role="side")

    assert h.to_dict() == {"d1": (["a"], ["b"]), "d2": (["a"], [])}
    with pytest.raises(dshn.UsageError, match="'hyperedge'"):
        Hypergraph.from_pandas(frame)
    with pytest.raises(dshn.InvalidInput, match="without"):
        Hypergraph.from_pandas(frame.assign(firm=["a", None, "b"]), edge="deal", node="firm")


def test_scipy(hypergraph):
    again = Hypergraph.from_scipy(*hypergraph.to_scipy(), nodes=hypergraph.node_names,
                                  hyperedges=hypergraph.hyperedge_names)

    assert again == hypergraph


def test_a_signed_matrix_has_tails_below_zero():
    matrix = scipy.sparse.csc_matrix([[-1, 0], [1, 1], [0, 1]])

    assert Hypergraph.from_scipy(matrix).to_list() == [([0], [1]), ([], [1, 2])]
    assert Hypergraph.from_scipy(abs(matrix)).to_list() == [([0, 1], []), ([1, 2], [])]
    assert Hypergraph.from_scipy(np.array([[1], [0]])).n_nodes == 2


@needs_module("networkx")
def test_networkx_stars(hypergraph):
    again = Hypergraph.from_networkx(hypergraph.to_networkx(), kind="star")

    assert again == undirected_as_tails(hypergraph)


def test_networkx_arcs():
    networkx = pytest.importorskip("networkx")
    graph = networkx.gnp_random_graph(12, 0.2, seed=1, directed=True)
    h = Hypergraph.from_networkx(graph)

    assert h.n_hyperedges == graph.number_of_edges()
    back = h.to_networkx(kind="arcs")
    assert set(back.edges) == set(graph.edges) and list(back.nodes) == list(graph.nodes)
    undirected = Hypergraph.from_networkx(graph.to_undirected())
    assert not undirected.directed


def test_networkx_neighbourhoods():
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph([("a", "b"), ("a", "c"), ("b", "c")])

    assert Hypergraph.from_networkx(graph, kind="neighbourhoods").to_list() == [(["a"], ["b", "c"]), (["b"], ["c"])]
    with pytest.raises(dshn.UsageError, match="kind"):
        Hypergraph.from_networkx(graph, kind="cliques")


class XgiEdges:
    def __init__(self, sides):
        self.sides = sides

    def __iter__(self):
        return iter(self.sides)


class DirectedXgiEdges(XgiEdges):
    def tail(self, edge):
        return set(self.sides[edge][0])

    def head(self, edge):
        return set(self.sides[edge][1])


class UndirectedXgiEdges(XgiEdges):
    def members(self, edge):
        return set(self.sides[edge])


class Xgi:
    """add_nodes_from, add_edge(members, idx=), nodes, edges."""

    Edges = UndirectedXgiEdges

    def __init__(self):
        self.nodes, self.sides = [], {}

    def add_nodes_from(self, nodes):
        self.nodes += nodes

    def add_edge(self, members, idx):
        self.sides[idx] = members

    @property
    def edges(self):
        return self.Edges(self.sides)


class DirectedXgi(Xgi):
    Edges = DirectedXgiEdges


def test_xgi(hypergraph, monkeypatch):
    module = types.SimpleNamespace(Hypergraph=Xgi, DiHypergraph=DirectedXgi)
    monkeypatch.setitem(sys.modules, "xgi", module)
    made = hypergraph.to_xgi()

    assert isinstance(made, DirectedXgi) == hypergraph.directed
    assert Hypergraph.from_xgi(made) == undirected_as_tails(hypergraph)


class HyperNetX:
    """Hypergraph(dict), incidence_dict, nodes."""

    def __init__(self, setsystem):
        self.incidence_dict = setsystem
        self.nodes = list(dict.fromkeys(v for members in setsystem.values() for v in members))


def test_hypernetx(hypergraph, monkeypatch):
    monkeypatch.setitem(sys.modules, "hypernetx", types.SimpleNamespace(Hypergraph=HyperNetX))
    if hypergraph.directed:
        with pytest.raises(dshn.InvalidInput, match="no directed"):
            hypergraph.to_hypernetx()
    plain = hypergraph.without_direction()
    again = Hypergraph.from_hypernetx(plain.to_hypernetx())

    assert {k: sorted(t, key=str) for k, (t, _) in again.to_dict().items()} == {
        k: sorted(t, key=str) for k, (t, _) in plain.to_dict().items()}


def test_pytorch_geometric(hypergraph):
    data = types.SimpleNamespace(**hypergraph.to_pyg())
    again = Hypergraph.from_pyg(data)

    assert [a.tolist() for a in again.incidences()] == [a.tolist() for a in hypergraph.incidences()]
    assert again.n_nodes == hypergraph.n_nodes
    del data.role
    assert not Hypergraph.from_pyg(data).directed
    plain = types.SimpleNamespace(hyperedge_index=torch.tensor([[0, 1], [0, 0]]), num_nodes=3)
    assert Hypergraph.from_pyg(plain).to_list() == [([0, 1], [])]
    with pytest.raises(dshn.InvalidInput, match="shape"):
        Hypergraph.from_pyg(types.SimpleNamespace(hyperedge_index=torch.zeros(3, 2)))
