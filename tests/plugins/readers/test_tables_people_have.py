"""Tables as people have them: each opens as it is, with sensible types and roles."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, Dataset, Reader
from coterie.plugins.readers.arff import ARFF
from coterie.plugins.readers.csv import CSV
from coterie.plugins.readers.excel import Excel

pytestmark = pytest.mark.realdata
READERS: dict[str, type[Reader]] = {".csv": CSV, ".tab": CSV, ".xlsx": Excel, ".arff": ARFF}


def read(folder: Path, name: str, **params: Any) -> Dataset:
    path = folder / "tables" / name
    if not path.exists():
        pytest.skip("the real tables are not here")
    reader = READERS[path.suffix]
    data = reader().compute(path, params=reader.Params(**params), context=Context())
    assert isinstance(data, Dataset)
    return data


@pytest.mark.parametrize(
    ("name", "n", "types", "label"),
    [
        ("kunden.csv", 600, "identifier text date 3 number 3 category number", ""),
        ("survey_cat.csv", 500, "8 category", ""),
        ("penguins.csv", 344, "identifier 2 category 4 number category number", "species"),
        (
            "adult_8000.csv",
            8000,
            "number category number category number 5 category 3 number 2 category",
            "",
        ),
        ("cars.xlsx", 406, "text 6 number date category", "Origin"),
        ("vote.arff", 435, "17 category", "Class"),
        ("soybean.arff", 683, "36 category", "class"),
        (
            "heart_disease.tab",
            303,
            "number 2 category 2 number 2 category number category number category number "
            "2 category",
            "diameter narrowing",
        ),
    ],
)
def test_each_table_opens_with_sensible_types(
    realdata: Path, name: str, n: int, types: str, label: str
) -> None:
    data = read(realdata, name)
    assert [column.type for column in data.table] == spelled_out(types)
    assert (data.n, data.truth_column) == (n, label)
    assert all(column.why for column in data.table)
    assert data.features is not None
    assert np.isfinite(np.asarray(data.features)).any(axis=0).all()


def spelled_out(types: str) -> list[str]:
    """ "2 number date" is "number number date"."""
    words: list[str] = []
    count = 1
    for part in types.split():
        if part.isdecimal():
            count = int(part)
        else:
            words += [part] * count
            count = 1
    return words


def test_a_german_export_is_read_as_a_person_would(realdata: Path) -> None:
    data = read(realdata, "kunden.csv")
    by_name = {column.name: column for column in data.table}
    assert by_name["Kundennummer"].role == "information"
    assert not any(column.startswith("Kundennummer") for column in data.columns)
    assert by_name["Name"].role == "name"
    assert (by_name["Umsatz"].unit, by_name["Rabatt"].unit) == ("€", "%")
    assert by_name["Umsatz"].values[:3].tolist() == [295.08, 297.76, 8012.10]
    assert by_name["Eintritt"].words()[0] == "2019-02-17"
    assert by_name["Newsletter"].categories == ("nein", "ja")
    assert by_name["Region"].categories == ("Nord", "Ost", "Süd", "West")
    assert sum(int(column.missing.sum()) for column in data.table) == 143
    assert data.details["guessed"]["decimal"] == ","


def test_roles_of_real_columns_can_be_changed(realdata: Path) -> None:
    aside = {"sex": "information", "island": "information", "year": "information"}
    data = read(realdata, "penguins.csv", roles=aside)
    assert data.columns == (
        *("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"),
    )
    assert len(data.table) == 9


def test_other_statistics_of_medicine(realdata: Path) -> None:
    data = read(realdata, "hypothyroid.arff")
    assert data.n == 3772
    empty = [column.name for column in data.table if column.missing.all()]
    assert empty == ["TBG"]
    assert read(realdata, "credit-g.arff").d == 61
