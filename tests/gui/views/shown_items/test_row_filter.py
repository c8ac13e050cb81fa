"""Filtering the rows of the table."""

from typing import Any

import numpy as np
import pytest

from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Recipe, Source
from coterie.gui.panels.selection_state import SelectingState
from coterie.gui.views.data.state import TableState
from coterie.gui.views.shown_items.row_filter import filtered


@pytest.fixture
def table(session: Any) -> TableState:
    state = TableState(session)
    state.update()
    return state


def kept(table: TableState, text: str) -> list[int]:
    found = filtered(table.columns, table.n, text)
    assert not found.problem
    return np.flatnonzero(found.kept).tolist()


def test_a_text_is_looked_for_in_names(table: TableState, session: Any) -> None:
    assert kept(table, "ITEM 299") == [298]
    truth = session.results.artefact("data").truth
    assert kept(table, "gree") == np.flatnonzero(truth == 1).tolist()
    assert kept(table, "nowhere") == []
    assert len(kept(table, "  ")) == 300


def test_numbers_are_compared_and_joined(table: TableState, session: Any) -> None:
    width, height = session.results.artefact("data").features[:, :2].T
    found = kept(table, "width > 1.5 and height <= 0,5")
    assert found == np.flatnonzero((width > 1.5) & (height <= 0.5)).tolist()
    assert kept(table, "Rank ≤ 10") == sorted(
        np.argsort(-session.results.artefact("order").scores, kind="stable")[:10].tolist()
    )


def test_a_missing_value_passes_no_comparison(table: TableState) -> None:
    assert 4 not in kept(table, "age < 100")
    assert 4 not in kept(table, "age != 1")


def test_groups_and_classes_are_told_by_name_or_number(table: TableState, session: Any) -> None:
    labels = session.results.artefact("groups").labels
    assert kept(table, "group = 2") == np.flatnonzero(labels == 1).tolist()
    assert kept(table, "group = group 2") == np.flatnonzero(labels == 1).tolist()
    assert kept(table, "group = –") == np.flatnonzero(labels == -1).tolist()
    truth = session.results.artefact("data").truth
    assert kept(table, 'colour != "red"') == np.flatnonzero(truth != 0).tolist()
    assert kept(table, "item = item 7") == [6]


def test_it_takes_whatever_selects_by_query(table: TableState, session: Any) -> None:
    width = session.results.artefact("data").features[:, 0]
    labels, truth = (
        session.results.artefact("groups").labels,
        session.results.artefact("data").truth,
    )
    assert (
        kept(table, "not (width > 1.5) or colour in (red, Green)")
        == np.flatnonzero(~(width > 1.5) | (truth <= 1)).tolist()
    )
    assert (
        kept(table, "1 < width * 2 <= 3")
        == np.flatnonzero((width * 2 > 1) & (width * 2 <= 3)).tolist()
    )
    assert kept(table, "group = unassigned") == np.flatnonzero(labels < 0).tolist()
    state = SelectingState(session)
    for query in ("Colour = red and rank ≤ 50", "group in (1, 2)", "item = item 7"):
        state.select_query(query)
        assert session.selection.items.tolist() == kept(table, query)


def test_a_name_with_a_sign_in_it_is_found(new_session: Any) -> None:
    data = Dataset(features=np.zeros((3, 1)), items=("a<b", "b>a", "c"))
    state = TableState(new_session({"data": data}, Recipe(sources=(Source("data"),))))
    state.update()
    assert kept(state, "a<b") == [0]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("wdith > 3", "Did you mean width"),
        ("width > wide", "no column 'wide'"),
        ("group > 1", "cannot be ordered"),
        ("width > 3 and tall", "no column 'tall'"),
        ("width > 3 and nothing = 1", "no column 'nothing'"),
        ("width >", "cannot be read"),
    ],
)
def test_what_cannot_be_followed_is_told_and_hides_nothing(
    table: TableState, typed: str, said: str
) -> None:
    found = filtered(table.columns, table.n, typed)
    assert said in found.problem
    assert found.kept.all()


def test_rows_are_filtered_and_still_sorted(table: TableState, session: Any) -> None:
    table.sort(4, descending=True)
    table.keep_only("width > 1.5")
    widths = session.results.artefact("data").features[table.order, 0]
    assert (np.diff(widths) <= 0).all()
    assert (widths > 1.5).all()
    hidden = int(np.argmin(session.results.artefact("data").features[:, 0]))
    assert table.row(hidden) == -1
    assert all(table.row(table.item(row)) == row for row in range(table.rows))
    assert f"{table.rows} of 300 items" in table.summary(0)
    table.keep_only("")
    assert table.rows == 300
