"""Training from Python, held against the program."""
import csv
import importlib.util
import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest
import torch

import dshn
from conftest import HAS_PAGE, QUICK, needs_module, what_lacks
from dshn import program
from dshn.data import Dataset


@pytest.fixture(scope="module")
def stored(teams, tmp_path_factory):
    return teams.save(tmp_path_factory.mktemp("data") / "teams")


def quick_words(options=QUICK):
    return [word for name, value in options.items() for word in ("--set", f"{name}={value}")]


@pytest.mark.parametrize("model", ["dshn", "hgnn"])
def test_the_program_gives_the_same_bits(model, stored, tmp_path):
    options = QUICK if model == "dshn" else {"epochs": 6, "hidden_width": 8}
    program.run(["train", "--data", stored.source, "--model", model, "--splits", "2", "--seed", "7", "--device", "cpu",
                 "--out", str(tmp_path / "by-program"), *quick_words(options)])
    theirs = dshn.Run.open(tmp_path / "by-program")

    ours = dshn.train(stored, model=model, splits=2, seed=7, preset="none", options=options, device="cpu")
    with_folder = dshn.train(stored.source, model=model, splits=2, seed=7, preset="none", options=options, device="cpu",
                             out=tmp_path / "by-python")

    assert ours.test == theirs.test == with_folder.test and ours.val == theirs.val
    assert np.array_equal(ours.predictions.probabilities, theirs.predict().probabilities)
    for name in ("split-00/model.safetensors", "split-01/model.safetensors", "predictions.csv", "config.toml"):
        assert (tmp_path / "by-program" / name).read_bytes() == (tmp_path / "by-python" / name).read_bytes(), name


def test_a_run_in_memory_is_the_same_as_from_files(teams, stored):
    given = dict(splits=1, seed=2, preset="none", options=QUICK, device="cpu")

    assert np.array_equal(dshn.train(teams, **given).predictions.probabilities,
                          dshn.train(stored, **given).predictions.probabilities)


def test_threads_change_no_bit(teams):
    given = dict(splits=1, preset="none", options=QUICK, device="cpu")
    before = torch.get_num_threads()
    results = []
    for threads in (1, 3):
        torch.set_num_threads(threads)
        dshn._core.set_thread_count(threads)
        results.append(dshn.train(teams, **given).predictions.probabilities)
    torch.set_num_threads(before)
    dshn._core.set_thread_count(before)

    assert np.array_equal(*results)


def test_a_runs_figures_and_predictions(teams):
    run = dshn.train(teams, splits=2, preset="none", options=QUICK, device="cpu")

    assert run.test.mean == pytest.approx(np.mean([split["test"] for split in run.splits]))
    assert np.allclose(run.predictions.probabilities.sum(axis=1), 1)
    assert run.options["epochs"] == "6" and "2 splits" in repr(run)


@needs_module("pandas")
def test_predictions_as_a_frame(teams):
    frame = dshn.train(teams, splits=1, preset="none", options=QUICK, device="cpu").predictions.to_pandas()

    assert list(frame.index) == teams.item_names and frame.shape == (60, 4)


@pytest.mark.parametrize("model", ["dshn", "dshn-light", "hypernd", "dhgnn-emb"])
def test_the_trained_network_says_what_the_run_says(model, teams):
    options = {"epochs": 6}
    run = dshn.train(teams, model=model, splits=2, preset="none", options=options, device="cpu")

    for split in range(2):
        network = run.model(split)
        with torch.no_grad():
            said = torch.softmax(network(*run.inputs).double(), dim=1)
        assert np.array_equal(said.numpy(), run.predict(split=split).probabilities)


def test_many_columns_with_few_entries_give_the_same_bits_too(teams):
    rng = np.random.default_rng(0)
    words = (rng.random((60, 400)) < 0.02).astype(np.float32)
    data = dshn.data.Dataset(teams.hypergraph, features=words, labels=teams.labels)
    run = dshn.train(data, splits=1, preset="none", options=QUICK, device="cpu")
    network, (x,) = run.model(), run.inputs

    for given in (x, x.to_sparse()):
        with torch.no_grad():
            said = torch.softmax(network(given).double(), dim=1).numpy()
        assert np.array_equal(said, run.predictions.probabilities)
    x.requires_grad_()
    network(x).sum().backward()
    assert x.grad.abs().sum() > 0


def test_rules_are_trained_and_are_no_networks(teams):
    run = dshn.train(teams, model="components", splits=1, preset="none", device="cpu")

    assert 0 <= run.test.mean <= 1
    with pytest.raises(dshn.UsageError, match="rule"):
        run.model()


def test_what_a_run_folder_is_good_for(stored, tmp_path):
    run = dshn.train(stored, splits=1, preset="none", options=QUICK, device="cpu", out=tmp_path / "run")
    again = dshn.Run.open(tmp_path / "run")

    assert np.array_equal(again.predictions.probabilities, run.predictions.probabilities)
    assert np.array_equal(again.predict(stored.source).probabilities, run.predictions.probabilities)
    with torch.no_grad():
        said = torch.softmax(again.model()(*again.inputs).double(), dim=1).numpy()
    assert np.array_equal(said, run.predictions.probabilities)
    assert again.embeddings().shape == (60, 64)
    explanation = again.explain(5, top=3)
    assert explanation["id"] == 5 and explanation["predicted"] == again.predictions.words[5]
    if HAS_PAGE:
        page = again.report(tmp_path / "report.html")
        assert page.read_text(encoding="utf-8").startswith("<!")
    with pytest.raises(dshn.UsageError, match="holds a run already"):
        dshn.train(stored, splits=1, preset="none", options=QUICK, device="cpu", out=tmp_path / "run")


def test_a_word_that_looks_like_a_number_is_explained(teams, tmp_path):
    words = dshn.Hypergraph(teams.hypergraph.to_list(), nodes=range(60))
    renamed = dshn.Hypergraph([([str(v) for v in t], [str(v) for v in h]) for t, h in words.to_list()],
                              nodes=[str(v) for v in range(60)])
    data = dshn.data.Dataset(renamed, labels=teams.labels).save(tmp_path / "data")
    run = dshn.train(data, model="hgnn", splits=1, preset="none", options={"epochs": 2}, device="cpu", out=tmp_path / "run")

    assert run.explain("5")["id"] == "5"
    with pytest.raises(dshn.UsageError, match="no node"):
        run.explain("nobody")


def test_callbacks_hear_every_epoch_and_what_they_raise_ends_the_run(teams):
    heard = []
    dshn.train(teams, splits=2, preset="none", options=QUICK, device="cpu", callback=heard.append,
               progress=importlib.util.find_spec("tqdm") is not None)
    assert [(e.split, e.epoch) for e in heard] == [(s, e) for s in range(2) for e in range(heard[0].epoch, heard[0].epoch + 6)]

    class Enough(Exception):
        pass

    def stop(epoch):
        if epoch.epoch >= 3:
            raise Enough(epoch.epoch)

    with pytest.raises(Enough):
        dshn.train(teams, splits=1, preset="none", options=QUICK, device="cpu", callback=stop)


def test_a_stopped_run_is_gone_on_with_to_the_same_bits(stored, tmp_path):
    given = dict(splits=1, preset="none", options={**QUICK, "epochs": 12}, device="cpu")
    whole = dshn.train(stored, **given)

    def press(epoch):
        if epoch.epoch == 5:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(dshn.Interrupted) as caught:
        dshn.train(stored, **given, out=tmp_path / "run", callback=press)
    assert isinstance(caught.value, KeyboardInterrupt)
    with pytest.raises(dshn.InvalidInput, match="not finished"):
        dshn.Run.open(tmp_path / "run")

    again = dshn.train(stored, **given, out=tmp_path / "run", resume=True)

    assert np.array_equal(again.predictions.probabilities, whole.predictions.probabilities)


def test_control_c_from_outside_stops_a_training(stored, tmp_path):
    script = textwrap.dedent(f"""
        import dshn
        try:
            dshn.train({stored.source!r}, splits=1, preset="none", device="cpu", out={str(tmp_path / "run")!r},
                       options={{"epochs": 100000, "patience": 100000, "hidden_width": 4}},
                       callback=lambda e: print("epoch", flush=True))
        except dshn.Interrupted as stopped:
            print("stopped", stopped)
    """)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline().startswith("epoch")
        process.send_signal(signal.SIGINT)
        lines = process.stdout.read().splitlines()

    assert process.returncode == 0 and lines[-1].startswith("stopped")
    assert (tmp_path / "run" / "split-00" / "state.safetensors").is_file()


def test_other_threads_of_python_run_during_a_training(teams):
    import threading
    counted = []
    done = threading.Event()

    def count():
        while not done.is_set():
            counted.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    started = time.perf_counter()
    dshn.train(teams, splits=1, preset="none", options={**QUICK, "epochs": 60, "patience": 60}, device="cpu")
    ended = time.perf_counter()
    done.set()
    thread.join()

    assert sum(started < moment < ended for moment in counted) > 10


def test_presets_are_found_by_name(tmp_path, monkeypatch, teams):
    folder = tmp_path / "presets" / "synthetic-generated-io10"
    folder.mkdir(parents=True)
    (folder / "hgnn.toml").write_text("[set]\nhidden_width = \"12\"\nepochs = \"3\"\n")
    monkeypatch.setenv("DSHN_SHARE_DIR", str(tmp_path))
    given = dict(model="hgnn", splits=1, device="cpu")

    auto = dshn.train("synthetic-generated-io10", **given)
    named = dshn.train("synthetic-generated-io10", **given, preset=folder / "hgnn.toml")
    over = dshn.train("synthetic-generated-io10", **given, options={"hidden_width": 5, "epochs": 2})

    assert auto.options["hidden_width"] == named.options["hidden_width"] == "12"
    assert (over.options["hidden_width"], over.options["epochs"]) == ("5", "2")
    assert dshn.train(teams, splits=1, device="cpu", options=QUICK).options["hidden_width"] == "8"


def test_searching_from_python(stored, tmp_path):
    found = []
    missing = what_lacks(lambda: found.append(dshn.tune(
        stored, model="hgnn", out=tmp_path / "study", trials=3, splits=1, device="cpu", options={"epochs": 3},
        space={"hidden_width": [4, 8], "lr": [0.01, 0.02]}, sampler="random")))
    if missing:
        pytest.skip(missing)
    study = found[0]

    assert len(study.trials) == 3
    run = dshn.train(stored, model="hgnn", splits=1, device="cpu", preset=study.preset)
    assert run.options["hidden_width"] in ("4", "8")
    with pytest.raises(dshn.UsageError, match="holds a study already"):
        dshn.tune(stored, model="hgnn", out=tmp_path / "study", trials=3)


@pytest.mark.parametrize("arguments, message", [
    (dict(model="dhsn"), "dshn"), (dict(splits=0), "splits"), (dict(seed=-1), "seed"), (dict(device="tpu"), "tpu"),
    (dict(options={"epochs": "many"}), "epochs"), (dict(options={"epoch": 3}), "epoch"), (dict(options=[1]), "options"),
    (dict(options={"epochs": object()}), "option"), (dict(out="run"), "save")])
def test_wrong_arguments_are_named(arguments, message, teams):
    with pytest.raises(dshn.UsageError, match=message):
        dshn.train(teams, **{"preset": "none", **arguments})


def test_data_without_labels_is_refused(teams):
    with pytest.raises(dshn.InvalidInput, match="labels"):
        dshn.train(dshn.data.Dataset(teams.hypergraph), preset="none")


def test_predictions_csv_says_the_same(stored, tmp_path):
    run = dshn.train(stored, splits=1, preset="none", options=QUICK, device="cpu", out=tmp_path / "run")
    with open(tmp_path / "run" / "predictions.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    assert [row["predicted"] for row in rows] == run.predictions.words


def test_numbers_and_labels_from_memory(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 3)).astype(np.float32)
    edges = [(rng.choice(40, 2, replace=False).tolist(), rng.choice(40, 2, replace=False).tolist()) for _ in range(30)]
    hypergraph = dshn.Hypergraph([(t, [v for v in h if v not in t]) for t, h in edges], nodes=40)
    given = dict(model="dshn", splits=1, options={"epochs": 5, "hidden_width": 4})
    numbers = Dataset(hypergraph, features=x, targets=x @ np.array([[1, 2], [0, 1], [1, 0]], np.float32), name="numbers")
    run = dshn.train(numbers, **given)
    assert run.target == "numbers" and run.metric == "r2" and run.predictions.values.shape == (40, 2)
    assert np.isfinite(run.predictions.values).all()
    with pytest.raises(dshn.UsageError, match="no probabilities"):
        run.predictions.probabilities
    with pytest.raises(dshn.UsageError, match="numbers are predicted"):
        run.predictions.words
    assert list(run.predictions.to_pandas().columns) == run.class_names
    stored = dshn.train(numbers.save(tmp_path / "numbers"), **given)
    assert np.array_equal(stored.predictions.values, run.predictions.values), "the bits of data from a folder"
    several = dshn.train(Dataset(hypergraph, features=x, targets=x > 0), **given)
    said = several.predictions
    assert several.target == "labels" and ((said.probabilities >= 0) & (said.probabilities <= 1)).all()
    assert said.words[0] == [name for name, p in zip(said.class_names, said.probabilities[0]) if p >= 0.5]
