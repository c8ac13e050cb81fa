"""The Select menu: the commands of the Selection panel, with their keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from coterie.gui.app.step_commands import USES
from coterie.gui.panels.plugin_recipes import add_templates

if TYPE_CHECKING:
    from coterie.core.catalogue.descriptors import Catalogue
    from coterie.gui.app.commands import Commands
    from coterie.gui.app.context import WindowContext
    from coterie.gui.panels.selections import SelectionPanel

_MOST_GROUPS = 40


class SelectMenu:
    """Fills itself when it is opened: groups and names come and go."""

    def __init__(
        self,
        context: WindowContext,
        commands: Commands,
        menu: QMenu,
        add: Callable[..., QAction],
    ) -> None:
        self._context, self._commands = context, commands
        self._menu = menu
        add("query", "By &query…", lambda: self._ask("ask_query"), "Ctrl+Shift+F")
        add("ranks", "By &rank…", lambda: self._ask("ask_ranks"), "Ctrl+Alt+R")
        self.groups = menu.addMenu("By &group")
        self.named = menu.addMenu("By na&me")
        menu.addSeparator()
        add("name", "&Name the selection…", lambda: self._ask("ask_name"), "Ctrl+Alt+N")
        self.modes = menu.addMenu("N&ew selections")
        menu.addSeparator()
        for use, words, about in USES:
            add(f"use-{use}", words, lambda u=use: self._use(u), None, "", about)
        self._contributed: list[QAction] = []
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(self.fill)

    def offer(self, catalogue: Catalogue) -> None:
        """List the recipes that plugins offer on the selection, at the end."""
        for action in self._contributed:
            self._menu.removeAction(action)
            action.deleteLater()
        self._contributed = add_templates(self._menu, catalogue, "selection", self._take)

    def fill(self) -> None:
        """List groups, names and ways as they are now."""
        panel = self._panel()
        for menu in (self.groups, self.named, self.modes):
            menu.clear()
            menu.setEnabled(panel is not None)
        if panel is None:
            return
        for name, group, size in panel.state.groups()[:_MOST_GROUPS]:
            action = self.groups.addAction(f"{name.capitalize()} ({size:,})".replace("&", "&&"))
            action.triggered.connect(lambda _=False, g=group: panel.select_group(g))
        for entry in panel.state.entries():
            action = self.named.addAction(f"{entry.name} ({entry.count:,})".replace("&", "&&"))
            action.setEnabled(not entry.problem)
            action.triggered.connect(lambda _=False, n=entry.name: panel.take_up(n))
        ways = QActionGroup(self.modes)
        for at in range(panel.mode.count()):
            action = self.modes.addAction(panel.mode.itemText(at))
            action.setCheckable(True)
            action.setChecked(panel.mode.currentIndex() == at)
            action.triggered.connect(lambda _=False, a=at: panel.set_mode(a))
            ways.addAction(action)
        for menu in (self.groups, self.named):
            menu.setEnabled(not menu.isEmpty())

    def _ask(self, what: str) -> None:
        panel = self._panel()
        if panel is not None and self._commands.workbench is not None:
            dock = self._commands.workbench.docks["Selection"]
            dock.show()
            dock.raise_()
            getattr(panel, what)()

    def _use(self, use: str) -> None:
        if (panel := self._panel()) is not None:
            panel.make(use)

    def _take(self, template: str) -> None:
        if (panel := self._panel()) is not None:
            panel.make_by(template)

    def _panel(self) -> SelectionPanel | None:
        workbench = self._commands.workbench
        return workbench.selection if workbench is not None and self._context.session else None
