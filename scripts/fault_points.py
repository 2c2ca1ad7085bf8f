"""The commands that write, each with what a person types after it went wrong, and the files that must come of that."""
import contextlib
import json
import re
import shutil
import sqlite3
import sys

SMALL = ["--set", "epochs=2", "--set", "hidden_width=4", "--threads", "1"]
TRAIN = ["train", "--data", "data", "--model", "hgnn", "--splits", "2", *SMALL, "--out", "run", "--quiet"]
RULE = ["train", "--data", "data", "--model", "components", "--splits", "1", "--out", "run", "--quiet"]
TUNE = ["tune", "--data", "data", "--model", "hgnn", "--splits", "1", "--trials", "2", "--confirm", "1", "--set",
        "epochs=2", "--final-splits", "1", "--out", "study", "--quiet"]
REPRODUCE = ["reproduce", "synthetic", "--data", "synthetic-io10", "--models", "components,hgnn", "--splits", "1", "--set",
             "epochs=1", "--out", "results"]
CONVERT = ["data", "convert", "data", "copy"]
PARTITION = ["data", "partition", "data", "--parts", "2", "--method", "block", "--splits", "1", "--out", "cut"]
GENERATE = ["data", "generate", "--kind", "synthetic", "--nodes", "30", "--intra", "4", "--inter", "2",
            "--h-min", "2", "--h-max", "3", "--out", "made"]

# Name: what is there before, the command, and what a person types next.
COMMANDS = {
    "train": ([], TRAIN, [*TRAIN, "--resume"]),
    "train --resume": (["half"], [*TRAIN, "--resume"], [*TRAIN, "--resume"]),
    "train --force": (["run"], [*TRAIN, "--force"], [*TRAIN, "--force"]),
    "train of a rule": ([], RULE, [*RULE, "--resume"]),
    "tune": ([], TUNE, [*TUNE, "--resume"]),
    "tune, a worker": (["begun"], ["tune", "--out", "study", "--threads", "1", "--worker-of", "PARENT"],
                       [*TUNE, "--resume"]),
    "reproduce": ([], REPRODUCE, REPRODUCE),
    "data convert": ([], [*CONVERT, "--force"], [*CONVERT, "--force"]),
    "data convert, over another": (["copy"], [*CONVERT, "--force"], [*CONVERT, "--force"]),
    "data convert to a file": ([], ["data", "convert", "data", "h.json.gz", "--force"],
                               ["data", "convert", "data", "h.json.gz", "--force"]),
    "data partition": ([], PARTITION, PARTITION),
    "data generate": ([], [*GENERATE, "--force"], [*GENERATE, "--force"]),
    "predict": (["run"], ["predict", "run", "--out", "p.csv"], ["predict", "run", "--out", "p.csv"]),
    "report": (["run"], ["report", "run", "--out", "page.html"], ["report", "run", "--out", "page.html"]),
}
# Times, and how often a trial was begun.
TIMES = {"attempts", "seconds", "shared_seconds", "epoch_ms", "peak_mb", "made", "started", "finished", "command"}
# What a command says before its last line.
PROGRESS = re.compile(r"^dshn: ([^:]*: \d+ of \d+|warning): .*\n", re.MULTILINE)


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(child) for key, child in value.items() if key not in TIMES}
    return [without_times(child) for child in value] if isinstance(value, list) else value


def content(path):
    """A file without its times; of a database nothing but that it is there, since its trials are in study.json."""
    if path.suffix in (".sqlite", ".html") or path.name.endswith("-journal"):
        return path.stat().st_size > 0 if path.suffix == ".html" else path.suffix
    text = path.read_bytes()
    if path.suffix == ".json":
        return without_times(json.loads(text))
    if path.name == "state.safetensors":
        return tensors_without_seconds(text)
    return [line for line in text.split(b"\n") if b" cells took " not in line and not line.startswith(b"# ")]


def tensors_without_seconds(text):
    length = int.from_bytes(text[:8], "little")
    header = json.loads(text[8:8 + length])
    body = text[8 + length:]
    header["__metadata__"].pop("digest")  # of the seconds too
    return {name: (value, "" if name in ("__metadata__", "seconds") else body[slice(*value["data_offsets"])])
            for name, value in header.items()}


def contents(folder):
    return {str(path.relative_to(folder)): content(path) for path in sorted(folder.rglob("*")) if path.is_file()}


def differing(found, wanted):
    return [name for name in sorted(found.keys() | wanted.keys()) if found.get(name) != wanted.get(name)]


class Place:
    """A folder that commands are run in, begun anew for each."""

    def __init__(self, many, place):
        self.many = many
        self.originals = place / "originals"
        self.folder = place / "here"

    def run(self, words, **request):
        words = [str(self.many.process.pid) if word == "PARENT" else word for word in words]
        return self.many.run(words, folder=str(self.folder), **request)

    def start(self, before):
        """A folder with the data, and with what is there before the command."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for name in ["data", *before]:
            for path in (self.originals / name).iterdir() if name in ("half", "begun") else [self.originals / name]:
                shutil.copytree(path, self.folder / path.name)

    def make_originals(self):
        def well(words, **request):
            done = self.run(words, **request)
            if done["status"] != 0 and not request:
                sys.exit(f"{' '.join(words)}: {done['err']}")

        self.folder.mkdir(parents=True)
        well(["data", "generate", "--kind", "synthetic", "--nodes", "30", "--intra", "4", "--inter", "2", "--h-min", "2",
              "--h-max", "3", "--out", "data"])
        well(TRAIN)
        well(CONVERT)
        shutil.copytree(self.folder, self.originals)
        self.start([])
        well(TRAIN, fault=["end", 26, 0])
        self.keep("half")
        self.start([])
        well([*TUNE[:TUNE.index("2")], "1", *TUNE[TUNE.index("2") + 1:]])
        with contextlib.closing(sqlite3.connect(self.folder / "study" / "study.sqlite")) as study:
            study.execute("UPDATE study SET goal = 2")
            study.commit()
        self.keep("begun")

    def keep(self, name):
        shutil.rmtree(self.folder / "data")
        shutil.copytree(self.folder, self.originals / name)
