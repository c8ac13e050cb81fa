"""Spreadsheets."""

import io
import struct
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.core.formats.files import workbook_sizes
from coterie.plugins.readers.excel import Excel
from tests.hostile import bombs
from tests.refusals import refuses


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
    assert "Read sheet 'One', the first of 3 with content." in read(path).notes
    assert read(path, sheet="Two").columns == ("b",)
    assert read(path, sheet="3").columns == ("b",)
    with refuses("unknown-sheet", DataError, match="'Four'"):
        read(path, sheet="Four")
    with refuses("empty-data", DataError, match="'Empty'.*'book.xlsx'"):
        read(path, sheet="Empty")


def test_missing_cells_empty_rows_and_no_header(write: Write) -> None:
    data = read(write(S=[[1, 2], [None, None], [None, "NA"], [5, 6]]))
    assert data.columns == ("column 1", "column 2")
    assert data.n == 3
    assert np.isnan(np.asarray(data.features)).sum() == 2
    assert data.details["guessed"]["header"] is False


def test_dates_truth_values_and_categories_are_features(write: Write) -> None:
    rows = [["a", "paid", "kind"], [1, "yes", "x"], [2, "no", "y"], [4, "yes", "x"]]
    data = read(write(S=rows))
    assert data.columns == ("a", "paid = yes", "kind = y")
    assert [column.type for column in data.table] == ["number", "category", "category"]
    old = read(write(S=rows), features="numbers")
    assert old.columns == ("a",)
    assert [column.role for column in old.table] == ["feature", "information", "information"]


def test_titles_above_the_table_are_passed_over_and_that_is_said(write: Write) -> None:
    data = read(write(S=[["Report of May", None, None], ["a", "b", "c"], [1, 2, 3], [4, 5, 7]]))
    assert data.columns == ("a", "b", "c")
    assert any("'Report of May'" in note for note in data.notes)


def test_a_merged_cell_has_its_value_in_all_its_places(tmp_path: Path, write: Write) -> None:
    path = write(S=[["kind", "a"], ["x", 1], [None, 2], ["y", 3]])
    merged = tmp_path / "merged.xlsx"
    with zipfile.ZipFile(path) as book, zipfile.ZipFile(merged, "w") as changed:
        for name in book.namelist():
            text = book.read(name).decode()
            cells = '</sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells>'
            changed.writestr(name, text.replace("</sheetData>", cells))
    data = read(merged)
    assert data.table[0].words() == ["x", "x", "y"]
    assert any("1 merged cell" in note for note in data.notes)


def test_mistakes_get_one_sentence(write: Write, tmp_path: Path) -> None:
    with refuses("file-not-found", DataError):
        read(tmp_path / "nowhere.xlsx")
    (tmp_path / "bad.xlsx").write_bytes(b"not a workbook")
    with refuses("file-damaged", DataError):
        read(tmp_path / "bad.xlsx")
    with refuses("empty-data", DataError):
        read(write(S=[["a", "b"]]), header="yes")
    with refuses("empty-data", DataError, match="'book.xlsx'"):
        read(write(S=[]))


def test_a_preview_has_all_columns_and_what_becomes_of_them(write: Write) -> None:
    rows = [[f"plant {i}", i / 2, 7, "ab"[i % 2]] for i in range(80)]
    path = write(plants=[["name", "height", "plot", "class"], *rows])
    params = Excel.Params(items="name", leave_out=["plot"])
    table = Excel().preview(path, params=params, context=Context())
    assert table.columns == ("name", "height", "plot", "class")
    assert table.roles == ("items", "feature", "information", "truth")
    assert table.rows[1] == ("plant 1", "0.5", "7", "b")
    assert len(table.rows) == 50
    assert [about.known for about in table.about] == [80] * 4
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
    with refuses("file-too-large", DataError, match=said):
        read(tmp_path / file)


def test_a_workbook_that_unfolds_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook_sizes, "MOST_UNPACKED", 1 << 20)
    (tmp_path / "a.xlsx").write_bytes(bombs.workbook("shared.xlsx", shared=2))
    with refuses("file-too-large", DataError):
        read(tmp_path / "a.xlsx")


FAR = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    "{}</sheetData></worksheet>"
)
CORNER = '<row r="1048576"><c r="{}"><v>1</v></c></row>'
LONG_ROW = f"<row>{'<c><v>1</v></c>' * 16_384}</row>"


@pytest.mark.parametrize(
    "rows",
    [
        CORNER.format("XFD1048576"),
        CORNER.format("xfd1048576"),
        '<row r="1048576"><c r' + " " * 3_000_000 + '= "XFD1048576"><v>1</v></c></row>',
        LONG_ROW + CORNER.format("A1048576"),
        LONG_ROW + "<row/>" * 100_000 + "<row><c><v>1</v></c></row>",
        LONG_ROW + "</row>" * 100_000 + "<row><c><v>1</v></c></row>",
    ],
    ids=["capitals", "small letters", "blanks", "cells without places", "rows", "row ends"],
)
def test_a_far_cell_is_found_however_it_is_written(tmp_path: Path, rows: str) -> None:
    (tmp_path / "a.xlsx").write_bytes(bombs.workbook_of(FAR.format(rows)))
    with refuses("file-too-large", DataError, match="16,384"):
        read(tmp_path / "a.xlsx")


def test_a_far_cell_is_found_wherever_its_sheet_lies(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(bombs.workbook("corners.xlsx", place="s.dat"))
    with refuses("file-too-large", DataError, match="1,048,576.*16,384"):
        read(tmp_path / "a.xlsx")


@pytest.mark.parametrize("damage", ["checksum", "password", "method", "size"])
@pytest.mark.parametrize("member", [0, -1])
def test_no_damage_to_a_member_ends_the_look_at_the_others(
    tmp_path: Path, damage: str, member: int
) -> None:
    """The library may read what we do not: it looks at less of what an archive says of itself."""
    content = bytearray(bombs.workbook("corners.xlsx"))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        count = len(archive.infolist())
        start = archive.start_dir
    for _ in range(member % count):  # to the entry of the directory
        start += 46 + sum(struct.unpack_from("<3H", content, start + 28))
    place, value = {
        "checksum": (start + 16, b"\1\2\3\4"),
        "password": (start + 8, b"\1\0"),
        "method": (start + 8, b"\x20\0"),
        "size": (start + 24, b"\1\0\0\0"),
    }[damage]
    content[place : place + len(value)] = value
    (tmp_path / "a.xlsx").write_bytes(content)
    with pytest.raises(DataError, match=r"reaches to row|cannot be read as a spreadsheet"):
        workbook_sizes.require_modest(tmp_path / "a.xlsx")


@pytest.mark.parametrize(
    "rows",
    [
        bombs.repeated_row(1 << 20, 1 << 14),
        bombs.repeated_row(1, 1 << 14) + bombs.repeated_row(1 << 20, 1),
        bombs.repeated_row(1, 1 << 14)
        + '<table:table-row table:number-rows-repeated="1000000"><table:table-cell/>'
        "</table:table-row>" + bombs.repeated_row(1, 1),
        '<table:table-row><table:table-cell table:number-columns-repeated="99999999"/>'
        "<table:table-cell/></table:table-row>",
    ],
    ids=["both", "one each", "empty rows", "empty cells"],
)
def test_repeated_cells_of_open_document_are_counted(tmp_path: Path, rows: str) -> None:
    (tmp_path / "a.ods").write_bytes(bombs.open_document(rows))
    with refuses("file-too-large", DataError):
        read(tmp_path / "a.ods")


@pytest.mark.parametrize(
    ("inside", "code"),
    [
        ('<text:p>x<text:s text:c="9999999999"/></text:p>', "file-too-large"),
        ("<table:table/>", "file-damaged"),
        ("<text:p>", "file-damaged"),
    ],
)
def test_texts_and_tables_in_cells_of_open_document(tmp_path: Path, inside: str, code: str) -> None:
    rows = f'<table:table-row><table:table-cell office:value-type="string">{inside}'
    rows += "</table:table-cell></table:table-row>"
    (tmp_path / "a.ods").write_bytes(bombs.open_document(rows))
    with refuses(code, DataError):
        read(tmp_path / "a.ods")


def test_an_open_document_as_offices_write_it_is_read(tmp_path: Path) -> None:
    """They end each row and each sheet with all the empty cells that a sheet could have."""
    rest = '<table:table-cell table:number-columns-repeated="16380"/>'
    row = (
        f'<table:table-row>{{}}<table:table-cell office:value-type="float" office:value="4"/>{rest}'
    )
    rows = "".join(
        row.format(
            f'<table:table-cell office:value-type="float" office:value="{i}" '
            'table:number-columns-repeated="2"/>'
        )
        + "</table:table-row>"
        for i in range(3)
    )
    rows += (
        '<table:table-row table:number-rows-repeated="1048573"><table:table-cell '
        'table:number-columns-repeated="16384"/></table:table-row>'
    )
    (tmp_path / "a.ods").write_bytes(bombs.open_document(rows))
    np.testing.assert_array_equal(
        read(tmp_path / "a.ods").dense_features(), [[0, 0, 4], [1, 1, 4], [2, 2, 4]]
    )


@pytest.mark.parametrize("prefix", ["", pytest.param("x:", marks=pytest.mark.slow)])
def test_long_and_wide_sheets_that_are_filled_pass(tmp_path: Path, prefix: str) -> None:
    def sheet(rows: int, columns: list[str]) -> bytes:
        cells = "".join(
            f'<{prefix}row r="{i}">'
            + "".join(
                f'<{prefix}c r="{c}{i}"><{prefix}v>1</{prefix}v></{prefix}c>' for c in columns
            )
            + f"</{prefix}row>"
            for i in range(1, rows + 1)
        )
        return bombs.workbook_of(
            f"<{prefix}worksheet><{prefix}sheetData>{cells}</{prefix}sheetData>"
        )

    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    wide = [a + b + c for a in letters[:3] for b in letters for c in letters]
    for rows, columns in ((700_000, ["A"]), (50, wide)):
        (tmp_path / "a.xlsx").write_bytes(sheet(rows, columns))
        workbook_sizes.require_modest(tmp_path / "a.xlsx")


def formula(text: str, value: str = "", kind: str = "") -> str:
    kept = f"<v>{value}</v>" if value else ""
    return f'<c t="{kind or "n"}"><f>{text}</f>{kept}</c>'


def number(value: float) -> str:
    return f"<c><v>{value}</v></c>"


def sheet_of(*rows: Sequence[str], after: str = "") -> str:
    body = "".join(f"<row>{''.join(cells)}</row>" for cells in rows)
    return FAR.format(body).replace("</sheetData>", f"</sheetData>{after}")


def words(*texts: str) -> list[str]:
    return [f'<c t="inlineStr"><is><t>{text}</t></is></c>' for text in texts]


def test_values_of_formulas_are_read_and_what_has_none_is_said(tmp_path: Path) -> None:
    rows = [
        [number(i), formula("A2*2", str(2 * i)), formula("A2*3"), formula("1/A2", "#DIV/0!", "e")]
        for i in (4.5, 2, 7)
    ]
    text = sheet_of(words("a", "twice", "thrice", "inverse"), *rows)
    (tmp_path / "a.xlsx").write_bytes(bombs.workbook_of(text))
    data = read(tmp_path / "a.xlsx")
    assert data.columns == ("a", "twice")
    assert [column.name for column in data.table] == ["a", "twice", "thrice", "inverse"]
    assert any(n.startswith("3 formulas have no value") and "cell C2" in n for n in data.notes)
    assert any(n.startswith("3 cells hold an error, the first is #DIV/0!") for n in data.notes)


def test_a_formula_whose_value_is_an_empty_text_is_no_gap(tmp_path: Path) -> None:
    rows = [[number(i), formula('""', kind="str")] for i in (4.5, 2, 7)]
    (tmp_path / "a.xlsx").write_bytes(bombs.workbook_of(sheet_of(words("a", "b"), *rows)))
    assert not any("formula" in note for note in read(tmp_path / "a.xlsx").notes)


@pytest.mark.parametrize(
    ("names", "code"), [(words("a"), "no-numbers"), ([], "empty-data")], ids=["names", "no names"]
)
def test_a_sheet_of_formulas_that_were_never_worked_out_says_so(
    tmp_path: Path, names: list[str], code: str
) -> None:
    rows = [[formula("ROW()*2")], [formula("ROW()*3")]]
    (tmp_path / "a.xlsx").write_bytes(bombs.workbook_of(sheet_of(names, *rows)))
    with refuses(code, DataError, match="2 formulas have no value"):
        read(tmp_path / "a.xlsx")


def test_formulas_and_errors_of_an_open_document_are_told_apart(tmp_path: Path) -> None:
    value = '<table:table-cell office:value-type="float" office:value="{}"/>'
    error = (
        '<table:table-cell table:formula="of:=1/0" office:value-type="string" '
        'office:string-value="" calcext:value-type="error"><text:p>#DIV/0!</text:p>'
        "</table:table-cell>"
    )
    empty = '<table:table-cell table:formula="of:=[.A1]"/>'
    rows = "".join(
        f"<table:table-row>{value.format(i)}{value.format(i * i)}{error}{empty}</table:table-row>"
        for i in (4.5, 2, 7)
    )
    (tmp_path / "a.ods").write_bytes(bombs.open_document(rows))
    data = read(tmp_path / "a.ods")
    assert data.d == 2
    assert any("3 formulas" in note and "cell D1" in note for note in data.notes)
    assert any("3 cells hold an error" in note and "cell C1" in note for note in data.notes)


def test_two_rows_of_names_below_a_merged_cell_are_joined(tmp_path: Path) -> None:
    merged = '<mergeCells><mergeCell ref="B1:C1"/><mergeCell ref="D1:E1"/></mergeCells>'
    above, below = (
        words("town", "2019", "", "2020", ""),
        words("", "sales", "cost", "sales", "cost"),
    )
    rows = [[*words(town), *map(number, (i, 2.5, i * i, 4))] for i, town in enumerate("abcd")]
    text = sheet_of(above, below, *rows, after=merged)
    (tmp_path / "a.xlsx").write_bytes(bombs.workbook_of(text))
    data = read(tmp_path / "a.xlsx")
    names = ["town", "2019 sales", "2019 cost", "2020 sales", "2020 cost"]
    assert [column.name for column in data.table] == names
    assert any("first two rows as names" in note for note in data.notes)
