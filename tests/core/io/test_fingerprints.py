"""Hashes of files: all bytes of small ones, some of very large rasters."""

import hashlib
import os
from pathlib import Path

import pytest

from coterie.core.io import fingerprints
from coterie.core.io.fingerprints import file_hash


def quiet() -> None:
    """Nobody cancels."""


def test_small_files_count_with_all_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    assert file_hash(path, quiet) == hashlib.sha256(b"abc").hexdigest()
    assert file_hash(path, quiet, partly=True) == file_hash(path, quiet)


def test_large_rasters_count_with_size_time_and_spread_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fingerprints, "LARGE", 1000)
    monkeypatch.setattr(fingerprints, "_BLOCK", 10)
    path = tmp_path / "a"
    path.write_bytes(bytes(5000))
    os.utime(path, ns=(0, 0))
    before = file_hash(path, quiet, partly=True)
    for place in (0, 4999):  # the header and the end are among the blocks
        changed = bytearray(5000)
        changed[place] = 1
        path.write_bytes(changed)
        os.utime(path, ns=(0, 0))
        assert file_hash(path, quiet, partly=True) != before
    path.write_bytes(bytes(5000))
    os.utime(path, ns=(0, 0))
    assert file_hash(path, quiet, partly=True) == before
    os.utime(path, ns=(1, 1))
    assert file_hash(path, quiet, partly=True) != before


def test_a_folder_counts_with_the_names_in_it(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1")
    before = file_hash(tmp_path, quiet)
    (tmp_path / "a").rename(tmp_path / "b")
    assert file_hash(tmp_path, quiet) != before


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    """Nobody writes to it: reading would wait for ever."""
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(OSError, match="device or a pipe"):
        fingerprints.fingerprint(tmp_path / "pipe.csv", quiet)
