"""A hypergraph as a small picture in a notebook."""
from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from .hypergraph import Hypergraph

_ROWS = 12
_MEMBERS = 24


def html(hypergraph: "Hypergraph") -> str:
    """Its sizes, and a row for each of the first hyperedges: tails on the left, heads on the right."""
    rows = [_row(hypergraph, e) for e in range(min(_ROWS, hypergraph.n_hyperedges))]
    more = hypergraph.n_hyperedges - len(rows)
    if more > 0:
        rows.append(f'<tr><td colspan="2">and {more} more</td></tr>')
    return (f"<div><strong>{escape(repr(hypergraph))}</strong><table>"
            f"<thead><tr><th>hyperedge</th><th>members</th></tr></thead><tbody>{''.join(rows)}</tbody></table></div>")


def _row(hypergraph: "Hypergraph", e: int) -> str:
    name = hypergraph._core.node_name
    tails, heads = hypergraph.tails(e), hypergraph.heads(e)
    picture = _picture([name(v) for v in tails], [name(v) for v in heads])
    return f"<tr><td>{escape(str(hypergraph._core.edge_name(e)))}</td><td>{picture}</td></tr>"


def _dots(members: List[Any], x: int, colour: str) -> str:
    return "".join(f'<circle cx="{x + 14 * i}" cy="9" r="5" fill="{colour}"><title>{escape(str(name))}</title></circle>'
                   for i, name in enumerate(members[:_MEMBERS]))


def _picture(tails: List[Any], heads: List[Any]) -> str:
    directed = bool(tails) and bool(heads)
    left, right = (tails, heads) if directed else (tails or heads, [])
    middle = 12 + 14 * min(len(left), _MEMBERS)
    arrow = (f'<path d="M{middle} 9h16m-5 -4l5 4l-5 4" fill="none" stroke="currentColor"/>' if directed else "")
    width = middle + 24 + 14 * min(len(right), _MEMBERS)
    words = " ".join(map(str, left)) + (" to " + " ".join(map(str, right)) if directed else "")
    return (f'<svg width="{width}" height="18" role="img" aria-label="{escape(words)}">'
            f'{_dots(left, 8, "#2a78b5" if directed else "#888")}{arrow}{_dots(right, middle + 28, "#d1742f")}</svg>')
