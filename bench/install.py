"""How large each way of installing Coterie is, and how long `import coterie` takes there.

Makes an environment for the base and for each extra, installs the versions of requirements.lock,
and prints megabytes (all of site-packages but pip) and the seconds to import `coterie` beside those
to import numpy. In the base it also asks for something of each missing extra: the answer names it.
Limits: 360 MB for the base, .15 s for the import. Needs a package index. `--extras a,b` does some.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

from tools.measuring import report

ROOT = Path(__file__).resolve().parent.parent
LARGEST_BASE, LONGEST_IMPORT = 360.0, 0.15
LEFT_OUT = ("dev", "bundle", "parquet")  # of developers, and an old name
OURS = ("pip", "setuptools", "wheel", "_distutils_hack")
SECONDS = "import time; began = time.perf_counter(); import {}; print(time.perf_counter() - began)"
MISSING = """
import coterie
iris = coterie.read("iris")
groups = coterie.cluster(iris)
for code in (
    "groups.plot()",
    "coterie.run('embedder/tsne', iris)",
    "coterie.run('embedder/umap', iris)",
    "coterie.run('clusterer/leiden', iris)",
    "coterie.write(iris, 'x.parquet')",
):
    try:
        exec(code)
        print("works:", code)
    except coterie.CoterieError as error:
        print(error.code, "|", error)
"""


def main() -> None:
    """Install, measure and print, one environment after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    every = [name for name in sorted(extras) if name not in LEFT_OUT]
    parser.add_argument("--extras", default=",".join(["", *every]))
    asked = parser.parse_args().extras.split(",")
    with tempfile.TemporaryDirectory(prefix="coterie-install-") as name:
        folder = Path(name)
        wheel, versions = _wheel(folder), folder / "versions.txt"
        locked = (ROOT / "requirements.lock").read_text()
        versions.write_text("\n".join(re.findall(r"^[\w.-]+==[^\s\\]+.*?(?= \\|$)", locked, re.M)))
        failed = [extra for extra in asked if not _measure(folder, wheel, versions, extra)]
    if failed:
        sys.exit(f"beyond a limit: {', '.join(extra or 'base' for extra in failed)}")


def _measure(folder: Path, wheel: Path, versions: Path, extra: str) -> bool:
    home = folder / "environment"
    venv.create(home, clear=True, symlinks=True)
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    subprocess.run([*pip, "install", "-q", "-c", str(versions), wanted], check=True)
    [packages] = home.glob("lib/python*/site-packages")
    size = sum(_size(path) for path in packages.iterdir() if not path.name.startswith(OURS))
    limit = f", limit {LARGEST_BASE:.0f}" if not extra else ""
    print(f"{extra or 'base'}: {size / 1e6:.0f} MB{limit}", flush=True)
    peer = min(_seconds(python, "numpy") for _ in range(5))
    taken = [_seconds(python, "coterie") for _ in range(5)]
    report(f"{extra or 'base'}: import coterie", taken, "import numpy", peer)
    if not extra:
        said = subprocess.run([python, "-c", MISSING], cwd=folder, capture_output=True, text=True)
        print(said.stdout, said.stderr[-500:], sep="", end="", flush=True)
        return size / 1e6 <= LARGEST_BASE and min(taken) <= LONGEST_IMPORT
    return min(taken) <= LONGEST_IMPORT


def _seconds(python: Path, module: str) -> float:
    return float(subprocess.check_output([python, "-c", SECONDS.format(module)]))


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size


def _wheel(folder: Path) -> Path:
    source = folder / "source"
    leave = shutil.ignore_patterns("__pycache__", ".*", "build", "tests", "bench")
    shutil.copytree(ROOT, source, ignore=leave)
    hook = "from setuptools import build_meta; build_meta.build_wheel('dist')"
    subprocess.run([sys.executable, "-c", hook], cwd=source, check=True, capture_output=True)
    return next((source / "dist").glob("*.whl"))


if __name__ == "__main__":
    main()
