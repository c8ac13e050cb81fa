"""The window: titles, menus, docks, dropping, closing."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QTabBar, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from coterie.gui.app.application import ErrorGuard, parse
from coterie.gui.app.main_window import MainWindow
from coterie.gui.app.recents import recent_files
from coterie.gui.dialogs.import_data.dialog import ImportDialog
from coterie.projects.session import Session
from coterie.projects.store.recovery import orphans
from tests.core.formats.rasters.making import cube, write

Settle = Callable[[MainWindow], Session]
NewWindow = Callable[..., MainWindow]


def drop(window: MainWindow, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPoint(50, 50),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)


def table(folder: Path) -> Path:
    path = folder / "plants.csv"
    rows = [f"{i % 7},{(i * 3) % 11}" for i in range(40)]
    path.write_text("\n".join(["height,width", *rows]))
    return path


def asked(name: str) -> QMessageBox:
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, QMessageBox) and widget.objectName() == name and widget.isVisible():
            return widget
    raise AssertionError("nothing was asked")


def press(box: QMessageBox, button: QMessageBox.StandardButton) -> None:
    pressed = box.button(button)
    assert pressed is not None
    pressed.click()


def test_the_start_page_comes_first_and_needs_no_session(window: MainWindow) -> None:
    assert window.pages.currentWidget() is window.gallery
    assert window.session is None
    assert window.windowTitle() == "Coterie"
    assert not window.menus.actions["save"].isEnabled()


def test_a_sample_opens_with_its_recipe_and_its_data_read(
    window: MainWindow, settle: Settle
) -> None:
    window.documents.open_sample("spirals")
    session = settle(window)
    assert window.pages.currentWidget() is window.tabs
    assert session.recipe.steps
    assert str(session.status("data")) == "fresh"
    assert str(session.status(session.recipe.steps[0].name)) == "missing"
    assert window.windowTitle().endswith("[*] — Coterie")
    assert [window.tabs.tabText(i) for i in range(window.tabs.count())] == [
        view.title for view in window.tabs.views
    ]


def test_a_dropped_table_opens_with_a_sensible_recipe(
    window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    drop(window, table(tmp_path))
    dialog = window.findChild(ImportDialog)
    assert isinstance(dialog, ImportDialog)
    qtbot.waitUntil(dialog.ok.isEnabled, timeout=60_000)
    dialog.accept()
    session = settle(window)
    assert session.project.title == "plants"
    assert session.recipe.steps
    assert recent_files() == [(tmp_path / "plants.csv").resolve()]


def test_a_file_that_cannot_be_opened_gets_one_sentence(
    window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    window.documents.ensure_session()
    lost = tmp_path / "lost.csv"
    window.documents.open(lost)
    assert "lost.csv" in window.message_bar.text()
    broken = tmp_path / "broken.coterie.h5"
    broken.write_bytes(b"not HDF5 at all")
    window.documents.open(broken)
    settle(window)
    QApplication.processEvents()
    assert "broken.coterie.h5" in window.message_bar.text()
    assert window.pages.currentWidget() is window.gallery


def test_undo_and_redo_say_what_they_do(window: MainWindow, settle: Settle) -> None:
    window.documents.open_sample("iris")
    session = settle(window)
    assert not window.menus.actions["undo"].isEnabled()
    session.edits.replace(session.recipe.without(session.recipe.steps[-1].name), "remove the last")
    assert window.menus.actions["undo"].text() == "Undo remove the last"
    window.menus.actions["undo"].trigger()
    assert window.menus.actions["redo"].text() == "Redo remove the last"


def test_closing_with_unsaved_work_asks(window: MainWindow, settle: Settle) -> None:
    window.documents.open_sample("iris")
    session = settle(window)
    session.edits.replace(session.recipe.without(session.recipe.steps[-1].name), "remove the last")
    window.close()
    assert window.isVisible()
    press(asked("unsaved"), QMessageBox.StandardButton.Cancel)
    assert window.isVisible()
    window.close()
    press(asked("unsaved"), QMessageBox.StandardButton.Discard)
    assert not window.isVisible()
    assert window.session is None


def test_closing_with_save_saves_first(
    window: MainWindow, settle: Settle, tmp_path: Path, qtbot: QtBot
) -> None:
    window.documents.open_sample("iris")
    session = settle(window)
    path = tmp_path / "flowers.coterie.h5"
    window.documents.save_to(path)
    settle(window)
    qtbot.waitUntil(lambda: not window.isWindowModified())
    session.edits.replace(session.recipe.without(session.recipe.steps[-1].name), "remove the last")
    before = path.stat().st_mtime_ns
    window.close()
    press(asked("unsaved"), QMessageBox.StandardButton.Save)
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=20_000)
    assert path.stat().st_mtime_ns > before


def test_leaving_in_a_hurry_keeps_unsaved_work(
    window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    window.documents.open_sample("iris")
    session = settle(window)
    session.edits.replace(session.recipe.without(session.recipe.steps[-1].name), "remove the last")
    window.leave()
    assert not window.isVisible()
    assert [orphan.title for orphan in orphans(tmp_path / "workspaces")] == [session.project.title]


def test_an_untouched_sample_closes_without_a_question(window: MainWindow, settle: Settle) -> None:
    window.documents.open_sample("iris")
    settle(window)
    window.close()
    assert not window.isVisible()


@pytest.mark.slow
def test_docks_remember_their_place(new_window: NewWindow, settle: Settle, qtbot: QtBot) -> None:
    first = new_window()
    first.documents.open_sample("iris")
    settle(first)
    assert first.workbench is not None
    first.workbench.docks["Inspector"].hide()
    first.close()
    second = new_window()
    second.documents.open_sample("iris")
    settle(second)
    assert second.workbench is not None
    assert second.workbench.docks["Inspector"].isHidden()
    assert not second.workbench.docks["Analysis"].isHidden()
    second.workbench.reset()
    assert not second.workbench.docks["Inspector"].isHidden()


@pytest.mark.slow
def test_a_view_is_torn_off_and_comes_back(window: MainWindow, settle: Settle) -> None:
    window.documents.open_sample("iris")
    settle(window)
    titles = [view.title for view in window.tabs.views]
    window.tabs.tear_off(0)
    view = window.tabs.views[0]
    assert view.window() is not window
    assert window.tabs.count() == len(titles) - 1
    window.tabs.windows[view].close()
    assert [window.tabs.tabText(i) for i in range(window.tabs.count())] == titles


def test_a_menu_of_a_view_is_closed_before_its_view_is_dropped(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    window.documents.open_sample("iris")
    settle(window)
    menu = QMenu(window.tabs.current_view())
    menu.addAction("Rename")
    menu.popup(QPoint(10, 10))
    qtbot.waitUntil(menu.isVisible)
    window.tabs.clear_views()
    assert QApplication.activePopupWidget() is None


def test_the_log_can_be_reached_when_a_sample_is_the_first_thing_opened(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    window.documents.open_sample("iris")
    settle(window)
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    bars = window.findChildren(QTabBar, options=direct)
    shared = [bar for bar in bars if bar.count() == 2]
    qtbot.waitUntil(lambda: any(bar.isVisible() for bar in shared))


def test_every_view_has_a_key_and_can_be_torn_off_by_one(
    window: MainWindow, settle: Settle
) -> None:
    window.documents.open_sample("iris")
    settle(window)
    titles = [view.title for view in window.tabs.views]
    keys = {a.text(): a.shortcut().toString() for a in window.menus.view_menu.actions()}
    assert all(keys[title] for title in titles)
    assert len({keys[title] for title in titles}) == len(titles)
    front = window.tabs.current_view()
    assert front is not None
    window.menus.actions["tear-off"].trigger()
    own = window.tabs.windows[front]
    # The keys of the main window work in it; the one that closes brings the view back.
    assert window.menus.actions["undo"] in own.actions()
    assert window.menus.actions["close"] not in own.actions()
    own.actions()[0].trigger()
    assert window.isVisible()
    assert [window.tabs.tabText(i) for i in range(window.tabs.count())] == titles


def test_every_command_has_its_own_key(window: MainWindow, qtbot: QtBot) -> None:
    keys = [a.shortcut().toString() for a in window.menus.actions.values()]
    keys = [key for key in keys if key]
    assert len(keys) == len(set(keys))


def test_every_control_that_takes_the_focus_has_a_name(window: MainWindow, settle: Settle) -> None:
    window.documents.open_sample("iris")
    settle(window)
    assert window.workbench is not None
    nameless = [
        widget
        for dock in window.workbench.docks.values()
        for widget in dock.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not widget.accessibleName()
        and not getattr(widget, "text", str)()
        and not widget.objectName().startswith("qt_")
    ]
    assert not nameless


def test_an_error_nobody_caught_is_shown_and_the_window_lives_on(
    window: MainWindow, qapp: QApplication, capsys: pytest.CaptureFixture[str]
) -> None:
    guard = ErrorGuard(qapp)
    guard._before = lambda *_: None
    try:
        guard._hook(RuntimeError, RuntimeError("A wheel came off"), None)
    finally:
        guard.close()
    assert "a wheel came off" in window.message_bar.text().lower()
    assert window.isVisible()


def test_the_command_line_of_the_window() -> None:
    given = parse(["x.csv", "--safe-mode", "--new-window-size", "800x600"])
    assert (given.file, given.safe_mode) == (Path("x.csv"), True)
    assert (given.size.width(), given.size.height()) == (800, 600)
    assert parse(["--sample", "iris"]).sample == "iris"
    with pytest.raises(SystemExit):
        parse(["--new-window-size", "large"])


def test_from_the_start_page_there_is_a_way_back_to_what_is_open(
    window: MainWindow, settle: Settle
) -> None:
    assert window.gallery.go_back.isHidden()
    window.documents.open_sample("iris")
    settle(window)
    window.menus.actions["start-page"].trigger()
    assert window.pages.currentWidget() is window.gallery
    assert "iris" in window.gallery.go_back.text()
    window.gallery.go_back.click()
    assert window.pages.currentWidget() is window.tabs
    window.menus.actions["start-page"].trigger()
    ranking = next(a for a in window.menus.view_menu.actions() if a.text() == "Ranking")
    ranking.trigger()
    assert window.pages.currentWidget() is window.tabs
    view = window.tabs.current_view()
    assert view is not None
    assert view.title == "Ranking"


@pytest.mark.slow
def test_jobs_and_log_share_one_bar_of_tabs_at_every_start(
    new_window: NewWindow, settle: Settle, qtbot: QtBot
) -> None:
    for _ in ("the first start", "with a kept state"):
        window = new_window()
        window.documents.open_sample("iris")
        settle(window)
        bars = [bar for bar in window.findChildren(QTabBar) if bar.parent() is window]
        assert [bar.isVisible() for bar in bars] == [True]
        assert [bars[0].tabText(at) for at in range(bars[0].count())] == ["Jobs", "Log"]
        window.show_start()
        window.show_work()
        assert bars[0].isVisible()
        window.close()


def test_a_tab_without_room_fades_instead_of_being_cut(
    window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    window.documents.open_sample("iris")
    settle(window)
    window.tabs.setCurrentIndex(0)
    bar = window.tabs.tabBar()
    right = min(one.x() for one in bar.findChildren(QToolButton) if one.isVisible())
    cut = next(
        i for i in range(bar.count()) if bar.tabRect(i).left() < right <= bar.tabRect(i).right()
    )
    picture = bar.grab().toImage()
    ground = picture.pixelColor(right - 1, 1)
    column = [picture.pixelColor(right - 1, y) for y in range(picture.height())]
    assert cut > 0
    assert all(abs(colour.lightness() - ground.lightness()) < 12 for colour in column)


def test_a_scene_opens_on_the_map_and_proposes_its_own_folder_for_maps(
    window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    from coterie.gui.views.map.labelling.state import map_folder

    path = write(tmp_path / "scene.tif", cube())
    window.documents.open(path, ask=False)
    session = settle(window)
    view = window.tabs.current_view()
    assert view is not None
    assert view.title == "Map"
    assert map_folder(session, Path.home()) == tmp_path
