"""Names from files are shown as they are: no label, message or tool tip takes them for markup."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFormLayout, QLabel, QLineEdit, QMessageBox, QToolTip
from pytestqt.qtbot import QtBot

from coterie.gui.toolkit.plots.plotting import Markup, PlainAxis
from coterie.gui.toolkit.styling import theme

EVIL = '<img src="//elsewhere/x.png"><b>bold</b>'


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> None:
    theme.apply(qapp)


def test_labels_rows_boxes_and_tips_show_what_they_are_given(qtbot: QtBot) -> None:
    box = QMessageBox()
    qtbot.addWidget(box)
    box.setText(EVIL)
    box.setInformativeText(EVIL)
    label, row = QLabel(EVIL), QLineEdit()
    for one in (label, row):
        qtbot.addWidget(one)
    form = QFormLayout(label)
    form.addRow(EVIL, row)
    label.show()
    box.show()
    QToolTip.showText(QPoint(5, 5), EVIL, label)
    shown = [one for one in QApplication.allWidgets() if isinstance(one, QLabel)]
    shown = [one for one in shown if EVIL in one.text()]
    assert len(shown) >= 4
    assert {one.textFormat() for one in shown} == {Qt.TextFormat.PlainText}
    QToolTip.hideText()


def test_a_label_that_wants_markup_has_it(qtbot: QtBot) -> None:
    label = QLabel("<b>x</b>")
    label.setTextFormat(Qt.TextFormat.RichText)
    qtbot.addWidget(label)
    label.show()
    assert label.textFormat() == Qt.TextFormat.RichText


def test_names_of_axes_are_no_markup(qtbot: QtBot) -> None:
    axis = PlainAxis("left")
    axis.setLabel(EVIL)
    assert EVIL in axis.label.toPlainText()
    axis.setLabel(Markup("<b>x</b>"))
    assert axis.label.toPlainText().strip() == "x"
