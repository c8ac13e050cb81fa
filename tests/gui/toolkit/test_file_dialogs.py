"""Where files go."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from coterie.gui.app.application import make_application
from coterie.gui.toolkit.file_dialogs import (
    ask_target,
    remember_folder,
    usual_folder,
    with_ending_of,
)

KINDS = "PNG (*.png);;SVG (*.svg)"


@pytest.fixture
def parent(qtbot: QtBot, qapp: QApplication) -> Iterator[QWidget]:
    make_application("light")
    QSettings().clear()
    widget = QWidget()
    qtbot.addWidget(widget)
    yield widget
    QSettings().clear()


@pytest.mark.parametrize("typed", ["work", "work.h5", "work.coterie", "work.coterie.h5"])
def test_a_project_gets_its_ending(typed: str) -> None:
    kind = "Coterie projects (*.coterie.h5)"
    assert with_ending_of(Path("/x") / typed, kind, kind) == Path("/x/work.coterie.h5")


def test_the_folder_used_last_comes_first_and_the_kind_gives_the_ending(
    parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember_folder(tmp_path / "one.csv")
    started: list[str] = []

    def choose(_parent: object, _title: str, start: str, _kinds: str) -> tuple[str, str]:
        started.append(start)
        return str(tmp_path / "there" / "plot"), "SVG (*.svg)"

    (tmp_path / "there").mkdir()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    found = ask_target(parent, "Save", "plot.png", KINDS)
    assert started == [str(tmp_path / "plot.png")]
    assert found == (tmp_path / "there" / "plot.svg", "SVG (*.svg)")
    assert usual_folder() == tmp_path / "there"
    (tmp_path / "there").rmdir()
    assert usual_folder() != tmp_path / "there"


@pytest.mark.parametrize("answer", ["Yes", "No"])
def test_a_file_that_gets_its_ending_here_is_not_replaced_unasked(
    parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    (tmp_path / "plot.png").touch()
    typed = str(tmp_path / "plot"), "PNG (*.png)"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: typed)
    button = getattr(QMessageBox.StandardButton, answer)
    monkeypatch.setattr(QMessageBox, "question", lambda *_: button)
    found = ask_target(parent, "Save", "plot.png", KINDS)
    assert (found is not None) == (answer == "Yes")


def test_nothing_chosen_is_nothing_to_write(
    parent: QWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    assert ask_target(parent, "Save", "plot.png", KINDS) is None
