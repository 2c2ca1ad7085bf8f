"""Hypergraphs of other libraries, by their own interfaces: none of them is needed unless it is used."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

import numpy as np

from . import _core, ids
from .errors import InvalidInput, UsageError
from .hypergraph import Hypergraph, Name

if TYPE_CHECKING:
    import pandas


def from_pandas(frame: "pandas.DataFrame", edge: str = "hyperedge", node: str = "node", role: Optional[str] = None,
                **options: Any) -> Hypergraph:
    """From a frame with a row for each incidence. ``role`` names the column of roles (``"role"`` where there is one);
    other ``options`` are those of :meth:`Hypergraph.from_incidences`.

    >>> import pandas
    >>> frame = pandas.DataFrame({"hyperedge": ["m1", "m1"], "node": ["ann", "bob"], "role": ["tail", "head"]})
    >>> from_pandas(frame).to_list()
    [(['ann'], ['bob'])]
    """
    for column in (edge, node, *([role] if role else [])):
        if column not in frame.columns:
            raise UsageError(f"the frame has no column {column!r}; its columns are {', '.join(map(str, frame.columns))}")
    if role is None and "role" in frame.columns:
        role = "role"
    if frame[[edge, node]].isna().any(axis=None):
        raise InvalidInput(f"the frame has a row without {edge} or {node}")
    return Hypergraph.from_incidences(edge=frame[edge].to_numpy(), node=frame[node].to_numpy(),
                                      role=frame[role].to_numpy() if role else None, **options)


def to_pandas(hypergraph: Hypergraph) -> "pandas.DataFrame":
    """A frame with the columns hyperedge, node and role, by name."""
    import pandas
    edge, node, is_head = hypergraph.incidences()
    return pandas.DataFrame({"hyperedge": _picked(hypergraph.hyperedge_names, edge),
                             "node": _picked(hypergraph.node_names, node),
                             "role": np.where(is_head, "head", "tail")})


def _picked(names: List[Name], positions: np.ndarray) -> List[Name]:
    return [names[i] for i in positions]


def from_scipy(tails: Any, heads: Any = None, **options: Any) -> Hypergraph:
    """From incidence matrices [nodes, hyperedges]: one of the tails and one of the heads; or one alone, whose negative
    entries are tails and whose positive ones are heads where it has both, and whose entries are members where not.
    Entries that are stored but 0 do not count. Sizes of entries are not looked at.

    ``nodes`` and ``hyperedges`` may be names. Dense arrays will do as well.
    """
    import scipy.sparse
    parts: List[Tuple[Any, bool]] = []
    first = scipy.sparse.coo_matrix(tails)
    if heads is not None:
        second = scipy.sparse.coo_matrix(heads)
        if second.shape != first.shape:
            raise InvalidInput(f"the matrix of tails is {first.shape}, that of heads {second.shape}; expected the same")
        parts = [(first, False), (second, True)]
        edge = np.concatenate([part.col[part.data != 0] for part, _ in parts])
        node = np.concatenate([part.row[part.data != 0] for part, _ in parts])
        role = np.concatenate([np.full(np.count_nonzero(part.data), is_head) for part, is_head in parts])
    else:
        kept = first.data != 0
        signed = bool((first.data < 0).any()) and bool((first.data > 0).any())
        edge, node, role = first.col[kept], first.row[kept], (first.data[kept] > 0) & signed
    n, m = first.shape
    node_names, edge_names = options.pop("nodes", None), options.pop("hyperedges", None)
    made = Hypergraph.from_incidences(edge=edge, node=node, role=role, nodes=n, hyperedges=m, **options)
    return made if node_names is None and edge_names is None else _named(made, node_names, edge_names)


def to_scipy(hypergraph: Hypergraph) -> Tuple[Any, Any]:
    """The incidence matrices of the tails and of the heads, [nodes, hyperedges] with entries 1, as
    ``scipy.sparse.csr_matrix``."""
    import scipy.sparse
    edge, node, is_head = hypergraph.incidences()
    shape = (hypergraph.n_nodes, hypergraph.n_hyperedges)

    def matrix(chosen: np.ndarray) -> Any:
        return scipy.sparse.csr_matrix((np.ones(int(chosen.sum())), (node[chosen], edge[chosen])), shape)

    return matrix(~is_head), matrix(is_head)


def _named(hypergraph: Hypergraph, node_names: Any, edge_names: Any) -> Hypergraph:
    """The same with other names."""
    edge, node, is_head = hypergraph.incidences()

    def checked(given: Any, count: int, what: str) -> Optional[List[Name]]:
        if given is None:
            return None
        listed = ids.names(given, what)
        if len(listed) != count:
            raise InvalidInput(f"{len(listed)} names of {what}s, but there are {count}")
        return listed

    return Hypergraph._of(_core.Hypergraph(
        hypergraph.n_nodes, hypergraph.n_hyperedges, edge, np.ascontiguousarray(node), is_head.view(np.uint8), "error",
        ids.weights(hypergraph.weights), ids.weights(hypergraph.incidence_weights), checked(node_names, hypergraph.n_nodes, "node"),
        checked(edge_names, hypergraph.n_hyperedges, "hyperedge")))


def from_networkx(graph: Any, kind: str = "arcs") -> Hypergraph:
    """From a networkx graph.

    ``kind="arcs"``: each arc is a hyperedge from one node to another, each edge of an undirected graph one without
    direction. ``"neighbourhoods"``: each node with outgoing arcs is the tail of one hyperedge whose heads it points at, as
    the paper has it. ``"star"``: nodes with the attribute ``bipartite=1`` are the hyperedges; arcs lead from tails to them
    and from them to heads, both ways for members without direction.
    """
    if kind == "star":
        return _from_star(graph)
    nodes = list(graph.nodes)
    place = {node: i for i, node in enumerate(nodes)}
    pairs = np.array([[place[u], place[v]] for u, v in graph.edges()], dtype=np.int32).reshape(-1, 2)
    names = [node if isinstance(node, (int, str)) and not isinstance(node, bool) else str(node) for node in nodes]
    ids.names(names, "node")
    if kind == "neighbourhoods":
        return Hypergraph._of(_core.from_directed_graph(len(nodes), np.ascontiguousarray(pairs[:, 0]),
                                                        np.ascontiguousarray(pairs[:, 1]), names))
    if kind != "arcs":
        raise UsageError(f"kind={kind!r}: expected 'arcs', 'neighbourhoods' or 'star'")
    loop = pairs[:, 0] == pairs[:, 1]
    edge = np.concatenate([np.arange(len(pairs)), np.arange(len(pairs))[~loop]])
    node = np.concatenate([pairs[:, 0], pairs[~loop, 1]])
    role = np.concatenate([np.zeros(len(pairs), bool), np.full(int((~loop).sum()), graph.is_directed())])
    made = Hypergraph.from_incidences(edge=edge, node=node, role=role, nodes=len(nodes), hyperedges=len(pairs))
    return _named(made, names, None)


def _from_star(graph: Any) -> Hypergraph:
    side = dict(graph.nodes(data="bipartite"))
    if any(value not in (0, 1) for value in side.values()):
        raise InvalidInput("kind='star': a node lacks the attribute bipartite; expected 0 for nodes and 1 for hyperedges")
    nodes = [v for v, value in side.items() if value == 0]
    edges = [e for e, value in side.items() if value == 1]
    rows: Dict[Tuple[Any, Any], str] = {}
    for u, v in graph.edges():
        if side[u] == side[v]:
            raise InvalidInput(f"kind='star': the arc from {u!r} to {v!r} does not join a node and a hyperedge")
        into, pair = (side[v] == 1), ((v, u) if side[v] == 1 else (u, v))
        both = pair in rows or not graph.is_directed() or into
        rows[pair] = "tail" if both else "head"
    name_of = {item: data.get("name", item) for item, data in graph.nodes(data=True)}
    return Hypergraph.from_incidences(
        edge=[name_of[e] for e, _ in rows] or np.zeros(0, np.int32), node=[name_of[v] for _, v in rows] or np.zeros(0, np.int32),
        role=list(rows.values()) or None, nodes=[name_of[v] for v in nodes], hyperedges=[name_of[e] for e in edges])


def to_networkx(hypergraph: Hypergraph, kind: str = "star") -> Any:
    """A ``networkx.DiGraph``; see :func:`from_networkx` for the kinds ``"star"`` and ``"arcs"``. The nodes of a star are
    pairs ``("node", i)`` and ``("hyperedge", e)``, with their names as the attribute ``name``."""
    import networkx
    graph = networkx.DiGraph()
    names, edge_names = hypergraph.node_names, hypergraph.hyperedge_names
    if kind == "star":
        graph.add_nodes_from((("node", i), {"bipartite": 0, "name": name}) for i, name in enumerate(names))
        graph.add_nodes_from((("hyperedge", e), {"bipartite": 1, "name": name}) for e, name in enumerate(edge_names))
    elif kind == "arcs":
        graph.add_nodes_from(names)
    else:
        raise UsageError(f"kind={kind!r}: expected 'star' or 'arcs'")
    for e in range(hypergraph.n_hyperedges):
        tails, heads = hypergraph.tails(e).tolist(), hypergraph.heads(e).tolist()
        if kind == "arcs":
            if len(tails) != 1 or len(heads) != 1:
                raise InvalidInput(f"hyperedge {edge_names[e]!r} has {len(tails)} tails and {len(heads)} heads and is no arc")
            graph.add_edge(names[tails[0]], names[heads[0]])
            continue
        directed = bool(tails) and bool(heads)
        graph.add_edges_from((("node", v), ("hyperedge", e)) for v in (tails if directed else tails + heads))
        graph.add_edges_from((("hyperedge", e), ("node", v)) for v in (heads if directed else tails + heads))
    return graph


def from_xgi(given: Any) -> Hypergraph:
    """From an ``xgi.DiHypergraph`` (``edges.tail(id)``, ``edges.head(id)``) or an ``xgi.Hypergraph``
    (``edges.members(id)``)."""
    directed = hasattr(given.edges, "tail") and hasattr(given.edges, "head")
    edges = list(given.edges)
    listed = [(_sorted(given.edges.tail(e)), _sorted(given.edges.head(e))) if directed else _sorted(given.edges.members(e))
              for e in edges]
    return Hypergraph(listed, nodes=list(given.nodes), names=edges)


def _sorted(members: Any) -> List[Any]:
    return sorted(members, key=lambda member: (isinstance(member, str), member))


def to_xgi(hypergraph: Hypergraph) -> Any:
    """An ``xgi.DiHypergraph``, or an ``xgi.Hypergraph`` where no hyperedge is directed. Members of undirected hyperedges
    beside directed ones are tails there."""
    import xgi
    made = xgi.DiHypergraph() if hypergraph.directed else xgi.Hypergraph()
    made.add_nodes_from(hypergraph.node_names)
    for name, (tails, heads) in zip(hypergraph.hyperedge_names, hypergraph.to_list()):
        if hypergraph.directed:
            both = bool(tails) and bool(heads)
            made.add_edge((tails if both else tails + heads, heads if both else []), idx=name)
        else:
            made.add_edge(tails + heads, idx=name)
    return made


def from_hypernetx(given: Any) -> Hypergraph:
    """From a ``hypernetx.Hypergraph`` (``incidence_dict``), which has no direction."""
    return Hypergraph.from_dict({edge: list(members) for edge, members in given.incidence_dict.items()},
                                nodes=list(given.nodes))


def to_hypernetx(hypergraph: Hypergraph) -> Any:
    """A ``hypernetx.Hypergraph``. It knows no direction, so a hypergraph with some is refused:
    ``hypergraph.without_direction()`` forgets it."""
    import hypernetx
    if hypergraph.directed:
        raise InvalidInput("HyperNetX knows no directed hyperedges; forget them with without_direction() first")
    return hypernetx.Hypergraph({name: tails + heads for name, (tails, heads) in hypergraph.to_dict().items()})


def from_pyg(given: Any) -> Hypergraph:
    """From an object as PyTorch Geometric has them: ``hyperedge_index``, or the ``edge_index`` of a ``HyperGraphData``, with
    the rows (node, hyperedge), and ``num_nodes``. A tensor ``role`` (True for a head) is heeded where there is one."""
    index = getattr(given, "hyperedge_index", None)
    index = given.edge_index if index is None else index
    rows = np.asarray(index.detach().cpu()) if hasattr(index, "detach") else np.asarray(index)
    if rows.ndim != 2 or rows.shape[0] != 2:
        raise InvalidInput(f"hyperedge_index has shape {rows.shape}; expected (2, incidences)")
    count = getattr(given, "num_hyperedges", None)
    return Hypergraph.from_incidences(edge=rows[1], node=rows[0], role=getattr(given, "role", None),
                                      nodes=getattr(given, "num_nodes", None), hyperedges=count)


def to_pyg(hypergraph: Hypergraph) -> Dict[str, Any]:
    """The attributes of such an object: ``HyperGraphData(**to_pyg(hypergraph))``."""
    import torch
    edge, node, is_head = hypergraph.incidences()
    return {"edge_index": torch.from_numpy(np.stack([node, edge]).astype(np.int64)),
            "num_nodes": hypergraph.n_nodes, "num_hyperedges": hypergraph.n_hyperedges, "role": torch.from_numpy(is_head)}
