"""The program `dshn`, for what it does with whole folders."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from typing import Any, Dict, List, Type

from . import _core
from .errors import Error, Failure, Interrupted, InvalidInput, UsageError

_ERRORS: Dict[int, Type[Error]] = {1: Failure, 2: UsageError, 3: InvalidInput, 130: Interrupted}


def find() -> str:
    """The one that was built with this package, else the one on the PATH."""
    for folder in pathlib.Path(_core.library_file()).resolve().parents[:4]:
        candidate = folder / "bin" / "dshn"
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate)
    found = shutil.which("dshn")
    if found is None:
        raise Failure("the program dshn was not found; expected it beside the libraries or on the PATH")
    return found


def share_folder() -> pathlib.Path:
    """Where presets and the parts of the report page lie."""
    given = os.environ.get("DSHN_SHARE_DIR")
    return pathlib.Path(given) if given else pathlib.Path(find()).parent.parent / "share" / "dshn"


def run(words: List[str]) -> str:
    """What the program prints; its errors are raised, with its message."""
    with subprocess.Popen([find(), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            out, err = process.communicate()
        except KeyboardInterrupt:
            out, err = process.communicate()  # the signal has reached the program too; it ends in order
    if process.returncode == 0:
        return out
    lines = [line for line in err.splitlines() if line.strip()] or [f"dshn ended with status {process.returncode}"]
    message = next((line for line in reversed(lines) if line.startswith("dshn: ")), lines[-1])
    raise _ERRORS.get(process.returncode, Failure)(message.removeprefix("dshn: ").removeprefix("error: "))


def run_json(words: List[str]) -> Any:
    return json.loads(run([*words, "--json"]))
