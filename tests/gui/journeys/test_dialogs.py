"""Preferences, plugins, keys and versions, and what a view saves."""

import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from coterie.core.engine.options import EngineOptions
from coterie.core.errors import EngineError
from coterie.core.io.folders import plugin_folders
from coterie.gui.app.main_window import MainWindow
from coterie.gui.app.preferences import Preferences
from coterie.gui.dialogs.about import AboutDialog
from coterie.gui.dialogs.plugins.dialog import PluginDialog
from coterie.gui.dialogs.preferences import PreferencesDialog
from coterie.gui.dialogs.shortcuts import KeysDialog, ShortcutSection, keys_of
from coterie.projects.session import Session
from coterie.projects.store.recovery import orphans

pytestmark = pytest.mark.slow

Settle = Callable[[MainWindow], Session]
D = TypeVar("D", bound=QWidget)
PATIENCE = 60_000

KERNEL = '''
"""A kernel for tests."""
import numpy as np
from coterie.core import Kernel, hookimpl

class Flat(Kernel):
    """Similarity one for every pair of items, whatever they are."""
    id, title = "flat", "Flat"
    def compute(self, data, *, params, context):
        context.check()
        return np.ones((data.n, data.n))

@hookimpl
def coterie_kernels():
    return [Flat]
'''


def all_keys(window: MainWindow) -> tuple[ShortcutSection, ...]:
    return keys_of(window.menuBar(), window.tabs.views)


def only(window: MainWindow, kind: type[D]) -> D:
    (found,) = window.findChildren(kind)
    return found


def nameless(dialog: QWidget) -> list[QWidget]:
    from PySide6.QtCore import Qt

    return [
        widget
        for widget in dialog.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not (widget.accessibleName() or getattr(widget, "text", str)())
        and not widget.objectName().startswith("qt_")
    ]


# Preferences


def test_preferences_are_kept_and_reach_the_engine(window: MainWindow, qtbot: QtBot) -> None:
    window.menus.actions["preferences"].trigger()
    dialog = only(window, PreferencesDialog)
    assert dialog.values() == Preferences()
    assert not nameless(dialog)
    dialog.scheme.setCurrentIndex(dialog.scheme.findData("dark"))
    dialog.memory.setValue(1.5)
    dialog.threads.setValue(1)
    dialog.quota.setValue(2)
    dialog.add_folder(Path("/plugins/mine"))
    assert dialog.hint.isVisible()
    dialog.ask_on_close.setChecked(False)
    dialog.accept()
    stored = Preferences.load()
    assert stored == Preferences("dark", 1.5, 1, 2.0, ("/plugins/mine",), False)
    assert window.context.scheme == "dark"
    options = stored.engine_options()
    assert (options.memory, options.workers) == (1_500_000_000, 1)
    assert options.plugin_folders == (*plugin_folders(), Path("/plugins/mine"))
    assert stored.quota_bytes == 2_000_000_000


def test_a_cluster_is_tried_remembered_and_reaches_the_engine(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(address: str, instead: str) -> str:
        if address.endswith(":9"):
            raise EngineError(f"No Dask scheduler answers at {address}.")
        return f"A Dask scheduler answers at {address}."

    monkeypatch.setattr("coterie.gui.dialogs.dask_field.ask_in_subprocess", answer)
    window.dialogs.show_preferences()
    dialog = only(window, PreferencesDialog)
    field = dialog.cluster
    assert not field.test.isEnabled()
    field.address.setText("tcp://127.0.0.1:9")
    assert dialog.hint.isVisible()
    field.test.click()
    qtbot.waitUntil(lambda: field.said.text() == "No Dask scheduler answers at tcp://127.0.0.1:9.")
    field.address.setText(" tcp://127.0.0.1:8786/")
    assert not field.said.isVisible()
    field.test.click()
    qtbot.waitUntil(lambda: field.said.text().startswith("A Dask scheduler answers at tcp"))
    assert field.test.isEnabled()
    dialog.accept()
    stored = Preferences.load()
    assert stored.cluster == "tcp://127.0.0.1:8786"
    assert stored.engine_options().cluster == "tcp://127.0.0.1:8786"
    assert not stored.same_engine(Preferences())


def test_what_is_no_address_of_a_cluster_is_not_accepted(window: MainWindow) -> None:
    window.dialogs.show_preferences()
    dialog = only(window, PreferencesDialog)
    dialog.cluster.address.setText("8786")
    dialog.accept()
    assert dialog.isVisible()
    assert "has the form tcp://HOST:PORT" in dialog.cluster.said.text()
    dialog.cluster.address.clear()
    dialog.accept()
    assert Preferences.load() == Preferences()


def test_cancelled_preferences_change_nothing(window: MainWindow) -> None:
    window.dialogs.show_preferences()
    dialog = only(window, PreferencesDialog)
    dialog.memory.setValue(3)
    dialog.reject()
    assert Preferences.load() == Preferences()


def test_stored_nonsense_counts_as_never_set(window: MainWindow) -> None:
    for key, value in (
        ("window/scheme", "pink"),
        ("engine/memory", "much"),
        ("engine/threads", "-3"),
        ("workspace/quota", "inf"),
        ("engine/plugin-folders", "/one"),
        ("engine/cluster", "somewhere"),
    ):
        QSettings().setValue(key, value)
    assert Preferences.load() == Preferences(plugin_folders=("/one",))
    usual = Preferences().engine_options(safe_mode=True)
    assert usual.safe_mode
    assert usual.workers == EngineOptions().workers


def test_without_a_question_unsaved_work_is_offered_at_the_next_start(
    window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    Preferences(ask_on_close=False).store()
    window.documents.open_sample("iris")
    session = settle(window)
    session.edits.replace(session.recipe.without(session.recipe.steps[-1].name), "remove the last")
    window.close()
    assert not window.isVisible()
    assert [orphan.title for orphan in orphans(tmp_path / "workspaces")] == [session.project.title]


# Plugins


@pytest.fixture
def dialog(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> PluginDialog:
    folder = tmp_path / "plugins"
    folder.mkdir(exist_ok=True)
    (folder / "flat.py").write_text(KERNEL)
    (folder / "faulty.py").write_text("import nowhere_to_be_found\n")
    monkeypatch.setenv("COTERIE_PLUGINS", str(folder))
    window.documents.new_session = lambda: Session(
        options=EngineOptions(plugin_folders=(folder,), memory=2 << 30, workers=1),
        root=tmp_path,
    )
    session = window.documents.ensure_session()
    qtbot.waitUntil(lambda: "kernel/local:flat" in session.catalogue, timeout=PATIENCE)
    window.menus.actions["plugins"].trigger()
    return only(window, PluginDialog)


def test_plugins_are_listed_with_what_they_offer_and_what_is_wrong(dialog: PluginDialog) -> None:
    states = {plugin.name: plugin.state for plugin in dialog.plugins}
    assert states == {"Built-in methods": "on", "faulty.py": "broken", "flat.py": "on"}
    assert not dialog.switch_button.isEnabled()  # the built-ins stay
    dialog.choose("flat.py")
    assert dialog.methods.topLevelItem(0).text(1) == "kernel/local:flat"  # type: ignore[union-attr]
    assert not dialog.errors.isVisible()
    dialog.choose("faulty.py")
    assert "nowhere_to_be_found" in dialog.errors.toPlainText()
    assert "Traceback" in dialog.errors.toPlainText()
    assert not nameless(dialog)


def test_a_plugin_is_switched_off_and_on_for_good(
    dialog: PluginDialog, window: MainWindow, qtbot: QtBot
) -> None:
    session = window.session
    assert session is not None
    dialog.choose("flat.py")
    dialog.switch_button.click()
    qtbot.waitUntil(lambda: "kernel/local:flat" not in session.catalogue, timeout=PATIENCE)
    qtbot.waitUntil(lambda: dialog.chosen is not None and dialog.chosen.state == "off")
    assert dialog.switch_button.text() == "Switch on"
    assert "switched off" in dialog.errors.toPlainText()
    qtbot.waitUntil(lambda: dialog.remark.text() == "“flat.py” is switched off.", timeout=PATIENCE)
    dialog.switch_button.click()
    qtbot.waitUntil(lambda: "kernel/local:flat" in session.catalogue, timeout=PATIENCE)


def wheel(folder: Path) -> Path:
    path = folder / "mylab-1.2-py3-none-any.whl"
    info = "mylab-1.2.dist-info"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("mylab_flat.py", KERNEL)
        file.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: mylab\nVersion: 1.2\n")
        file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        file.writestr(f"{info}/entry_points.txt", "[coterie.plugins]\nflat = mylab_flat\n")
        file.writestr(f"{info}/RECORD", "")
    return path


def test_a_wheel_is_installed_without_a_network(
    dialog: PluginDialog, window: MainWindow, qtbot: QtBot, tmp_path: Path, plugin_home: Path
) -> None:
    session = window.session
    assert session is not None
    dialog.install(wheel(tmp_path))
    assert not dialog.add_file.isEnabled()
    qtbot.waitUntil(lambda: "kernel/mylab:flat" in session.catalogue, timeout=PATIENCE)
    qtbot.waitUntil(lambda: "mylab" in [plugin.name for plugin in dialog.plugins])
    assert session.catalogue.get("kernel/mylab:flat").origin == "mylab 1.2"
    assert dialog.add_file.isEnabled()


def test_what_is_no_plugin_is_refused_in_words(
    dialog: PluginDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    other = tmp_path / "other.whl"
    other.write_bytes(b"not an archive")
    dialog.install(other)
    qtbot.waitUntil(dialog.banner.isVisible)
    assert "damaged" in dialog.banner.text()
    assert dialog.add_file.isEnabled()


def test_safe_mode_says_so(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.documents.new_session = lambda: Session(
        options=EngineOptions(safe_mode=True, memory=2 << 30, workers=1), root=tmp_path
    )
    window.dialogs.show_plugins()
    dialog = only(window, PluginDialog)
    assert [plugin.key for plugin in dialog.plugins] == [""]
    assert not dialog.add_file.isEnabled()


def test_safe_mode_can_be_switched_on_and_off(
    dialog: PluginDialog, window: MainWindow, qtbot: QtBot
) -> None:
    session = window.session
    assert session is not None
    assert len(dialog.plugins) > 1
    dialog.safe_mode.click()
    assert session.plugins.options.safe_mode is True
    assert [plugin.key for plugin in dialog.plugins] == [""]
    assert not dialog.add_file.isEnabled()
    dialog.safe_mode.click()
    assert len(dialog.plugins) > 1
    assert not dialog.safe_mode.isChecked()


def test_the_engine_is_not_started_anew_under_a_running_job(
    dialog: PluginDialog, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    from coterie.core.errors import EngineError

    def refuse(*, safe_mode: bool | None = None) -> None:
        raise EngineError("'groups' is running. Wait for it.")

    assert window.session is not None
    monkeypatch.setattr(window.session.plugins, "reload", refuse)
    dialog.choose("flat.py")
    dialog.switch_button.click()
    assert "is running" in dialog.banner.text()
    assert "when you reload" in dialog.remark.text()


# Keys and versions


def test_the_sheet_of_keys_is_made_of_the_actions(window: MainWindow, settle: Settle) -> None:
    window.documents.open_sample("iris")
    settle(window)
    next(view for view in window.tabs.views if view.title == "Embedding").synchronize()
    sections = {section.title: dict(section.rows) for section in all_keys(window)}
    assert sections["Run"]["Run all"] == "F5"
    assert sections["Help"]["Keyboard shortcuts"] == "F1 or ?"
    assert sections["View"]["Embedding"] == "Ctrl+2"
    assert sections["Embedding"]["Lasso"] == "L"
    session = settle(window)
    session.edits.replace(session.recipe.changed("groups", seed=3), "a very long " * 9 + "edit")
    assert "Undo" in {text for section in all_keys(window) for text, _ in section.rows}
    window.menus.actions["keys"].trigger()
    dialog = only(window, KeysDialog)
    assert {section.title for section in dialog.sections} == set(sections)


def test_no_two_commands_of_the_window_share_a_key(window: MainWindow, settle: Settle) -> None:
    window.documents.open_sample("iris")
    settle(window)
    menus = {action.text().replace("&", "") for action in window.menuBar().actions()}
    keys = [
        key
        for section in all_keys(window)
        if section.title in menus
        for _, text in section.rows
        for key in text.split(" or ")
    ]
    assert len(keys) == len(set(keys))


def test_versions_are_copied(window: MainWindow) -> None:
    window.menus.actions["about"].trigger()
    dialog = only(window, AboutDialog)
    dialog.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Coterie ")
    assert "numpy" in copied


# What a view saves


def _is_drawn(figures: Any) -> bool:
    return bool(figures.state.figure is not None)


def test_every_view_saves_its_picture_and_its_table(
    window: MainWindow,
    settle: Settle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    assert not window.menus.actions["table"].isEnabled()
    window.documents.open_sample("iris")
    settle(window)
    window.commands.run_all()
    settle(window)
    saved = {}
    for view in window.tabs.views:
        if view.title == "Map":
            continue
        window.tabs.bring_forward(view.title)
        view.synchronize()
        if view.title == "Figures":  # computed when it is first seen
            figures: Any = view
            qtbot.waitUntil(partial(_is_drawn, figures), timeout=20_000)
        for name, ending in (("picture", "png"), ("table", "csv")):
            path = tmp_path / f"{view.title}.{ending}"
            monkeypatch.setattr(
                QFileDialog, "getSaveFileName", lambda *_, path=path: (str(path), "")
            )
            if window.menus.actions[name].isEnabled():
                window.menus.actions[name].trigger()
                assert path.exists() != view.empty
                if not view.empty:
                    saved[path.name] = path.stat().st_size
                else:
                    assert "nothing to save" in window.statusBar().currentMessage()
    assert {"Embedding.png", "Data.png", "Ranking.png", "Affinity.png"} <= set(saved)
    assert {"Embedding.csv", "Data.csv", "Ranking.csv", "Profile.csv"} <= set(saved)
    assert "Affinity.csv" not in saved
    assert min(saved.values()) > 50
    assert len((tmp_path / "Embedding.csv").read_text(encoding="utf-8").splitlines()) == 151
