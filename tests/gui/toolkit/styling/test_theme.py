"""Light and dark."""

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from coterie.gui.toolkit.styling import theme


def test_a_scheme_that_was_asked_for_is_applied(qapp: QApplication) -> None:
    theme.apply(qapp, "dark")
    assert theme.current() is theme.DARK
    theme.apply(qapp, "light")
    assert theme.current() is theme.LIGHT
    assert qapp.palette().color(QPalette.ColorRole.Base).name() == theme.LIGHT.base


@pytest.mark.slow
def test_the_system_is_heard_only_when_nothing_was_asked_for(qapp: QApplication) -> None:
    theme.apply(qapp, "dark")
    theme._on_scheme_changed()
    assert theme.current() is theme.DARK
    theme.apply(qapp)
    theme._on_scheme_changed()
    assert theme.current() is theme.LIGHT  # what the platform of the tests says


def test_widgets_hear_of_a_change(qapp: QApplication, qtbot: QtBot) -> None:
    theme.apply(qapp, "light")
    label = QLabel("text")
    qtbot.addWidget(label)
    label.setProperty("role", "muted")
    label.show()
    theme.apply(qapp, "dark")
    label.ensurePolished()
    assert label.palette().color(QPalette.ColorRole.WindowText).name() == theme.DARK.muted
    theme.apply(qapp, "light")
