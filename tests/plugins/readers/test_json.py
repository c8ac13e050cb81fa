"""Tables in JSON, in the arrangements that programs write."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core import Context, DataError, Dataset
from coterie.plugins.readers.json import Json
from tests.refusals import refuses

ITEMS = [
    {"name": "ash", "height": 4.5, "leaf": {"length": 12, "edge": "serrate"}},
    {"name": "oak", "height": 7, "leaf": {"length": 9, "edge": "lobed"}, "old": True},
    {"name": "elm", "height": None, "leaf": {"edge": "serrate"}},
]
COLUMNS = ["name", "height", "leaf.length", "leaf.edge"]


def read(path: Path, content: Any, **params: Any) -> Dataset:
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return Json().compute(path, params=Json.Params(**params), context=Context())


def values(data: Dataset, name: str) -> list[float]:
    return list(next(column for column in data.table if column.name == name).values)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "trees.json"


def test_objects_are_items_and_objects_within_them_columns(path: Path) -> None:
    data = read(path, ITEMS)
    assert [column.name for column in data.table] == [*COLUMNS, "old"]
    assert data.items == ("ash", "oak", "elm")
    np.testing.assert_array_equal(values(data, "height"), [4.5, 7, np.nan])
    np.testing.assert_array_equal(values(data, "leaf.length"), [12, 9, np.nan])
    assert next(c for c in data.table if c.name == "leaf.edge").categories == ("lobed", "serrate")


@pytest.mark.parametrize(
    "content",
    [
        {"columns": ["a", "b"], "data": [[1, 2.5], [3, None]]},
        {"columns": ["a", "b"], "index": [0, 1], "data": [[1, 2.5], [3, None]]},
        {"schema": {"fields": []}, "data": [{"a": 1, "b": 2.5}, {"a": 3}]},
        {"a": {"0": 1, "1": 3}, "b": {"0": 2.5, "1": None}},
        {"a": [1, 3], "b": [2.5, None]},
        [["a", "b"], [1, 2.5], [3]],
        {"meta": {"pages": 1}, "results": [{"a": 1, "b": 2.5}, {"a": 3}]},
        '{"a": 1, "b": 2.5}\n\n{"a": 3, "b": NaN}\n',
        '[{"a": 1, "b": 2.5}, {"a": 3, "b": 1e999}]',
    ],
    ids=["split", "index", "table", "columns", "arrays", "rows", "under", "lines", "infinite"],
)
def test_the_same_table_in_other_arrangements(path: Path, content: Any) -> None:
    data = read(path, content)
    assert data.columns == ("a", "b")
    np.testing.assert_array_equal(values(data, "a"), [1, 3])
    np.testing.assert_array_equal(values(data, "b"), [2.5, np.nan])


def test_items_by_name_as_pandas_writes_rows(path: Path) -> None:
    data = read(path, {"ash": {"a": 1, "b": 2}, "oak": {"a": 3, "b": 5}, "elm": {"a": 4, "b": 1}})
    assert data.items == ("ash", "oak", "elm")
    assert data.columns == ("a", "b")


def test_features_of_geojson_are_where_their_points_are(path: Path) -> None:
    point = {"type": "Point", "coordinates": [7.5, 47.6]}
    features = [{"type": "Feature", "properties": {"depth": d}, "geometry": point} for d in (1, 2)]
    data = read(path, {"type": "FeatureCollection", "features": [*features, 3]})
    assert data.columns == ("depth", "longitude", "latitude")
    np.testing.assert_array_equal(values(data, "depth"), [1, 2, np.nan])


def test_lines_may_be_compressed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n{"a": 2}\n'))
    data = Json().compute(path, params=Json.Params(), context=Context())
    assert values(data, "a") == [1, 2]


def test_long_identifiers_keep_their_digits(path: Path) -> None:
    data = read(path, [{"id": 9007199254740993 + i, "a": i} for i in range(4)])
    assert data.table[0].words()[0] == "9007199254740993"
    assert data.columns == ("a",)


def test_a_preview_reads_the_first_lines_only(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": 1, "b": "x"}\n' * 10_000 + "broken")
    shown = Json().preview(path, params=Json.Params(), context=Context())
    assert shown.columns == ("a", "b")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ('[{"a": 1},', "malformed-line"),
        ("[" * 100_000, "malformed-line"),
        ("[]", "empty-data"),
        ("[{}]", "empty-data"),
        ("3", "malformed-line"),
        ("{}", "malformed-line"),
        ('[{"a": 1}, 2]', "malformed-line"),
        ('{"a": 1}\n{"a": 2\n', "malformed-line"),
        ('{"a": 1}\n{"a": 2}\n3\n', "malformed-line"),
        ('{"columns": ["a"], "data": [[1, 2]]}', "malformed-line"),
        ('[{"a": "x"}, {"a": "x"}]', "no-numbers"),
    ],
)
def test_what_is_not_a_table_is_refused_with_a_sentence(
    path: Path, content: str, code: str
) -> None:
    with refuses(code):
        read(path, content)


def test_a_file_beyond_memory_is_refused_before_it_is_parsed(path: Path) -> None:
    path.write_text(json.dumps([{"a": i} for i in range(1000)]))
    with refuses("out-of-memory"):
        Json().compute(path, params=Json.Params(), context=Context(memory=1000))


def test_lists_that_are_not_the_items_are_named(path: Path) -> None:
    data = read(path, {"a": [1, 2, 3], "b": [4, 5], "c": "x"})
    assert data.columns == ("value",)
    assert any("under 'a'" in note and "Left out: 'b'" in note for note in data.notes)


def test_a_wrong_line_is_named_once(path: Path) -> None:
    path = path.with_suffix(".jsonl")
    with pytest.raises(DataError, match=r"Line 2 .* at column 6") as caught:
        read(path, '{"a": 1}\n{"a": \n')
    assert caught.value.code == "malformed-line"
