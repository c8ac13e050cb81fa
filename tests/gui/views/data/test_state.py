"""The data table, without a widget."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Recipe, Source
from coterie.core.model.results import Clustering, Ranking
from coterie.gui.views.data.state import TableState
from coterie.gui.views.shown_items.columns import MISSING


@pytest.fixture
def table(session: Any) -> TableState:
    state = TableState(session)
    state.update()
    return state


def of(new_session: Any, data: Dataset) -> TableState:
    state = TableState(new_session({"data": data}, Recipe(sources=(Source("data"),))))
    state.update()
    return state


def column(state: TableState, title: str) -> int:
    return [c.title for c in state.columns].index(title)


def test_results_come_before_features(table: TableState) -> None:
    titles = [column.title for column in table.columns]
    assert titles == ["Item", "Group", "Rank", "colour", "width", "height", "age", "weight"]


def test_columns_are_views_of_the_features(table: TableState) -> None:
    values = table.columns[column(table, "width")].values
    assert np.shares_memory(values, table.shown.dataset.features)  # type: ignore[union-attr]


def test_update_says_whether_anything_changed(table: TableState) -> None:
    assert not table.update()


@pytest.mark.parametrize("descending", [False, True])
def test_sorting_puts_missing_values_last(table: TableState, descending: bool) -> None:
    age = column(table, "age")
    table.sort(age, descending=descending)
    values = table.columns[age].values[table.order]
    assert np.isnan(values[-1])
    steps = np.diff(values[:-1])
    assert (steps <= 0).all() if descending else (steps >= 0).all()


def test_rows_and_items_are_each_others_inverse(table: TableState) -> None:
    table.sort(column(table, "width"), descending=True)
    assert [table.row(table.item(row)) for row in range(20)] == list(range(20))


def test_the_order_outlives_a_new_result(session: Any, table: TableState) -> None:
    table.sort(column(table, "width"), descending=False)
    order = table.order.copy()
    session.put("groups", Clustering(labels=np.zeros(table.n, dtype=np.int64)))
    assert table.update()
    assert np.array_equal(table.order, order)


def test_item_names_that_are_numbers_sort_as_numbers(new_session: Any) -> None:
    data = Dataset(features=np.zeros((3, 1)), items=("10", "9", "2"))
    state = of(new_session, data)
    state.sort(0, descending=False)
    assert [state.columns[0].text(i) for i in state.order] == ["2", "9", "10"]


def test_numbers_show_as_many_decimals_as_the_column_needs(new_session: Any) -> None:
    features = np.array([[1.0, 0.25, 1 / 3], [-2.0, 1.5, np.nan]])
    state = of(new_session, Dataset(features=features))
    texts = [[c.text(i) for c in state.columns[1:]] for i in range(2)]
    assert texts == [["1", "0.25", "0.33333"], ["−2", "1.50", MISSING]]


def test_huge_and_tiny_numbers_keep_their_digits(new_session: Any) -> None:
    state = of(new_session, Dataset(features=np.array([[1.5e9, 2.5e-7], [3.0e9, 1.25e-7]])))
    texts = [[c.text(i) for c in state.columns[1:]] for i in range(2)]
    assert texts == [["1.5000e+09", "2.5000e−07"], ["3.0000e+09", "1.2500e−07"]]


def test_a_sparse_table_reads_like_a_dense_one(new_session: Any) -> None:
    dense = np.array([[0.0, 2.0], [3.0, 0.0]])
    state = of(new_session, Dataset(features=csr_array(dense)))
    assert [[c.text(i) for c in state.columns[1:]] for i in range(2)] == [["0", "2"], ["3", "0"]]


def test_unassigned_items_have_no_group(table: TableState) -> None:
    group = table.columns[column(table, "Group")]
    assert table.group(0) == -1
    assert group.missing(0)
    assert group.text(0) == MISSING
    assert group.text(1) == "group 1"


def test_the_first_in_the_order_has_rank_one(session: Any, table: TableState) -> None:
    rank = table.columns[column(table, "Rank")]
    best = int(session.results.artefact("order").order[0])
    assert rank.text(best) == "1"


def test_a_histogram_counts_every_known_value_once(table: TableState) -> None:
    table.look_at(column(table, "age"))
    shown = table.histogram()
    assert shown is not None
    assert shown.counts.sum() == table.n - 1
    assert shown.missing == 1
    assert shown.groups == (-1, 0, 1, 2)
    assert shown.counts.shape == (4, len(shown.edges) - 1)


def test_a_histogram_of_classes_has_a_bar_for_each(table: TableState) -> None:
    table.look_at(column(table, "colour"))
    shown = table.histogram()
    assert shown is not None
    assert shown.categories == ("red", "green", "blue")
    assert shown.counts.shape[1] == 3


def test_a_constant_column_has_one_bar(new_session: Any) -> None:
    state = of(new_session, Dataset(features=np.full((5, 1), 7.0)))
    shown = state.histogram()
    assert shown is not None
    assert shown.counts.tolist() == [[5]]


def test_a_column_without_values_has_an_empty_histogram(new_session: Any) -> None:
    state = of(new_session, Dataset(features=np.full((5, 1), np.nan)))
    shown = state.histogram()
    assert shown is not None
    assert shown.counts.sum() == 0
    assert shown.missing == 5


def test_the_csv_holds_what_was_shown_when_it_was_asked_for(
    table: TableState, tmp_path: Path
) -> None:
    table.sort(column(table, "width"), descending=True)
    shown, write = table.order.tolist(), table.table_to_write()
    table.sort(column(table, "height"), descending=False)
    table.columns = table.columns[:1]  # another result came while it is written
    write(tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["row"]) - 1 for row in rows] == shown
    assert "width" in rows[0]


def test_the_csv_holds_the_values_in_full_and_in_order(table: TableState, tmp_path: Path) -> None:
    table.sort(column(table, "width"), descending=True)
    table.table_to_write()(tmp_path / "out.csv")
    lines = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(lines))
    widths = [float(row["width"]) for row in rows]
    assert len(rows) == table.n
    assert widths == sorted(widths, reverse=True)
    assert {row["age"] for row in rows if row["Item"] == "item 5"} == {""}
    assert all(row["Item"] == f"item {row['row']}" for row in rows)


def test_the_summary_names_the_sizes(table: TableState) -> None:
    assert "300 items" in table.summary(0)
    assert "3 groups" in table.summary(0)
    assert "2 selected" in table.summary(2)


def test_items_out_of_a_rankings_scope_have_no_rank(table: TableState, session: Any) -> None:
    ranking = session.results.artefact("order")
    n = len(ranking.scores)
    session.put("order", Ranking(scores=ranking.scores, order=np.array([7, 3])))
    table.update()
    ranks = [table.columns[column(table, "Rank")].text(item) for item in range(n)]
    assert (ranks[7], ranks[3]) == ("1", "2")
    assert ranks.count(MISSING) == n - 2


def test_of_texts_the_known_classes_are_looked_at_and_nothing_where_none_are(
    new_session: Any,
) -> None:
    texts, names = ("one text", "another"), ("a", "b")
    plain = of(new_session, Dataset(kind="texts", texts=texts, items=names))
    assert plain.looked_at == -1
    known = Dataset(
        kind="texts", texts=texts, items=names, truth=np.array([0, 1]), truth_names=("x", "y")
    )
    state = of(new_session, known)
    assert state.columns[state.looked_at].kind == "truth"
    state.look_at(column(state, "Text"))
    assert state.histogram() is None
