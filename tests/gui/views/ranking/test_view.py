"""The Ranking view through its widgets."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from coterie.core.model.recipes import Step
from coterie.core.model.results import Ranking
from coterie.gui.views.ranking.rank_table import in_two_lines
from coterie.gui.views.ranking.view import RankingView
from coterie.projects.jobs.job import Status


@pytest.fixture
def view(session: Any, shown: Callable[[RankingView], RankingView]) -> RankingView:
    return shown(RankingView(session))


def place_of(view: RankingView, row: int, column: int) -> QPoint:
    return view.table.visualRect(view.table.ranks.index(row, column)).center()


def test_a_click_selects_the_item_and_a_key_adds_another(
    view: RankingView, session: Any, qtbot: QtBot
) -> None:
    first, second = (int(view.state.columns[1].items[row]) for row in (0, 1))
    QTest.mouseClick(view.table.viewport(), Qt.MouseButton.LeftButton, pos=place_of(view, 0, 1))
    assert session.selection.items.tolist() == [first]
    QTest.mouseClick(
        view.table.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.ShiftModifier,
        place_of(view, 1, 1),
    )
    assert set(session.selection.items.tolist()) == {first, second}


def test_a_double_click_on_a_header_selects_the_group(view: RankingView, session: Any) -> None:
    view.table.horizontalHeader().sectionDoubleClicked.emit(2)
    labels = session.results.artefact("groups").labels
    assert (labels[session.selection.items] == 1).all()
    assert session.selection.count == int((labels == 1).sum())


def test_ranking_relative_to_the_selection_runs_a_step(
    view: RankingView, session: Any, qtbot: QtBot
) -> None:
    assert not view.relative.isEnabled()
    session.selection.update([7])
    qtbot.waitUntil(view.relative.isEnabled)
    QTest.mouseClick(view.relative, Qt.MouseButton.LeftButton)
    assert session.status("relative") is Status.RUNNING
    assert session.recipe.step("relative").params["items"] == [7]


def test_one_of_several_rankings_is_picked(view: RankingView, session: Any, qtbot: QtBot) -> None:
    assert not view.step.isVisible()  # there is one only
    session.edits.replace(
        session.recipe.with_step(Step("other", "ranker/distance", ("data",))), "a test"
    )
    order = np.arange(300)[::-1]
    session.put("other", Ranking(scores=np.arange(300.0), order=order, relative_to="nothing"))
    view.outdate()
    qtbot.waitUntil(view.step.isVisible)
    assert view.step.currentText() == "order"
    view.step.setCurrentIndex(view.step.findText("other"))
    view.step.activated.emit(view.step.currentIndex())
    qtbot.waitUntil(lambda: "relative to nothing" in view.headline.text())
    np.testing.assert_array_equal(view.state.columns[0].items[:5], order[:5])


def test_pictures_are_shown_where_the_items_are_such(
    session: Any, shown: Callable[[RankingView], RankingView]
) -> None:
    data = session.results.artefact("data")
    thumbnails = np.arange(data.n * 12, dtype=np.uint8).reshape(data.n, 4, 3)
    session.put("data", replace(data, thumbnails=thumbnails))
    view = shown(RankingView(session))
    picture = view.table.ranks.index(0, 0).data(Qt.ItemDataRole.DecorationRole)
    assert isinstance(picture, QPixmap)
    assert picture.height() == 60


def test_pictures_that_answer_a_question_stand_beside_each_other(
    session: Any, shown: Callable[[RankingView], RankingView], qtbot: QtBot
) -> None:
    data = session.results.artefact("data")
    thumbnails = np.zeros((data.n, 4, 3), dtype=np.uint8)
    session.put("data", replace(data, thumbnails=thumbnails, items=()))
    view = shown(RankingView(session))
    session.selection.update([7])
    qtbot.waitUntil(lambda: view.query.by_distance.count() > 0)
    nearest = view.query.by_distance
    places = [nearest.visualItemRect(nearest.item(row)) for row in (0, 1)]
    assert places[0].top() == places[1].top()
    assert places[0].right() < places[1].left() + 1
    assert "item 8" in view.query.heading.text()


def test_names_can_be_read_by_a_screen_reader(view: RankingView) -> None:
    text = view.table.ranks.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert text == view.state.name(int(view.state.columns[0].items[0]))


def test_a_single_item_is_a_question_that_two_lists_answer(
    view: RankingView, session: Any, qtbot: QtBot
) -> None:
    assert not view.query.by_rank.isVisible()
    session.selection.update([7])
    qtbot.waitUntil(lambda: view.query.by_distance.count() > 0)
    assert "item 8" in view.query.heading.text()
    columns = session.results.artefact("data").d
    assert f"By distance in {columns} columns" in [
        t.text() for t in view.query.findChildren(QLabel)
    ]
    second = view.query.by_distance.item(1)
    view.query.by_distance.itemClicked.emit(second)
    assert session.selection.items.tolist() == [second.data(Qt.ItemDataRole.UserRole)]


def test_a_long_name_is_broken_at_a_word_and_loses_its_middle(view: RankingView) -> None:
    metrics = view.table.fontMetrics()
    width, two = metrics.horizontalAdvance("Reinforcement Learning"), 2 * metrics.lineSpacing()
    name = "Reinforcement Learning for Continuous Stochastic Control Problems"
    first, second = in_two_lines(name, metrics, width, two).split("\n")
    assert first == "Reinforcement Learning"
    assert second.startswith("for ")
    assert "…" in second
    assert second.endswith("ems")  # names that begin alike end differently
    assert in_two_lines(name, metrics, width, two - 1).count("\n") == 0
    assert in_two_lines("short", metrics, width, two) == "short"
    assert in_two_lines("x" * 99 + " y", metrics, width, two).endswith(" y")


def test_long_titles_do_not_make_the_answers_scroll_sideways(
    session: Any, shown: Callable[[RankingView], RankingView], qtbot: QtBot
) -> None:
    data = session.results.artefact("data")
    long = tuple(f"{i} " + "of a very long title " * 20 for i in range(data.n))
    session.put("data", replace(data, items=long))
    view = shown(RankingView(session))
    session.selection.update([7])
    qtbot.waitUntil(lambda: view.query.by_distance.count() > 0)
    assert not view.query.by_distance.horizontalScrollBar().isVisible()
    assert view.query.by_distance.textElideMode() == Qt.TextElideMode.ElideMiddle


def test_what_is_no_longer_ranked_can_still_be_asked_for(view: RankingView) -> None:
    table = view.table
    title = table.ranks.headerData(2, Qt.Orientation.Horizontal)
    view.state.pending.value = ()  # as when other data was opened; Qt hears of it a little later
    assert table.ranks.columnCount() > 2
    assert table.ranks.headerData(2, Qt.Orientation.Horizontal) == title
    assert table.ranks.data(table.ranks.index(0, 2)) is None
    table.hide()
    table.renew()
    assert table.ranks.columnCount() == 0


def test_without_a_question_the_table_has_the_room(
    view: RankingView, session: Any, qtbot: QtBot
) -> None:
    alone = view.table.height()
    session.selection.update([7])
    qtbot.waitUntil(lambda: view.query.has_answer)
    assert view.query.by_rank.isVisible()
    qtbot.waitUntil(lambda: view.table.height() < alone)
    session.selection.clear()
    qtbot.waitUntil(lambda: view.table.height() == alone)
