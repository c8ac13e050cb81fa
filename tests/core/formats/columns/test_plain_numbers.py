"""Tables of numbers alone are read by Arrow exactly as by the careful way, or left to it."""

from pathlib import Path

import numpy as np
import pytest

from coterie.core import Context, Dataset
from coterie.core.formats.columns import plain_numbers
from coterie.core.formats.columns.plain_numbers import read_plain_numbers
from coterie.core.formats.files.delimited import find_format
from coterie.plugins.readers.csv import CSV

pytest.importorskip("pyarrow")


@pytest.fixture(autouse=True)
def small_files_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_numbers, "WORTH_IT", 0)


def opened(path: Path, text: str) -> tuple[Dataset, bool]:
    path.write_text(text, encoding="utf-8")
    by_arrow = read_plain_numbers(path, find_format(path), None) is not None
    return CSV().compute(path, params=CSV.Params(), context=Context()), by_arrow


def test_both_ways_read_the_same_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)) * 10.0 ** rng.integers(-300, 300, (200, 3))
    lines = [",".join(map(repr, row)) for row in X.tolist()]
    lines[7] = "NA,1e5,-inf"
    text = "a,b,c\n" + "\n".join(lines) + "\n"
    fast, by_arrow = opened(tmp_path / "x.csv", text)
    assert by_arrow
    monkeypatch.setattr(plain_numbers, "WORTH_IT", 1 << 60)
    slow, by_arrow = opened(tmp_path / "x.csv", text)
    assert not by_arrow
    np.testing.assert_array_equal(fast.features, slow.features)
    assert fast.columns == slow.columns
    assert fast.notes == slow.notes


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,x\n2,y\n",
        "a,b\n1,007\n2,008\n",
        "a;b\n1,5;2,5\n2,5;3,5\n",
        "a,b\n1,2\n,\n3,4\n",
        "a,b\n" + "1,2\n" * 5000 + "1,late\n",
    ],
    ids=["texts", "codes", "comma", "empty line", "late"],
)
def test_what_is_not_plain_is_left_to_the_careful_way(text: str, tmp_path: Path) -> None:
    data, by_arrow = opened(tmp_path / "x.csv", text)
    assert not by_arrow
    assert data.n == len([line for line in text.splitlines()[1:] if line.strip(",")])
