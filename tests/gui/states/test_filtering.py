"""Filtering the rows of the table."""

from typing import Any

import numpy as np
import pytest

from coterie.gui.states.filtering import filtered
from coterie.gui.states.table import TableState


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
    truth = session.artefact("data").truth
    assert kept(table, "gree") == np.flatnonzero(truth == 1).tolist()
    assert kept(table, "nowhere") == []
    assert len(kept(table, "  ")) == 300


def test_numbers_are_compared_and_joined(table: TableState, session: Any) -> None:
    width, height = session.artefact("data").features[:, :2].T
    found = kept(table, "width > 1.5 and height <= 0,5")
    assert found == np.flatnonzero((width > 1.5) & (height <= 0.5)).tolist()
    assert kept(table, "Rank ≤ 10") == sorted(
        np.argsort(-session.artefact("order").scores, kind="stable")[:10].tolist()
    )


def test_a_missing_value_passes_no_comparison(table: TableState) -> None:
    assert 4 not in kept(table, "age < 100")
    assert 4 not in kept(table, "age != 1")


def test_groups_and_classes_are_told_by_name_or_number(table: TableState, session: Any) -> None:
    labels = session.artefact("groups").labels
    assert kept(table, "group = 2") == np.flatnonzero(labels == 1).tolist()
    assert kept(table, "group = group 2") == np.flatnonzero(labels == 1).tolist()
    assert kept(table, "group = –") == np.flatnonzero(labels == -1).tolist()
    truth = session.artefact("data").truth
    assert kept(table, 'colour != "red"') == np.flatnonzero(truth != 0).tolist()
    assert kept(table, "item = item 7") == [6]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("wdith > 3", "no column “wdith”"),
        ("width > wide", "holds numbers"),
        ("group > 1", "holds names"),
        ("width > 3 and tall", "compares nothing"),
        ("width > 3 and nothing = 1", "no column “nothing”"),
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
    widths = session.artefact("data").features[table.order, 0]
    assert (np.diff(widths) <= 0).all()
    assert (widths > 1.5).all()
    hidden = int(np.argmin(session.artefact("data").features[:, 0]))
    assert table.row(hidden) == -1
    assert all(table.row(table.item(row)) == row for row in range(table.rows))
    assert f"{table.rows} of 300 items" in table.summary(0)
    table.keep_only("")
    assert table.rows == 300
