"""Runs the tests as other machines would: other BLAS kernels, more threads, other Pythons.

Run as a program: python -m tests.machines; `./dev test --all` and `./dev machines` do so. The
environment is that of the ordinary tests, which run with one thread on the processor's own kernel.
At the end it lists each machine with its outcome, or why it was skipped.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "python"
UV = str(Path(sys.executable).with_name("uv"))
LOCK = ROOT / "requirements.lock"
NUMERICAL = ("tests/core", "tests/plugins", "tests/golden")

# OpenBLAS's kernels, and what /proc/cpuinfo must list for a processor to run each.
KERNELS = {
    "Prescott": {"pni"},
    "Sandybridge": {"avx"},
    "Haswell": {"avx2", "fma"},
    "Zen": {"avx2", "fma"},
    "SkylakeX": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
}
PYTHONS = ("3.11", "3.12", "3.13")
ORDINARY = "the ordinary tests"

ARCHITECTURES = """
import numpy, scipy.linalg, threadpoolctl
found = {pool.get("architecture") for pool in threadpoolctl.threadpool_info()} - {None}
print(" and ".join(sorted(found)))
"""


@dataclass(frozen=True)
class Machine:
    """What a run differs in from the ordinary tests; with a reason to skip it, it is not run."""

    name: str
    variables: dict[str, str] = field(default_factory=dict)
    python: Path = Path(sys.executable)
    skipped: str = ""


def main() -> int:
    rows, failed = [], False
    for machine in (*kernels(processor_flags()), threads(), *pythons()):
        start = time.monotonic()
        outcome = f"skipped: {machine.skipped}" if machine.skipped else run(machine)
        failed |= outcome.startswith("FAILED")
        spent = "" if machine.skipped else f", {time.monotonic() - start:.0f} s"
        rows.append(f"  {machine.name:<22} {outcome}{spent}")
    print("\n".join(["The tests as other machines run them:", *rows]))
    return failed


def kernels(flags: set[str]) -> Iterator[Machine]:
    """Each kernel that the processor can run and that is code of its own in this OpenBLAS."""
    seen = {architectures(): ORDINARY}
    for kernel, needed in KERNELS.items():
        name, variables = f"BLAS kernel {kernel}", {"OPENBLAS_CORETYPE": kernel}
        if missing := needed - flags:
            yield Machine(name, skipped=f"the processor lacks {', '.join(sorted(missing))}")
        elif same := seen.get(found := architectures(**variables)):
            yield Machine(name, skipped=f"here it is the same code as {same}")
        else:
            seen[found] = kernel
            yield Machine(name, variables)


def processor_flags() -> set[str]:
    """What the processor can do, as Linux names it; nothing on other systems."""
    about = Path("/proc/cpuinfo")
    lines = about.read_text().splitlines() if about.exists() else []
    return {flag for line in lines if line.startswith("flags") for flag in line.split()}


def architectures(**variables: str) -> str:
    """Return which kernels NumPy and SciPy use; kernels that share their code have one name."""
    asked = subprocess.run(
        [sys.executable, "-c", ARCHITECTURES],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    return asked.stdout.strip()


def threads() -> Machine:
    """As many threads of linear algebra as there are cores, and at least two."""
    count = str(max(2, os.cpu_count() or 1))
    pools = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return Machine(f"{count} threads", dict.fromkeys(pools, count))


def pythons() -> Iterator[Machine]:
    """Each supported Python that can be found."""
    for version in PYTHONS:
        name = f"Python {version}"
        if version == ".".join(platform.python_version_tuple()[:2]):
            yield Machine(name, skipped=f"it ran {ORDINARY}")
        elif (found := interpreter(version)) is None:
            yield Machine(name, skipped="it is neither on PATH nor among pyenv's versions")
        else:
            yield Machine(name, python=found)


def interpreter(version: str) -> Path | None:
    """Find a Python that starts: pyenv puts one on PATH that only says which it has."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    on_path = shutil.which(f"python{version}")
    found = [Path(on_path)] if on_path else []
    found += sorted(pyenv.glob(f"versions/{version}.*/bin/python"), reverse=True)
    for path in found:
        asked = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
        if asked.returncode == 0 and asked.stdout.startswith(f"Python {version}."):
            return path
    return None


def run(machine: Machine) -> str:
    """Run the numerical tests as this machine would; say how they ended."""
    print(f"── {machine.name} ".ljust(80, "─"), flush=True)
    python = machine.python
    if python != Path(sys.executable):
        try:
            python = environment_of(python)
        except subprocess.CalledProcessError as error:
            return f"FAILED: `{' '.join(error.cmd)}` ended with {error.returncode}"
    command = [str(python), "-m", "pytest", "-q", "-m", "not slow", *NUMERICAL]
    command += ["-n", str(os.cpu_count() or 1), "--dist", "worksteal", "-p", "no:cacheprovider"]
    ended = subprocess.run(command, cwd=ROOT, env=os.environ | machine.variables, check=False)
    return f"FAILED ({ended.returncode})" if ended.returncode else "passed"


def environment_of(python: Path) -> Path:
    """Return the Python of an environment in build/ with what requirements.lock asks for."""
    version = subprocess.run([python, "--version"], capture_output=True, text=True, check=True)
    folder = BUILD / version.stdout.split()[1]
    own, stamp = folder / "bin" / "python", folder / ".coterie-stamp"
    asked = b"".join(path.read_bytes() for path in (LOCK, ROOT / "pyproject.toml"))
    wanted = hashlib.sha256(asked).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        install = [UV, "pip", "install", "--quiet", "--python", str(own)]
        for command in (
            [UV, "venv", "--quiet", "--clear", "--seed", "--python", str(python), str(folder)],
            [*install, "--require-hashes", "-r", str(LOCK)],
            [*install, "--no-deps", "--no-build-isolation", "-e", str(ROOT)],
        ):
            subprocess.run(command, check=True)
        stamp.write_text(wanted)
    return own


if __name__ == "__main__":
    sys.exit(main())
