import numpy as np
import pytest
import torch

import dshn
from dshn import Hypergraph, nn, ops

F64 = torch.float64


@pytest.fixture(scope="module")
def h():
    return Hypergraph([([0, 1], [2]), [1, 3], ([4], [0, 3]), [2]], nodes=6)


def leaf(*shape):
    return torch.randn(*shape, dtype=F64, requires_grad=True)


def incidence_matrix(h):
    edge, node, _ = h.incidences()
    matrix = torch.zeros(h.n_hyperedges, h.n_nodes, dtype=F64)
    matrix[edge.astype(np.int64), node.astype(np.int64)] = 1
    return matrix


def test_sums_and_means_are_products_with_the_incidence_matrix(h):
    matrix, x, rows = incidence_matrix(h), leaf(6, 3), leaf(4, 3)

    assert torch.allclose(ops.gather_sum(x, "edges", h), matrix @ x)
    assert torch.allclose(ops.gather_sum(rows, "nodes", h), matrix.T @ rows)
    assert torch.allclose(ops.gather_mean(x, "edges", h), matrix @ x / matrix.sum(1, keepdim=True))
    assert torch.allclose(ops.segment_sum(ops.expand(rows, "edges", h), "edges", h), rows * matrix.sum(1, keepdim=True))
    attention = ops.segment_softmax(leaf(h.n_incidences, 2), "edges", h)
    assert torch.allclose(ops.segment_sum(attention, "edges", h), torch.ones(4, 2, dtype=F64))


@pytest.mark.parametrize("function", [ops.gather_sum, ops.gather_mean, ops.gather_max])
@pytest.mark.parametrize("over, rows", [("edges", 6), ("nodes", 4)])
def test_gradients_of_gathers(function, over, rows, h):
    assert torch.autograd.gradcheck(lambda x: function(x, over, h), (leaf(rows, 3),))


@pytest.mark.parametrize("function", [ops.segment_sum, ops.segment_mean, ops.segment_max, ops.segment_softmax])
def test_gradients_of_segments(function, h):
    assert torch.autograd.gradcheck(lambda x: function(x, "edges", h), (leaf(h.n_incidences, 2),))


def test_gradients_of_weighted_sums_and_pairs(h):
    assert torch.autograd.gradcheck(lambda x, c: ops.gather_sum(x, "edges", h, c), (leaf(6, 4), leaf(h.n_incidences, 2)))
    assert torch.autograd.gradcheck(lambda a, b: ops.incidence_linear(a, b, h), (leaf(6, 2), leaf(4, 2)))
    assert torch.autograd.gradcheck(lambda a, b: ops.member_linear(a, b, h), (leaf(6, 2), leaf(6, 2)))


@pytest.mark.parametrize("kind", ["diagonal", "general", "orthogonal", "low-rank"])
def test_gradients_of_diffusion_reach_signal_parameters_and_charge(kind, h):
    d = 2

    def diffuse(x, parameters, q):
        return ops.sheaf_diffuse(x, ops.maps_from_parameters(kind, parameters, d), q, h)

    torch.manual_seed(0)
    q = torch.tensor(0.2, dtype=F64, requires_grad=True)
    assert torch.autograd.gradcheck(diffuse, (leaf(6, d, 2, 2), leaf(h.n_incidences, nn.map_length(kind, d)), q))


class Composed(torch.nn.Module):
    """Everything in a row, as somebody might build it."""

    def __init__(self, h, d=2):
        super().__init__()
        self.h, self.d = h, d
        self.enter, self.wind = torch.nn.Linear(3, 2 * 4 * d), nn.Wind(d)
        self.maps = nn.MapPredictor(2 * 4 * d, d, "general")
        self.norm, self.conv = nn.ComplexLayerNorm(), nn.SheafConv(4, 3, d, q="learn")
        self.unwind, self.leave = nn.Unwind(), torch.nn.Linear(2 * 3 * d, 2)
        self.pool, self.back = nn.MembersPool("mean"), nn.HyperedgesPool("sum")

    def forward(self, x):
        signal = self.wind(self.enter(x))
        rows = self.unwind(self.conv(self.norm(signal), self.maps(signal, self.h), self.h))
        return self.leave(rows + self.back(self.pool(rows, self.h), self.h))


def test_gradcheck_through_composed_layers(h):
    torch.manual_seed(3)
    network = Composed(h).double()

    assert torch.autograd.gradcheck(network, (leaf(6, 3),))
    x = torch.randn(6, 3, dtype=F64)
    names = [name for name, _ in network.named_parameters()]

    functional_call = (torch.func if hasattr(torch, "func") else torch.nn.utils.stateless).functional_call

    def of_parameters(*values):
        return functional_call(network, dict(zip(names, values)), (x,))

    parameters = [p.detach().clone().requires_grad_() for p in network.parameters()]
    assert torch.autograd.gradcheck(of_parameters, tuple(parameters))


def test_composed_layers_learn_directions():
    """Tails are one class and heads the other: without direction that cannot be told."""
    rng = np.random.default_rng(0)
    lists = []
    for _ in range(60):
        lists.append((rng.choice(20, 2, replace=False).tolist(), (20 + rng.choice(20, 2, replace=False)).tolist()))
    h, y = Hypergraph(lists, nodes=40), torch.arange(40) // 20
    x = torch.ones(40, 3)
    torch.manual_seed(0)
    network = Composed(h)
    optimiser = torch.optim.Adam(network.parameters(), lr=0.02)
    for _ in range(150):
        optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(network(x), y)
        loss.backward()
        optimiser.step()

    assert (network(x).argmax(1) == y).float().mean() > 0.9


def test_pytorch_composes_with_data_on_hyperedges(h):
    maps = nn.MapPredictor(3, 2, "diagonal", edge_features=5)(torch.randn(6, 3), h, torch.randn(4, 5))

    assert maps.shape == (h.n_incidences, 2) and bool((maps > 0).all())


def test_layer_norm_whitens(h):
    signal = nn.ComplexLayerNorm(epsilon=1e-9)(torch.randn(5, 2, 2, 50)).double()
    white = signal * 2**0.5
    covariance = torch.einsum("rdpf,rdqf->rdpq", white - white.mean(3, keepdim=True), white) / 50

    assert torch.allclose(covariance, torch.eye(2, dtype=F64).expand_as(covariance), atol=1e-4)


def test_winding_and_planes_are_inverse():
    x = torch.randn(6, 4, dtype=torch.complex128)
    assert torch.equal(ops.from_planar(ops.to_planar(x, 2)), x)
    rows = torch.randn(3, 8)
    assert torch.equal(nn.Unwind()(nn.Wind(2)(rows)), rows)


@pytest.mark.parametrize("call", [
    lambda h: ops.gather_sum(torch.zeros(6, 2), "arcs", h), lambda h: ops.gather_sum(torch.zeros(5, 2), "edges", h),
    lambda h: ops.gather_sum(torch.zeros(6, 2), "edges", "h"), lambda h: ops.gather_sum([1], "edges", h),
    lambda h: ops.segment_sum(torch.zeros(3), "edges", h), lambda h: ops.sheaf_diffuse(torch.zeros(6, 2), torch.zeros(1), 0, h),
    lambda h: ops.maps_from_parameters("curly", torch.zeros(1), 2), lambda h: nn.MembersPool("median"),
    lambda h: nn.SheafConv(2, 2, 2, q="guess"), lambda h: nn.SheafConv(2, 2, 2)(torch.zeros(6, 3, 2, 2), torch.zeros(9, 2), h),
    lambda h: nn.Wind(3)(torch.zeros(2, 7)), lambda h: nn.MapPredictor(3, 2, activation="step")])
def test_wrong_arguments_are_refused_in_a_line(call, h):
    with pytest.raises(dshn.UsageError) as caught:
        call(h)
    assert "\n" not in str(caught.value)
