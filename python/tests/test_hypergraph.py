import gc
import pickle

import numpy as np
import pytest
import torch

import dshn
from dshn import Hypergraph


def test_a_hypergraph_is_what_was_listed(hypergraph):
    again = Hypergraph(hypergraph.to_list(), nodes=hypergraph.node_names, names=hypergraph.hyperedge_names)

    assert again == hypergraph


def test_incidences_and_back(hypergraph):
    edge, node, is_head = hypergraph.incidences()
    shuffled = np.random.default_rng(0).permutation(len(edge))

    for convert in (np.asarray, list, lambda a: torch.tensor(np.array(a))):
        again = Hypergraph.from_incidences(edge=convert(edge[shuffled]), node=convert(node[shuffled]),
                                           role=convert(is_head[shuffled]), nodes=hypergraph.n_nodes,
                                           hyperedges=hypergraph.n_hyperedges)
        assert [a.tolist() for a in again.incidences()] == [a.tolist() for a in hypergraph.incidences()]


def test_true_is_a_head_and_so_is_the_word():
    by_flag = Hypergraph.from_incidences(edge=[0, 0], node=[0, 1], role=[False, True])
    by_word = Hypergraph.from_incidences(edge=[0, 0], node=[0, 1], role=["tail", "head"])

    assert by_flag == by_word
    assert (by_flag.tails(0).tolist(), by_flag.heads(0).tolist()) == ([0], [1])


def test_without_roles_all_are_tails():
    h = Hypergraph.from_incidences(edge=[0, 0], node=[0, 1])

    assert not h.directed and h.tails(0).tolist() == [0, 1]


def test_words_are_numbered_as_they_appear():
    h = Hypergraph.from_incidences(edge=["y", "x", "y"], node=["b", "a", "a"], role=["tail", "tail", "head"])

    assert h.node_names == ["b", "a"] and h.hyperedge_names == ["y", "x"]
    assert h.to_dict() == {"y": (["b"], ["a"]), "x": (["a"], [])}


@pytest.mark.skipif(not hasattr(np, "dtypes") or not hasattr(np.dtypes, "StringDType"), reason="this numpy has no StringDType")
def test_words_may_be_of_numpys_own_type():
    words = np.array(["b", "a", "a"], dtype=np.dtypes.StringDType())

    assert Hypergraph.from_incidences(edge=[0, 0, 1], node=words).node_names == ["b", "a"]


def test_a_number_and_a_word_are_different_names():
    h = Hypergraph.from_incidences(edge=[0, 0], node=[1, "1"])

    assert h.node_names == [1, "1"]


def test_names_are_what_ids_refer_to():
    h = Hypergraph.from_incidences(edge=[7, 7], node=["c", "a"], nodes=["a", "b", "c"], hyperedges=[5, 7])

    assert h.to_dict() == {5: ([], []), 7: (["a", "c"], [])}


def test_dictionary_and_back(hypergraph):
    again = Hypergraph.from_dict(hypergraph.to_dict(), nodes=hypergraph.node_names)

    assert again == hypergraph


def test_members_without_direction():
    for members in ([0, 1, 2], {0, 1, 2}, (0, 1, 2), np.array([0, 1, 2])):
        assert Hypergraph([members]).to_list() == [([0, 1, 2], [])]


def test_views_stand_on_the_hypergraphs_memory_and_keep_it():
    h = dshn.datasets.random(nodes=100, hyperedges=100, seed=1)
    first, second = h.by_hyperedge[2], h.by_hyperedge[2]
    assert first.ctypes.data == second.ctypes.data
    assert not first.flags.writeable and not first.flags.owndata
    content = first.tolist()
    by_node = h.by_node[2]

    del h
    gc.collect()
    dshn.datasets.random(nodes=100, hyperedges=100, seed=2)

    assert first.tolist() == content and len(by_node) == len(content)


def test_both_orders_hold_the_same_incidences(hypergraph):
    edge, node, _ = hypergraph.incidences()
    ptr, _, edges, incidences = hypergraph.by_node
    rows = np.repeat(np.arange(hypergraph.n_nodes), np.diff(ptr))

    assert sorted(zip(edge.tolist(), node.tolist())) == sorted(zip(edges.tolist(), rows.tolist()))
    assert [edge[i] for i in incidences] == edges.tolist()


def test_file_and_back(hypergraph, tmp_path):
    for name in ("h.json", "h.hif.json.gz"):
        hypergraph.save(tmp_path / name)
        again = Hypergraph.load(tmp_path / name)

        assert again.node_names == hypergraph.node_names
        # In a file an undirected hyperedge has tails only.
        assert [(t, h) if t else (h, []) for t, h in hypergraph.to_list()] == again.to_list()


def test_pickled_and_back(hypergraph):
    assert pickle.loads(pickle.dumps(hypergraph)) == hypergraph


def test_weights_stay():
    h = Hypergraph([[0, 1], [1, 2]], weights=[1.0, 2.5])

    assert h.weights.tolist() == [1.0, 2.5]
    assert pickle.loads(pickle.dumps(h)) == h
    assert h != Hypergraph([[0, 1], [1, 2]])


def test_weights_of_incidences_follow_their_incidences():
    h = Hypergraph.from_incidences(edge=["e", "e", "f"], node=["b", "a", "a"], incidence_weights=[2.0, 3.0, 1.0],
                                   nodes=["a", "b"])

    assert h.incidence_weights.tolist() == [3.0, 2.0, 1.0] and pickle.loads(pickle.dumps(h)) == h
    assert h.reversed() == h and Hypergraph([[0]]).incidence_weights is None
    with pytest.raises(dshn.UsageError, match="weights of incidences"):
        dshn.ops.gather_sum(torch.zeros(2, 1), "edges", h)
    with pytest.raises(dshn.InvalidInput):
        Hypergraph.from_incidences(edge=[0], node=[0], incidence_weights=[-1.0])


def test_reversed_twice_is_itself(hypergraph):
    assert hypergraph.reversed().reversed() == hypergraph
    assert not hypergraph.without_direction().directed


def test_pictures_name_members_and_escape_them():
    h = Hypergraph([(["<a>"], ["b&c"])], names=["<e>"])
    picture = h._repr_html_()

    assert "&lt;a&gt;" in picture and "b&amp;c" in picture and "&lt;e&gt;" in picture and "<svg" in picture
    assert "<a>" not in picture


@pytest.mark.parametrize("arguments, message", [
    (dict(edge=[0, 0], node=[1, 1]), "twice"),
    (dict(edge=[0], node=[5], nodes=3), "5"),
    (dict(edge=[0], node=[-1]), "-1"),
    (dict(edge=[0], node=[2**40]), str(2**40)),
    (dict(edge=[0, 1], node=[0]), "1"),
    (dict(edge=[0], node=[0], role=["front"]), "front"),
    (dict(edge=[0], node=[0.5]), "float64"),
    (dict(edge=[0], node=["x"], nodes=["a", "b"]), "'x'"),
    (dict(edge=[0], node=["a"], nodes=["a", "a"]), "'a'"),
    (dict(edge=[0], node=[0], weights=[-1.0]), "weight"),
    (dict(edge=[0], node=[0], weights=[1.0, 2.0]), "2"),
    (dict(edge=[[0, 1]], node=[[0, 1]]), "shape"),
])
def test_wrong_data_is_refused_by_a_line_that_names_it(arguments, message):
    with pytest.raises(dshn.InvalidInput, match=message) as caught:
        Hypergraph.from_incidences(**arguments)

    assert isinstance(caught.value, ValueError) and "\n" not in str(caught.value)


def test_conflicts_can_be_merged():
    arrays = dict(edge=[0, 0, 0], node=[1, 1, 0], role=["tail", "head", "tail"])

    assert Hypergraph.from_incidences(**arrays, on_conflict="keep-head").to_list() == [([0], [1])]
    assert Hypergraph.from_incidences(**arrays, on_conflict="keep-tail").to_list() == [([0, 1], [])]
    with pytest.raises(dshn.UsageError, match="on_conflict"):
        Hypergraph.from_incidences(**arrays, on_conflict="guess")


def test_the_messages_are_the_librarys_own(tmp_path):
    with pytest.raises(dshn.InvalidInput, match="none.json"):
        Hypergraph.load(tmp_path / "none.json")
    with pytest.raises(dshn.UsageError, match="there is no hyperedge 9"):
        Hypergraph([[0]]).tails(9)
    assert issubclass(dshn.Failure, RuntimeError) and issubclass(dshn.Interrupted, KeyboardInterrupt)
