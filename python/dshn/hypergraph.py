"""Directed, undirected and mixed hypergraphs."""
from __future__ import annotations

import os
import warnings
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core, display, ids

Name = Union[int, str]
Ids = Union[Sequence[Any], "np.ndarray"]


class Hypergraph:
    """An immutable hypergraph: nodes, hyperedges, and incidences (hyperedge, node, role), where a role is *tail* or *head*.

    A hyperedge with tails and heads is directed; one that has only tails, or only heads, is undirected. Nodes and
    hyperedges are numbered from 0 and keep the names that they came with.

    >>> h = Hypergraph([(["a", "b"], ["c"]), ["c", "d"]])
    >>> h
    Hypergraph(4 nodes, 2 hyperedges of which 1 directed, 5 incidences)
    >>> h.node_names
    ['a', 'b', 'c', 'd']
    >>> h.tails(0).tolist(), h.heads(0).tolist()
    ([0, 1], [2])
    """

    __slots__ = ("_core", "_incidences", "__weakref__")

    def __init__(self, hyperedges: Iterable[Any] = (), *, nodes: Union[int, Iterable[Name], None] = None,
                 names: Optional[Iterable[Name]] = None, weights: Optional[Ids] = None, on_conflict: str = "error"):
        """From a list with one entry for each hyperedge: a pair ``(tails, heads)``, or a list or set of members without
        direction. A pair is a tuple of two collections; anything else is taken for members.

        ``nodes`` is their number, or their names in the order wanted; ``names`` are those of the hyperedges.
        """
        listed = [_sides(entry, position) for position, entry in enumerate(hyperedges)]
        edge = np.repeat(np.arange(len(listed)), [len(tails) + len(heads) for tails, heads in listed])
        node: List[Any] = [v for tails, heads in listed for v in (*tails, *heads)]
        role = np.concatenate([np.r_[np.zeros(len(tails), bool), np.ones(len(heads), bool)]
                               for tails, heads in listed] or [np.zeros(0, bool)])
        made = Hypergraph.from_incidences(edge=edge, node=node, role=role, nodes=nodes,
                                          hyperedges=len(listed) if names is None else list(names), weights=weights,
                                          on_conflict=on_conflict, _edge_is_position=True)
        self._core: _core.Hypergraph = made._core
        self._incidences: Dict[str, Any] = {}

    @classmethod
    def _of(cls, core: Any) -> "Hypergraph":
        made = cls.__new__(cls)
        made._core = core
        made._incidences = {}
        return made

    @classmethod
    def from_incidences(cls, *, edge: Ids, node: Ids, role: Optional[Ids] = None,
                        nodes: Union[int, Iterable[Name], None] = None,
                        hyperedges: Union[int, Iterable[Name], None] = None, weights: Optional[Ids] = None,
                        incidence_weights: Optional[Ids] = None, on_conflict: str = "error", _edge_is_position: bool = False) -> "Hypergraph":
        """From arrays with an entry for each incidence, in any order: numpy arrays, torch tensors or lists.

        ``edge`` and ``node`` are integers, which are numbers from 0, or words, which become names and are numbered as they
        first appear. ``role`` is ``"tail"`` or ``"head"``, or a boolean, ``True`` for a head; without it all are tails.
        ``nodes`` and ``hyperedges`` are their numbers, or all of their names, which then are what ``edge`` and ``node``
        refer to. ``weights`` has a number for each hyperedge, ``incidence_weights`` one for each incidence. ``on_conflict`` says what to do with a node that is listed
        twice in a hyperedge: ``"error"``, ``"keep-tail"`` or ``"keep-head"``.

        Arrays of int32 and int64 are not copied on their way into the library, nor are boolean roles.

        >>> Hypergraph.from_incidences(edge=[0, 0, 1], node=[2, 0, 1], role=["tail", "head", "tail"], nodes=4)
        Hypergraph(4 nodes, 2 hyperedges of which 1 directed, 3 incidences)
        """
        node_ids, n, node_names = ids.numbered(node, nodes, "node")
        if _edge_is_position and not isinstance(hyperedges, int):
            edge_names: Optional[List[Name]] = ids.names(hyperedges, "hyperedge")
            m = len(edge_names or [])
            edge_ids = ids.positions(edge, "hyperedge")
        else:
            edge_ids, m, edge_names = ids.numbered(edge, hyperedges, "hyperedge")
        heads = ids.roles(role, len(node_ids))
        return cls._of(_core.Hypergraph(n, m, edge_ids, node_ids, heads, str(on_conflict), ids.weights(weights),
                                        ids.weights(incidence_weights), node_names, edge_names))

    @classmethod
    def from_dict(cls, hyperedges: Mapping[Name, Any], **options: Any) -> "Hypergraph":
        """From a dictionary: the name of each hyperedge, and its entry as in the list that ``Hypergraph`` takes.

        >>> Hypergraph.from_dict({"mail 1": (["ann"], ["bob", "cy"])}).hyperedge_names
        ['mail 1']
        """
        return cls(list(hyperedges.values()), names=list(hyperedges), **options)

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"], **reading: Any) -> "Hypergraph":
        """Reads a file or folder in any format that the program reads: HIF, hyperedge lists, arcs, reactions, ...

        ``reading`` are the program's reading flags with underscores, for instance ``rows="arcs"``.
        """
        core, remarks = _core.load_hypergraph(os.fspath(path), ids.assignments(reading))
        for remark in remarks:
            warnings.warn(remark, stacklevel=2)
        return cls._of(core)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes it in the format that the name asks for: ``.json`` is HIF, ``.csv`` and ``.tsv`` a hyperedge list; ``.gz``
        and ``.zst`` behind that compress."""
        for remark in _core.save_hypergraph(self._core, os.fspath(path)):
            warnings.warn(remark, stacklevel=2)

    # What it is made of.

    @property
    def n_nodes(self) -> int:
        return self._core.n_nodes

    @property
    def n_hyperedges(self) -> int:
        return self._core.n_hyperedges

    @property
    def n_incidences(self) -> int:
        return self._core.n_incidences

    @property
    def directed(self) -> bool:
        """Whether some hyperedge has both tails and heads."""
        return self._core.directed

    @property
    def node_names(self) -> List[Name]:
        return self._core.node_names()

    @property
    def hyperedge_names(self) -> List[Name]:
        return self._core.edge_names()

    @property
    def weights(self) -> Optional[np.ndarray]:
        """The weight of each hyperedge; None where all are 1."""
        weights = self._core.edge_weights
        return weights if len(weights) else None

    @property
    def incidence_weights(self) -> Optional[np.ndarray]:
        """The weight of each incidence, in the order of :attr:`by_hyperedge`; None where all are 1."""
        weights = self._core.incidence_weights
        return weights if len(weights) else None

    def tails(self, hyperedge: int) -> np.ndarray:
        return self._core.tail(hyperedge)

    def heads(self, hyperedge: int) -> np.ndarray:
        return self._core.head(hyperedge)

    def hyperedges_of(self, node: int) -> np.ndarray:
        """Those where the node is a tail first, each part ascending."""
        return self._core.edges_of(node)

    @property
    def by_hyperedge(self) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """``(ptr, heads_begin, nodes)``: the members of hyperedge e are ``nodes[ptr[e]:ptr[e + 1]]``, tails first; heads
        begin at ``heads_begin[e]``. Views of the hypergraph's own memory, which cannot be written."""
        return self._core.edge_ptr, self._core.head_begin, self._core.member_nodes

    @property
    def by_node(self) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """``(ptr, heads_begin, hyperedges, incidences)``: the hyperedges of node v are ``hyperedges[ptr[v]:ptr[v + 1]]``,
        those where it is a tail first; ``incidences`` are their places in :attr:`by_hyperedge`. Views, as there."""
        core = self._core
        return core.node_ptr, core.node_head_begin, core.node_edges, core.node_incidences

    def incidences(self) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """``(edge, node, is_head)``, one entry for each incidence, by hyperedge; ``from_incidences`` takes them back."""
        ptr, heads_begin, nodes = self.by_hyperedge
        edge = np.repeat(np.arange(self.n_hyperedges, dtype=np.int32), np.diff(ptr))
        return edge, nodes, np.arange(len(nodes)) >= heads_begin[edge]

    def to_list(self) -> List[Tuple[List[Name], List[Name]]]:
        """``(tails, heads)`` of each hyperedge, by name."""
        names = self.node_names
        return [([names[v] for v in self.tails(e)], [names[v] for v in self.heads(e)]) for e in range(self.n_hyperedges)]

    def to_dict(self) -> Dict[Name, Tuple[List[Name], List[Name]]]:
        return dict(zip(self.hyperedge_names, self.to_list()))

    def statistics(self) -> Dict[str, Any]:
        return self._core.statistics()

    def components(self) -> np.ndarray:
        """The connected component of each node."""
        return np.asarray(self._core.components())

    # Others made of it.

    def reversed(self) -> "Hypergraph":
        """Tails become heads and heads tails; undirected hyperedges stay as they are."""
        return Hypergraph._of(self._core.reversed())

    def without_direction(self) -> "Hypergraph":
        return Hypergraph._of(self._core.without_direction())

    def with_self_loops(self) -> "Hypergraph":
        """A hyperedge of its own for each node that has none."""
        return Hypergraph._of(self._core.with_self_loops())

    def incidence(self, device: Any = "cpu") -> Any:
        """A ``torch.classes.dshn.Incidence`` for the functions of :mod:`dshn.ops`; made once for each device."""
        key = str(device)
        if key not in self._incidences:
            import torch
            ptr, heads_begin, nodes = (torch.from_numpy(np.array(part)) for part in self.by_hyperedge)
            made = torch.classes.dshn.Incidence(ptr, heads_begin, nodes, self.n_nodes)
            self._incidences[key] = made if key == "cpu" else made.to(torch.device(device))
        return self._incidences[key]

    # To and from other libraries: dshn.convert says what each takes.

    @classmethod
    def from_pandas(cls, frame: Any, *args: Any, **options: Any) -> "Hypergraph":
        """See :func:`dshn.convert.from_pandas`."""
        from . import convert
        return convert.from_pandas(frame, *args, **options)

    def to_pandas(self, **options: Any) -> Any:
        """See :func:`dshn.convert.to_pandas`."""
        from . import convert
        return convert.to_pandas(self, **options)

    @classmethod
    def from_scipy(cls, tails: Any, *args: Any, **options: Any) -> "Hypergraph":
        """See :func:`dshn.convert.from_scipy`."""
        from . import convert
        return convert.from_scipy(tails, *args, **options)

    def to_scipy(self, **options: Any) -> Any:
        """See :func:`dshn.convert.to_scipy`."""
        from . import convert
        return convert.to_scipy(self, **options)

    @classmethod
    def from_networkx(cls, graph: Any, *args: Any, **options: Any) -> "Hypergraph":
        """See :func:`dshn.convert.from_networkx`."""
        from . import convert
        return convert.from_networkx(graph, *args, **options)

    def to_networkx(self, **options: Any) -> Any:
        """See :func:`dshn.convert.to_networkx`."""
        from . import convert
        return convert.to_networkx(self, **options)

    @classmethod
    def from_xgi(cls, given: Any, *args: Any, **options: Any) -> "Hypergraph":
        """See :func:`dshn.convert.from_xgi`."""
        from . import convert
        return convert.from_xgi(given, *args, **options)

    def to_xgi(self, **options: Any) -> Any:
        """See :func:`dshn.convert.to_xgi`."""
        from . import convert
        return convert.to_xgi(self, **options)

    @classmethod
    def from_hypernetx(cls, given: Any, *args: Any, **options: Any) -> "Hypergraph":
        """See :func:`dshn.convert.from_hypernetx`."""
        from . import convert
        return convert.from_hypernetx(given, *args, **options)

    def to_hypernetx(self, **options: Any) -> Any:
        """See :func:`dshn.convert.to_hypernetx`."""
        from . import convert
        return convert.to_hypernetx(self, **options)

    @classmethod
    def from_pyg(cls, given: Any, *args: Any, **options: Any) -> "Hypergraph":
        """See :func:`dshn.convert.from_pyg`."""
        from . import convert
        return convert.from_pyg(given, *args, **options)

    def to_pyg(self, **options: Any) -> Any:
        """See :func:`dshn.convert.to_pyg`."""
        from . import convert
        return convert.to_pyg(self, **options)

    def __eq__(self, other: object) -> bool:
        """The same structure, roles, weights and names."""
        return isinstance(other, Hypergraph) and bool(self._core == other._core)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        edge, node, is_head = self.incidences()
        return _again, (edge, np.array(node), is_head, self.n_nodes, self.n_hyperedges, self.weights, self.incidence_weights,
                        None if self._core.node_names_implicit else self.node_names,
                        None if self._core.edge_names_implicit else self.hyperedge_names)

    def __repr__(self) -> str:
        figures = self.statistics()
        return (f"Hypergraph({self.n_nodes} nodes, {self.n_hyperedges} hyperedges of which "
                f"{figures['n_directed_hyperedges']} directed, {self.n_incidences} incidences)")

    def _repr_html_(self) -> str:
        return display.html(self)


def _again(edge: Any, node: Any, is_head: Any, n: int, m: int, weights: Any, incidence_weights: Any, node_names: Any,
           edge_names: Any) -> Hypergraph:
    """What pickle calls."""
    return Hypergraph._of(_core.Hypergraph(n, m, edge, node, is_head.view(np.uint8), "error", ids.weights(weights),
                                           ids.weights(incidence_weights), node_names, edge_names))


def _sides(entry: Any, position: int) -> Tuple[List[Any], List[Any]]:
    """Tails and heads of an entry of a list of hyperedges."""
    from .errors import InvalidInput

    def members(side: Any) -> List[Any]:
        if isinstance(side, (str, bytes)) or not hasattr(side, "__iter__"):
            raise InvalidInput(f"hyperedge {position}: {side!r} is not a collection of nodes")
        return ids.plain(side)

    if isinstance(entry, tuple) and len(entry) == 2 and all(
            hasattr(side, "__iter__") and not isinstance(side, (str, bytes)) for side in entry):
        return members(entry[0]), members(entry[1])
    return members(entry), []
