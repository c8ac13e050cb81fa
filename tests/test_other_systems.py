"""What Coterie stands on can be installed on Windows and macOS, without building anything."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
UV = str(Path(sys.executable).with_name("uv"))
# By uv's name: the oldest macOS for which all have wheels, and the extras that can be had.
SYSTEMS = {
    "x86_64-pc-windows-msvc": ("", ("desktop", "distributed", "umap")),
    "aarch64-apple-darwin": ("14.0", ("desktop", "distributed", "umap")),
    # numba, on which umap-learn stands, has given up Intel Macs.
    "x86_64-apple-darwin": ("15.0", ("desktop", "distributed")),
}


@pytest.mark.slow
@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_there_are_wheels_of_all_dependencies(
    system: str, python: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    oldest, extras = SYSTEMS[system]
    if oldest:
        monkeypatch.setenv("MACOSX_DEPLOYMENT_TARGET", oldest)
    command = [str(UV), "pip", "compile", "--quiet", "pyproject.toml", "--only-binary", ":all:"]
    command += ["--constraint", "requirements.lock", "--no-header", "--no-annotate"]
    command += ["--python-platform", system, "--python-version", python]
    command += [word for extra in extras for word in ("--extra", extra)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if "error sending request" in done.stderr or "dns error" in done.stderr:
        pytest.skip("the package index cannot be reached")
    assert done.returncode == 0, done.stderr
    found = {line.partition("==")[0] for line in done.stdout.splitlines()}
    assert {"numpy", "h5py", "rasterio", "pyside6-essentials"} <= found
