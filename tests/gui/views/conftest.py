"""Showing views in tests."""

from collections.abc import Callable
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from coterie.gui.toolkit.styling import theme

W = TypeVar("W", bound=QWidget)


@pytest.fixture
def shown(qtbot: QtBot, qapp: QApplication) -> Callable[[W], W]:
    """Shows a view, and drops it after the test."""
    theme.apply(qapp, "light")

    def show(view: W) -> W:
        qtbot.addWidget(view)
        view.resize(900, 640)
        view.show()
        qtbot.waitExposed(view)
        return view

    return show
