"""The analyst's journey, from a table dropped onto the window to a report, by mouse and keys."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from coterie.gui.app.main_window import MainWindow
from coterie.gui.dialogs.export_result.dialog import ExportDialog
from coterie.gui.dialogs.import_data.dialog import ImportDialog
from coterie.gui.dialogs.sweep.dialog import SweepDialog
from coterie.gui.panels.step_cards import StepCard
from coterie.gui.toolkit.forms.editors import NumberEditor
from coterie.gui.views.compare.view import CompareView
from coterie.gui.views.embedding.view import EmbeddingView
from coterie.gui.views.ranking.view import RankingView
from coterie.gui.views.report.view import ReportView
from coterie.projects.session import Session

Settle = Callable[[MainWindow], Session]
NewWindow = Callable[..., MainWindow]
PATIENCE = 60_000
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Sixty items of three sorts, as a spreadsheet in Europe writes them."""
    rng = np.random.default_rng(0)
    rows = ["Ort;Größe;Preis;Gewicht;Sorte"]
    for i in range(60):
        size, price, weight = rng.normal([100 + 40 * (i % 3), 2000 - 500 * (i % 3), 5], [4, 50, 1])
        cells = (f"{value:,.2f}".translate({44: ".", 46: ","}) for value in (size, price, weight))
        rows.append(";".join([f"Zürich {i}", *cells, "abc"[i % 3]]))
    path = tmp_path / "Messung.csv"
    path.write_bytes("\r\n".join(rows).encode("latin-1"))
    return path


def drop(window: MainWindow, path: Path) -> None:
    """Drop a file onto a window, as a file manager does."""
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(path))])
    copy, none = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(200, 200), copy, files, LEFT, none)
    QApplication.sendEvent(window, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(window, QDropEvent(QPointF(200, 200), copy, files, LEFT, none))


def front(window: MainWindow, title: str) -> QWidget:
    """Bring a view forward by its entry in the menu."""
    next(entry for entry in window.menus.view_menu.actions() if entry.text() == title).trigger()
    view = window.tabs.current_view()
    assert view is not None
    return view


def open_dropped(window: MainWindow, table: Path, qtbot: QtBot) -> None:
    """Drop the table, whose classes and names are recognised, and open it."""
    drop(window, table)
    dialog = window.findChild(ImportDialog)
    assert isinstance(dialog, ImportDialog)
    qtbot.waitUntil(lambda: dialog.state.can_open and not dialog.state.waiting, timeout=PATIENCE)
    said = {finding.name: finding.value for finding in dialog.state.findings()}
    assert said["decimal"].startswith("comma")
    assert said["thousands"].startswith("point")
    assert said["truth"] == "Sorte"
    assert said["items"] == "Ort"
    assert dialog.state.columns.role(4) == "truth"
    qtbot.waitUntil(lambda: dialog.ok.isEnabled(), timeout=PATIENCE)
    QTest.mouseClick(dialog.ok, LEFT)


def test_from_a_dropped_table_to_a_report(
    new_window: NewWindow,
    settle: Settle,
    qtbot: QtBot,
    table: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = new_window()
    window.documents.ensure_session()
    open_dropped(window, table, qtbot)
    session = settle(window)
    assert window.workbench is not None
    panel = window.workbench.analysis
    QTest.mouseClick(panel.run_all, LEFT)
    settle(window)
    assert {str(session.status(name)) for name in session.recipe.names} == {"fresh"}

    # Brush, and rank what was brushed among the groups.
    embedding = front(window, "Embedding")
    assert isinstance(embedding, EmbeddingView)
    qtbot.waitUntil(lambda: embedding.state.n == 60 and not embedding.empty)
    qtbot.wait(100)
    area = embedding.canvas.mapFromScene(embedding.box.sceneBoundingRect()).boundingRect()
    start, end = area.topLeft() + QPoint(3, 3), area.bottomRight() - QPoint(3, 3)
    viewport = embedding.canvas.viewport()
    QTest.mousePress(viewport, LEFT, pos=start)
    for share in (0.3, 0.6, 1.0):
        QTest.mouseMove(viewport, start + (end - start) * share, 10)
    QTest.mouseRelease(viewport, LEFT, pos=end)
    qtbot.waitUntil(lambda: session.selection.count == 60)
    ranking = front(window, "Ranking")
    assert isinstance(ranking, RankingView)
    qtbot.waitUntil(lambda: not ranking.empty and ranking.state.n == 60)

    # One number, typed and confirmed: what depends on it is out of date, and undo knows it.
    panel.reveal("groups")
    card = panel.cards["groups"]
    assert isinstance(card, StepCard)
    assert card.form is not None
    editor = card.form.editor("decide_on")
    assert isinstance(editor, NumberEditor)
    editor.box.selectAll()
    QTest.keyClicks(editor.box, "200")
    QTest.keyClick(editor.box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.edits.can_undo == "change decide_on of groups")
    assert str(session.status("groups")) == "stale"
    window.menus.actions["undo"].trigger()
    assert str(session.status("groups")) == "fresh"

    # Compare with the known classes; what the report says stays the same on disk.
    compare = front(window, "Compare")
    assert isinstance(compare, CompareView)
    qtbot.waitUntil(lambda: compare.state.comparison is not None)
    chosen: list[Path] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(chosen.pop()), ""))
    project = tmp_path / "work.coterie.h5"
    chosen.append(project)
    window.menus.actions["save"].trigger()
    qtbot.waitUntil(
        lambda: session.project.path == project and not session.project.modified, timeout=PATIENCE
    )
    window.commands.export_result("groups")
    export = window.findChild(ExportDialog)
    assert isinstance(export, ExportDialog)
    export.file.setText(str(tmp_path / "labels.csv"))
    QTest.mouseClick(export.ok, LEFT)
    labels = tmp_path / "labels.csv"
    qtbot.waitUntil(labels.exists, timeout=PATIENCE)
    settle(window)
    assert len(labels.read_text(encoding="utf-8").splitlines()) == 61
    report = front(window, "Report")
    assert isinstance(report, ReportView)
    qtbot.waitUntil(lambda: "Größe" in report.page.toPlainText(), timeout=PATIENCE)
    report.export_picture(tmp_path / "report.html")
    qtbot.waitUntil((tmp_path / "report.html").exists, timeout=PATIENCE)

    # Tomorrow: the first of the recent files.
    groups = np.array(session.fetch("groups").labels)
    window.close()
    again = new_window()
    entry = again.gallery.recent.item(0)
    assert entry.text() == "work.coterie.h5"
    place = again.gallery.recent.visualItemRect(entry).center()
    QTest.mouseClick(again.gallery.recent.viewport(), LEFT, pos=place)
    reopened = settle(again)
    qtbot.waitUntil(lambda: bool(reopened.recipe.steps), timeout=PATIENCE)
    qtbot.waitUntil(lambda: bool(reopened.catalogue.methods), timeout=PATIENCE)
    assert {str(reopened.status(name)) for name in reopened.recipe.names} == {"fresh"}
    np.testing.assert_array_equal(reopened.fetch("groups").labels, groups)


@pytest.mark.slow
def test_two_parameters_are_swept_and_a_cell_is_adopted_by_a_click(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    window.documents.open_sample("iris")
    session = settle(window)
    assert window.workbench is not None
    window.workbench.analysis.choose("similarity")
    window.menus.update()
    window.menus.actions["step-sweep"].trigger()
    dialog = window.findChild(SweepDialog)
    assert isinstance(dialog, SweepDialog)
    first, second = dialog.first, dialog.second
    first.way.activated.emit(2)
    first.list.setText("0.1, 0.2")
    first.list.editingFinished.emit()
    other = next(at for at, name in enumerate(second._names) if name not in ("", "sigma"))
    second.parameter.activated.emit(other)
    QTest.mouseClick(dialog.run, LEFT)
    qtbot.waitUntil(
        lambda: dialog.state.table is not None and dialog.state.table.state == "finished",
        timeout=PATIENCE,
    )
    assert dialog.state.table is not None
    assert np.isfinite(dialog.state.table.scores).all()
    cell = dialog.heat.item(1, 0)
    assert cell is not None
    place = dialog.heat.visualItemRect(cell).center()
    QTest.mouseClick(dialog.heat.viewport(), LEFT, pos=place)
    assert session.recipe.step("similarity").params["sigma"] == 0.2
    assert session.edits.can_undo.startswith("set sigma = 0.2")
    window.menus.actions["undo"].trigger()
    assert session.recipe.step("similarity").params["sigma"] != 0.2
    dialog.close()
