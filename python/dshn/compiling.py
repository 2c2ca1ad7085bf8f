"""What torch.compile does with the library's operators: it runs them as they are, between the parts that it compiles."""
from __future__ import annotations

import inspect
from typing import Any, Callable, TypeVar

import torch

Function = TypeVar("Function", bound=Callable[..., Any])

_REASON = "dshn's operators are compiled already; call torch.compile without fullgraph=True"


def untraced(function: Function) -> Function:
    """The function as it is for torch.compile, which looks into none of it. Where a whole graph is asked for
    (``fullgraph=True``) torch refuses it. The torch of version 1 has no torch.compile."""
    disable = getattr(getattr(torch, "compiler", None), "disable", None)
    if disable is None:
        return function
    reason = {"reason": _REASON} if "reason" in inspect.signature(disable).parameters else {}
    return disable(function, **reason)
