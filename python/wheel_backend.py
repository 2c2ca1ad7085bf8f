"""Builds the wheel: CMake compiles into build/release (or DSHN_BUILD_DIR), as `make build` does, and installs into the
wheel's folders.

A backend of PEP 517 that needs nothing but Python. `pip install --no-build-isolation .` calls it.
"""
import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / os.environ.get("DSHN_BUILD_DIR", "build/release")
#: What goes from an installed tree into the package: programs, libraries, and the files that go with them.
PARTS = (("bin/dshn", "dshn/bin/dshn"), ("lib", "dshn/lib"), ("share/dshn", "dshn/share/dshn"))


def _run(*words):
    subprocess.run(words, cwd=ROOT, check=True)


def _compile():
    if not (BUILD / "build.ninja").is_file():
        _run("cmake", "--preset", "release", "-DDSHN_TESTS=OFF", "-DDSHN_BENCH=OFF", f"-DDSHN_PYTHON_EXECUTABLE={sys.executable}")
    _run("cmake", "--build", str(BUILD), "--target", "dshn_python_package", "dshn_shell")


def _tree(folder):
    """(name in the wheel, file) of everything that the package holds."""
    _run("cmake", "--install", str(BUILD), "--prefix", str(folder))
    package = next(folder.glob("lib/python*/*/dshn"), None)
    if package is None:
        sys.exit("the package was not built: CMake said above what is missing (pybind11-dev, python3-torch)")
    for file in sorted(package.rglob("*")):
        if file.is_file():
            yield f"dshn/{file.relative_to(package).as_posix()}", file
    for source, target in PARTS:
        path = folder / source
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            inner = file.relative_to(path).as_posix()
            # Of a library the name without its version is a link for compilers; a wheel would hold a copy.
            if file.is_file() and not file.is_symlink() and not inner.startswith(("python", "cmake")) and not (source == "lib" and "/" in inner):
                yield (target if file == path else f"{target}/{inner}"), file


def _add(wheel, record, name, content, executable=False):
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.external_attr = (0o100755 if executable else 0o100644) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    wheel.writestr(info, content)
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record.append(f"{name},sha256={digest},{len(content)}")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook that pip calls; returns the name of the file."""
    del config_settings, metadata_directory
    _compile()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tag = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    stem, name = f"dshn-{project['version']}", f"dshn-{project['version']}-{tag}-{tag}-{platform}.whl"
    record = []
    with tempfile.TemporaryDirectory() as folder, \
            zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as wheel:
        for inner, file in _tree(pathlib.Path(folder)):
            _add(wheel, record, inner, file.read_bytes(), os.access(file, os.X_OK))
        requires = "".join(f"Requires-Dist: {need}\n" for need in project["dependencies"])
        requires += f"Requires-Python: {project['requires-python']}\n"
        about = f"Metadata-Version: 2.1\nName: dshn\nVersion: {project['version']}\nSummary: {project['description']}\n{requires}"
        kind = f"Wheel-Version: 1.0\nGenerator: dshn\nRoot-Is-Purelib: false\nTag: {tag}-{tag}-{platform}\n"
        for inner, text in (("METADATA", about), ("WHEEL", kind)):
            _add(wheel, record, f"{stem}.dist-info/{inner}", text.encode())
        record.append(f"{stem}.dist-info/RECORD,,")
        wheel.writestr(f"{stem}.dist-info/RECORD", "\n".join(record) + "\n")
    return name
