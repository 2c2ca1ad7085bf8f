"""torch.compile runs the library's operators as they are. Behind it is no compiler here: what is traced is the same."""
import types

import pytest
import torch

from dshn import Hypergraph, compiling, nn, ops
from test_layers import Composed

compiles = pytest.mark.skipif(not hasattr(torch, "compile"), reason="this torch has no torch.compile")


@pytest.fixture(scope="module")
def h():
    return Hypergraph([([0, 1], [2]), [1, 3], ([4], [0, 3]), [2]], nodes=6)


@pytest.fixture(autouse=True)
def nothing_kept():
    yield
    if hasattr(torch, "compile"):
        torch._dynamo.reset()


def value_and_gradients(network, x):
    network.zero_grad()
    value = network(x)
    value.square().sum().backward()
    return [value.detach(), *(p.grad.clone() for p in network.parameters() if p.grad is not None)]


class Mixed(torch.nn.Module):
    """A network of the library between layers of torch."""

    def __init__(self, h):
        super().__init__()
        self.before, self.after = torch.nn.Linear(3, 5), torch.nn.Linear(4, 2)
        self.dshn = nn.DSHN(features=5, classes=4, hypergraph=h, layers=2, hidden_width=6, d=2, dropout=0)

    def forward(self, x):
        return self.after(torch.relu(self.dshn(torch.relu(self.before(x)))))


@compiles
@pytest.mark.parametrize("make", [
    Composed, Mixed, lambda h: nn.DSHN(features=3, classes=2, hypergraph=h, layers=2, hidden_width=6, d=2, dropout=0)])
def test_compiled_networks_give_the_same(make, h):
    torch.manual_seed(0)
    network, x = make(h), torch.randn(6, 3)
    expected = value_and_gradients(network, x)

    compiled = torch.compile(network, backend="eager")

    for _ in range(3):
        found = value_and_gradients(compiled, x)
        assert len(found) == len(expected) and all(torch.allclose(a, b, atol=1e-6) for a, b in zip(found, expected))


@compiles
def test_compiled_functions_give_the_same(h):
    def function(x):
        return torch.relu(ops.gather_mean(x * 2, "edges", h) - 1).sum()

    x = torch.randn(6, 3)

    assert torch.allclose(torch.compile(function, backend="eager")(x), function(x))


@compiles
def test_a_whole_graph_is_refused(h):
    with pytest.raises(Exception, match="disable"):
        torch.compile(lambda x: ops.gather_mean(x, "edges", h), backend="eager", fullgraph=True)(torch.randn(6, 3))


def test_torch_is_told_to_leave_operators_alone(monkeypatch):
    told = []

    def disable(function, recursive=True, *, reason=None):
        told.append((function, recursive, reason))
        return function

    monkeypatch.setattr(torch, "compiler", types.SimpleNamespace(disable=disable), raising=False)
    compiling.untraced(len)
    monkeypatch.setattr(torch, "compiler", types.SimpleNamespace(), raising=False)
    compiling.untraced(max)

    assert len(told) == 1 and told[0][:2] == (len, True) and "fullgraph" in told[0][2]
