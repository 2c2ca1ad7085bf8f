"""Layers for those who build their own networks. Signals are planar, as in :mod:`dshn.ops`."""
from __future__ import annotations

from typing import Any, Optional, Union

import torch

from . import _core, ops
from .errors import UsageError
from .hypergraph import Hypergraph


def map_length(kind: str, d: int, rank: int = 1) -> int:
    """How many free numbers a restriction map of this kind has."""
    return _core.map_length(kind, d, rank)


class ComplexLinear(torch.nn.Module):
    """A real matrix on the channels of all planes, [.., inputs] to [.., outputs]: the linear map of a complex signal that
    leaves its phases alone."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.nn.Linear(inputs, outputs, bias=False).weight.detach().clone())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.linear(x, self.weight)


class ComplexLayerNorm(torch.nn.Module):
    """The channels of each stalk component centred and whitened by their 2 x 2 covariance, then mapped by ``gamma`` and
    ``beta``. A real signal uses their first entries."""

    def __init__(self, epsilon: float = 1e-5):
        super().__init__()
        self.epsilon = epsilon
        self.gamma = torch.nn.Parameter(torch.eye(2) / 2**0.5)
        self.beta = torch.nn.Parameter(torch.zeros(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        planes = x.shape[2]
        white = ops.whiten(x, self.epsilon).reshape(-1, planes, x.shape[3])
        gamma = self.gamma[:planes, :planes].contiguous()
        return ops.stalk_product(white, gamma).view(x.shape) + self.beta[:planes].view(planes, 1)


class ComplexReLU(torch.nn.Module):
    """Keeps an entry where its real part is above 0."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return ops.complex_relu(x)


class Unwind(torch.nn.Module):
    """Planes side by side, [rows, d * planes * channels]: from a complex signal to what real layers take."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return ops.unwind(x)


class Wind(torch.nn.Module):
    """Real rows [n, d * planes * channels] as a planar signal."""

    def __init__(self, d: int, planes: int = 2):
        super().__init__()
        self.d, self.planes = d, planes

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.dim() != 2 or x.shape[1] % (self.d * self.planes):
            raise UsageError(f"rows have shape {tuple(x.shape)}; expected [n, a multiple of {self.d * self.planes}]")
        return x.reshape(x.shape[0], self.d, self.planes, -1)


class MapPredictor(torch.nn.Module):
    """Restriction maps from features of nodes and hyperedges: act(V [x_u || x_e] + b) for each incidence, without a product
    per incidence. Features of a hyperedge are the mean of its members' unless they are given."""

    def __init__(self, features: int, d: int, kind: str = "diagonal", *, rank: int = 1, activation: str = "sigmoid",
                 edge_features: Optional[int] = None):
        super().__init__()
        if activation not in ("sigmoid", "tanh", "none"):
            raise UsageError(f"activation={activation!r}: expected 'sigmoid', 'tanh' or 'none'")
        self.kind, self.d, self.rank, self.activation = kind, d, rank, activation
        numbers = map_length(kind, d, rank)
        self.from_node = torch.nn.Linear(features, numbers)
        self.from_edge = torch.nn.Linear(features if edge_features is None else edge_features, numbers, bias=False)

    def forward(self, x: torch.Tensor, hypergraph: Hypergraph, edge_x: Optional[torch.Tensor] = None) -> torch.Tensor:
        rows = x.reshape(x.shape[0], -1)
        if edge_x is None:
            pairs = ops.member_linear(self.from_node(rows), self.from_edge(rows), hypergraph)
        else:
            pairs = ops.incidence_linear(self.from_node(rows), self.from_edge(edge_x), hypergraph)
        if self.activation != "none":
            pairs = getattr(torch, self.activation)(pairs)
        return ops.maps_from_parameters(self.kind, pairs, self.d, self.rank)


class SheafConv(torch.nn.Module):
    """One step of diffusion on a sheaf: x' = sigma(Q_N (I (x) W1) x W2), the paper's layer. ``maps`` come from a
    :class:`MapPredictor`, or are any others. ``q`` is the charge, or ``"learn"``."""

    def __init__(self, inputs: int, outputs: int, d: int, *, q: Union[float, str] = 0.25, activation: bool = True):
        super().__init__()
        if isinstance(q, str) and q != "learn":
            raise UsageError(f"q={q!r}: expected a number or 'learn'")
        self.d, self.activation = d, activation
        self.stalk = torch.nn.Parameter(torch.eye(d))
        self.channels = ComplexLinear(inputs, outputs)
        self.q: Any = torch.nn.Parameter(torch.tensor(0.25)) if q == "learn" else q

    def forward(self, x: torch.Tensor, maps: torch.Tensor, hypergraph: Hypergraph) -> torch.Tensor:
        if x.dim() != 4 or x.shape[1] != self.d:
            raise UsageError(f"a signal has shape {tuple(x.shape)}; expected [n, {self.d}, planes, channels]")
        mixed = self.channels(ops.stalk_product(x, self.stalk))
        y = ops.sheaf_diffuse(mixed.contiguous(), maps, self.q, hypergraph)
        return ops.complex_relu(y) if self.activation else y


class MembersPool(torch.nn.Module):
    """Rows of nodes to rows of hyperedges: the sum, mean or maximum over the members."""

    over = "edges"

    def __init__(self, how: str = "mean"):
        super().__init__()
        if how not in ("sum", "mean", "max"):
            raise UsageError(f"how={how!r}: expected 'sum', 'mean' or 'max'")
        self.how = how

    def forward(self, x: torch.Tensor, hypergraph: Hypergraph) -> torch.Tensor:
        return getattr(ops, f"gather_{self.how}")(x, self.over, hypergraph)


class HyperedgesPool(MembersPool):
    """Rows of hyperedges to rows of nodes: the sum, mean or maximum over the hyperedges of a node."""

    over = "nodes"
