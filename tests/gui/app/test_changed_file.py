"""What can be done with a project that another program changed while it was open."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from coterie.gui.app.changed_file import ask_about_change

EVIL = '<img src="x.png">.coterie.h5'


@pytest.fixture
def asked(qtbot: QtBot) -> tuple[QWidget, list[str]]:
    parent = QWidget()
    qtbot.addWidget(parent)
    done: list[str] = []

    def compare(then: Callable[[list[str]], None]) -> None:
        done.append("compare")
        then([f"Difference {number}." for number in range(20)])

    ask_about_change(
        parent,
        EVIL,
        copy=lambda: done.append("copy"),
        overwrite=lambda: done.append("overwrite"),
        compare=compare,
    )
    return parent, done


def box_of(parent: QWidget) -> QMessageBox:
    boxes = [box for box in parent.findChildren(QMessageBox) if box.isVisible()]
    return boxes[-1]


def press(box: QMessageBox, text: str) -> None:
    next(button for button in box.buttons() if text in button.text()).click()
    QApplication.processEvents()


@pytest.mark.parametrize(("text", "expected"), [("copy", "copy"), ("Overwrite", "overwrite")])
def test_a_copy_or_overwriting_is_one_press(
    asked: tuple[QWidget, list[str]], text: str, expected: str
) -> None:
    parent, done = asked
    box = box_of(parent)
    assert EVIL in box.text()
    assert box.textFormat() == Qt.TextFormat.PlainText
    press(box, text)
    assert done == [expected]


def test_a_comparison_is_shown_and_asks_again(asked: tuple[QWidget, list[str]]) -> None:
    parent, done = asked
    press(box_of(parent), "Compare")
    box = box_of(parent)
    assert "Difference 11." in box.informativeText()
    assert "8 more" in box.informativeText()
    assert not any("Compare" in button.text() for button in box.buttons())
    press(box, "Cancel")
    assert done == ["compare"]
