"""Data frames go in and come out with their names and types."""

import datetime
from typing import Any

import numpy as np
import pytest

import coterie
from coterie.core.errors import CoterieError
from tests.refusals import refuses

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

SIZES = [1.5, 2.0, float("nan"), 4.0, 5.0, 6.0]
SHAPES = ["round", "flat", "round", None, "flat", "round"]
GRADES = ["low", "high", "low", "mid", None, "mid"]
NAMES = ["ann", "bob", "cyn", "dan", "eve", "fay"]
DAYS = [datetime.datetime(2024, 1, day) for day in range(1, 7)]


def pandas_frame() -> Any:
    levels = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    return pd.DataFrame(
        {
            "size": SIZES,
            "count": pd.array([1, 2, None, 4, 5, 6], dtype="Int64"),
            "good": [True, False, True, True, False, True],
            "shape": SHAPES,
            "grade": pd.Series(GRADES).astype(levels),
            "name": NAMES,
            "day": DAYS,
        }
    )


def polars_frame() -> Any:
    frame = {
        "size": [None if size != size else size for size in SIZES],
        "count": [1, 2, None, 4, 5, 6],
        "good": [True, False, True, True, False, True],
        "shape": SHAPES,
        "grade": GRADES,
        "name": NAMES,
        "day": DAYS,
    }
    return pl.DataFrame(frame).with_columns(pl.col("grade").cast(pl.Enum(["low", "mid", "high"])))


def arrow_table() -> Any:
    return pa.Table.from_pandas(pandas_frame(), preserve_index=False)


FRAMES = {"pandas": pandas_frame, "polars": polars_frame, "arrow": arrow_table}


@pytest.mark.parametrize("library", FRAMES)
def test_types_become_columns(library: str) -> None:
    data = coterie.dataset(FRAMES[library]())
    types = {column.name: column.type for column in data.table}
    assert types == {
        "size": "number",
        "count": "number",
        "good": "number",
        "shape": "category",
        "grade": "ordered",
        "name": "identifier",
        "day": "date",
    }
    columns = {column.name: column for column in data.table}
    assert columns["grade"].categories == ("low", "mid", "high")
    assert columns["grade"].words() == ["low", "high", "low", "mid", "", "mid"]
    assert columns["shape"].words() == ["round", "flat", "round", "", "flat", "round"]
    assert np.isnan(columns["size"].values).tolist() == np.isnan(SIZES).tolist()
    assert columns["day"].cell(1) == "2024-01-02"
    assert columns["name"].role == "information"
    assert "name" not in data.columns


@pytest.mark.parametrize("library", FRAMES)
def test_names_and_types_come_out_again(library: str) -> None:
    given = coterie.dataset(FRAMES[library]())
    back = {"pandas": given.to_pandas, "polars": given.to_polars, "arrow": given.to_arrow}[library]
    again = coterie.dataset(back())
    assert [(c.name, c.type, c.categories) for c in again.table] == [
        (c.name, c.type, c.categories) for c in given.table
    ]
    for one, other in zip(given.table, again.table, strict=True):
        assert one.words() == other.words()


def test_the_index_of_pandas_names_the_items() -> None:
    frame = pd.DataFrame({"x": [0.0, 0.1, 9.0], "y": [0.0, 0.1, 9.0]}, index=["a", "b", "c"])
    groups = coterie.run("clusterer/kmeans", frame, k=2)
    out = groups.to_pandas()
    assert out.index.tolist() == ["a", "b", "c"]
    assert out["label"].tolist() == groups.labels.tolist()
    assert groups.to_polars()["item"].to_list() == ["a", "b", "c"]
    assert groups.to_arrow().column_names[:3] == ["item", "group", "label"]
    assert out["group"].tolist() == (groups.labels + 1).tolist()


def test_known_classes_may_be_a_column() -> None:
    frame = pd.DataFrame({"x": [0.0, 0.1, 9.0, 9.1], "kind": ["a", "a", "b", "b"]})
    data = coterie.dataset(frame, truth="kind")
    assert data.truth_names == ("a", "b")
    assert data.columns == ("x",)
    assert coterie.run("metric/accuracy", coterie.run("clusterer/kmeans", data, k=2)).value == 1
    assert data.to_pandas()["kind"].tolist() == ["a", "a", "b", "b"]


@pytest.mark.parametrize(
    ("code", "frame"),
    [
        ("duplicate-names", pd.DataFrame([[1.0, 2.0]], columns=["x", "x"])),
        ("duplicate-names", pd.DataFrame([[1.0, 2.0]], columns=["1", 1])),
        ("wrong-type", pd.DataFrame([[1.0]], columns=pd.MultiIndex.from_tuples([("a", "b")]))),
        ("wrong-type", pd.DataFrame({"x": [[1], [2]]})),
        ("wrong-type", pd.DataFrame({"x": [1j, 2j]})),
        ("wrong-type", pl.DataFrame({"x": [1.0]}).lazy()),
        ("no-numbers", pd.DataFrame({"x": ["a", "b"]})),
        ("no-numbers", pd.DataFrame()),
        ("unknown-column", pd.DataFrame({"y": [1.0, 2.0]})),
    ],
)
def test_frames_that_cannot_be_used_are_answered_in_a_sentence(code: str, frame: Any) -> None:
    with pytest.raises(CoterieError) as caught:
        coterie.dataset(frame, truth="x" if code == "unknown-column" else None)
    assert caught.value.code == code


def test_numbers_name_columns_too() -> None:
    assert coterie.dataset(pd.DataFrame(np.eye(2))).columns == ("0", "1")


def test_who_has_no_group_has_none_in_a_frame() -> None:
    near = coterie.affinity(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0.0]]))
    groups = coterie.run("clusterer/dominant-sets", near, min_size=2)
    assert groups.labels.tolist()[2] == -1
    assert groups.to_pandas()["group"].isna().tolist() == [False, False, True]
    assert groups.to_polars()["group"].to_list()[2] is None
    assert groups.to_arrow()["group"].null_count == 1


@pytest.mark.parametrize("dtype", ["string", "Int64"])
def test_classes_that_pandas_does_not_know_are_missing(dtype: str) -> None:
    values = ["a", pd.NA, "b", "b"] if dtype == "string" else [1, pd.NA, 2, 2]
    made = coterie.dataset([[0.0], [0.1], [5.0], [5.1]], truth=pd.Series(values, dtype=dtype))
    assert made.to_noun().truth.tolist() == [0, -1, 1, 1]


def test_new_items_have_their_columns_by_name() -> None:
    size = np.r_[np.linspace(0, 1, 20), np.linspace(9, 10, 20)]
    colour = ["red", "blue"] * 20
    cost = 500 + 100 * np.sin(np.arange(40))
    frame = pd.DataFrame({"size": 1000 * size, "cost": cost, "colour": colour})
    taught = coterie.run("classifier/nearest", frame, [0] * 20 + [1] * 20)
    wanted = taught.predict(frame)
    assert wanted.tolist() == [0] * 20 + [1] * 20
    other = frame[["colour", "cost", "size"]].assign(more=1.0)
    np.testing.assert_array_equal(taught.predict(other), wanted)
    # One category alone is still that category.
    np.testing.assert_array_equal(taught.predict(other.iloc[1::2]), wanted[1::2])
    scaled = coterie.run("transform/standardise", frame)
    np.testing.assert_allclose(scaled.transform(other), scaled.transform(frame))
    named = coterie.dataset(frame[["size", "cost"]].to_numpy(), columns=["size", "cost"])
    taught = coterie.run("classifier/nearest", named, [0] * 20 + [1] * 20)
    np.testing.assert_array_equal(taught.predict(frame[["cost", "size"]]), wanted)
    taught = coterie.run("classifier/nearest", frame, [0] * 20 + [1] * 20)
    with refuses("columns-mismatch", CoterieError, match="'cost'"):
        taught.predict(frame[["size", "colour"]])


def test_the_answer_for_new_items_takes_the_same_way() -> None:
    rng = np.random.default_rng(0)
    narrow = np.r_[rng.normal(0, 1, 30), rng.normal(10, 1, 30)]
    frame = pd.DataFrame({"narrow": narrow, "wide": rng.normal(500, 100, 60)})
    groups = coterie.cluster(frame)
    assert groups.k == 2
    np.testing.assert_array_equal(groups.predict(frame[["wide", "narrow"]]), groups.labels)
    # A value that is missing is filled in as in the items of the answer.
    assert (groups.predict(frame.assign(wide=np.nan)) == groups.labels).all()
