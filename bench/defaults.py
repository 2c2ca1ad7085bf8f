#!/usr/bin/python3
"""Trains models with their defaults, and `--auto`, on sets that nobody has tuned for, and prints test figures.

Usage: bench/defaults.py PROGRAM FOLDER [--auto MINUTES] [--splits N] [--seed S] [--device D] [--threads T]
       [--models M[,M...]] [SET...]
SET is one of the generated sets below, or what `dshn train --data` takes. Without any: all generated ones.
"""
import argparse
import csv
import json
import pathlib
import random
import subprocess
import sys

import numpy

MODELS = ["linear", "hgnn", "gedi-hnn", "dshn"]

# What each set asks: does a model use the direction, the hyperedges, the features, and leave noise alone?
SYNTHETIC = {
    "directed-weak-features": "--nodes 500 --feature-columns 16 --feature-signal 0.5",
    "directed-strong-features": "--nodes 500 --feature-columns 16 --feature-signal 2",
    "undirected-weak-features": "--nodes 500 --inter 0 --intra 40 --feature-columns 16 --feature-signal 0.5",
    "many-features": "--nodes 3000 --inter 10 --intra 60 --feature-columns 932 --feature-signal 3",
}
NOISE = {  # hyperedges that know nothing of the classes
    "noise-strong-features": "--nodes 500 --inter 0 --intra 0 --feature-columns 16 --feature-signal 2",
    "noise-many-features": "--nodes 3000 --inter 0 --intra 0 --feature-columns 300 --feature-signal 3",
}
# As large as a graph of the web: links to what many link to, and a few words of each page, which classes use a little
# more or less often.
WEB = {"noise-words": 7600}


def run(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"dshn {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def write_web(place, nodes, words=932, classes=5, tilt=0.3):
    draw = numpy.random.default_rng(7)
    labels = draw.integers(classes, size=nodes)
    rates = 8 / (numpy.arange(words) + 10) * numpy.exp(tilt * draw.standard_normal((classes, words)))
    popular = 1 / (draw.permutation(nodes) + 10)
    place.mkdir(parents=True, exist_ok=True)
    numpy.savez(place / "nodes.npz", y=labels,
                x=(draw.random((nodes, words)) < rates[labels] / 5).astype(numpy.float32))
    with open(place / "hypergraph.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["hyperedge", "node", "role"])
        for node in range(nodes):
            rows.writerow([node, node, "tail"])
            linked = set(draw.choice(nodes, size=draw.integers(1, 8), p=popular / popular.sum())) - {node}
            rows.writerows([node, head, "head"] for head in sorted(linked))
    return place


def generate(program, folder, name):
    """The words that name the set to `dshn train`."""
    place = folder / name
    if name in WEB:
        return ["--data", write_web(place, WEB[name])]
    if name not in SYNTHETIC and name not in NOISE:
        return ["--data", name]
    flags = (SYNTHETIC | NOISE)[name].split()
    run(program, "data", "generate", "--kind", "synthetic", *flags, "--out", f"{place}/", "--force")
    if name in SYNTHETIC:
        return ["--data", place]
    hyperedges, table = folder / f"{name}.csv", folder / f"{name}-nodes.csv"
    draw = random.Random(name)
    nodes = int(flags[flags.index("--nodes") + 1])
    with open(hyperedges, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["hyperedge", "node", "role"])
        for edge in range(2 * nodes):
            for i, node in enumerate(draw.sample(range(nodes), 4)):
                rows.writerow([f"e{edge}", node, "tail" if i < 2 else "head"])
    arrays = numpy.load(place / "nodes.npz")
    with open(table, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "label", *(f"x{i}" for i in range(arrays["x"].shape[1]))])
        rows.writerows([i, f"class {y}", *x] for i, (x, y) in enumerate(zip(arrays["x"], arrays["y"])))
    return ["--data", hyperedges, "--labels", table, "--features", table]


def figure(program, words):
    test = json.loads(run(program, "train", *words, "--quiet", "--json", "--force"))["test"]
    return 100 * test["mean"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--auto", type=float)
    parser.add_argument("--splits", default="3")
    parser.add_argument("--seed", default="7")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", help="of each training; default: all cores")
    parser.add_argument("--models", default=",".join(MODELS), help="only these, separated by commas")
    flags = parser.parse_intermixed_args()
    columns = [name for name in flags.models.split(",") if name] + (["auto"] if flags.auto else [])
    print(f"{'set':26}" + "".join(f"{name:>10}" for name in columns), flush=True)
    for name in flags.sets or [*SYNTHETIC, *NOISE, *WEB]:
        data = generate(flags.program, flags.folder, name)
        common = [*data, "--splits", flags.splits, "--seed", flags.seed, "--device", flags.device]
        if flags.threads:
            common += ["--threads", flags.threads]
        print(f"{name:26}", end="", flush=True)
        for model in columns:
            how = ["--preset", "none", *(["--auto", flags.auto] if model == "auto" else ["--model", model])]
            out = flags.folder / f"{name}-{model}"
            print(f"{figure(flags.program, [*common, *how, '--out', out]):10.2f}", end="", flush=True)
        print(flush=True)


if __name__ == "__main__":
    main()
