"""A short campaign of each kind, always the same; and what a crash leaves behind."""

import sys
from pathlib import Path

import pytest

from tests.hostile import fuzz, parsers
from tests.projects.store.hdf5 import samples

IN_PROCESSES = [fuzz.MUTATED, fuzz.READERS, "flipped"]  # the others: test_damage.py


@pytest.mark.parametrize("kind", IN_PROCESSES)
def test_a_round_opens_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setitem(fuzz.FILES, kind, 3)
    samples.save(tmp_path / "whole.coterie.h5")
    tally, error = fuzz.open_files(kind, 7, tmp_path / "whole.coterie.h5")
    assert error == ""
    assert sum(tally.values()) == 3


@pytest.mark.parametrize("name", parsers.targets())
def test_a_parser_answers_or_raises_its_own_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(parsers, "KEPT", tmp_path)
    tally = parsers.run(name, 1, 200)
    assert tally["refused"] + tally["read"] == 200
    assert tally["refused"]


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_two_thousand_files_are_refused_or_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["fuzz", "--cases", "2000", "--seed", "1"]
    monkeypatch.setattr(sys, "argv", arguments)
    fuzz.main()
    assert "each refused or read:" in capsys.readouterr().out


def test_a_program_that_crashes_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "RELEASED", ())
    tally, error = fuzz.open_files("flipped", 7, tmp_path / "missing.h5")
    assert tally == {}
    assert "FileNotFoundError" in error


def test_what_breaks_a_parser_is_kept_and_tried_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(data: bytes) -> None:
        raise ZeroDivisionError(data)

    monkeypatch.setattr(parsers, "KEPT", tmp_path)
    monkeypatch.setattr(parsers, "targets", lambda: {"x": parsers.Target(stumble, (b"seed",))})
    with pytest.raises(ZeroDivisionError):
        parsers.run("x", 1, 5)
    [kept] = (tmp_path / "x" / "crashes").iterdir()
    with pytest.raises(ZeroDivisionError, match=repr(kept.read_bytes()).replace("\\", "\\\\")):
        parsers.run("x", 2, 5)
