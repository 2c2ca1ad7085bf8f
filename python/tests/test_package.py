"""What the package says about itself: examples that run, types that hold."""
import doctest
import importlib
import json
import os
import re
import subprocess
import sys

import pytest

import dshn
from conftest import HAS_PAGE, LACKS_EIGENVALUES, PACKAGE, needs_eigenvalues, needs_module, needs_page

MODULES = sorted(file.stem for file in (PACKAGE / "dshn").glob("*.py"))
#: What examples of a module work together with.
OTHERS = {"convert": "pandas", "sklearn": "sklearn"}


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_run(module, monkeypatch, tmp_path):
    if module in OTHERS:
        pytest.importorskip(OTHERS[module])
    if module == "laplacian" and LACKS_EIGENVALUES:
        pytest.skip(LACKS_EIGENVALUES)
    monkeypatch.chdir(tmp_path)
    name = "dshn" if module == "__init__" else f"dshn.{module}"

    assert doctest.testmod(importlib.import_module(name)).failed == 0


@needs_page
@needs_eigenvalues
@needs_module("pandas")
def test_examples_of_the_page_run(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    page = PACKAGE.parent / "docs" / "python.md"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 5
    known = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), known)  # pylint: disable=exec-used


def test_the_notebook_is_the_page_with_outputs():
    page = (PACKAGE.parent / "docs" / "python.md").read_text(encoding="utf-8")
    notebook = json.loads((PACKAGE.parent / "docs" / "python.ipynb").read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    blocks = re.findall(r"```python\n(.*?)\n```", page, re.DOTALL)

    assert ["".join(cell["source"]) for cell in code] == blocks, "scripts/python-notebook makes it again"
    assert "<svg" in json.dumps(code[0]["outputs"])


@needs_module("mypy")
def test_types_hold(tmp_path):
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(PACKAGE.parent / "pyproject.toml"), "--cache-dir",
                           str(tmp_path), "-p", "dshn"], cwd=PACKAGE,
                          capture_output=True, text=True, check=False,
                          env={**os.environ, "MYPYPATH": str(PACKAGE), "PYTHONPATH": ""})
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stub_of_the_extension_has_what_it_has():
    stub = (PACKAGE / "dshn" / "_core.pyi").read_text(encoding="utf-8")
    declared = set(re.findall(r"^(?:def |class |)(\w+)(?=[(:])", stub, re.MULTILINE))
    there = {name for name in dir(dshn._core) if not name.startswith("_")}

    assert declared == there


def test_the_version_is_the_librarys():
    project = (PACKAGE.parent / "CMakeLists.txt").read_text(encoding="utf-8")
    wheel = (PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8")

    assert f"VERSION {dshn.__version__}" in project and f'version = "{dshn.__version__}"' in wheel


@needs_module("pip")
def test_pip_installs_it(tmp_path):
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "--no-index",
                    "--disable-pip-version-check", "--root-user-action=ignore", "--target", str(tmp_path / "there"),
                    str(PACKAGE.parent)], check=True)
    script = """if True:
        import dshn, pathlib, sys
        data = dshn.datasets.synthetic(nodes=60, classes=3).save("data")
        run = dshn.train(data, splits=1, preset="none", options={"epochs": 2, "hidden_width": 4}, out="run")
        if sys.argv[1] == "True":
            run.report("page.html")
            assert pathlib.Path("page.html").stat().st_size > 1000
        print(dshn.__file__, dshn.program.find(), run.explain(3)["id"])
    """
    done = subprocess.run([sys.executable, "-c", script, str(HAS_PAGE)], cwd=tmp_path, check=True, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "PYTHONPATH": str(tmp_path / "there"), "DSHN_SHARE_DIR": ""})
    file, program, item = done.stdout.split()

    assert file.startswith(str(tmp_path)) and program.startswith(str(tmp_path)) and item == "3"


def test_the_extension_stands_on_public_headers():
    for file in (PACKAGE / "src").iterdir():
        for header in re.findall(r'#include "([^"]+)"', file.read_text(encoding="utf-8")):
            assert header == "bindings.hpp" or header.startswith("dshn/"), f"{file.name}: {header}"


def test_no_file_is_long():
    for file in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.cpp")]:
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 600, file
