"""Spreadsheets."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.core.files import workbook_sizes
from coterie.plugins.readers.excel import Excel
from tests.hostile import bombs


def read(path: Path, **params: Any) -> Dataset:
    return Excel().compute(path, params=Excel.Params(**params), context=Context())


Write = Callable[..., Path]


def test_a_sheet_with_names_and_classes(write: Write) -> None:
    path = write(
        Flowers=[["name", "width", "length", "species"], ["a", 1, 2.5, "x"], ["b", 3, "4", "y"]]
    )
    data = read(path, items="name")
    assert data.title == "book"
    assert data.columns == ("width", "length")
    np.testing.assert_array_equal(data.dense_features(), [[1, 2.5], [3, 4]])
    assert data.items == ("a", "b")
    assert data.truth_names == ("x", "y")
    assert data.details["guessed"] == {"sheet": "Flowers", "header": True, "truth": "species"}


def test_a_sheet_by_name_or_number(write: Write) -> None:
    path = write(Empty=[], One=[["a"], [1], [2]], Two=[["b"], [3]])
    assert read(path).columns == ("a",)
    assert "Sheet 'One' was read, the first filled of 3." in read(path).notes
    assert read(path, sheet="Two").columns == ("b",)
    assert read(path, sheet="3").columns == ("b",)
    with pytest.raises(DataError, match=r"no sheet 'Four'. Its sheets are: Empty, One, Two"):
        read(path, sheet="Four")
    with pytest.raises(DataError, match=r"Sheet 'Empty' of 'book.xlsx' is empty"):
        read(path, sheet="Empty")


def test_missing_cells_empty_rows_and_no_header(write: Write) -> None:
    data = read(write(S=[[1, 2], [None, None], [None, "NA"], [5, 6]]))
    assert data.columns == ("column 1", "column 2")
    assert data.n == 3
    assert np.isnan(np.asarray(data.features)).sum() == 2
    assert data.details["guessed"]["header"] is False


def test_text_is_left_out_by_name(write: Write) -> None:
    data = read(write(S=[["a", "remark"], [1, "fine"], [2, "late"]]))
    assert data.columns == ("a",)
    assert "Column 'remark' was left out: 'fine' of item 1 is not a number." in data.notes


def test_mistakes_get_one_sentence(write: Write, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"There is no file"):
        read(tmp_path / "nowhere.xlsx")
    (tmp_path / "bad.xlsx").write_bytes(b"not a workbook")
    with pytest.raises(DataError, match=r"cannot be read as a spreadsheet"):
        read(tmp_path / "bad.xlsx")
    with pytest.raises(DataError, match=r"no items"):
        read(write(S=[["a", "b"]]), header="yes")
    with pytest.raises(DataError, match=r"'book.xlsx' is empty"):
        read(write(S=[]))


def test_a_preview_has_all_columns_and_what_becomes_of_them(write: Write) -> None:
    rows = [[f"plant {i}", i / 2, 7, "ab"[i % 2]] for i in range(80)]
    path = write(plants=[["name", "height", "plot", "class"], *rows])
    params = Excel.Params(items="name", leave_out=["plot"])
    table = Excel().preview(path, params=params, context=Context())
    assert table.columns == ("name", "height", "plot", "class")
    assert table.roles == ("items", "feature", "left out", "truth")
    assert table.rows[1] == ("plant 1", "0.5", "7", "b")
    assert len(table.rows) == 50
    assert table.guessed == {"sheet": "plants", "header": True, "truth": "class"}
    assert read(path, items="name", leave_out=["plot"]).columns == ("height",)


@pytest.mark.parametrize(
    ("file", "said"),
    [("corners.xlsx", "row 1,048,576, column 16,384"), ("column.xlsx", "column 16,384")],
)
def test_a_sheet_of_which_next_to_nothing_is_filled_is_refused(
    tmp_path: Path, file: str, said: str
) -> None:
    (tmp_path / file).write_bytes(bombs.workbook(file))
    with pytest.raises(DataError, match=said):
        read(tmp_path / file)


def test_a_workbook_that_unfolds_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook_sizes, "MOST_UNFOLDED", 1 << 20)
    (tmp_path / "a.xlsx").write_bytes(bombs.workbook("shared.xlsx", shared=2))
    with pytest.raises(DataError, match="unfolds to more than"):
        read(tmp_path / "a.xlsx")
