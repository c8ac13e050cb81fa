"""Files and plugins that a project needs and that are not here: said, with a way to mend it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from coterie.core.model.recipes import Step
from coterie.gui.app.main_window import MainWindow
from coterie.gui.dialogs.find_file import FindDialog
from coterie.gui.dialogs.plugins.dialog import PluginDialog
from coterie.projects.session import Session

Settle = Callable[[MainWindow], Session]
PATIENCE = 60_000


def test_a_file_that_was_moved_is_marked_until_it_is_found(
    window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    table.write_text("a,b\n" + "".join(f"{i % 7},{i * 3 % 11}\n" for i in range(20)))
    window.documents.open(table, ask=False)
    settle(window)
    assert window.workbench is not None
    bench = window.workbench
    qtbot.wait(50)
    assert not bench.lost.names
    elsewhere = tmp_path / "moved" / "renamed.csv"
    elsewhere.parent.mkdir()
    table.rename(elsewhere)

    bench.lost.look()  # as when the window becomes the active one
    qtbot.waitUntil(lambda: bench.lost.names == {"data"}, timeout=PATIENCE)
    assert bench.tree.item("data").text(1) == "file missing"
    banner = bench.analysis.cards["data"].banner
    assert "'table.csv' is no longer in the folder" in banner.text()
    [relink] = banner.remedies
    assert relink.text() == "Locate file…"
    QTest.mouseClick(relink, Qt.MouseButton.LeftButton)
    dialog = window.findChild(FindDialog)
    assert isinstance(dialog, FindDialog)
    qtbot.waitUntil(dialog.folder.isEnabled, timeout=PATIENCE)
    dialog.look_in(tmp_path)
    qtbot.waitUntil(lambda: not bench.lost.names, timeout=PATIENCE)
    settle(window)
    assert bench.tree.item("data").text(1) != "file missing"
    assert banner.isHidden()


def test_the_window_looks_for_files_when_it_becomes_active(
    window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    table.write_text("a,b\n1,2\n3,4\n")
    window.documents.open(table, ask=False)
    settle(window)
    assert window.workbench is not None
    table.unlink()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=PATIENCE)
    window.changeEvent(QEvent(QEvent.Type.ActivationChange))
    lost = window.workbench.lost
    qtbot.waitUntil(lambda: lost.names == {"data"}, timeout=PATIENCE)


def test_a_missing_plugin_leads_to_the_plugins(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    window.documents.open_sample("iris")
    session = settle(window)
    step = Step("odd", "kernel/mylab:cauchy", ("data",))
    session.edits.replace(replace(session.recipe, steps=(step,)), "use a method that is not here")
    assert window.workbench is not None
    banner = window.workbench.analysis.cards["odd"].banner
    qtbot.waitUntil(lambda: bool(banner.remedies), timeout=PATIENCE)
    assert "The plugin 'mylab' provides 'kernel/mylab:cauchy'" in banner.text()
    heading = window.workbench.tree.item("odd").parent()
    assert heading is not None
    assert heading.text(0) == "Graphs"  # what a kernel gives, wherever it comes from
    [button] = banner.remedies
    assert button.text() == "Plugins…"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = window.findChild(PluginDialog)
    assert isinstance(dialog, PluginDialog)
    dialog.close()
    window.commands.run_all()
    qtbot.waitUntil(lambda: window.message_bar.problem is not None, timeout=PATIENCE)
    assert [remedy.text() for remedy in window.message_bar.remedies] == ["Plugins…"]
