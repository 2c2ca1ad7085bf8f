"""Whatever people have, numbers or words, to the numbers that the library takes."""
from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

import numpy as np

from .errors import InvalidInput, UsageError

_LARGEST = 2**31 - 1


def array(values: Any) -> np.ndarray:
    """Of a torch tensor, a pandas column, a list, ... ; a tensor on the CPU is not copied."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().numpy()
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
            raise UsageError(f"{values!r} is not an array; expected one value for each incidence")
        values = list(values)
    try:
        made = np.asarray(values)
    except (ValueError, TypeError, OverflowError) as problem:
        raise InvalidInput(f"not an array of ids: {problem}") from None
    if made.ndim != 1 and made.size:
        raise InvalidInput(f"an array of ids has shape {made.shape}; expected one dimension")
    if isinstance(values, (list, tuple)) and made.dtype.kind in "US" and not all(isinstance(v, (str, bytes)) for v in values):
        made = np.empty(len(values), object)  # a mixture: numpy would have made words of the numbers
        made[:] = values
    return (made.astype(object) if made.dtype.kind == "T" else made).reshape(-1)  # numpy 2 has words of any length


def plain(values: Iterable[Any]) -> List[Any]:
    """Python's own numbers and words."""
    if isinstance(values, np.ndarray) or hasattr(values, "detach"):
        return array(values).tolist()
    return [v.item() if isinstance(v, np.generic) else v for v in values]


def _name(value: Any, what: str) -> Union[int, str]:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise InvalidInput(f"{value!r} cannot name a {what}; expected an integer or a word")
    return value


def names(given: Any, what: str) -> List[Union[int, str]]:
    """All names of the nodes, or of the hyperedges; each once."""
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise UsageError(f"{given!r}: expected the number of {what}s or all of their names")
    listed = [_name(value, what) for value in plain(given)]
    if len(set(listed)) != len(listed):
        seen: set = set()
        twice = next(name for name in listed if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise InvalidInput(f"two {what}s have the name {twice!r}")
    return listed


def positions(given: Any, what: str) -> np.ndarray:
    """Integers as the library takes them. Those beyond what it can count are refused here, the others there."""
    made = array(given)
    if made.size == 0:
        return np.zeros(0, np.int32)
    if made.dtype.kind not in "iu":
        raise InvalidInput(f"{what}s are given as {made.dtype}; expected integers or words")
    if made.dtype != np.int32:
        least, greatest = int(made.min()), int(made.max())
        if least < 0 or greatest >= _LARGEST:
            raise InvalidInput(f"{what} {least if least < 0 else greatest}: ids are integers from 0 to {_LARGEST - 1}")
    return np.ascontiguousarray(made, dtype=np.int32)


def _count(given: Any, what: str) -> int:
    if isinstance(given, bool) or not 0 <= int(given) < _LARGEST:
        raise UsageError(f"{what}s={given}: expected 0 to {_LARGEST - 1}")
    return int(given)


def numbered(given: Any, all_of_them: Any, what: str) -> Tuple[np.ndarray, int, Optional[List[Union[int, str]]]]:
    """Numbers of the items of each incidence, how many items there are, and their names."""
    values = array(given)
    if all_of_them is not None and not isinstance(all_of_them, (int, np.integer)):
        listed = names(all_of_them, what)
        return _looked_up(values, listed, what), len(listed), listed
    if values.size == 0 or values.dtype.kind in "iu":
        made = positions(values, what)
        count = int(made.max()) + 1 if all_of_them is None and made.size else _count(all_of_them or 0, what)
        return made, count, None
    if values.dtype.kind not in "USO":
        raise InvalidInput(f"{what}s are given as {values.dtype}; expected integers or words")
    found: Dict[Any, int] = {}
    made = np.fromiter((found.setdefault(_name(value, what), len(found)) for value in values), np.int32, len(values))
    if all_of_them is not None and len(found) != _count(all_of_them, what):
        raise InvalidInput(f"{len(found)} {what}s are named, but {what}s={all_of_them}; give all of their names instead")
    return made, len(found), list(found)


def _looked_up(values: np.ndarray, listed: List[Union[int, str]], what: str) -> np.ndarray:
    place = {name: position for position, name in enumerate(listed)}
    made = np.empty(len(values), np.int32)
    for i, value in enumerate(values):
        found = place.get(_name(value, what))
        if found is None:
            raise InvalidInput(f"there is no {what} {_name(value, what)!r} among the {len(listed)} names")
        made[i] = found
    return made


def roles(given: Any, count: int) -> np.ndarray:
    """0 for a tail, 1 for a head."""
    if given is None:
        return np.zeros(count, np.uint8)
    if isinstance(given, str):
        given = [given] * count
    values = array(given)
    if values.dtype.kind == "b":
        return np.ascontiguousarray(values).view(np.uint8)
    if values.size == 0:
        return np.zeros(0, np.uint8)
    heads, tails = np.asarray(values == "head"), np.asarray(values == "tail")
    if values.dtype.kind in "UO" and bool(np.all(heads | tails)):
        return heads.astype(np.uint8)
    wrong = next((v for v in values.tolist() if v not in ("head", "tail")), values[0])
    raise InvalidInput(f"role {wrong!r}: expected 'tail' or 'head', or a boolean that is True for a head")


def weights(given: Any) -> List[float]:
    if given is None:
        return []
    try:
        return array(given).astype(np.float64).tolist()
    except (TypeError, ValueError) as problem:
        raise InvalidInput(f"weights: {problem}") from None


def assignments(options: Optional[Mapping[str, Any]]) -> Dict[str, str]:
    """Values of options as the program's command line has them."""
    def text(value: Any) -> str:
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (list, tuple)):
            return ",".join(text(v) for v in value)
        if not isinstance(value, (int, float, str)) and not hasattr(value, "__fspath__"):
            raise UsageError(f"{value!r} cannot be the value of an option; expected a number, a word or a boolean")
        return str(value)

    if options is not None and not isinstance(options, Mapping):
        raise UsageError(f"options={options!r}: expected a dictionary")
    return {str(name): text(value) for name, value in (options or {}).items() if value is not None}
