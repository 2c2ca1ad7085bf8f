"""Training, as `dshn train` does it: the same call of the library, so the same bits."""
from __future__ import annotations

import os
import pathlib
import sys
import warnings
from typing import Any, Callable, List, Mapping, NamedTuple, Optional, Union

from . import _core, ids, program
from .data import Dataset
from .errors import Failure, UsageError
from .run import Run

Path = Union[str, "os.PathLike[str]"]


class Epoch(NamedTuple):
    """What a callback hears of each epoch."""

    split: int
    epoch: int
    loss: float
    train: float
    val: float
    val_loss: float


def _begin_with(preset: Optional[Path], settings: Any) -> None:
    """Gives the settings the options of a preset, and the name of its file."""
    if preset is None or preset == "none":
        return
    file = pathlib.Path(preset)
    if preset == "auto":
        if all(settings.data != name for name, _, _ in _core.catalogue()):
            return  # they are for built-in data sets
        folder = program.share_folder() / "presets"
        if not folder.is_dir():
            raise Failure(f"{folder}: the presets are not there; choose preset='none', or set DSHN_SHARE_DIR")
        file = folder / settings.data / f"{settings.model}.toml"
        if not file.is_file():
            return
    settings.set, settings.preset = _core.read_config(str(file)).set, str(file)


class _Bar:
    """A progress bar where tqdm is there."""

    def __init__(self, wanted: Optional[bool], splits: int, epochs: int):
        self.bar: Any = None
        if wanted is False or (wanted is None and not sys.stderr.isatty()):
            return
        try:
            from tqdm.auto import tqdm
        except ImportError:
            if wanted:
                raise UsageError("progress=True needs tqdm, which is not installed") from None
            return
        self.bar, self.splits, self.epochs = tqdm(total=splits * epochs, unit="epoch", leave=False), splits, epochs

    def show(self, epoch: Epoch) -> None:
        if self.bar is not None:
            self.bar.n = max(self.bar.n, epoch.split * self.epochs + epoch.epoch)
            self.bar.set_description(f"split {epoch.split + 1}/{self.splits}", refresh=False)
            self.bar.set_postfix(loss=f"{epoch.loss:.4f}", val=f"{epoch.val:.4f}")

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def train(data: Union[Dataset, Path], *, model: str = "dshn", splits: Optional[int] = None, seed: int = 0,
          preset: Optional[Path] = "auto", options: Optional[Mapping[str, Any]] = None, device: str = "auto",
          out: Optional[Path] = None, resume: bool = False, callback: Optional[Callable[[Epoch], Any]] = None,
          progress: Optional[bool] = None) -> Run:
    """Trains a model over the splits of a data set.

    ``data`` is a :class:`dshn.data.Dataset`, or what `dshn train --data` takes. ``options`` are those of the model and of
    training, as `--set` takes them: ``{"q": 0.1, "epochs": 200}``. ``preset`` is ``"auto"`` (the options that go with a
    built-in data set, where there are some), ``"none"``, or a file. With ``out`` the run leaves a folder as the program's
    does, and ``resume=True`` goes on with one. ``callback`` hears of each epoch; what it raises ends the training.
    ``progress`` shows a bar (tqdm); by default on terminals.

    Ctrl-C ends the training with :class:`dshn.Interrupted`; a run with a folder can then be gone on with.

    >>> from dshn import datasets
    >>> run = train(datasets.synthetic(nodes=60, classes=3), splits=2, options={"epochs": 3, "hidden_width": 4})
    >>> len(run.splits), 0 <= run.test.mean <= 1
    (2, True)
    """
    dataset = data if isinstance(data, Dataset) else Dataset.open(data, seed=seed)
    if out is not None and dataset.source is None:
        raise UsageError("out: a run folder needs data that can be found again; train on what Dataset.save(folder) returns")
    settings = _core.Settings()
    settings.data, settings.reading = dataset.source or dataset.name, dataset.reading
    settings.model, settings.device = str(model), str(device)
    if splits is not None and (isinstance(splits, bool) or not 1 <= splits <= 10000):
        raise UsageError(f"splits={splits}: expected 1 to 10000")
    settings.splits = splits or 0
    if isinstance(seed, bool) or not 0 <= seed < 2**64:
        raise UsageError(f"seed={seed}: expected an integer from 0 on")
    settings.seed = seed
    _begin_with(preset, settings)
    settings.set = {**settings.set, **ids.assignments(options)}
    experiment = _core.Experiment(dataset._core, settings)
    for remark in experiment.warnings:
        warnings.warn(remark, stacklevel=2)
    bar = _Bar(progress, experiment.n_splits, int(settings.all_options()["epochs"]))

    def hear(*record: Any) -> None:
        epoch = Epoch(*record)
        bar.show(epoch)
        if callback is not None:
            callback(epoch)

    folder = "" if out is None else os.fspath(out)
    try:
        result = _core.run(experiment, folder, bool(resume), hear if callback or bar.bar is not None else None)
    finally:
        bar.close()
    return Run._of_training(result, experiment, dataset, folder)


class Study(NamedTuple):
    """What a search came to."""

    #: The study folder; `dshn report` makes a page of it.
    folder: pathlib.Path
    #: As `dshn tune --json` prints it.
    document: Any

    @property
    def best(self) -> Any:
        """The winning trial: its number, options (``set``) and validation figure."""
        return self.document["best"]

    @property
    def trials(self) -> List[Any]:
        return self.document["trials"]

    @property
    def preset(self) -> pathlib.Path:
        """The winner as :func:`train` takes it: ``preset=study.preset``."""
        return self.folder / "best.toml"


def tune(data: Union[Dataset, Path], *, out: Path, model: str = "dshn", trials: int = 50, splits: Optional[int] = None,
         seed: int = 0, options: Optional[Mapping[str, Any]] = None, space: Optional[Mapping[str, Any]] = None,
         sampler: Optional[str] = None, jobs: int = 1, device: str = "auto", resume: bool = False) -> Study:
    """Searches the options of a model, as `dshn tune` does. ``options`` are the same for all trials, ``space`` has lists of
    values to try in place of the model's own. Data from memory must be saved first (:meth:`dshn.data.Dataset.save`)."""
    source = data.source if isinstance(data, Dataset) else os.fspath(data)
    if source is None:
        raise UsageError("a study needs data that can be found again; search on what Dataset.save(folder) returns")
    words = ["tune", "--data", source, "--out", os.fspath(out), "--model", model, "--trials", str(trials), "--seed",
             str(seed), "--jobs", str(jobs), "--device", device, "--quiet"]
    if isinstance(data, Dataset):
        words += [word for name, value in data.reading.items() for word in (f"--{name.replace('_', '-')}", value)]
    for flag, value in (("--splits", splits), ("--sampler", sampler)):
        if value is not None:
            words += [flag, str(value)]
    for name, value in ids.assignments(options).items():
        words += ["--set", f"{name}={value}"]
    for name, value in ids.assignments(space).items():
        words += ["--space", f"{name}={value}"]
    return Study(pathlib.Path(out), program.run_json(words + (["--resume"] if resume else [])))
