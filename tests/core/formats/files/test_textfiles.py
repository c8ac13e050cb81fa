"""Text in any encoding, compressed or not; and one sentence when it is no text."""

import gzip
from pathlib import Path

import pytest

from coterie.core import DataError
from coterie.core.formats.files.textfiles import find_encoding, open_text
from tests.refusals import refuses

TEXT = "größe;naïve\n1,5;2\n"


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("cp1252", "cp1252"),
    ],
)
@pytest.mark.parametrize("compressed", [False, True])
def test_the_encoding_is_found(tmp_path: Path, written: str, found: str, compressed: bool) -> None:
    data = TEXT.encode(written)
    path = tmp_path / "table"
    path.write_bytes(gzip.compress(data) if compressed else data)
    assert find_encoding(path) == found
    with open_text(path, found) as stream:
        assert stream.read() == TEXT


def test_a_character_late_in_the_file_decides_too(tmp_path: Path) -> None:
    path = tmp_path / "late.csv"
    path.write_bytes(b"1,2\n" * 600_000 + "ä".encode("cp1252"))
    assert find_encoding(path) == "cp1252"


def test_a_character_cut_by_a_block_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "cut.csv"
    path.write_bytes(b"a" * ((1 << 20) - 1) + "ä".encode())
    assert find_encoding(path) == "utf-8"


def test_bytes_that_cp1252_does_not_know_are_latin(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_bytes(b"a\x81b")
    assert find_encoding(path) == "latin-1"


def test_binary_data_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "picture.csv"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00")
    with refuses("not-text", DataError):
        find_encoding(path)


def test_a_missing_file_a_folder_and_a_damaged_one(tmp_path: Path) -> None:
    with refuses("file-not-found", DataError):
        find_encoding(tmp_path / "nowhere.csv")
    with refuses("is-a-folder", DataError):
        find_encoding(tmp_path)
    cut = tmp_path / "cut.csv.gz"
    cut.write_bytes(gzip.compress(b"1,2\n" * 1000)[:-20])
    with refuses("file-damaged", DataError):
        find_encoding(cut)


def test_a_wrong_encoding_is_said(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes("ä".encode("cp1252"))
    with refuses("wrong-encoding", DataError), open_text(path, "utf-8") as stream:
        stream.read()
    with refuses("wrong-encoding", DataError, match="'klingon'"), open_text(path, "klingon"):
        pass
