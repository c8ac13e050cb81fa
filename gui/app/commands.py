"""The commands of a window on the open project: run, undo, select, export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from coterie.gui.toolkit.file_dialogs import remember_folder, usual_folder

if TYPE_CHECKING:
    from coterie.gui.app.context import WindowContext
    from coterie.gui.app.workbench import Workbench


class Commands:
    """What menus, keys and buttons ask for; each does nothing while nothing is open.

    Attributes
    ----------
    workbench : the docks and views; None until something is opened for the first time
    """

    def __init__(self, context: WindowContext) -> None:
        self._context = context
        self.workbench: Workbench | None = None

    # Running

    def run_all(self) -> None:
        """Run every step that is not up to date."""
        if self.workbench is not None:
            self.workbench.analysis.run()

    def run_step(self) -> None:
        """Run the chosen step, or all when none is chosen."""
        if self.workbench is not None:
            name = self.workbench.tree.chosen()
            self.workbench.analysis.run(*([name] if name else []))

    def cancel(self) -> None:
        """Stop the job that is running."""
        if self._context.session is not None:
            self._context.session.cancel()

    def compare_methods(self) -> None:
        """Show what different methods find, beside each other."""
        if self.workbench is not None and self._context.session is not None:
            self.workbench.compare_methods()

    # Editing

    def undo(self) -> None:
        """Take the last edit back."""
        if self._context.session is not None:
            self._context.session.edits.undo()

    def redo(self) -> None:
        """Do the edit again that was taken back."""
        if self._context.session is not None:
            self._context.session.edits.redo()

    def show_add_menu(self) -> None:
        """Open the menu of methods to add."""
        if self.workbench is not None:
            self.workbench.docks["Analysis"].show()
            self.workbench.analysis.add.setFocus()
            self.workbench.analysis.add.showMenu()

    def chosen_step(self) -> str:
        """Return the step whose card is chosen; empty for none."""
        if self._context.session is None or self.workbench is None:
            return ""
        return self.workbench.analysis.chosen

    def do_with_step(self, command: str) -> None:
        """Carry out a command of the Step menu on the chosen step."""
        if self._context.session is not None and self.workbench is not None:
            self.workbench.docks["Analysis"].show()
            self.workbench.analysis.do(command)

    # Selecting

    def select_all(self) -> None:
        """Select every item."""
        if self._context.session is not None:
            self._context.session.selection.clear()
            self._context.session.selection.invert()

    def invert_selection(self) -> None:
        """Select what is not selected."""
        if self._context.session is not None:
            self._context.session.selection.invert()

    def clear_selection(self) -> None:
        """Select nothing."""
        if self._context.session is not None:
            self._context.session.selection.clear()

    # Exporting

    def export_result(self, name: str = "") -> None:
        """Write a result for other programs; by default the one chosen in the tree."""
        from coterie.gui.dialogs.export_result.dialog import ExportDialog

        session = self._context.session
        if session is None or self.workbench is None:
            return
        part = ""
        if not name:
            name, part = self.workbench.tree.chosen(), self.workbench.tree.chosen_part()
        dialog = ExportDialog(session, usual_folder(), name, part, self._context.frame)
        dialog.asked.connect(self._on_export_asked)
        dialog.open()

    def _on_export_asked(self, path: Path) -> None:
        remember_folder(path)
        self._context.status.showMessage(f"Writing {path.name} …")
