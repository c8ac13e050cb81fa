"""A new user has a clustered embedding in front of them after at most three clicks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from coterie.gui.app.main_window import MainWindow
from coterie.gui.views.embedding.view import EmbeddingView
from coterie.projects.session import Session

SCREENS = Path(__file__).resolve().parents[3] / "build" / "screens"
PATIENCE = 60_000  # milliseconds; a loaded machine is slow, not wrong


class Hand:
    """Clicks what a person can see, and counts."""

    def __init__(self) -> None:
        self.clicks = 0

    def click(self, widget: QWidget) -> None:
        assert widget.isVisible()
        assert widget.isEnabled()
        middle = widget.rect().center()
        inside = widget.window().rect().contains(widget.mapTo(widget.window(), middle))
        assert inside, "a person would have to scroll first"
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle)
        self.clicks += 1


@pytest.mark.parametrize("sample", ["spirals", pytest.param("rings", marks=pytest.mark.slow)])
def test_from_the_start_page_to_groups_in_the_embedding(
    new_window: Callable[..., MainWindow],
    settle: Callable[[MainWindow], Session],
    qtbot: QtBot,
    sample: str,
) -> None:
    window = new_window("process")  # as a person's
    hand = Hand()
    hand.click(next(tile for tile in window.gallery.tiles if tile.offer.name == sample))
    settle(window)
    assert window.workbench is not None
    run_all = window.workbench.analysis.run_all
    qtbot.waitUntil(lambda: run_all.isVisible() and run_all.isEnabled(), timeout=PATIENCE)
    hand.click(run_all)
    session = settle(window)
    view = window.tabs.current_view()
    if not isinstance(view, EmbeddingView):  # the third, should another view be in front
        titles = [window.tabs.tabText(at) for at in range(window.tabs.count())]
        place = window.tabs.tabBar().tabRect(titles.index("Embedding")).center()
        QTest.mouseClick(window.tabs.tabBar(), Qt.MouseButton.LeftButton, pos=place)
        hand.clicks += 1
        view = window.tabs.current_view()
    assert hand.clicks <= 3
    assert isinstance(view, EmbeddingView)
    assert view.isVisible()
    assert not view.empty
    view.synchronize()
    drawn = view.state.colouring(dark=False)
    assert [entry.count for entry in drawn.entries] == [200, 200]
    assert session.fetch("mistakes").value == 0
    SCREENS.mkdir(parents=True, exist_ok=True)
    window.grab().save(str(SCREENS / f"three-clicks-{sample}.png"))
