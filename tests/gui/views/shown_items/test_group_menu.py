"""The menu of a group, in every view that names groups."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QColorDialog, QInputDialog

from coterie.gui.views.base_view import View
from coterie.gui.views.compare.view import CompareView
from coterie.gui.views.embedding.view import EmbeddingView
from coterie.gui.views.ranking.view import RankingView
from coterie.gui.views.shown_items.group_editing import GroupEditing
from coterie.gui.views.shown_items.group_menu import GroupMenu
from coterie.gui.views.shown_items.split_dialog import SplitDialog
from coterie.gui.views.summary.view import SummaryView

Shown = Callable[[View], Any]


def _chosen(menu: Any, words: str) -> None:
    action = next(one for one in menu.actions() if one.text().startswith(words))
    menu.hide()  # a popup grabs the mouse until it goes
    action.trigger()


def _menu_of(view: View) -> GroupMenu:
    menus = view.findChildren(GroupMenu)
    assert menus
    return menus[-1]


def test_the_legend_of_the_scatter_edits_groups(
    session: Any, shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = shown(EmbeddingView(session))
    asked: list[tuple[str, str]] = []
    view.asked.connect(lambda what, which: asked.append((what, which)))
    entry = view.legend.entries[1]
    view._on_legend_asked(entry, QPointF(5, 5))
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("  the  greens ", True))
    _chosen(_menu_of(view), "Rename")
    assert session.recipe.step("named").params["names"] == {"2": "the greens"}
    assert asked == [("step", "named")]
    session.edits.undo()
    monkeypatch.setattr(QColorDialog, "getColor", lambda *_: QColor("#123456"))
    view._on_legend_asked(view.legend.entries[0], QPointF(5, 5))
    _chosen(_menu_of(view), "Colour")
    assert session.recipe.step("named").params["colours"] == {"1": "#123456"}


def test_known_classes_have_no_such_menu(session: Any, shown: Shown) -> None:
    view = shown(EmbeddingView(session))
    view.state.choose_colour("truth")
    view.synchronize()
    assert view.state.editing is None


def test_the_headings_of_compare_and_ranking_edit_groups(session: Any, shown: Shown) -> None:
    compare = shown(CompareView(session))
    head = compare.table.horizontalHeader()
    head.customContextMenuRequested.emit(QPoint(5, 5))
    _chosen(_menu_of(compare), "Move down")
    assert session.recipe.step("named").params["groups"] == [[2], [1], [3]]
    session.edits.undo()
    rows = compare.table.verticalHeader()
    assert compare.group_menu(compare.state.editing(compare.state.rows_key), 0) is None  # classes
    rows.customContextMenuRequested.emit(QPoint(5, 5))
    ranking = shown(RankingView(session))
    place = ranking.table.horizontalHeader().sectionViewportPosition(0) + 5
    ranking.table.horizontalHeader().customContextMenuRequested.emit(QPoint(place, 5))
    assert ranking.group_menu(ranking.state.editing, 99) is None


def test_an_edit_that_is_refused_is_said(session: Any, shown: Shown) -> None:
    view = shown(EmbeddingView(session))
    said: list[str] = []
    session.logged.connect(said.append)
    editing = view.state.editing
    menu = view.group_menu(editing, 0)
    session.edits.replace(session.recipe.without("groups"), "remove groups")
    assert not editing.can_edit
    menu._merge(1)
    assert said


def test_a_group_is_split_after_its_menu_is_gone(
    session: Any, shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = shown(SummaryView(session))
    asked: list[tuple[str, str]] = []
    view.asked.connect(lambda what, which: asked.append((what, which)))
    editing = GroupEditing(session, "groups", session.results.artefact("groups"))
    monkeypatch.setattr(GroupEditing, "can_split", True)
    monkeypatch.setattr(GroupEditing, "split_group", lambda *_: "divided")
    menu = view.group_menu(editing, 0)
    menu.popup(QPoint(5, 5))
    next(one for one in menu.actions() if one.text().startswith("Split")).trigger()
    menu.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not view.findChildren(GroupMenu)
    (dialog,) = view.findChildren(SplitDialog)
    dialog.split_asked.emit("automatic", 0)
    assert asked == [("step", "divided")]
