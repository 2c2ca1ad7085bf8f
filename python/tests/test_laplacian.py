import json

import numpy as np
import pytest
import scipy.sparse.linalg
import torch

import dshn
from conftest import LACKS_EIGENVALUES, PACKAGE, needs_eigenvalues
from dshn import Hypergraph, Laplacian, ops

FORMS = ["L", "Q", "L_N", "Q_N", "I-Q_N"]
KINDS = ["trivial", "diagonal", "general", "orthogonal", "low-rank"]


@pytest.fixture(scope="module")
def h():
    return Hypergraph([([0, 1], [2]), [1, 3, 4], ([4], [0, 5]), [5]], nodes=7, weights=[1, 2, 0.5, 1])


def dense(hypergraph, q, maps, d):
    """L_N by its definition: the blocks of the incidence matrix, and nothing cleverer."""
    n, m = hypergraph.n_nodes, hypergraph.n_hyperedges
    edge, node, is_head = hypergraph.incidences()
    weights = np.ones(m) if hypergraph.weights is None else hypergraph.weights
    sizes = np.bincount(edge, minlength=m)
    B, D = np.zeros((m * d, n * d), complex), np.zeros((n * d, n * d))
    for i, (e, v) in enumerate(zip(edge, node)):
        F = maps[i] if maps[i].ndim == 2 else np.diag(np.broadcast_to(maps[i], d))
        phase = 1 if is_head[i] or not (set(is_head[edge == e]) == {True, False}) else np.exp(-2j * np.pi * q)
        B[e * d:(e + 1) * d, v * d:(v + 1) * d] = phase * F
        D[v * d:(v + 1) * d, v * d:(v + 1) * d] += weights[e] * F.T @ F
    scale = np.repeat(weights / np.maximum(sizes, 1), d)
    Q = B.conj().T @ (scale[:, None] * B)
    values, vectors = np.linalg.eigh(D)
    kept = values > 1e-10
    root = vectors[:, kept] @ np.diag(values[kept]**-0.5) @ vectors[:, kept].T
    return {"L": D - Q, "Q": Q, "L_N": root @ (D - Q) @ root, "Q_N": root @ Q @ root, "I-Q_N": np.eye(n * d) - root @ Q @ root}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", FORMS)
def test_it_is_the_definition(kind, form, h):
    d = 1 if kind == "trivial" else 2
    L = Laplacian(h, 0.3, kind, d=d, form=form, seed=4)
    x = np.random.default_rng(0).normal(size=(7 * d, 3)) + 1j
    expected = dense(h, 0.3, L.maps, d)[form]

    assert np.allclose(L @ x, expected @ x) and np.allclose(L.to_scipy().toarray(), expected)
    assert np.allclose((L @ torch.tensor(x)).numpy(), expected @ x)
    assert np.allclose(L @ x[:, 0], expected @ x[:, 0]) and np.allclose(L.H @ x, expected @ x)


@needs_eigenvalues
def test_scipy_takes_it(h):
    L = Laplacian(h, 0.25, "general", d=2)
    found = scipy.sparse.linalg.eigsh(L, k=3, which="LA", return_eigenvectors=False)

    assert isinstance(L, scipy.sparse.linalg.LinearOperator)
    assert np.allclose(np.sort(found), np.sort(L.eigenvalues(3, largest=True)))


@needs_eigenvalues
def test_spectrum_and_energy(h):
    L = Laplacian(h, 0.25, "diagonal", d=2)
    everything = np.linalg.eigvalsh(L.to_scipy().toarray())
    values, vectors = L.eigenpairs(4)

    assert np.allclose(values, everything[:4], atol=1e-7)
    assert np.allclose(L @ vectors, vectors * values, atol=1e-6)
    x = np.random.default_rng(1).normal(size=(14, 2)) * (1 + 2j)
    assert np.allclose(L.energy(x), np.real(np.sum(x.conj() * (L @ x), axis=0)))
    assert L.energy(vectors[:, 0]) == pytest.approx(values[0], abs=1e-7)
    assert L.of_form("L").energy(x[:, 0]) == pytest.approx(np.real(x[:, 0].conj() @ (L.of_form("L") @ x[:, 0])))


def test_without_charge_it_is_real(h):
    L = Laplacian(h, 0)

    assert L.real and L.dtype == np.float64 and (L @ np.ones(7)).dtype == np.float64
    assert L.to_scipy().dtype == np.float64 and Laplacian(h, 0.2).dtype == np.complex128


def test_classical_laplacians():
    arcs = [(0, 1), (1, 2), (2, 0), (2, 3)]
    A = np.zeros((4, 4))
    for u, v in arcs:
        A[u, v] = 1
    S = np.maximum(A, A.T)
    assert np.allclose(2 * Laplacian.graph(4, arcs).to_scipy().toarray(), np.diag(S.sum(0)) - S)

    symmetric = (A + A.T) / 2
    H = symmetric * np.exp(2j * np.pi * 0.1 * (A - A.T))
    assert np.allclose(Laplacian.magnetic(4, arcs, 0.1).to_scipy().toarray(), np.diag(symmetric.sum(0)) - H)
    assert np.allclose(Laplacian.sign_magnetic(4, arcs).to_scipy().toarray(),
                       Laplacian.magnetic(4, arcs, 0.25).to_scipy().toarray())

    maps = np.random.default_rng(0).normal(size=(4, 2, 2, 2))
    delta = np.zeros((8, 8))
    for e, (u, v) in enumerate(arcs):
        delta[2 * e:2 * e + 2, 2 * u:2 * u + 2] += maps[e, 0]
        delta[2 * e:2 * e + 2, 2 * v:2 * v + 2] -= maps[e, 1]
    assert np.allclose(2 * Laplacian.sheaf(4, arcs, maps).to_scipy().toarray(), delta.T @ delta)


def test_hypergraph_laplacians_of_the_literature(h):
    incidence = np.zeros((7, 4))
    edge, node, _ = h.incidences()
    incidence[node, edge] = 1
    W, sizes = np.diag(h.weights), np.diag(1 / incidence.sum(0))
    degrees = incidence @ h.weights
    root = np.diag([d**-0.5 if d else 0 for d in degrees])
    zhou = np.eye(7) - root @ incidence @ W @ sizes @ incidence.T @ root

    assert np.allclose(Laplacian.zhou(h).to_scipy().toarray(), zhou)
    assert np.allclose(Laplacian.gedi(h).to_scipy().toarray(), dense(h, 0.25, np.ones((len(edge), 1)), 1)["I-Q_N"])


def test_the_functional_form_agrees(h):
    L = Laplacian(h, 0.2, "general", d=3, form="Q_N")
    x = torch.randn(21, 2, dtype=torch.complex128)
    y = ops.from_planar(ops.sheaf_diffuse(ops.to_planar(x, 3), torch.tensor(L.maps), 0.2, h))

    assert torch.allclose(y, L @ x)


GOLDEN = sorted((PACKAGE.parent / "tests" / "golden").glob("*.json"))


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_golden_cases(file):
    case = json.loads(file.read_text(encoding="utf-8"))
    expected = case["expected"]
    golden = Hypergraph([(e["tail"], e["head"]) for e in case["hyperedges"]], nodes=case["n"],
                        weights=[e.get("weight", 1.0) for e in case["hyperedges"]])
    place = {(i["edge"], i["node"]): np.array(i["F"]) for i in case["incidences"]}
    edge, node, _ = golden.incidences()
    L = Laplacian(golden, case["q"], np.stack([place[e, v] for e, v in zip(edge.tolist(), node.tolist())]), d=case["d"],
                  add_identity=case.get("add_identity", False))
    x = np.array(case["x"]["re"]) + 1j * np.array(case["x"]["im"])

    for form in ("L", "Q_N"):
        matrix = np.array(expected[form]["re"]) + 1j * np.array(expected[form]["im"])
        assert np.allclose(L.of_form(form).to_scipy().toarray(), matrix, atol=1e-10)
        assert np.allclose(L.of_form(form) @ x, matrix @ x, atol=1e-10)
    assert np.allclose(L.energy(x), expected["dirichlet_energy"], atol=1e-9)
    if not LACKS_EIGENVALUES:
        assert np.allclose(L.eigenvalues(1), expected["eigenvalues_L_N"][0], atol=1e-6)


@pytest.mark.parametrize("arguments", [
    dict(maps="curly"), dict(maps=np.ones((3, 1))), dict(form="M"), dict(q=float("nan")), dict(maps="diagonal", d=0)])
def test_wrong_arguments_are_refused(arguments, h):
    with pytest.raises(dshn.UsageError):
        Laplacian(h, **{"q": 0.25, **arguments})


def test_wrong_signals_are_refused(h):
    for wrong in (np.ones(6), np.ones((7, 2, 2))):
        with pytest.raises((dshn.UsageError, ValueError)):
            Laplacian(h).apply(wrong)
