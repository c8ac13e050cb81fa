"""What Ctrl+K finds in a window, and what happens when an entry is chosen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

if TYPE_CHECKING:
    from coterie.gui.app.commands import Commands
    from coterie.gui.app.context import WindowContext
    from coterie.gui.dialogs.finder.dialog import FinderDialog
    from coterie.gui.dialogs.finder.state import Entry


class Finder(QObject):
    """Opens the finder over one window, with its commands, steps and methods."""

    help_asked = Signal(str)

    def __init__(self, context: WindowContext, commands: Commands, menus: QMenuBar) -> None:
        super().__init__(context.frame)
        self._context, self._commands, self._menus = context, commands, menus
        self._actions: dict[str, QAction] = {}

    def show(self, kind: str = "") -> FinderDialog:
        """Open it for everything, or for methods of one kind."""
        from coterie.gui.dialogs.finder.dialog import FinderDialog

        entries = self._entries(kind)
        prompt = f"Find a {kind} by what it does" if kind else "Find a command or method"
        dialog = FinderDialog(entries, self._page, self._context.frame, prompt=prompt)
        dialog.picked.connect(self._on_picked)
        dialog.open()
        return dialog

    def _entries(self, kind: str) -> list[Entry]:
        from coterie.gui.dialogs.finder.state import method_entries, step_entries

        session, workbench = self._context.session, self._commands.workbench
        methods: list[Entry] = []
        steps: list[Entry] = []
        if session is not None and session.recipe.names and workbench is not None:
            from coterie.gui.views.shown_items.displayed import look, opened

            chosen = self._commands.chosen_step()
            data = opened(session, chosen)
            if data is None or not data.on_disk:
                data = look(session, chosen).dataset or data
            methods = method_entries(session, data, kind)
            steps = step_entries(session)
        if kind:
            return methods
        suited = [one for one in methods if one.recommended]
        return [*suited, *self._commands_now(), *steps, *(m for m in methods if not m.recommended)]

    def _commands_now(self) -> list[Entry]:
        from coterie.gui.dialogs.finder.state import Entry

        self._actions.clear()
        found = []
        for menu, action in _below(self._menus):
            title = action.text().replace("&", "").removesuffix("…")
            if not title or not action.isVisible():
                continue
            name = f"{menu}/{title}"
            self._actions[name] = action
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            about = action.statusTip() or f"In the menu {menu}"
            entry = Entry("command", name, title, menu, about, keys, possible=action.isEnabled())
            found.append(entry)
        return [one for one in found if one.possible]

    def _page(self, entry: Entry) -> str:
        from coterie.gui.dialogs.finder.dialog import headed
        from coterie.gui.dialogs.help.state import page_of

        session = self._context.session
        if entry.sort == "method" and session is not None:
            return headed(entry, page_of(entry.key, session.catalogue))
        if entry.sort == "step":
            return f"**{entry.title}**\n\n{entry.about}: a step of this project. Enter goes to it."
        keys = f"\n\nKey: {entry.keys}" if entry.keys else ""
        return f"**{entry.title}**\n\n{entry.about.removesuffix('.')}.{keys}"

    def _on_picked(self, entry: Entry) -> None:
        workbench = self._commands.workbench
        if entry.sort == "command":
            action = self._actions.get(entry.key)
            if action is not None:
                action.trigger()
        elif workbench is not None and entry.sort == "method":
            workbench.add_method(entry.key)
        elif workbench is not None:
            workbench.docks["Analysis"].show()
            workbench.analysis.reveal(entry.key)
            workbench.analysis.step_chosen.emit(entry.key)


def _below(menus: QMenuBar | QMenu, title: str = "") -> Iterator[tuple[str, QAction]]:
    """Every command in the menus, with the title of its menu."""
    for action in menus.actions():
        inner = action.menu()
        name = title or action.text().replace("&", "")
        if isinstance(inner, QMenu):
            yield from _below(inner, name)
        elif not action.isSeparator():
            yield name, action
