"""Networks and layers.

Every model of the library that is trained is a class here: DSHN, DSHNLight, and thirteen others, with the options that
`dshn train --help-model` lists.

>>> import torch, dshn
>>> h = dshn.Hypergraph([(["ann"], ["bob", "cy"]), ["cy", "dee"]])
>>> network = DSHN(features=3, classes=2, hypergraph=h, d=2, layers=1, hidden_width=4)
>>> network(torch.randn(4, 3)).shape
torch.Size([4, 2])
"""
from typing import Type

from .layers import (ComplexLayerNorm, ComplexLinear, ComplexReLU, HyperedgesPool, MapPredictor, MembersPool, SheafConv,
                     Unwind, Wind, map_length)
from .network import CLASSES, Network, load

globals().update({made.__name__: made for made in CLASSES.values()})


def __getattr__(name: str) -> Type[Network]:
    """Tells those who check types that the networks are here."""
    raise AttributeError(f"dshn.nn has no {name}; its networks are {', '.join(made.__name__ for made in CLASSES.values())}")


__all__ = ["CLASSES", "ComplexLayerNorm", "ComplexLinear", "ComplexReLU", "HyperedgesPool", "MapPredictor", "MembersPool",
           "Network", "SheafConv", "Unwind", "Wind", "load", "map_length", *(made.__name__ for made in CLASSES.values())]
