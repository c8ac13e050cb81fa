"""The dialogs that a window opens from its menus, except those for files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from coterie.core.errors import CoterieError
from coterie.gui.app.preferences import Preferences
from coterie.gui.toolkit.file_dialogs import ask_target, remember_folder, usual_folder
from coterie.gui.toolkit.problems import Problem

if TYPE_CHECKING:
    from coterie.gui.app.context import WindowContext
    from coterie.projects.session import Session


class WindowDialogs(QObject):
    """Opens them over one window. None of them blocks it.

    Parameters
    ----------
    ensure_session : returns the window's session, begun now if there was none
    """

    scheme_chosen = Signal(str)

    def __init__(self, context: WindowContext, ensure_session: Callable[[], Session]) -> None:
        super().__init__(context.frame)
        self._context = context
        self._ensure_session = ensure_session

    # What is seen, as files

    def save_picture(self) -> None:
        """Write the view in front as a picture."""
        view = self._context.tabs.current_view()
        if view is not None:
            self._save("picture", "png", "Picture (*.png);;Drawing (*.svg)", view.export_picture)

    def save_table(self) -> None:
        """Write the view in front as a table."""
        view = self._context.tabs.current_view()
        if view is not None and view.has_table:
            self._save("table", "csv", "Table (*.csv)", view.export_table)

    def _save(self, what: str, ending: str, kinds: str, write: Callable[[Path], None]) -> None:
        context = self._context
        view = context.tabs.current_view()
        if view is None or view.empty:
            context.say("This view has nothing to save yet.")
            return
        asked = ask_target(context.frame, f"Save {what}", f"{view.title.lower()}.{ending}", kinds)
        if asked is None:
            return
        path, _ = asked
        try:
            write(path)
            context.say(f"Wrote {path.name}.")
        except Exception as error:
            context.problems.add(Problem.of_error(error, f"write '{path.name}'"))

    # Other tables

    def label_table(self) -> None:
        """Ask for a table and for a file, and have its rows labelled by the project's models."""
        from coterie.core.formats.files.tabular import title_of

        frame = self._context.frame
        chosen, _ = QFileDialog.getOpenFileName(
            frame, "Choose a table to label", str(usual_folder())
        )
        if not chosen:
            return
        table = Path(chosen)
        remember_folder(table)
        start = table.with_name(f"{title_of(table)}-groups.csv")
        asked = ask_target(frame, "Save its groups as", start, "Table (*.csv)")
        if asked is not None:
            self.label_rows(table, asked[0])

    def label_rows(self, table: Path, target: Path) -> None:
        """Have the rows of a table labelled, with all their columns."""
        from coterie.projects.jobs.label_table import LabelRequest

        session = self._ensure_session()
        try:
            session.labels.add(LabelRequest(table, target, all_columns=True))
        except CoterieError as error:
            self._context.problems.add(Problem.of_error(error, f"label '{table.name}'"))

    def on_labelled(self, target: Path, notes: list[str]) -> None:
        """Say what came of it."""
        self._context.say(" ".join((f"Wrote {target.name}.", *notes)))

    # Everything else

    def show_preferences(self) -> None:
        """Show what holds for all projects."""
        from coterie.gui.dialogs.preferences import PreferencesDialog

        dialog = PreferencesDialog(Preferences.load(), self._context.frame)
        dialog.chosen.connect(self._on_preferences)
        dialog.open()

    def _on_preferences(self, chosen: Preferences) -> None:
        before = Preferences.load()
        chosen.store()
        if chosen.scheme != before.scheme:
            self.scheme_chosen.emit(chosen.scheme)

    def show_plugins(self) -> None:
        """Show the plugins, and what is wrong with them."""
        from coterie.gui.dialogs.plugins.dialog import PluginDialog

        PluginDialog(self._ensure_session(), self._context.frame).show()

    def show_keys(self) -> None:
        """Show the keys of all commands."""
        from coterie.gui.dialogs.shortcuts import KeysDialog, keys_of

        frame = self._context.frame
        KeysDialog(keys_of(frame.menuBar(), self._context.tabs.views), frame).show()

    def show_help(self, key: str = "guide") -> None:
        """Show a page of the help: the guide, or a method."""
        from coterie.gui.dialogs.help.window import open_help

        open_help(self._ensure_session().catalogue, self._context.frame, key)

    def show_about(self) -> None:
        """Show what this is, and its versions."""
        from coterie.gui.dialogs.about import AboutDialog

        AboutDialog(self._context.frame).show()
