"""What Python costs: an epoch of DSHN by `dshn train`, by dshn.nn.DSHN in a loop, and by the same model in plain PyTorch.

Usage: python_bench.py [--epochs N] [--device cpu|cuda] [--incidences N] DATA...

DATA are built-in data sets or folders. Each figure comes from a process of its own; an epoch is a training step and a look at
all nodes without dropout. At the end, a hypergraph of N incidences (10 million) is made from numpy arrays, by the library's
constructor alone and by Hypergraph.from_incidences.
"""
import argparse
import json
import math
import pathlib
import resource
import subprocess
import sys
import time

import numpy as np
import torch

import dshn
from dshn import program

# The paper's configuration, which the plain network below has.
OPTIONS = {"d": 4, "layers": 2, "hidden_width": 64, "q": 0.25, "residual": "false", "layer_norm": "none", "input_dropout": 0}


class PlainDSHN(torch.nn.Module):
    """The same network with gathers and index_add_: what one would write without dshn. Diagonal maps, default options."""

    def __init__(self, network, hypergraph, q, dropout):
        super().__init__()
        self.q, self.dropout, self.d = q, dropout, int(network.options["d"])
        self.layers = int(network.options["layers"])
        edge, node, is_head = (torch.tensor(np.array(part)) for part in hypergraph.incidences())
        directed = torch.tensor([len(hypergraph.tails(e)) > 0 and len(hypergraph.heads(e)) > 0
                                 for e in range(hypergraph.n_hyperedges)])
        angle = torch.where(is_head | ~directed[edge.long()], 0.0, -2 * math.pi * q)
        self.register_buffer("phase", torch.polar(torch.ones(len(edge)), angle).view(-1, 1, 1))
        self.register_buffer("edge", edge.long())
        self.register_buffer("node", node.long())
        self.register_buffer("size", torch.bincount(edge.long(), minlength=hypergraph.n_hyperedges).clamp(min=1).float())
        self.n, self.m = hypergraph.n_nodes, hypergraph.n_hyperedges
        self.weights = torch.nn.ParameterDict({name.replace(".", "_"): torch.nn.Parameter(tensor.detach().clone())
                                               for name, tensor in network.state_dict().items()})

    def summed(self, rows, index, count):
        return torch.zeros(count, *rows.shape[1:], dtype=rows.dtype, device=rows.device).index_add_(0, index, rows)

    def maps(self, x, t):
        w = self.weights
        mean = x.mean(1)
        members = torch.view_as_real(mean).transpose(1, 2) @ w[f"phi{t}_edge_transform"].t()
        edges = self.summed(members[self.node], self.edge, self.m) / self.size.view(-1, 1, 1)
        of_node = torch.cat([mean.real, mean.imag], 1) @ w[f"phi{t}_from_node"].t()
        maps = torch.sigmoid(of_node[self.node] + (edges.flatten(1) @ w[f"phi{t}_from_edge"].t())[self.edge])
        degree = self.summed(maps**2, self.node, self.n)
        return maps * degree.clamp(min=1e-30).rsqrt()[self.node]

    def forward(self, features):
        w = self.weights
        x = torch.nn.functional.linear(features, w["lift_weight"], w["lift_bias"]).view(self.n, self.d, -1).to(torch.complex64)
        for t in range(self.layers):
            maps = self.maps(x, t).unsqueeze(2) * self.phase
            mixed = torch.einsum("ij,njf->nif", w[f"layer{t}_w1"].to(x.dtype), x) @ w[f"layer{t}_w2"].to(x.dtype)
            rows = self.summed(maps * mixed[self.node], self.edge, self.m) / self.size.view(-1, 1, 1)
            x = self.summed(maps.conj() * rows[self.edge], self.node, self.n)
            keep = (x.real > 0).float()
            x = x * torch.nn.functional.dropout(keep, self.dropout, self.training)
        rows = torch.cat([x.real, x.imag], 2).flatten(1)
        rows = torch.relu(torch.nn.functional.linear(rows, w["classifier_first_weight"], w["classifier_first_bias"]))
        rows = torch.nn.functional.layer_norm(rows, rows.shape[1:], w["classifier_norm_weight"], w["classifier_norm_bias"])
        rows = torch.nn.functional.dropout(rows, self.dropout, self.training)
        return torch.nn.functional.linear(rows, w["classifier_second_weight"], w["classifier_second_bias"])


def given(data, device):
    """dshn's network, features and classes."""
    x = torch.tensor(np.array(data.features)) if data.features is not None else torch.ones(data.hypergraph.n_nodes, 1)
    torch.manual_seed(0)
    network = dshn.nn.DSHN(x.shape[1], data.n_classes, data.hypergraph, **OPTIONS)
    return network.to(device), x.to(device), torch.tensor(data.labels.astype(np.int64)).to(device)


def epoch_ms(network, x, y, epochs):
    optimiser = torch.optim.Adam(network.parameters(), lr=0.01)
    known = y >= 0
    times = []
    for _ in range(epochs):
        start = time.perf_counter()
        network.train()
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(network(x)[known], y[known]).backward()
        optimiser.step()
        network.eval()
        with torch.no_grad():
            network(x).argmax(1).cpu()
        times.append(1000 * (time.perf_counter() - start))
    return float(np.median(times[len(times) // 4:]))


def measure(which, name, epochs, device):
    """One figure, printed as JSON: for a process of its own. `both` compares what the two networks say."""
    data = dshn.datasets.load(name)
    network, x, y = given(data, device)
    if which != "dshn":
        plain = PlainDSHN(network, data.hypergraph, OPTIONS["q"], 0.5).to(device)
        if which == "both":
            difference = (network.eval()(x) - plain.eval()(x)).abs().max().item()
            sys.exit(f"the two networks differ by {difference}" if difference > 1e-3 else 0)
        network = plain
    ms = epoch_ms(network, x, y, epochs)
    peak = torch.cuda.max_memory_allocated() / 2**20 if device == "cuda" else \
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"ms": ms, "mib": peak}))


def by_program(name, epochs, device):
    # A preset of its own, which sets nothing: the three train with the same options.
    preset = pathlib.Path("runs") / "python-bench.toml"
    preset.parent.mkdir(exist_ok=True)
    preset.write_text("[set]\n", encoding="utf-8")
    words = ["train", "--data", name, "--model", "dshn", "--splits", "1", "--device", device, "--set", f"epochs={epochs}",
             "--set", f"patience={epochs}", "--out", f"runs/python-bench-{name.rsplit('/', 1)[-1]}", "--force", "--preset",
             str(preset)]
    for option, value in OPTIONS.items():
        words += ["--set", f"{option}={value}"]
    document = program.run_json(words)
    return {"ms": document["epoch_ms"], "mib": document["peak_mb"]}


def building(count):
    rng = np.random.default_rng(0)
    edge = np.repeat(np.arange(count // 5, dtype=np.int32), 5)
    node = (rng.integers(0, 1000, len(edge)) * 5 + np.tile(np.arange(5), count // 5)).astype(np.int32)
    head = rng.random(len(edge)) < 0.5
    times = {"library": [], "Python": []}
    for _ in range(5):
        start = time.perf_counter()
        dshn._core.Hypergraph(5000, count // 5, edge, node, head.view(np.uint8), "error", [], [], None, None)
        times["library"].append(time.perf_counter() - start)
        start = time.perf_counter()
        dshn.Hypergraph.from_incidences(edge=edge, node=node, role=head, nodes=5000, hyperedges=count // 5)
        times["Python"].append(time.perf_counter() - start)
    return {name: min(taken) for name, taken in times.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", nargs="+")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--incidences", type=int, default=10_000_000)
    parser.add_argument("--one", choices=["dshn", "plain", "both"], help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        measure(asked.one, asked.data[0], asked.epochs, asked.device)
        return
    print("| data | program, ms per epoch | dshn in Python | ratio | plain PyTorch | ratio | peak MiB: program | dshn | plain |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in asked.data:
        figures = {"program": by_program(name, asked.epochs, asked.device)}
        for which in ("both", "dshn", "plain"):
            words = [sys.executable, __file__, name, "--one", which, "--epochs", str(asked.epochs), "--device", asked.device]
            figures[which] = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout or "{}")
        p, d, q = figures["program"], figures["dshn"], figures["plain"]
        print(f"| {name} | {p['ms']:.2f} | {d['ms']:.2f} | {d['ms'] / p['ms']:.2f} | {q['ms']:.2f} | {q['ms'] / d['ms']:.2f} | "
              f"{p['mib']:.0f} | {d['mib']:.0f} | {q['mib']:.0f} |", flush=True)
    taken = building(asked.incidences)
    print(f"\n{asked.incidences} incidences: {taken['library']:.3f} s by the library, {taken['Python']:.3f} s from Python "
          f"({taken['Python'] / taken['library']:.2f})")


if __name__ == "__main__":
    main()
