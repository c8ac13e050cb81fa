"""The Methods view through its widgets: candidates and steps beside each other."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from coterie.core.model.recipes import Step
from coterie.core.model.results import Clustering
from coterie.gui.views.methods.pictures import draw, matched, shades_of
from coterie.gui.views.methods.rows import Row, rows_of
from coterie.gui.views.methods.view import MethodsView
from tests.gui.prepared import RECIPE, blobs, solved

Shown = Callable[[MethodsView], MethodsView]
ANSWER = replace(
    RECIPE,
    steps=tuple(
        Step("groups", "clusterer/automatic", ("data",)) if step.name == "groups" else step
        for step in RECIPE.steps
    ),
)


def _row(title: str, family: str, k: int, expected: float, **more: Any) -> dict[str, Any]:
    usual = {"agreement": 0.5, "stability": None, "unassigned": 0, "part": ""}
    flags = {"chosen": False, "answer": False}
    steps = ({"name": family, "use": "clusterer/kmeans", "of": [""], "params": {"k": k}},)
    own = {"title": title, "family": family, "k": k, "sizes": [300 // k] * k, "steps": steps}
    return {**usual, **flags, **own, "expected": expected, **more}


@pytest.fixture
def view(new_session: Any, shown: Shown, qtbot: QtBot) -> MethodsView:
    found = solved(blobs())
    answer = found["groups"]
    rows = [
        _row("Ward, 5 groups", "linkage", 5, 0.9, part="alternative-1"),
        _row("K-means, 3 groups", "means", 3, 0.7, chosen=True, answer=True),
        _row("Cut, 2 groups", "cuts", 2, 0.8, part="alternative-2", answer=True),
    ]
    details = {"candidates": rows, "sentence": "Probably 3 groups.", "curve": [[1, 0], [3, 0.7]]}
    two = Clustering(labels=np.minimum(answer.labels, 1), dataset=answer.dataset)
    five = Clustering(labels=np.arange(300) % 5, dataset=answer.dataset)
    artefacts = {
        **found,
        "groups": replace(answer, details=details),
        ("groups", "alternative-1"): five,
        ("groups", "alternative-2"): two,
    }
    made = shown(MethodsView(new_session(artefacts, ANSWER)))
    qtbot.waitUntil(lambda: made.state.pending.work is None and made.table.rowCount() == 3)
    made.synchronize()
    return made


def _titles(view: MethodsView) -> list[str]:
    cells = (view.table.item(row, 1) for row in range(view.table.rowCount()))
    return [cell.text().split("\n")[0] for cell in cells if cell is not None]


def test_sizes_of_a_candidate_include_what_its_method_left_over() -> None:
    row = Row("", "", "", 2, (30, 60), 30, number=1)
    assert row.sizes_in_words == "60, 30; 30 of these at first in no group"
    assert replace(row, number=-1, sizes=(60,)).sizes_in_words == "60; 30 in no group"


def test_the_chosen_one_is_first_and_every_row_has_a_picture(view: MethodsView) -> None:
    assert _titles(view) == ["K-means, 3 groups", "Cut, 2 groups", "Ward, 5 groups"]
    first = view.table.item(0, 1)
    assert first is not None
    assert "chosen" in first.text()
    for row in range(3):
        cell = view.table.item(row, 0)
        assert cell is not None
        assert not cell.icon().isNull()


def test_a_click_on_a_heading_sorts_and_another_turns_it_round(view: MethodsView) -> None:
    heads = [one.title for one in view.state.columns]
    assert heads == ["Groups", "Expected", "Agreement", "Classes"]
    view.table.sort_asked.emit(heads.index("Expected"))
    assert _titles(view)[0] == "Ward, 5 groups"
    view.table.sort_asked.emit(heads.index("Expected"))
    assert _titles(view)[0] == "K-means, 3 groups"
    view.table.sort_asked.emit(heads.index("Groups"))
    assert _titles(view)[0] == "Cut, 2 groups"
    view.table.sort_asked.emit(-2)  # the heading of the pictures
    assert _titles(view)[0] == "Cut, 2 groups"


def test_the_method_that_is_chosen_stays_so_when_rows_are_sorted(view: MethodsView) -> None:
    view.table.setCurrentCell(2, 1)
    heads = [one.title for one in view.state.columns]
    view.table.sort_asked.emit(heads.index("Expected"))
    assert _titles(view)[view.table.currentRow()] == "Ward, 5 groups"
    assert view.table.currentRow() == 0


def test_the_table_fits_a_narrow_view(view: MethodsView) -> None:
    sizes = view.table.columnCount() - 1
    assert not view.table.isColumnHidden(sizes)
    view.table.resize(460, 300)
    assert view.table.isColumnHidden(sizes)
    cell = view.table.item(0, 1)
    assert cell is not None
    assert "Sizes: 100, 100, 100" in cell.toolTip()
    view.table.resize(1200, 300)
    assert not view.table.isColumnHidden(sizes)


def test_the_agreement_of_two_is_said_when_pointed_at(view: MethodsView) -> None:
    view.grid.pointed.emit(0, 1)
    assert "K-means, 3 groups and Cut, 2 groups agree by" in view._said.text()
    view.grid.pointed.emit(-1, -1)
    assert "Point at" in view._said.text()
    assert view.grid.values.shape == (3, 3)
    np.testing.assert_allclose(np.diag(view.grid.values), 1.0)


def test_adopting_adds_the_steps_and_undo_takes_them_away(view: MethodsView) -> None:
    session: Any = view.session
    before = session.recipe
    asked: list[tuple[str, str]] = []
    view.asked.connect(lambda what, which: asked.append((what, which)))
    view.table.setCurrentCell(1, 1)
    view.adopt.click()
    assert session.recipe.step("cuts").params == {"k": 2}
    assert asked == [("step", "cuts")]
    session.edits.undo()
    assert session.recipe == before


def test_the_same_method_on_other_data_is_not_the_candidate(view: MethodsView) -> None:
    session: Any = view.session
    answer = session.results.artefact("groups")
    candidate = Step("mine", "clusterer/kmeans", ("data",), {"k": 2})
    other = replace(candidate, of=("scaled",))
    scaled = Step("scaled", "transform/standardise", ("data",))
    for steps, found in (((scaled, other), ""), ((candidate,), "mine")):
        session.edits.replace(replace(ANSWER, steps=(*ANSWER.steps, *steps)), "try")
        rows = rows_of(session, "groups", answer.dataset)
        assert [row.step for row in rows if row.title == "Cut, 2 groups"] == [found]


def test_pins_and_removals_are_undone(view: MethodsView) -> None:
    session = view.session
    view.table.setCurrentCell(2, 1)
    view.pin.click()
    view.synchronize()
    assert _titles(view)[0] == "Ward, 5 groups"
    view.table.setCurrentCell(0, 1)
    view.remove.click()
    view.synchronize()
    assert _titles(view) == ["K-means, 3 groups", "Cut, 2 groups"]
    assert view.restore.isVisibleTo(view)
    session.edits.undo()
    view.synchronize()
    assert _titles(view)[0] == "Ward, 5 groups"
    session.edits.undo()
    view.synchronize()
    assert _titles(view)[0] == "K-means, 3 groups"


def test_a_method_of_ones_own_is_a_row_and_leaves_the_recipe_when_removed(
    view: MethodsView, qtbot: QtBot
) -> None:
    session: Any = view.session
    view.add_method("clusterer/genie")
    assert session.recipe.step("genie").of == ("data",)
    groups = Clustering(title="Genie", labels=np.arange(300) % 2, dataset=blobs())
    session.put("genie", groups)
    qtbot.waitUntil(lambda: "Genie" in _titles(view))
    view.table.setCurrentCell(_titles(view).index("Genie"), 1)
    view.remove.click()
    assert "genie" not in session.recipe.names


def test_a_method_that_finds_no_groups_is_refused(view: MethodsView) -> None:
    view.add_method("embedder/pca")
    assert "does not find groups" in view._problem.text()
    assert view._problem.isVisibleTo(view)


def test_the_list_is_written_as_a_table(view: MethodsView, tmp_path: Path) -> None:
    view.export_table(tmp_path / "methods.csv")
    lines = (tmp_path / "methods.csv").read_text().splitlines()
    assert lines[0] == "method,remark,groups,expected,agreement,classes,sizes"
    assert lines[1].startswith('"K-means, 3 groups",chosen,3,0.7,')
    view.export_picture(tmp_path / "methods.png")
    assert (tmp_path / "methods.png").stat().st_size > 1000


def test_without_groups_it_says_what_to_do(fresh: Any, shown: Shown) -> None:
    view = shown(MethodsView(fresh))
    assert "Compare methods" in view.emptiness()


def test_groups_have_the_colours_of_their_partners() -> None:
    ours, theirs = np.array([2, 2, 0, 0, 1, -1]), np.array([0, 0, 1, 1, -1, 1])
    assert matched(ours, theirs).tolist() == [1, 2, 0]
    assert matched(np.full(3, -1), theirs[:3]).tolist() == []
    one, other = Clustering(labels=ours), Clustering(labels=theirs)
    shades = shades_of(other, None, dark=False)
    assert shades_of(one, other, dark=False)[2] == shades[0]
    places = np.array([[0.0, 0], [1, 1], [0, 1], [np.nan, 1], [1, 0], [0.5, 0.5]])
    picture = draw(places, one, shades_of(one, other, dark=False), "#ffffff", ratio=2.0)
    seen = {tuple(pixel) for pixel in picture.reshape(-1, 4)[:, :3].tolist()}
    assert len(seen) == 5  # ground, three groups, no group
