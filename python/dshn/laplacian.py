"""The Directed Sheaf Hypergraph Laplacian as a linear operator."""
from __future__ import annotations

from typing import Any, Iterable, Optional, Tuple, Union

import numpy as np
import scipy.sparse
import torch
from scipy.sparse.linalg import LinearOperator

from . import _core
from .errors import UsageError
from .hypergraph import Hypergraph


class Laplacian(LinearOperator):
    """A matrix of a directed sheaf on a hypergraph, applied without being formed, in float64 on the CPU.

    ``form`` says which: ``"L_N"`` (normalised Laplacian), ``"L"``, ``"Q"``, ``"Q_N"`` (signless ones) or ``"I-Q_N"``. A signal
    has rows node by node: row ``u * d + k`` is component k of node u. It may be a numpy array or a torch tensor, real or
    complex, with one column or many. The matrix is Hermitian, and scipy takes it where it takes a ``LinearOperator``.

    >>> L = Laplacian(Hypergraph([([0], [1]), [1, 2]]), q=0.25)
    >>> L.shape, L.real
    ((3, 3), False)
    >>> [round(float(v), 6) for v in L.eigenvalues(1)]
    [0.0]
    """

    def __init__(self, hypergraph: Hypergraph, q: float = 0.25, maps: Any = "trivial", *, d: int = 1, rank: int = 1,
                 seed: int = 0, form: str = "L_N", add_identity: bool = False):
        """``maps`` is an array [incidences, 1], [incidences, d] (diagonals) or [incidences, d, d], in the order of
        ``hypergraph.by_hyperedge``; or the name of a kind: ``"trivial"``, or random ones of the seed, ``"diagonal"``,
        ``"general"``, ``"orthogonal"``, ``"low-rank"``. ``add_identity`` adds the identity to the degrees."""
        if isinstance(maps, str):
            maps = _core.random_maps(maps, hypergraph.n_incidences, d, rank, seed)
        else:
            maps = torch.as_tensor(maps).detach().cpu().to(torch.float64)
            d = maps.shape[-1] if maps.dim() > 1 and maps.shape[-1] > 1 else d
        self._set(_core.Sheaf(hypergraph._core, float(q), maps, d, bool(add_identity)), form)

    def _set(self, sheaf: Any, form: str) -> None:
        sheaf.spectral_bound(form)  # refuses forms that there are not
        self._sheaf, self.form = sheaf, form
        super().__init__(np.dtype(np.float64 if sheaf.real else np.complex128), (sheaf.dimension, sheaf.dimension))

    def __new__(cls, *args: Any, **options: Any) -> "Laplacian":
        return object.__new__(cls)

    @classmethod
    def _of(cls, sheaf: Any, form: str) -> "Laplacian":
        made = object.__new__(cls)
        made._set(sheaf, form)
        return made

    def of_form(self, form: str) -> "Laplacian":
        """Another matrix of the same sheaf."""
        return Laplacian._of(self._sheaf, form)

    # Special cases of the literature.

    @classmethod
    def zhou(cls, hypergraph: Hypergraph) -> "Laplacian":
        """The hypergraph Laplacian of Zhou, Huang and Schoelkopf; directions are forgotten."""
        return cls._of(_core.zhou_laplacian(hypergraph._core), "I-Q_N")

    @classmethod
    def gedi(cls, hypergraph: Hypergraph) -> "Laplacian":
        """The Generalized Directed Laplacian of GeDi-HNN."""
        return cls._of(_core.generalized_directed_laplacian(hypergraph._core), "I-Q_N")

    @classmethod
    def graph(cls, nodes: int, edges: Iterable[Tuple[int, int]]) -> "Laplacian":
        """D - A of an undirected graph is twice this."""
        return cls._classical("graph", nodes, edges)

    @classmethod
    def sheaf(cls, nodes: int, edges: Iterable[Tuple[int, int]], maps: Any) -> "Laplacian":
        """The sheaf Laplacian of Hansen and Gebhart on an undirected graph is twice this; maps: [edges, 2, d, d]."""
        return cls._classical("sheaf", nodes, edges, maps=torch.as_tensor(maps).to(torch.float64))

    @classmethod
    def magnetic(cls, nodes: int, arcs: Iterable[Tuple[int, int]], q: float) -> "Laplacian":
        """The Magnetic Laplacian of a directed graph."""
        return cls._classical("magnetic", nodes, arcs, q)

    @classmethod
    def sign_magnetic(cls, nodes: int, arcs: Iterable[Tuple[int, int]]) -> "Laplacian":
        """The Magnetic Laplacian at q = 1/4."""
        return cls._classical("sign-magnetic", nodes, arcs)

    @classmethod
    def _classical(cls, name: str, nodes: int, arcs: Iterable[Tuple[int, int]], q: float = 0.0,
                   maps: Optional[torch.Tensor] = None) -> "Laplacian":
        pairs = [(int(u), int(v)) for u, v in arcs]
        return cls._of(_core.classical_laplacian(name, nodes, pairs, q, torch.zeros(0) if maps is None else maps), "L")

    # What it is.

    @property
    def hypergraph(self) -> Hypergraph:
        return Hypergraph._of(self._sheaf.hypergraph)

    @property
    def q(self) -> float:
        return self._sheaf.charge

    @property
    def d(self) -> int:
        """The stalk dimension."""
        return self._sheaf.stalk_dimension

    @property
    def maps(self) -> np.ndarray:
        return self._sheaf.maps.numpy()

    @property
    def degree_blocks(self) -> np.ndarray:
        return self._sheaf.degree_blocks.numpy()

    @property
    def real(self) -> bool:
        """Whether the matrix is real: no charge, or no directed hyperedge."""
        return self._sheaf.real

    # What it does.

    def apply(self, x: Any) -> Any:
        """The matrix times a signal, [n d] or [n d, columns]; of a tensor a tensor, without gradients. The result is complex
        unless both are real."""
        given, columns, flat = _signal(x, self.shape[0])
        y = self._sheaf.apply(self.form, columns)
        if self.real and not (x.is_complex() if given else np.iscomplexobj(x)):
            y = y.real
        y = y.reshape(-1) if flat else y
        return y if given else y.numpy()

    def _matvec(self, x: np.ndarray) -> np.ndarray:
        return self.apply(np.ravel(x))

    def _matmat(self, x: np.ndarray) -> np.ndarray:
        return self.apply(x)

    def _adjoint(self) -> "Laplacian":
        return self

    def __matmul__(self, x: Any) -> Any:
        return self.apply(x) if isinstance(x, torch.Tensor) else super().__matmul__(x)

    def energy(self, x: Union[np.ndarray, torch.Tensor]) -> Any:
        """The Dirichlet energy of each column, x* L_N x, or x* L x where this is a form that is not normalised; a number for
        a signal without columns."""
        given, columns, flat = _signal(x, self.shape[0])
        found = self._sheaf.energy(columns, self.form not in ("L", "Q"))
        if flat:
            return float(found[0])
        return found if given else found.numpy()

    def eigenpairs(self, k: int = 6, *, largest: bool = False, tolerance: float = 1e-8) -> Tuple[np.ndarray, np.ndarray]:
        """k eigenvalues at one end of the spectrum, from the end inwards, and their eigenvectors, [n d, k]."""
        values, vectors = self._sheaf.eigenpairs(self.form, k, largest, tolerance)
        return np.asarray(values), vectors.numpy()

    def eigenvalues(self, k: int = 6, *, largest: bool = False, tolerance: float = 1e-8) -> np.ndarray:
        return self.eigenpairs(k, largest=largest, tolerance=tolerance)[0]

    def to_scipy(self) -> scipy.sparse.csr_matrix:
        """The assembled matrix; real where it is."""
        row_ptr, columns, values = self._sheaf.assemble(self.form)
        return scipy.sparse.csr_matrix((values.real.copy() if self.real else values, columns, row_ptr), shape=self.shape)

    def __repr__(self) -> str:
        return f"Laplacian({self.form} of {self.hypergraph!r}, q={self.q:g}, d={self.d})"


def duta(hypergraph: Hypergraph, maps: Any, *, d: int = 1) -> scipy.sparse.csr_matrix:
    """The linear sheaf hypergraph Laplacian of Duta et al., assembled: none of ours, and not positive semidefinite. Maps are
    as :class:`Laplacian` takes them; directions are forgotten.

    >>> counterexample = duta(Hypergraph([[0, 1, 2], [1, 2, 3]]), np.ones((6, 1)))
    >>> [round(float(v), 4) for v in np.linalg.eigvalsh(counterexample.toarray())]
    [-0.5205, 0.3333, 0.8539, 1.3333]
    """
    tensor = torch.as_tensor(maps).detach().cpu().to(torch.float64)
    row_ptr, columns, values = _core.duta_laplacian(hypergraph._core, tensor, d)
    rows = hypergraph.n_nodes * d
    return scipy.sparse.csr_matrix((values.real.copy(), columns, row_ptr), shape=(rows, rows))


def _signal(x: Any, rows: int) -> Tuple[bool, torch.Tensor, bool]:
    """Whether it is a tensor, its columns, and whether it came without any."""
    given = isinstance(x, torch.Tensor)
    tensor = x.detach().cpu() if given else torch.as_tensor(np.ascontiguousarray(x))
    if tensor.dim() not in (1, 2) or tensor.shape[0] != rows:
        raise UsageError(f"a signal has shape {tuple(tensor.shape)}; expected ({rows},) or ({rows}, columns)")
    flat = tensor.dim() == 1
    tensor = tensor.reshape(rows, -1)
    return given, tensor.to(torch.complex128), flat
