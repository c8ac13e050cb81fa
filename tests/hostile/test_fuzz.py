"""A round of each kind opens the files it was asked for, and a crash is told with its seed."""

from pathlib import Path

import pytest

from tests.hostile import fuzz
from tests.projects.store.hdf5 import samples


@pytest.mark.parametrize("kind", fuzz.FILES)
def test_a_round_opens_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setitem(fuzz.FILES, kind, 3)
    samples.save(tmp_path / "whole.coterie.h5")
    tally, error = fuzz.open_files(kind, 7, tmp_path / "whole.coterie.h5")
    assert error == ""
    assert sum(tally.values()) == 3


def test_a_program_that_crashes_is_told(tmp_path: Path) -> None:
    tally, error = fuzz.open_files("flipped", 7, tmp_path / "missing.h5")
    assert tally == {}
    assert "FileNotFoundError" in error
