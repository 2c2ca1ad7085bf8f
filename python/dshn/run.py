"""What a training came to, and what its models can be used for."""
from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Dict, List, NamedTuple, Optional, Union

import numpy as np

from . import _core, ids, program
from .data import Dataset
from .errors import InvalidInput, UsageError
from .network import CLASSES, Network

Path = Union[str, "os.PathLike[str]"]


class MeanStd(NamedTuple):
    """Over the splits."""

    mean: float
    std: float


class Predictions(NamedTuple):
    """What a model says of each item."""

    #: Names of the nodes or hyperedges.
    items: List[Union[int, str]]
    #: float64 [items, columns]: the probability of each class or label, or the numbers.
    values: np.ndarray
    #: Of classes and labels, or of the columns of numbers.
    class_names: List[str]
    #: As :attr:`dshn.data.Dataset.target`.
    target: str = "classes"

    @property
    def probabilities(self) -> np.ndarray:
        if self.target == "numbers":
            raise UsageError("numbers have no probabilities; what is predicted are the values")
        return self.values

    @property
    def classes(self) -> np.ndarray:
        """The number of the likeliest class of each item."""
        if self.target != "classes":
            raise UsageError(f"{self.target} are predicted, not one class of each item")
        return self.values.argmax(axis=1)

    @property
    def words(self) -> List[Any]:
        """The likeliest class of each item by name; of several labels the list of those that are likelier than not."""
        if self.target == "labels":
            return [[name for name, p in zip(self.class_names, row) if p >= 0.5] for row in self.values]
        return [self.class_names[c] for c in self.classes]

    def to_pandas(self) -> Any:
        """A frame with a row for each item: the predicted class or labels and the probability of each, or the numbers."""
        import pandas
        columns: Dict[str, Any] = {} if self.target == "numbers" else {"predicted": self.words}
        for c, name in enumerate(self.class_names):
            columns[name if self.target == "numbers" else f"p_{name}"] = self.values[:, c]
        return pandas.DataFrame(columns, index=pandas.Index(self.items, name="id"))


class Run:
    """Figures, predictions and models of a training. :func:`dshn.train` gives one; :meth:`open` reads one from its folder."""

    def __init__(self, document: Any, folder: Optional[pathlib.Path], settings: Any):
        #: As `dshn train --json` prints it.
        self.document = document
        #: The run folder; None where the run was kept in memory.
        self.folder = folder
        self._settings = settings
        self._memory: Any = None

    @classmethod
    def _of_training(cls, result: Any, experiment: Any, dataset: Dataset, folder: str) -> "Run":
        made = cls(result.document(experiment, folder), pathlib.Path(folder) if folder else None, experiment.settings)
        made._memory = (result, experiment, dataset)
        return made

    @classmethod
    def open(cls, folder: Path) -> "Run":
        """A finished run that `dshn train` or :func:`dshn.train` left in a folder."""
        settings = _core.read_run(os.fspath(folder))
        file = pathlib.Path(folder) / "result.json"
        if not file.is_file():
            raise InvalidInput(f"{os.fspath(folder)}: the run is not finished; go on with dshn.train(..., resume=True)")
        return cls(json.loads(file.read_text(encoding="utf-8")), pathlib.Path(folder), settings)

    @property
    def test(self) -> MeanStd:
        return MeanStd(**self.document["test"])

    @property
    def val(self) -> MeanStd:
        return MeanStd(**self.document["val"])

    @property
    def splits(self) -> List[Any]:
        """The figures of each split, as dictionaries: test, val, train, best_epoch, epochs, test_figures, ..."""
        return self.document["splits"]

    @property
    def metric(self) -> str:
        return self.document["metric"]

    @property
    def model_name(self) -> str:
        return self.document["model"]

    @property
    def class_names(self) -> List[str]:
        return self.document["class_names"]

    @property
    def target(self) -> str:
        """What was predicted: ``"classes"``, ``"numbers"`` or ``"labels"``."""
        return self.document.get("target", "classes")

    @property
    def options(self) -> Dict[str, str]:
        """Every option of the model and of training with its value."""
        return self._settings.all_options()

    @property
    def predictions(self) -> Predictions:
        """Of the first split's model on the run's own data."""
        return self.predict()

    def _folder(self, what: str) -> str:
        if self.folder is None:
            raise UsageError(f"{what} needs a run folder; train with out=folder")
        return str(self.folder)

    def _data(self, data: Optional[Path], reading: Dict[str, Any]) -> Any:
        return _core.data_of_run(self._folder("this"), self._settings, "" if data is None else os.fspath(data),
                                 ids.assignments(reading))

    def predict(self, data: Optional[Path] = None, *, split: int = 0, **reading: Any) -> Predictions:
        """The run's own items; or with ``data`` those of another data set, whose words and columns take the places that they
        had in training. ``reading`` are the program's reading flags with underscores."""
        if data is None and not reading and self._memory is not None:
            result, _, dataset = self._memory
            return Predictions(dataset.item_names, result.probabilities(split).numpy(), self.class_names,
                               self.target)
        core, settings = self._data(data, reading)
        rows = _core.predict(self._folder("predict"), split, settings, core, False).numpy()
        return Predictions(_item_names(core), rows, self.class_names, self.target)

    def embeddings(self, data: Optional[Path] = None, *, split: int = 0, **reading: Any) -> np.ndarray:
        """What the model makes of each item before its last layer, [items, width]."""
        core, settings = self._data(data, reading)
        return _core.predict(self._folder("embeddings"), split, settings, core, True).numpy()

    def model(self, split: int = 0) -> Network:
        """The trained network of a split, in evaluation mode, on the CPU. :attr:`inputs` are what to call it with."""
        if self.model_name not in CLASSES:
            raise UsageError(f"{self.model_name} is a rule and no network")
        dataset, experiment = self._own()
        x, edge_x = experiment.features(), experiment.edge_features()
        own = {option["name"] for entry in _core.models() if entry["name"] == self.model_name for option in entry["options"]}
        options = {name: value for name, value in self.options.items() if name in own}
        made = CLASSES[self.model_name](x.shape[1], dataset.n_classes, dataset.hypergraph, target=dataset.task,
                                        edge_features=0 if edge_x is None else edge_x.shape[1], **options).to(x.dtype)
        if self._memory is not None:
            weights = self._memory[0].weights(split)
        else:
            weights = _core.read_safetensors(str(self.folder / f"split-{split:02}" / "model.safetensors"))[0]  # type: ignore
        made.load_state_dict(weights)
        return made.eval()

    @property
    def inputs(self) -> Any:
        """The features as the model is given them: ``run.model()(*run.inputs)``."""
        experiment = self._own()[1]
        x, edge_x = experiment.features().cpu(), experiment.edge_features()
        return (x,) if edge_x is None else (x, edge_x.cpu())

    def _own(self) -> Any:
        """The data set and the experiment of this run."""
        if self._memory is None:
            core, settings = self._data(None, {})
            dataset = Dataset.__new__(Dataset)
            dataset._set(core, None, settings.data, settings.reading)
            return dataset, _core.Experiment(core, settings)
        return self._memory[2], self._memory[1]

    def explain(self, item: Union[int, str], *, split: int = 0, top: int = 10) -> Any:
        """What the prediction for a node or hyperedge, by name, rests on: the document that `dshn explain --json` prints."""
        folder = self._folder("explain")
        flag = "--hyperedge" if "hyperedge" in self.document["task"] else "--node"
        # A word that is written like a number is put in quotes, by which the program knows it for a word.
        name = f"'{item}'" if isinstance(item, str) and item.lstrip("-").isdigit() else str(item)
        return program.run_json(["explain", folder, flag, name, "--split", str(split), "--top", str(top)])

    def report(self, out: Path = "report.html", *, title: str = "dshn report") -> pathlib.Path:
        """Writes the page that `dshn report` makes of this run."""
        program.run(["report", self._folder("report"), "--out", os.fspath(out), "--title", title])
        return pathlib.Path(out)

    def __repr__(self) -> str:
        return (f"Run({self.model_name} on {self.document['data']}, {len(self.splits)} splits, "
                f"test {self.metric} {100 * self.test.mean:.2f} ± {100 * self.test.std:.2f} %)")


def _item_names(core: Any) -> List[Union[int, str]]:
    hypergraph = core.hypergraph
    return hypergraph.node_names() if core.of_nodes else hypergraph.edge_names()
