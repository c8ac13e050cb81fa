"""An error in a method that Qt calls is told, and the window lives on."""

import subprocess
import sys

PROGRAM = """
from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtWidgets import QApplication, QTableView, QWidget
from coterie.gui.toolkit.override_guard import guard_overrides

class Early(QWidget):
    __module__ = "coterie.gui.early"
    def sizeHint(self):
        return ()[3]

guard_overrides()
guard_overrides()

class Model(QAbstractTableModel):
    __module__ = "coterie.gui.late"
    def rowCount(self, parent=QModelIndex()):
        return 2
    def columnCount(self, parent=QModelIndex()):
        return 2
    def headerData(self, section, orientation, role=0):
        return ()[section]

app = QApplication([])
shown, model, told = QTableView(), Model(), 0
for action in (Early().adjustSize, lambda: shown.setModel(model), shown.show, shown.hide):
    try:
        action()
        app.processEvents()
    except IndexError:
        told += 1
print("alive", told)
"""


def test_an_error_in_a_method_that_qt_calls_does_not_end_the_window() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    word, told = ended.stdout.split()
    assert word == "alive"
    assert int(told) > 0
