"""Learning on directed, undirected and mixed hypergraphs with sheaf Laplacians.

>>> import dshn
>>> h = dshn.Hypergraph([(["ann"], ["bob", "cy"]), ["cy", "dee"]])
>>> h.n_nodes, h.directed
(4, True)
"""
import torch  # noqa: F401  the libraries that the module needs are loaded with it

from . import _core, errors
from .errors import Error, Failure, Interrupted, InvalidInput, UsageError
from .hypergraph import Hypergraph
from . import convert, data, datasets, nn, ops
from .laplacian import Laplacian
from .run import Run
from .training import train, tune

__version__ = _core.version
__all__ = ["Error", "Failure", "Hypergraph", "Interrupted", "InvalidInput", "Laplacian", "Run", "UsageError", "convert",
           "data", "datasets", "errors", "nn", "ops", "train", "tune"]
