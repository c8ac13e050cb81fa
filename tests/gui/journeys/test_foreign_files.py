"""The window's process has not even loaded what parses strangers' files, whatever was opened."""

import subprocess
import sys
from pathlib import Path

import pytest

PARSERS = ("gdal", "rasterio", "libproj", "hdf5", "h5py", "libsqlite", "_sqlite3")


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists what a process maps")
def test_no_journey_loads_what_parses_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    files = tmp_path / "files"
    files.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "tests.gui.journeys.foreign_files", files],
        cwd=Path(__file__).resolve().parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "seen: a preview" in done.stdout
    loaded = {line.split()[-1] for line in done.stdout.splitlines() if line.endswith(".so")}
    assert any("numpy" in name for name in loaded)
    assert not [name for name in loaded for parser in PARSERS if parser in name.lower()]
