"""The library's operators as functions of tensors, with gradients; float32 or float64, on the CPU and, where that was
built, on CUDA. They are those of the C++ library; `torch.ops.dshn` has them too.

Where a function takes a hypergraph, ``over`` is ``"edges"`` (the members of each hyperedge) or ``"nodes"`` (the hyperedges of
each node). Arrays with a row for each incidence follow ``hypergraph.by_hyperedge``. Signals are planar: [rows, d, planes,
channels], with the real and the imaginary plane; one plane is a real signal. Sums run in a fixed order: the same bits for any
number of threads. All can be differentiated once. torch.compile runs them as they are.

>>> import torch
>>> from dshn import Hypergraph
>>> h = Hypergraph([[0, 1], [1, 2]])
>>> gather_sum(torch.tensor([[1.0], [2.0], [4.0]]), "edges", h).flatten().tolist()
[3.0, 6.0]
"""
from __future__ import annotations

from typing import Any, Callable, Optional, Union

import torch

from . import _core
from .compiling import untraced
from .errors import UsageError
from .hypergraph import Hypergraph

__all__ = ["complex_relu", "degree_blocks", "expand", "from_planar", "gather_max", "gather_mean", "gather_sum",
           "incidence_linear", "inverse_sqrt", "maps_from_parameters", "member_linear", "normalize_maps", "scale_maps",
           "segment_max", "segment_mean", "segment_softmax", "segment_sum", "sheaf_diffuse", "sheaf_signless",
           "stalk_product", "to_planar", "unwind", "whiten"]


def _call(operator: Callable[..., torch.Tensor], *arguments: Any) -> torch.Tensor:
    """The library's message without libtorch's stack trace behind it."""
    try:
        return operator(*arguments)
    except RuntimeError as problem:
        raise UsageError(str(problem).split("\n", 1)[0]) from None


def _on(hypergraph: Hypergraph, x: torch.Tensor) -> Any:
    if not isinstance(hypergraph, Hypergraph):
        raise UsageError(f"{type(hypergraph).__name__} is no hypergraph; expected a dshn.Hypergraph")
    if not isinstance(x, torch.Tensor):
        raise UsageError(f"{type(x).__name__} is no tensor; expected a torch.Tensor")
    if hypergraph.incidence_weights is not None:
        raise UsageError("the hypergraph has weights of incidences, which the functions of dshn.ops do not heed")
    return hypergraph.incidence(x.device)


def _weight(hypergraph: Hypergraph, like: torch.Tensor) -> Optional[torch.Tensor]:
    return None if hypergraph.weights is None else torch.tensor(hypergraph.weights, dtype=like.dtype, device=like.device)


def _charge(q: Union[float, torch.Tensor, None], hypergraph: Hypergraph, x: torch.Tensor) -> Optional[torch.Tensor]:
    """Without directed hyperedges there is nothing to turn, and at 0 nothing turns."""
    if q is None or not hypergraph.directed or (not isinstance(q, torch.Tensor) and q == 0):
        return None
    return q if isinstance(q, torch.Tensor) else torch.tensor(float(q), dtype=x.dtype, device=x.device)


@untraced
def gather_sum(x: torch.Tensor, over: str, hypergraph: Hypergraph, coefficients: Optional[torch.Tensor] = None) -> torch.Tensor:
    """Rows of the members summed over each hyperedge, or rows of the hyperedges over each node. ``coefficients`` has a number
    for each incidence, or one for each incidence and head."""
    return _call(torch.ops.dshn.gather_sum, x, coefficients, over, _on(hypergraph, x))


@untraced
def gather_mean(x: torch.Tensor, over: str, hypergraph: Hypergraph) -> torch.Tensor:
    return _call(torch.ops.dshn.gather_mean, x, over, _on(hypergraph, x))


@untraced
def gather_max(x: torch.Tensor, over: str, hypergraph: Hypergraph) -> torch.Tensor:
    return _call(torch.ops.dshn.gather_max, x, over, _on(hypergraph, x))


@untraced
def segment_sum(values: torch.Tensor, over: str, hypergraph: Hypergraph) -> torch.Tensor:
    """Values of incidences summed over each hyperedge or each node."""
    return _call(torch.ops.dshn.segment_sum, values, over, _on(hypergraph, values))


@untraced
def segment_mean(values: torch.Tensor, over: str, hypergraph: Hypergraph) -> torch.Tensor:
    return _call(torch.ops.dshn.segment_mean, values, over, _on(hypergraph, values))


@untraced
def segment_max(values: torch.Tensor, over: str, hypergraph: Hypergraph) -> torch.Tensor:
    return _call(torch.ops.dshn.segment_max, values, over, _on(hypergraph, values))


@untraced
def segment_softmax(values: torch.Tensor, over: str, hypergraph: Hypergraph) -> torch.Tensor:
    """Softmax over the incidences of each hyperedge or each node: attention."""
    return _call(torch.ops.dshn.segment_softmax, values, over, _on(hypergraph, values))


@untraced
def expand(rows: torch.Tensor, over: str, hypergraph: Hypergraph) -> torch.Tensor:
    """Rows of hyperedges, or of nodes, repeated for each of their incidences."""
    return _call(torch.ops.dshn.expand, rows, over, _on(hypergraph, rows))


@untraced
def incidence_linear(node_rows: torch.Tensor, edge_rows: torch.Tensor, hypergraph: Hypergraph) -> torch.Tensor:
    """The row of the node plus the row of the hyperedge, for each incidence."""
    return _call(torch.ops.dshn.incidence_linear, node_rows, edge_rows, _on(hypergraph, node_rows))


@untraced
def member_linear(node_rows: torch.Tensor, member_rows: torch.Tensor, hypergraph: Hypergraph, mean: bool = True) -> torch.Tensor:
    """The row of the node plus the mean, or sum, of the rows of the hyperedge's members, for each incidence."""
    return _call(torch.ops.dshn.member_linear, node_rows, member_rows, mean, _on(hypergraph, node_rows))


@untraced
def sheaf_signless(x: torch.Tensor, maps: torch.Tensor, q: Union[float, torch.Tensor, None],
                   hypergraph: Hypergraph) -> torch.Tensor:
    """Q x. Differentiable in the signal, the maps and, where it is a tensor, the charge."""
    return _call(torch.ops.dshn.sheaf_signless, x, maps, _charge(q, hypergraph, x), _weight(hypergraph, x),
                 _on(hypergraph, x))


@untraced
def sheaf_diffuse(x: torch.Tensor, maps: torch.Tensor, q: Union[float, torch.Tensor, None],
                  hypergraph: Hypergraph) -> torch.Tensor:
    """Q_N x: one step of diffusion; the normalised Laplacian is x - Q_N x."""
    return _call(torch.ops.dshn.sheaf_diffuse, x, maps, _charge(q, hypergraph, x), _weight(hypergraph, x),
                 _on(hypergraph, x))


@untraced
def degree_blocks(maps: torch.Tensor, hypergraph: Hypergraph) -> torch.Tensor:
    """D_u for each node, float64."""
    return _call(torch.ops.dshn.degree_blocks, maps, _weight(hypergraph, maps), _on(hypergraph, maps))


@untraced
def inverse_sqrt(blocks: torch.Tensor) -> torch.Tensor:
    """Pseudo-inverse square roots of such blocks."""
    return _call(torch.ops.dshn.inverse_sqrt, blocks)


@untraced
def scale_maps(maps: torch.Tensor, blocks: torch.Tensor, hypergraph: Hypergraph) -> torch.Tensor:
    """F_ue N_u."""
    return _call(torch.ops.dshn.scale_maps, maps, blocks, _on(hypergraph, maps))


def normalize_maps(maps: torch.Tensor, hypergraph: Hypergraph) -> torch.Tensor:
    """F_ue D_u^(-1/2): with these maps :func:`sheaf_signless` applies the normalised operator."""
    return scale_maps(maps, inverse_sqrt(degree_blocks(maps, hypergraph)), hypergraph)


@untraced
def maps_from_parameters(kind: str, parameters: torch.Tensor, d: int, rank: int = 1) -> torch.Tensor:
    """Restriction maps of a kind (``"trivial"``, ``"diagonal"``, ``"general"``, ``"orthogonal"``, ``"low-rank"``) from free
    numbers, [incidences, dshn.nn.map_length(kind, d, rank)]."""
    return _core.maps_from_parameters(kind, parameters, d, rank)


@untraced
def stalk_product(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """A d x d matrix on the d blocks of every row of x [rows, d, ...]."""
    return _call(torch.ops.dshn.stalk_product, x, weight)


@untraced
def whiten(x: torch.Tensor, epsilon: float = 1e-5) -> torch.Tensor:
    """The channels of each stalk component centred, and whitened by their covariance."""
    return _call(torch.ops.dshn.whiten, x, epsilon)


@untraced
def complex_relu(x: torch.Tensor) -> torch.Tensor:
    """Keeps an entry where its real part is above 0."""
    return _call(torch.ops.dshn.rectify, x, None, 0.0, None, 0)


def to_planar(x: torch.Tensor, d: int = 1) -> torch.Tensor:
    """A complex signal [n d, channels] as planes [n, d, 2, channels]; a real one as [n, d, 1, channels]."""
    rows = x.reshape(-1, d, x.shape[-1])
    return torch.stack([rows.real, rows.imag], dim=2) if x.is_complex() else rows.unsqueeze(2)


def from_planar(x: torch.Tensor) -> torch.Tensor:
    """Planes [n, d, 2, channels] as a complex signal [n d, channels]; one plane as a real one."""
    rows = torch.complex(x[:, :, 0], x[:, :, 1]) if x.shape[2] == 2 else x[:, :, 0]
    return rows.reshape(-1, x.shape[-1])


def unwind(x: torch.Tensor) -> torch.Tensor:
    """Planes side by side, [rows, d * planes * channels]."""
    return x.reshape(x.shape[0], -1)
