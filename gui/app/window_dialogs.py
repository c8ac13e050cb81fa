"""The dialogs that a window opens from its menus, beside those about files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from coterie.gui.app.preferences import Preferences
from coterie.gui.toolkit.file_dialogs import ask_target
from coterie.gui.toolkit.problems import Problem

if TYPE_CHECKING:
    from coterie.gui.app.main_window import MainWindow


class WindowDialogs:
    """Opens them over one window. None of them blocks it."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    # What is seen, as files

    def save_picture(self) -> None:
        """Write the view in front as a picture."""
        view = self._window.tabs.current_view()
        if view is not None:
            self._save("picture", "png", "Picture (*.png);;Drawing (*.svg)", view.export_picture)

    def save_table(self) -> None:
        """Write the view in front as a table."""
        view = self._window.tabs.current_view()
        if view is not None and view.has_table:
            self._save("table", "csv", "Table (*.csv)", view.export_table)

    def _save(self, what: str, ending: str, kinds: str, write: Callable[[Path], None]) -> None:
        window = self._window
        view = window.tabs.current_view()
        if view is None or view.empty:
            window.statusBar().showMessage("This view has nothing to save yet.", 5000)
            return
        asked = ask_target(window, f"Save {what}", f"{view.title.lower()}.{ending}", kinds)
        if asked is None:
            return
        path, _ = asked
        try:
            write(path)
            window.statusBar().showMessage(f"Wrote {path.name}.", 5000)
        except Exception as error:
            window.show_problem(Problem.of_error(error, f"write '{path.name}'"))

    # Everything else

    def show_preferences(self) -> None:
        """Show what holds for all projects."""
        from coterie.gui.dialogs.preferences import PreferencesDialog

        dialog = PreferencesDialog(Preferences.load(), self._window)
        dialog.chosen.connect(self._on_preferences)
        dialog.open()

    def _on_preferences(self, chosen: Preferences) -> None:
        before = Preferences.load()
        chosen.store()
        if chosen.scheme != before.scheme:
            self._window.set_scheme(chosen.scheme)
            self._window.menus.fill_view_menu()

    def show_plugins(self) -> None:
        """Show the plugins, and what is wrong with them."""
        from coterie.gui.dialogs.plugins.dialog import PluginDialog

        PluginDialog(self._window.documents.ensure_session(), self._window).show()

    def show_keys(self) -> None:
        """Show the keys of all commands."""
        from coterie.gui.dialogs.shortcuts import KeysDialog, keys_of

        KeysDialog(keys_of(self._window), self._window).show()

    def show_about(self) -> None:
        """Say what this is, and its versions."""
        from coterie.gui.dialogs.about import AboutDialog

        AboutDialog(self._window).show()
