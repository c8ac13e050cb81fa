"""Texts in files and in tables."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coterie.core import Context, DataError, Dataset
from coterie.plugins.readers.texts import TextFiles
from tests.refusals import refuses


def read(path: Path, **params: Any) -> Dataset:
    return TextFiles().compute(path, params=TextFiles.Params(**params), context=Context())


def test_a_folder_of_files(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("second")
    (tmp_path / "a.txt").write_bytes("première".encode("cp1252"))
    (tmp_path / "notes.md").write_text("other")
    data = read(tmp_path)
    assert data.kind == "texts"
    assert data.texts == ("première", "second")
    assert data.items == ("a.txt", "b.txt")
    assert data.truth is None
    assert read(tmp_path, files="*.md").texts == ("other",)


def test_folders_in_a_folder_are_classes(tmp_path: Path) -> None:
    for name in ("de/1.txt", "fr/1.txt", "fr/2.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"text {name}")
    data = read(tmp_path)
    assert data.truth_names == ("de", "fr")
    assert data.truth is not None
    assert data.truth.tolist() == [0, 1, 1]


def test_a_column_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('id,text,label\n1,"one, two",x\n2,none,y\n')
    data = read(path, items="id")
    assert data.texts == ("one, two", "none")
    assert data.items == ("1", "2")
    assert data.truth_names == ("x", "y")
    assert data.details["guessed"]["text"] == "text"
    path.write_text("short,long\nab,abcdef\ncd,ghijkl\n")
    assert read(path).texts == ("abcdef", "ghijkl")
    assert read(path, text="short").texts == ("ab", "cd")


def test_a_column_of_a_spreadsheet(write: Callable[..., Path]) -> None:
    path = write(
        Notes=[["Made by hand"]],
        Letters=[["id", "text", "label"], [1, "one, two", "x"], [2, "none", "y"], [3, "12", "y"]],
    )
    data = read(path, sheet="Letters", items="id")
    assert data.texts == ("one, two", "none", "12")
    assert data.items == ("1", "2", "3")
    assert data.truth_names == ("x", "y")
    params = TextFiles.Params(sheet="2", items="id")
    shown = TextFiles().preview(path, params=params, context=Context())
    assert shown is not None
    assert shown.roles == ("items", "text", "truth")
    assert shown.rows[1] == ("2", "none", "y")
    with refuses("unknown-column", DataError, match="'body'"):
        read(path, sheet="Letters", text="body")


def test_empty_texts_are_refused_or_left_out(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("text,n\none,1\n,2\nthree,3\n")
    with refuses("no-texts", DataError, match="1.*2"):
        read(path)
    data = read(path, empty="leave-out")
    assert data.texts == ("one", "three")
    assert "1 of the texts is empty and left out." in data.notes
    (tmp_path / "f").mkdir()
    (tmp_path / "f/a.txt").write_text("")
    with refuses("no-texts", DataError, match=r"a\.txt"):
        read(tmp_path / "f", empty="leave-out")


def test_mistakes_get_one_sentence(tmp_path: Path) -> None:
    with refuses("no-texts", DataError, match=r"'\*.txt'"):
        read(tmp_path)
    with refuses("invalid-parameters", DataError):
        read(tmp_path, truth="x")
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with refuses("no-texts", DataError):
        read(tmp_path / "t.csv")
    with refuses("unknown-column", DataError, match="'z'"):
        read(tmp_path / "t.csv", text="z")
    with refuses("file-not-found", DataError):
        read(tmp_path / "nowhere.csv")
    (tmp_path / "x.txt").write_bytes(b"\0\1\2")
    with refuses("not-text", DataError):
        read(tmp_path)


@pytest.mark.realdata
def test_a_constitution_in_four_languages(realdata: Path) -> None:
    data = read(realdata / "swiss_constitution.csv.gz")
    assert data.n == 780
    assert len(data.truth_names) == 4
    assert data.texts[0].startswith("The Swiss Confederation")
