"""Files of SPSS, Stata and SAS."""

import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from coterie.core import Context, DataError, Dataset
from coterie.plugins.readers.statistics import Statistics
from tests.refusals import refuses

pyreadstat = pytest.importorskip("pyreadstat")
pandas = pytest.importorskip("pandas")

SEXES = {1.0: "male", 2.0: "female"}
ANSWERS = {1.0: "no", 2.0: "perhaps", 3.0: "yes"}


def read(path: Path, **params: Any) -> Dataset:
    return Statistics().compute(path, params=Statistics.Params(**params), context=Context())


@pytest.fixture
def frame() -> Any:
    return pandas.DataFrame(
        {
            "sex": [1.0, 2.0, 2.0, None],
            "answer": [1.0, 3.0, 2.0, 3.0],
            "day": [date(1899, 1, 2), date(2020, 1, 2), None, date(2020, 3, 1)],
            "size": [1.5, 2.0, 9.0, 4.0],
            "code": [5.0, 7.0, 5.0, 5.0],
        }
    )


def test_a_file_of_spss(tmp_path: Path, frame: Any) -> None:
    path = tmp_path / "a.sav"
    pyreadstat.write_sav(
        frame,
        path,
        variable_value_labels={"sex": SEXES, "answer": ANSWERS},
        variable_measure={"answer": "ordinal", "code": "nominal"},
        column_labels={"size": "Size in metres"},
        missing_ranges={"size": [9]},
    )
    data = read(path)
    types = {column.name: (column.type, column.categories) for column in data.table}
    assert types == {
        "sex": ("category", ("male", "female")),
        "answer": ("ordered", ("no", "perhaps", "yes")),
        "day": ("date", ()),
        "size": ("number", ()),
        "code": ("category", ("5", "7")),
    }
    assert data.table[0].words() == ["male", "female", "female", ""]
    assert data.table[2].words() == ["1899-01-02", "2020-01-02", "", "2020-03-01"]
    assert data.table[3].missing.tolist() == [False, False, True, False]
    assert "Size in metres" in data.table[3].why


@pytest.mark.parametrize(("name", "writer"), [("a.dta", "write_dta"), ("a.xpt", "write_xport")])
def test_files_of_stata_and_sas(tmp_path: Path, frame: Any, name: str, writer: str) -> None:
    getattr(pyreadstat, writer)(frame, tmp_path / name)
    data = read(tmp_path / name)
    assert [column.type for column in data.table] == ["number", "number", "date", *["number"] * 2]
    assert data.n == 4


def test_values_of_which_some_have_no_label_stay_numbers(tmp_path: Path, frame: Any) -> None:
    path = tmp_path / "a.sav"
    ends = {1.0: "not at all", 3.0: "entirely"}
    pyreadstat.write_sav(frame, path, variable_value_labels={"answer": ends})
    assert read(path).table[1].type == "number"


def test_each_mistake_gets_one_sentence(
    tmp_path: Path, frame: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with refuses("file-not-found", DataError):
        read(tmp_path / "nowhere.sav")
    (tmp_path / "bad.sav").write_bytes(b"$FL2 not such a file")
    with refuses("file-damaged", DataError):
        read(tmp_path / "bad.sav")
    pyreadstat.write_sav(frame.iloc[:0], tmp_path / "empty.sav")
    with refuses("empty-data", DataError):
        read(tmp_path / "empty.sav")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with refuses("missing-package", DataError):
        read(tmp_path / "bad.sav")
