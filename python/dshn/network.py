"""The library's networks as torch.nn.Modules."""
from __future__ import annotations

import inspect
import json
import numbers
import os
from typing import Any, Dict, Optional, Tuple, Type, Union

import torch

from . import _core, ids
from .compiling import untraced
from .errors import InvalidInput, UsageError
from .hypergraph import Hypergraph

_METADATA = "dshn"


class _Part(torch.nn.Module):
    """A module of the network's tree: its parameters and buffers are the tensors of the C++ module."""

    def _apply(self, fn: Any, *args: Any, **options: Any) -> Any:
        # torch puts moved buffers in place of the old ones. The C++ module has those, so they get the new content.
        before = dict(self._buffers)
        super()._apply(fn, *args, **options)
        for name, buffer in before.items():
            if buffer is not None:
                buffer.data = self._buffers[name].data  # type: ignore[union-attr]
                self._buffers[name] = buffer
        return self


class Network(_Part):
    """A classifier of the nodes, or of the hyperedges, of a hypergraph.

    Its parameters live in C++; optimisers, ``to``, ``state_dict`` and autograd see them as those of any other module.
    Call it with the features of the nodes, [nodes, features]: the result are logits, [items, classes]. ``torch.compile`` runs
    it as it is, and compiles what is around it.
    """

    #: The name by which the program knows the model.
    model_name = ""

    def __init__(self, features: int, classes: int, hypergraph: Hypergraph, *, target: str = "nodes",
                 edge_features: int = 0, **options: Any):
        super().__init__()
        if not isinstance(hypergraph, Hypergraph):
            raise UsageError(f"hypergraph={hypergraph!r}: expected a dshn.Hypergraph")
        if target not in ("nodes", "hyperedges"):
            raise UsageError(f"target={target!r}: expected 'nodes' or 'hyperedges'")
        self.features, self.classes = _count("features", features, 1), _count("classes", classes, 1)
        self.edge_features = _count("edge_features", edge_features, 0)
        self.target, self.hypergraph = target, hypergraph
        self.options = ids.assignments(options)
        sizes = _core.Sizes(hypergraph.n_nodes, hypergraph.n_hyperedges, self.features, self.edge_features, self.classes,
                            target == "nodes")
        self._model = _core.create_model(self.model_name, self.options, sizes)
        for name, tensor in self._model.parameters():
            part, last = self._part_of(name)
            part._parameters[last] = tensor  # type: ignore[assignment]
        for name, tensor in self._model.buffers():
            part, last = self._part_of(name)
            part.register_buffer(last, tensor)
        # Masks are drawn by the library, from a seed of torch's own generator.
        self._mask_seed = int(torch.randint(2**62, (1,)))
        self._step = 0
        self._masks: Tuple[Any, Any] = (None, None)
        self._base: Tuple[Any, Any] = (None, None)
        self._prepared: Tuple[Any, Any] = (None, None)

    def _part_of(self, name: str) -> Tuple[torch.nn.Module, str]:
        """The module that a dotted name leads to, made where it is not there yet."""
        *path, last = name.split(".")
        part: torch.nn.Module = self
        for step in path:
            if step not in part._modules:
                part.add_module(step, _Part())
            part = part._modules[step]  # type: ignore[assignment]
        return part, last

    def train(self, mode: bool = True) -> "Network":
        super().train(mode)
        if hasattr(self, "_model"):
            self._model.train(mode)
        return self

    @untraced
    def forward(self, x: torch.Tensor, edge_x: Optional[torch.Tensor] = None,
                hypergraph: Optional[Hypergraph] = None) -> torch.Tensor:
        """Logits of all nodes, or of all hyperedges. ``hypergraph`` stands for the one that the network was made with."""
        prepared = self._input(x, edge_x, hypergraph or self.hypergraph)
        if self.training:
            self._step += 1
        return self._model.forward(prepared, self.training, self._mask_stream(x.device))

    @untraced
    def represent(self, x: torch.Tensor, edge_x: Optional[torch.Tensor] = None,
                  hypergraph: Optional[Hypergraph] = None) -> torch.Tensor:
        """What the last linear layer is given, [items, width], outside of training."""
        rows = self._model.represent(self._input(x, edge_x, hypergraph or self.hypergraph))
        if rows is None:
            raise UsageError(f"{type(self).__name__} does not end in a linear layer")
        return rows

    @untraced
    def sheaves(self, x: torch.Tensor, edge_x: Optional[torch.Tensor] = None) -> Any:
        """The learned sheaf of each layer as a :class:`dshn.Laplacian`; an empty list for networks without one."""
        from .laplacian import Laplacian
        found = self._model.sheaves(self._input(x, edge_x, self.hypergraph))
        return [Laplacian(self.hypergraph, charge, maps, d=d, add_identity=add) for maps, charge, d, add in found]

    def parameter_groups(self, weight_decay: float) -> Any:
        """For an optimiser: weight decay for those parameters that the model means to be decayed."""
        decays: Dict[bool, Any] = {True: [], False: []}
        for name, parameter in self.named_parameters():
            decays[self._model.decays(name)].append(parameter)
        return [{"params": decays[True], "weight_decay": weight_decay}, {"params": decays[False], "weight_decay": 0.0}]

    def _mask_stream(self, device: torch.device) -> Any:
        if self._masks[0] != device:
            self._masks = (device, _core.MaskStream(self._mask_seed, device))
        self._masks[1].start(self._step)
        return self._masks[1]

    def _check(self, x: Any, columns: int, rows: int, what: str) -> None:
        if not isinstance(x, torch.Tensor):
            raise UsageError(f"{what}: expected a torch.Tensor, not {type(x).__name__}")
        if x.dim() != 2 or tuple(x.shape) != (rows, columns):
            raise UsageError(f"{what} has shape {tuple(x.shape)}; expected ({rows}, {columns})")
        own = next(iter(self.parameters()))
        if x.dtype != own.dtype or x.device != own.device:
            raise UsageError(f"{what} is {x.dtype} on {x.device}, the network {own.dtype} on {own.device}")

    def _input(self, x: torch.Tensor, edge_x: Optional[torch.Tensor], hypergraph: Hypergraph) -> Any:
        """What the library makes of these features before the first layer; kept while they stay the same."""
        self._check(x, self.features, hypergraph.n_nodes, "x")
        if edge_x is not None:
            self._check(edge_x, self.edge_features, hypergraph.n_hyperedges, "edge_x")
        elif self.edge_features:
            raise UsageError(f"edge_x is missing: the network was made for {self.edge_features} features of hyperedges")
        given = [t for t in (x, edge_x) if t is not None]
        same = (hypergraph, *given)
        versions = tuple(t._version for t in given)
        if self._prepared[0] is not None:
            kept, kept_versions = self._prepared[0]
            if versions == kept_versions and len(kept) == len(same) and all(a is b for a, b in zip(kept, same)):
                return self._prepared[1]
        key = (x.device, x.dtype)
        if self._base[0] is None or self._base[0][0] is not hypergraph or self._base[0][1] != key:
            self._base = ((hypergraph, key), _core.Input(hypergraph._core, x.detach(), x.device))
        prepared = self._model.prepare(self._base[1].with_features(x, edge_x))
        if not any(t.requires_grad for t in given):
            self._prepared = ((same, versions), prepared)
        return prepared

    def _apply(self, fn: Any, *args: Any, **options: Any) -> Any:
        self._prepared = self._base = (None, None)
        return super()._apply(fn, *args, **options)

    # Stored and read without code in the file.

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes weights and options to a ``.safetensors`` file; :func:`dshn.nn.load` reads it."""
        about = {"model": self.model_name, "features": self.features, "classes": self.classes, "target": self.target,
                 "edge_features": self.edge_features, "options": self.options}
        tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in self.state_dict().items()}
        _core.write_safetensors(os.fspath(path), tensors, {_METADATA: json.dumps(about)})

    def __reduce__(self) -> Any:
        raise UsageError(f"{type(self).__name__} cannot be pickled; use save(path) and dshn.nn.load(path, hypergraph)")

    def __deepcopy__(self, memo: Any) -> "Network":
        own = next(iter(self.parameters()))
        copy = type(self)(self.features, self.classes, self.hypergraph, target=self.target,
                          edge_features=self.edge_features, **self.options).to(own)
        copy.load_state_dict(self.state_dict())
        copy.train(self.training)
        memo[id(self)] = copy
        return copy

    def extra_repr(self) -> str:
        given = "".join(f", {name}={value}" for name, value in self.options.items())
        return f"features={self.features}, classes={self.classes}, hypergraph={self.hypergraph!r}{given}"


def _count(name: str, value: Any, least: int) -> int:
    """A whole number, numpy's too."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < least:
        raise UsageError(f"{name}={value!r}: expected their number, at least {least}")
    return int(value)


def _class_name(title: str, name: str) -> str:
    """HGNN, DSHN, AllSetTransformer, ...: the paper's name without its hyphens; of a variant, `DHGNN (w/ emb.)`, with the last
    part of its own name."""
    plain, _, variant = title.partition(" (")
    return plain.replace("-", "") + (name.rsplit("-", 1)[-1].capitalize() if variant else "")


def _value(text: str) -> Any:
    """A default as Python has it."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _make(entry: Dict[str, Any]) -> Type[Network]:
    """A class for a model of the registry."""
    name = _class_name(entry["title"], entry["name"])
    lines = [f"    {option['name']}: {option['help']}; {option['expected']}" for option in entry["options"]]
    made = type(name, (Network,), {
        "__doc__": f"{entry['title']}: {entry['summary']}\n\nOptions:\n" + "\n".join(lines),
        "__module__": "dshn.nn", "model_name": entry["name"]})
    own = [p for p in inspect.signature(Network.__init__).parameters.values() if p.name not in ("self", "options")]
    options = [inspect.Parameter(option["name"], inspect.Parameter.KEYWORD_ONLY, default=_value(option["default"]))
               for option in entry["options"]]
    made.__signature__ = inspect.Signature(own + options)  # type: ignore[attr-defined]
    return made


#: By the names that the program knows: all models that are trained.
CLASSES: Dict[str, Type[Network]] = {entry["name"]: _make(entry) for entry in _core.models() if not entry["is_rule"]}


def load(path: Union[str, "os.PathLike[str]"], hypergraph: Hypergraph) -> Network:
    """A network that :meth:`Network.save` has written, for this hypergraph."""
    tensors, metadata = _core.read_safetensors(os.fspath(path))
    if _METADATA not in metadata:
        raise InvalidInput(f"{os.fspath(path)}: holds no network of dshn.nn; expected a file that save() wrote")
    about = json.loads(metadata[_METADATA])
    options = about.pop("options")
    made = CLASSES[about.pop("model")](hypergraph=hypergraph, **about, **options)
    first = next(iter(tensors.values()))
    made.to(first.dtype)
    made.load_state_dict(tensors)
    return made.eval()
