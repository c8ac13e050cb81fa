"""The Compare view's state."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core.model.recipes import Step
from coterie.core.model.results import Clustering
from coterie.core.numerics.drawing.palette import group_colour
from coterie.gui.views.compare.flows import flows_of
from coterie.gui.views.compare.state import NO_GROUP, TRUTH, CompareState, Grouping, compare
from tests.gui import prepared


def grouping(labels: list[int], key: str = "x") -> Grouping:
    return Grouping(key, key, np.array(labels), ())


def test_partners_stand_on_the_diagonal() -> None:
    found = compare(grouping([0, 0, 0, 1, 1, 2]), grouping([2, 2, 2, 0, 0, 1]))
    assert found.table.counts.tolist() == [[3, 0, 0], [0, 2, 0], [0, 0, 1]]
    assert found.of_columns == (2, 0, 1)
    assert found.partners == (0, 1, 2)
    assert found.row_heads(dark=False) == [
        (name, group_colour(group, dark=False))
        for name, group in zip(found.table.rows, found.of_columns, strict=True)
    ]
    assert dict(found.agreement)["Error"] == "0.0000"
    assert len(found.disagreeing()) == 0


def test_a_group_without_a_partner_gets_a_colour_of_its_own() -> None:
    found = compare(grouping([0, 0, 0, 0, 1, 1]), grouping([0, 0, 1, 2, 2, 2]))
    assert found.partners.count(-1) == 1
    heads = found.row_heads(dark=False) + found.column_heads(dark=False)
    assert len({shade for _, shade in heads}) == 3


def test_what_is_in_no_group_has_a_line_of_its_own() -> None:
    found = compare(grouping([0, 0, 1, 1, -1]), grouping([0, 0, 1, -1, -1]))
    assert found.whole_counts().tolist() == [[2, 0, 0], [0, 1, 1], [0, 0, 1]]
    assert [name for name, _ in found.column_heads(dark=False)][-1] == NO_GROUP
    assert found.members(1, 2).tolist() == [3]
    assert found.members(2, 2).tolist() == [4]


def test_what_differs_can_be_named() -> None:
    found = compare(grouping([0, 0, 0, 1, 1, 1]), grouping([0, 0, 1, 1, 1, -1]))
    assert found.disagreeing().tolist() == [2]
    assert found.members(0, 1).tolist() == [2]
    assert "left out" in " ".join(found.table.notes)


def test_a_result_is_held_against_the_truth_first(session: Any) -> None:
    state = CompareState(session)
    state.update()
    assert state.rows_key == TRUTH
    assert state.columns_key == "groups"
    assert state.comparison is not None
    assert state.comparison.table.rows == ("red", "green", "blue")


def test_two_results_can_be_compared(session: Any) -> None:
    session.edits.replace(
        session.recipe.with_step(Step("again", "clusterer/kmeans", ("near",))), "a test"
    )
    session.put("again", Clustering(labels=np.zeros(300, dtype=np.int64)))
    state = CompareState(session)
    state.update()
    state.choose("groups", "again")
    assert state.comparison is not None
    assert dict(state.comparison.agreement)["NMI"] == "0.0000"


@pytest.mark.parametrize("truth", [True, False])
def test_it_says_what_is_missing(new_session: Any, truth: bool) -> None:
    nothing = CompareState(new_session())
    nothing.update()
    assert nothing.empty.startswith("Open a file")
    session = new_session({"data": prepared.blobs()}, prepared.RECIPE)
    alone = CompareState(session)
    alone.update()
    assert alone.empty.startswith("Run two clustering methods")


def test_nothing_in_common_is_said_and_does_not_fail(session: Any) -> None:
    session.put("groups", Clustering(labels=np.full(300, -1)))
    state = CompareState(session)
    state.update()
    assert "nothing to compare" in state.empty


def test_the_counts_are_written(session: Any, tmp_path: Path) -> None:
    state = CompareState(session)
    state.update()
    state.write_csv(tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert [row[0] for row in rows] == ["", "red", "green", "blue"]
    assert state.comparison is not None
    assert rows[0][-1] == NO_GROUP
    assert sum(int(x) for row in rows[1:] for x in row[1:]) == len(state.comparison.rows.labels)


def test_groups_that_share_no_item_are_not_partners() -> None:
    rows = Grouping("a", "a", np.array([0, 0, 1, 1, 2, 2]), ("p", "q", "r"))
    columns = Grouping("b", "b", np.array([0, 0, 0, 0, 1, 2]), ("x", "y", "z"))
    found = compare(rows, columns)
    counts = found.table.counts
    assert all(row < 0 or counts[row, at] for at, row in enumerate(found.partners))
    shades = [shade for _, shade in found.row_heads(dark=False)]
    assert len(set(shades)) == 3


def test_bands_are_as_thick_as_their_items_are_many() -> None:
    counts = np.array([[3, 1], [0, 4]])
    bands = flows_of(counts, 100.0)
    thick = {(one.row, one.column): one.left[1] - one.left[0] for one in bands}
    assert set(thick) == {(0, 0), (0, 1), (1, 1)}
    assert thick[0, 0] == pytest.approx(3 * thick[0, 1])
    assert max(one.right[1] for one in bands) <= 100.0
