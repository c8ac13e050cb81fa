"""The Summary view through its widgets."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from coterie.core.model.results import Clustering
from coterie.core.numerics.drawing.palette import group_colour
from coterie.gui.views.shown_items.split_dialog import SplitDialog
from coterie.gui.views.summary.group_card import GroupCard
from coterie.gui.views.summary.state import SummaryState
from coterie.gui.views.summary.view import AT_FIRST, SummaryView
from coterie.projects.recipe import group_edits
from tests.gui.prepared import RECIPE, blobs, solved

Shown = Callable[[SummaryView], SummaryView]
LONG = "إسم طويل جدا " * 10 + "x" * 60
STEPS = ({"name": "means", "use": "clusterer/kmeans", "of": [""], "params": {"k": 4}},)
ROW = {
    "title": "K-means, 4 groups <b>",
    "family": "means",
    "k": 4,
    "sizes": [100, 100, 50, 50],
    "expected": 0.7,
    "agreement": 0.8,
    "stability": None,
    "unassigned": 0,
    "chosen": False,
    "answer": True,
    "steps": STEPS,
}


def _answered(**details: Any) -> dict[Any, Any]:
    """Results in which the groups are an automatic answer that is not sure."""
    found = solved(blobs())
    said = {"verdict": "unsure", "sentence": "Probably 3 groups.", "curve": [[1, 0.1], [3, 0.7]]}
    groups = replace(found["groups"], details={**said, "candidates": [ROW], **details})
    return {**found, "groups": groups}


@pytest.fixture
def view(session: Any, shown: Shown) -> SummaryView:
    return shown(SummaryView(session))


@pytest.fixture
def answered(new_session: Any, shown: Shown, qtbot: QtBot) -> SummaryView:
    view = shown(SummaryView(new_session(_answered(), RECIPE)))
    qtbot.waitUntil(lambda: view.state.descriptions is not None)
    return view


def _texts(widget: Any) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


def test_every_group_is_described_beside_the_window(view: SummaryView, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: view.state.descriptions is not None)
    view.synchronize()
    assert view.headline.title.text() == "3 groups"
    assert len(view.cards) == 3
    for card, said in zip(view.cards, view.state.descriptions or (), strict=True):
        assert said.rule.replace(" ", "") in _texts(card).replace(" ", "").replace("\u200b", "")
        assert f"{said.size:,} item" in _texts(card)


def test_a_click_adopts_a_candidate_and_undo_takes_it_back(answered: SummaryView) -> None:
    view, session = answered, answered.session
    before = session.recipe
    assert view.headline.badge.text() == "not sure"
    assert "K-means, 4 groups <b>" in _texts(view.page)
    adopt = next(b for b in view.page.findChildren(QPushButton) if b.text() == "Adopt")
    asked: list[tuple[str, str]] = []
    view.asked.connect(lambda what, which: asked.append((what, which)))
    adopt.click()
    step = session.recipe.step("means")
    assert (step.use, dict(step.params)) == ("clusterer/kmeans", {"k": 4})
    assert asked == [("step", "means")]
    session.edits.undo()
    assert session.recipe == before


def test_a_name_that_is_typed_is_a_step_that_can_be_undone(view: SummaryView) -> None:
    session: Any = view.session
    card = view.cards[1]
    before = session.recipe
    card.name.setText(f"  {LONG} ")
    card.name.editingFinished.emit()
    step = session.recipe.step("named")
    assert step.use == group_edits.EDIT
    assert step.params["names"] == {"2": " ".join(LONG.split())}
    session.put("named", Clustering(labels=_groups(view).labels, names=("", LONG, "")))
    view.synchronize()
    assert view.cards[1].name.text() == LONG
    assert view.cards[0].name.text() == ""
    session.edits.undo()
    assert session.recipe == before


def test_leaving_a_name_as_it_is_changes_nothing(view: SummaryView) -> None:
    before = view.session.recipe
    view.cards[0].name.editingFinished.emit()
    assert view.session.recipe == before


def _menu(view: SummaryView, group: int, *path: str) -> None:
    """Choose in the menu of a group's card."""
    menu: Any = view.group_menu(view.state.editing, group)
    for words in path[:-1]:
        menu = next(one for one in menu.actions() if one.text() == words).menu()
    next(one for one in menu.actions() if one.text() == path[-1]).trigger()


def test_groups_are_merged_moved_and_split_from_their_cards(
    view: SummaryView, qtbot: QtBot
) -> None:
    session = view.session
    _menu(view, 0, "Merge with", "group 3")
    assert session.recipe.step("named").params["groups"] == [[1, 3], [2]]
    session.edits.undo()
    view.synchronize()
    _menu(view, 2, "Move up")
    assert session.recipe.step("named").params["groups"] == [[1], [3], [2]]
    session.edits.undo()
    view.synchronize()
    _menu(view, 1, "Split into sub-groups…")
    dialog = view.findChild(SplitDialog)
    assert dialog is not None
    dialog.method.setCurrentIndex(dialog.method.findData("kmeans"))
    dialog.k.setValue(3)
    dialog.buttons.accepted.emit()
    assert session.recipe.step("split").params == {"group": 2, "method": "kmeans", "k": 3}


def test_the_items_of_a_group_are_selected(view: SummaryView) -> None:
    view.cards[1].select.click()
    chosen = np.flatnonzero(view.session.selection.mask)
    assert chosen.tolist() == _groups(view).members(1).tolist()


def test_hundreds_of_groups_have_cards_on_request(
    new_session: Any, shown: Shown, qtbot: QtBot
) -> None:
    data = blobs(1000)
    many = {"data": data, "groups": Clustering(labels=np.arange(1000) % 500, dataset=data)}
    view = shown(SummaryView(new_session(many, RECIPE)))
    qtbot.waitUntil(lambda: len(view.cards) == AT_FIRST)
    assert not view.more.isHidden()
    view.more.click()
    qtbot.waitUntil(lambda: len(view.cards) == 2 * AT_FIRST)


@pytest.mark.parametrize(
    ("labels", "headline"), [(np.zeros(300, int), "1 group"), (-np.ones(300, int), "No groups")]
)
def test_one_group_and_none_are_said(
    new_session: Any, shown: Shown, labels: Any, headline: str
) -> None:
    data = blobs()
    found = {"data": data, "groups": Clustering(labels=labels, dataset=data)}
    view = shown(SummaryView(new_session(found, RECIPE)))
    assert view.headline.title.text() == headline
    assert any(one.what == "find" for one in view.state.next_steps())


def test_what_is_next_depends_on_the_answer(answered: SummaryView) -> None:
    steps = answered.state.next_steps()
    assert steps[0].what == "compare"
    assert ("view", "Embedding") in {(one.what, one.which) for one in steps}
    assert ("export", "groups") in {(one.what, one.which) for one in steps}


def test_edited_groups_keep_the_verdict_of_their_origin(answered: SummaryView) -> None:
    session: Any = answered.session
    recipe, name = group_edits.merged(session.recipe, "groups", (0, 1), 3)
    session.edits.replace(recipe, "merge")
    session.put(name, Clustering(labels=np.minimum(_groups(answered).labels, 1)))
    state = SummaryState(session)
    state.update()
    assert state.edited
    assert state.origin_step == "groups"
    assert "Probably 3 groups." in state.sentence
    assert state.headline == "2 groups"


def test_a_card_shows_the_colour_of_its_group(qtbot: QtBot) -> None:
    card = GroupCard(1)
    qtbot.addWidget(card)
    shade = group_colour(1, ("", "7"), dark=False)
    card.show_identity(("a", "b"), "b", shade, 3, 10)
    assert shade in card._stripe.styleSheet()


def _groups(view: SummaryView) -> Clustering:
    found = view.state.shown.clustering
    assert found is not None
    return found
