"""The operators as Python sees them: random incidences, bad ones and good ones.

Usage: random_incidences.py LIBRARY [COUNT]

COUNT (10,000) bad ones must each give an exception; at least a fifth as many good ones must compute what plain
tensors compute.
"""
import io
import pickle
import random
import sys

import torch

ERRORS = (RuntimeError, ValueError, TypeError)


def ragged(rng, hyperedges, nodes):
    """Tails and heads of each hyperedge, ascending and distinct."""
    members = []
    for _ in range(hyperedges):
        chosen = sorted(rng.sample(range(nodes), rng.randint(0, min(nodes, 6))))
        tails = [v for v in chosen if rng.random() < 0.6]
        members.append((tails, [v for v in chosen if v not in tails]))
    return members


def tensors_of(members):
    ptr, split, index = [0], [], []
    for tails, heads in members:
        split.append(ptr[-1] + len(tails))
        index += tails + heads
        ptr.append(len(index))
    return (torch.tensor(ptr, dtype=torch.int64), torch.tensor(split, dtype=torch.int64),
            torch.tensor(index, dtype=torch.int32))


def dense_of(members, nodes):
    """The 0/1 matrix [hyperedges, nodes]."""
    matrix = torch.zeros(len(members), nodes, dtype=torch.float64)
    for e, (tails, heads) in enumerate(members):
        for v in tails + heads:
            matrix[e, v] = 1
    return matrix


def expect_error(what, call):
    try:
        call()
    except ERRORS:
        return
    raise AssertionError("no exception for " + what)


def check_good(rng, members, nodes):
    ptr, split, index = tensors_of(members)
    incidence = torch.classes.dshn.Incidence(ptr, split, index, nodes)
    assert (incidence.nodes(), incidence.edges(), incidence.incidences()) == (nodes, len(members), len(index))
    dense = dense_of(members, nodes)
    x = torch.randn(nodes, 3, dtype=torch.float64, requires_grad=True)
    weights = torch.randn(len(members), 3, dtype=torch.float64)
    y = torch.ops.dshn.gather_sum(x, None, "edges", incidence)
    assert torch.allclose(y, dense @ x)
    (y * weights).sum().backward()
    assert torch.allclose(x.grad, dense.t() @ weights)
    back = torch.ops.dshn.gather_sum(weights, None, "nodes", incidence)
    assert torch.allclose(back, dense.t() @ weights)

    edge = [e for e, (tails, heads) in enumerate(members) for _ in tails + heads]
    head = [h for tails, heads in members for h in [False] * len(tails) + [True] * len(heads)]
    order = rng.sample(range(len(edge)), len(edge))
    arrays = torch.classes.dshn.Incidence.of_arrays(
        torch.tensor([edge[i] for i in order], dtype=torch.int64), index[order].to(torch.int64),
        torch.tensor([head[i] for i in order], dtype=torch.bool), nodes, len(members))
    for a, b in zip(arrays.tensors(), incidence.tensors()):
        assert torch.equal(a, b)
    for given in (ptr, split, index):
        given.fill_(7)  # what was given is not what is kept
    for handed_out in incidence.tensors():
        handed_out.fill_(-1)
    assert torch.allclose(torch.ops.dshn.gather_sum(x, None, "edges", incidence), dense @ x)


def spoil(rng, members, nodes):
    """(what is wrong, arguments of the constructor)."""
    ptr, split, index = tensors_of(members)
    kind = rng.randrange(16)
    entry = rng.randrange(len(index))
    if kind == 0:
        index[entry] = rng.choice([nodes, nodes + 5, 2**31 - 1, -1, -2**31])
        return "a node out of range", (ptr, split, index, nodes)
    if kind == 1:
        tails, heads = members[next(e for e in range(len(members)) if ptr[e] <= entry < ptr[e + 1])]
        part = tails if len(tails) > 1 else heads
        if len(part) < 2:
            return "a node twice", (torch.tensor([0, 2]), torch.tensor([2]), torch.tensor([0, 0], dtype=torch.int32), nodes)
        part[0], part[1] = part[1], part[0]
        return "members that do not ascend", (*tensors_of(members), nodes)
    if kind == 2:
        return "offsets of the wrong type", (ptr.to(torch.int32), split, index, nodes)
    if kind == 3:
        return "nodes of the wrong type", (ptr, split, index.to(rng.choice([torch.int64, torch.float32])), nodes)
    if kind == 4:
        return "too few offsets", (ptr[:-1], split, index, nodes)
    if kind == 5:
        return "too few nodes", (ptr, split, index[:-1], nodes)
    if kind == 6:
        return "too many splits", (ptr, torch.cat([split, split[:1]]), index, nodes)
    if kind == 7:
        return "offsets that do not begin at 0", (ptr + 1, split, index, nodes)
    if kind == 8:
        ptr[rng.randrange(len(ptr))] = rng.choice([-1, -2**62, 2**62, len(index) + 1])
        return "an offset out of range", (ptr, split, index, nodes)
    if kind == 9:
        split[rng.randrange(len(split))] = rng.choice([-1, -2**62, 2**62, len(index) + 1])
        return "a split out of its row", (ptr, split, index, nodes)
    if kind == 10:
        return "a huge number of nodes", (ptr, split, index, rng.choice([2**31, 2**62, -1]))
    if kind == 11:
        return "nothing at all", (ptr[:0], split[:0], index[:0], nodes)
    if kind == 12:
        return "two dimensions", (ptr.view(1, -1), split, index, nodes)
    if kind == 13:
        return "a device without values", (ptr, split, index.to("meta"), nodes)
    if kind == 14:
        return "a list", (ptr.tolist(), split, index, nodes)
    return "None", rng.choice([(None, split, index, nodes), (ptr, split, None, nodes), (ptr, split, index, None)])


def check_operators_refuse(incidence):
    """Wrong arguments beside an incidence that is one, and what is none."""
    ops = torch.ops.dshn
    n, nnz = incidence.nodes(), incidence.incidences()
    for none in (None, 3, "incidence", [torch.zeros(3)], torch.zeros(3), object()):
        expect_error("an incidence that is none", lambda: ops.gather_sum(torch.ones(n, 2), None, "edges", none))
        expect_error("an incidence that is none", lambda: ops.sheaf_diffuse(
            torch.ones(n, 1, 2, 2), torch.ones(nnz, 1), None, None, none))
    for name in ("gather_mean", "gather_max"):
        expect_error(name, lambda: getattr(ops, name)(torch.ones(n + 1, 2), "edges", incidence))
        expect_error(name, lambda: getattr(ops, name)(torch.ones(n, 2), "members", incidence))
    for name in ("segment_sum", "segment_mean", "segment_max", "segment_softmax"):
        for values in (torch.ones(nnz + 1, 2), torch.ones(nnz, 2, dtype=torch.int64), torch.ones(()),
                       torch.ones(nnz, 2, device="meta"), torch.ones(nnz, 2, dtype=torch.float16)):
            expect_error(name, lambda: getattr(ops, name)(values, "nodes", incidence))
    elsewhere = incidence.to("meta")
    for x in (torch.ones(n, 2), torch.ones(n, 2, device="meta")):
        expect_error("another device", lambda: ops.gather_sum(x, None, "edges", elsewhere))
    key = torch.zeros((), dtype=torch.int64)
    for planes, channels in ((0, 1), (-1, 4), (2**32, 2**32), (3, 5)):
        expect_error("dropout", lambda: ops.dropout(torch.ones(4), 0.5, key, 0, planes, channels))
    for p in (-0.1, 1.0, float("nan")):
        expect_error("dropout", lambda: ops.dropout(torch.ones(4), p, key, 0, 1, 4))
    expect_error("dropout_at", lambda: ops.dropout_at(torch.ones(4), torch.arange(3), 0.5, key, 0))
    expect_error("rectify", lambda: ops.rectify(torch.ones(2, 1, 3, 2), None, 0.0, None, 0))
    expect_error("rectify", lambda: ops.rectify(torch.ones(2, 1, 2, 2), None, 0.5, None, 0))
    expect_error("whiten", lambda: ops.whiten(torch.ones(2, 2), 1e-5))
    expect_error("stalk_product", lambda: ops.stalk_product(torch.ones(2, 3, 2), torch.ones(2, 2)))
    expect_error("inverse_sqrt", lambda: ops.inverse_sqrt(torch.ones(2, 3, 2, dtype=torch.float64)))


def check_arrays_refuse():
    of_arrays = torch.classes.dshn.Incidence.of_arrays
    ids = torch.tensor([0, 1])
    for what, arguments in {
            "ids out of range": (ids, torch.tensor([0, 10**12]), None, 2, 2),
            "ids below 0": (torch.tensor([-1, 0]), ids, None, 2, 2),
            "lengths that differ": (ids, torch.tensor([0]), None, 2, 2),
            "roles that are no truth values": (ids, ids, ids, 2, 2),
            "floating-point ids": (ids.to(torch.float32), ids, None, 2, 2),
            "a node twice": (torch.tensor([0, 0]), torch.tensor([1, 1]), None, 2, 2),
            "a count below 0": (ids[:0], ids[:0], None, -1, 2),
            "a huge count": (ids, ids, None, 2, 2**40)}.items():
        expect_error(what, lambda: of_arrays(*arguments))
    assert of_arrays(ids[:0], ids[:0], None, 0, 0).nodes() == 0


def check_pickling(incidence):
    again = pickle.loads(pickle.dumps(incidence))
    saved = io.BytesIO()
    torch.save(incidence, saved)
    saved.seek(0)
    for other in (again, torch.load(saved), incidence.to("cpu"), incidence.to(torch.device("cpu"))):
        assert other.nodes() == incidence.nodes()
        for a, b in zip(other.tensors(), incidence.tensors()):
            assert torch.equal(a, b)


def main():
    library, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    torch.ops.load_library(library)
    torch.set_num_threads(1)
    torch.manual_seed(1)
    rng = random.Random(1)
    bad = good = 0
    while bad < count:
        nodes = rng.randint(1, 9)
        members = ragged(rng, rng.randint(1, 7), nodes)
        if good * 5 <= bad or not any(tails + heads for tails, heads in members):
            check_good(rng, members, nodes)
            good += 1
            continue
        what, arguments = spoil(rng, members, nodes)
        expect_error(what, lambda: torch.classes.dshn.Incidence(*arguments))
        bad += 1
    small = torch.classes.dshn.Incidence(*tensors_of([([0, 1], [2]), ([], []), ([3], [0])]), 5)
    check_operators_refuse(small)
    check_arrays_refuse()
    check_pickling(small)
    print(f"{bad} bad incidences, {good} good ones")


main()
