#!/usr/bin/env python3
"""Computes what a golden case must give, from its inputs and the definitions, with dense matrices and plain loops.

make_golden.py CASE.json...            writes `expected` into each file
make_golden.py --check CASE.json...    compares with what stands there; fails above 1e-9 (values), 1e-7 (gradients)

README.md says what the fields mean. Gradients are complex steps: every real number on the way from a variable to
f = sum |Q_N x|^2 may carry an imaginary part of size STEP, and the imaginary part of f divided by STEP is the
derivative to the last digits. Hence complex matrices are kept here as pairs of real ones.
"""
import argparse
import functools
import json
import sys

import numpy as np

STEP = 1e-30
RELATIVE_RANK = 1e-10
TOLERANCE = {"grad_F": 1e-7, "grad_x": 1e-7, "grad_q": 1e-7}


class Case:
    def __init__(self, json_case):
        self.n, self.d, self.f = json_case["n"], json_case["d"], json_case["f"]
        self.diagonal = json_case["map_type"] == "diag"
        self.add_identity = json_case.get("add_identity", False)
        self.edge = [i["edge"] for i in json_case["incidences"]]
        self.node = [i["node"] for i in json_case["incidences"]]
        self.tail = [i["role"] == "tail" for i in json_case["incidences"]]
        self.delta = [len(e["tail"]) + len(e["head"]) for e in json_case["hyperedges"]]
        self.m = len(self.delta)
        # The variables: maps (diagonals where only these vary), charge, both parts of the signal.
        self.maps = np.array([i["F"] for i in json_case["incidences"]], dtype=complex)
        self.q = complex(json_case["q"])
        self.x_re = np.array(json_case["x"]["re"], dtype=complex)
        self.x_im = np.array(json_case["x"]["im"], dtype=complex)

    def block(self, u):
        return slice(u * self.d, (u + 1) * self.d)

    def map_of(self, i):
        return np.diag(self.maps[i]) if self.diagonal else self.maps[i]

    def coboundary(self):
        """B: block (e, u) is S F, S = 1 on heads and exp(-2 pi i q) on tails."""
        re = np.zeros((self.m * self.d, self.n * self.d), dtype=complex)
        im = np.zeros_like(re)
        for i, (e, u) in enumerate(zip(self.edge, self.node)):
            angle = -2 * np.pi * self.q if self.tail[i] else 0
            re[self.block(e), self.block(u)] = np.cos(angle) * self.map_of(i)
            im[self.block(e), self.block(u)] = np.sin(angle) * self.map_of(i)
        return re, im

    def degrees(self):
        """D_u = sum over e of F^T F, or that plus the identity."""
        degrees = np.zeros((self.n, self.d, self.d), dtype=complex)
        if self.add_identity:
            degrees += np.eye(self.d)
        for i, u in enumerate(self.node):
            degrees[u] += self.map_of(i).T @ self.map_of(i)
        return degrees

    def q_matrix(self):
        """Q = B^dagger D_E^-1 B."""
        re, im = self.coboundary()
        weight = np.repeat(1 / np.array(self.delta), self.d)[:, None]
        return re.T @ (weight * re) + im.T @ (weight * im), re.T @ (weight * im) - im.T @ (weight * re)

    def normalised(self, matrix):
        left = np.zeros((self.n * self.d, self.n * self.d), dtype=complex)
        for u, degree in enumerate(self.degrees()):
            left[self.block(u), self.block(u)] = inverse_square_root(degree)
        return left @ matrix @ left

    def image(self):
        """Q_N x."""
        re, im = (self.normalised(part) for part in self.q_matrix())
        return re @ self.x_re - im @ self.x_im, re @ self.x_im + im @ self.x_re

    def value(self):
        re, im = self.image()
        return (re * re).sum() + (im * im).sum()

    def derivative(self, array, index):
        """Of the value, in the direction of one entry of one of the arrays of variables."""
        array[index] += 1j * STEP
        result = self.value().imag / STEP
        array[index] = array[index].real
        return result


def rank(degree):
    eigenvalues = np.linalg.eigvalsh(degree.real)
    return int((eigenvalues > RELATIVE_RANK * eigenvalues.max()).sum())


def inverse_square_root(degree):
    return inverse_square_root_of_bytes(degree.tobytes(), len(degree))


@functools.lru_cache(maxsize=64)
def inverse_square_root_of_bytes(content, d):
    """Moore-Penrose. Where the block is regular, the iteration of Denman and Beavers: it uses nothing but sums and
    inverses, so a complex step passes through it. A singular block is not stepped through."""
    degree = np.frombuffer(content, dtype=complex).reshape(d, d)
    if rank(degree) < d:
        values, vectors = np.linalg.eigh(degree.real)
        keep = values > RELATIVE_RANK * values.max()
        return (vectors[:, keep] / np.sqrt(values[keep])) @ vectors[:, keep].T + 0j
    root, inverse = degree, np.eye(d, dtype=complex)
    for _ in range(100):
        next_root = (root + np.linalg.inv(inverse)) / 2
        inverse = (inverse + np.linalg.inv(root)) / 2
        change, root = np.abs(next_root - root).max(), next_root
        if change <= 1e-15 * np.abs(root).max():
            break
    return inverse


def gradients(case, ranks):
    undefined = [i for i, u in enumerate(case.node) if ranks[u] < case.d]
    grad_maps = np.zeros(case.maps.shape)
    for index in np.ndindex(case.maps.shape):
        if index[0] not in undefined:
            grad_maps[index] = case.derivative(case.maps, index)
    grad_x = [np.array([case.derivative(part, index) for index in np.ndindex(part.shape)]).reshape(part.shape)
              for part in (case.x_re, case.x_im)]
    charge = case.q
    case.q = charge + 1j * STEP
    grad_q = case.value().imag / STEP
    case.q = charge
    return {"grad_F": grad_maps.tolist(), "grad_F_undefined": undefined, "grad_x": pair(*grad_x), "grad_q": grad_q}


def pair(re, im):
    return {"re": np.real(re).tolist(), "im": np.real(im).tolist()}


def energy(case, normalise):
    """Per column, the sum of squares over pairs of members: 1 / (2 delta_e) |S_u F_u z_u - S_v F_v z_v|^2, z = N x.
    An identity in D_u adds |z_u|^2."""
    z = (case.x_re + 1j * case.x_im).reshape(case.n, case.d, case.f)
    if normalise:
        z = np.einsum("uij,ujk->uik", np.array([inverse_square_root(degree) for degree in case.degrees()]), z)
    total = (np.abs(z) ** 2).sum(axis=(0, 1)) if case.add_identity else np.zeros(case.f)
    seen = [(np.exp(-2j * np.pi * case.q) if case.tail[i] else 1) * case.map_of(i) @ z[u]
            for i, u in enumerate(case.node)]
    for i, e in enumerate(case.edge):
        for j, other in enumerate(case.edge):
            if e == other:
                total += (np.abs(seen[i] - seen[j]) ** 2).sum(axis=0) / (2 * case.delta[e])
    return total.tolist()


def expected_of(json_case):
    case = Case(json_case)
    degrees = case.degrees()
    ranks = [rank(degree) for degree in degrees]
    diagonal = np.zeros((case.n * case.d, case.n * case.d))
    projector = np.zeros_like(diagonal)
    for u, degree in enumerate(degrees):
        diagonal[case.block(u), case.block(u)] = degree.real
        projector[case.block(u), case.block(u)] = np.linalg.pinv(degree.real, RELATIVE_RANK, True) @ degree.real
    q_re, q_im = case.q_matrix()
    n_re, n_im = case.normalised(q_re), case.normalised(q_im)
    normalised = n_re.real + 1j * n_im.real
    expected = {
        "rank_D_u": ranks,
        "L": pair(diagonal - q_re, -q_im),
        "Q_N": pair(n_re, n_im),
        "eigenvalues_L_N": np.linalg.eigvalsh(projector - normalised).tolist(),
        "eigenvalues_I_minus_Q_N": np.linalg.eigvalsh(np.eye(len(projector)) - normalised).tolist(),
        "y": pair(*case.image()),
        "dirichlet_energy": energy(case, True),
        "dirichlet_energy_unnormalized": energy(case, False),
        "f": case.value().real,
        **gradients(case, ranks),
    }
    if "duta_L" in json_case.get("expected", {}):
        # Diagonal blocks of Q as they are, the others negated; directions forgotten.
        case.q = 0j
        undirected = case.q_matrix()[0].real
        sign = 2 * np.kron(np.eye(case.n), np.ones((case.d, case.d))) - 1
        expected["duta_L"] = (sign * undirected).tolist()
        expected["duta_eigenvalues"] = np.linalg.eigvalsh(sign * undirected).tolist()
    return expected


def numbers(value):
    if isinstance(value, dict):
        return np.concatenate([numbers(value[key]) for key in sorted(value)])
    return np.array(value, dtype=float).ravel()


def check(name, stored, computed):
    """The largest difference, measured by the size of what is stored where that is above 1; fails on too large ones."""
    if stored.keys() != computed.keys():
        sys.exit(f"{name}: fields differ: {sorted(stored.keys() ^ computed.keys())}")
    largest = 0
    for key in stored:
        there, here = numbers(stored[key]), numbers(computed[key])
        if there.shape != here.shape:
            sys.exit(f"{name}: {key}: {there.size} numbers stored, {here.size} computed")
        difference = np.abs(there - here).max(initial=0) / max(1, np.abs(there).max(initial=0))
        if not difference <= TOLERANCE.get(key, 1e-9):
            sys.exit(f"{name}: {key} differs by {difference:.1e}")
        largest = max(largest, difference)
    print(f"{name}: {largest:.1e}")
    return largest


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare and write nothing")
    parser.add_argument("cases", nargs="+", metavar="CASE.json")
    arguments = parser.parse_args()
    largest = 0
    for path in arguments.cases:
        with open(path, encoding="utf-8") as file:
            json_case = json.load(file)
        computed = expected_of(json_case)
        if arguments.check:
            largest = max(largest, check(json_case["name"], json_case["expected"], computed))
        else:
            json_case["expected"] = computed
            with open(path, "w", encoding="utf-8") as file:
                json.dump(json_case, file)
    if arguments.check:
        print(f"largest difference: {largest:.1e}")


if __name__ == "__main__":
    main()
