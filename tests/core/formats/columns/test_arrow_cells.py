"""Tables are read by Arrow exactly as by the careful way, or left to it."""

from pathlib import Path

import numpy as np
import pytest

from coterie.core import Context, Dataset
from coterie.core.formats.columns import arrow_cells
from coterie.core.formats.columns.arrow_cells import read_by_arrow
from coterie.core.formats.files.delimited import find_format
from coterie.plugins.readers import csv as csv_reader
from coterie.plugins.readers.csv import CSV

pytest.importorskip("pyarrow")


@pytest.fixture(autouse=True)
def small_files_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow_cells, "WORTH_IT", 0)


def opened(path: Path, text: str) -> tuple[Dataset, bool]:
    path.write_text(text, encoding="utf-8")
    by_arrow = read_by_arrow(path, find_format(path)) is not None
    return CSV().compute(path, params=CSV.Params(), context=Context()), by_arrow


def test_both_ways_read_the_same_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)) * 10.0 ** rng.integers(-300, 300, (200, 3))
    lines = [",".join(map(repr, row)) for row in X.tolist()]
    lines[7] = "NA,1e5,-inf"
    text = "a,b,c\n" + "\n".join(lines) + "\n"
    fast, by_arrow = opened(tmp_path / "x.csv", text)
    assert by_arrow
    monkeypatch.setattr(arrow_cells, "WORTH_IT", 1 << 60)
    slow, by_arrow = opened(tmp_path / "x.csv", text)
    assert not by_arrow
    np.testing.assert_array_equal(fast.features, slow.features)
    assert fast.columns == slow.columns
    assert fast.notes == slow.notes


MIXED = "id,size,town,day,note\n" + "".join(
    f"{i:04},{size},{town} ,2024-01-{1 + i % 28:02},remark {i}\n"
    for i, (size, town) in enumerate(
        zip(["1.5", "", "NA", "-2e3"] * 25, ["Köln", "Graz", "n.a.", "?"] * 25, strict=True)
    )
)


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,x\n2,y\n3,x\n",
        "a,b\n1,007\n2,008\n",
        "a;b\n1,5;2,5\n2,5;3,5\n",
        "a,b\n" + "1,2\n" * 5000 + "1,late\n" + "1,\n2,NA\n",
        "a,b\n" + "1,2\n" * 5000 + "1,k.A.\n",
        'a,b\n1,"x, y"\n2,"x ""y"" z"\n3,"two\nlines"\n4, none\n',
        MIXED,
    ],
    ids=["texts", "codes", "comma", "late", "late mark", "quotes", "mixed"],
)
def test_columns_of_texts_are_the_same_both_ways(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast, by_arrow = opened(tmp_path / "x.csv", text)
    assert by_arrow
    monkeypatch.setattr(arrow_cells, "WORTH_IT", 1 << 60)
    slow, _ = opened(tmp_path / "x.csv", text)
    for one, other in zip(fast.table, slow.table, strict=True):
        assert (one.name, one.type, one.role, one.why) == (
            other.name,
            other.type,
            other.role,
            other.why,
        )
        assert one.words() == other.words()


@pytest.mark.parametrize(
    "text",
    ["a,b\n1,2\n,\n3,4\n", "a,b\n1,x\n , \n3,y\n", 'a,b\n1, "x"\n2, "y"\n3,x\n'],
    ids=["empty line", "blanks", "quote after a blank"],
)
def test_what_arrow_would_read_differently_is_left_to_the_careful_way(
    text: str, tmp_path: Path
) -> None:
    data, by_arrow = opened(tmp_path / "x.csv", text)
    assert not by_arrow
    assert data.n == len([line for line in text.splitlines()[1:] if line.strip(", ")])


def test_an_encoding_that_a_later_part_does_not_have_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_reader, "ENCODED", 100)
    path = tmp_path / "x.csv"
    path.write_bytes(b"a,b\n" + b"1,x\n2,y\n" * 300_000 + "3,Köln\n".encode("cp1252"))
    data = CSV().compute(path, params=CSV.Params(), context=Context())
    assert data.table[1].words()[-1] == "Köln"
