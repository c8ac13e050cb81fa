"""Every command of the window: its name, its key, its place in menus and toolbar."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QToolBar

from coterie.gui.app.clipboard import copy_python, copy_recipe
from coterie.gui.app.recents import forget_all, recent_files
from coterie.gui.app.select_menu import SelectMenu
from coterie.gui.app.step_commands import COMMANDS, USES
from coterie.gui.toolkit.styling.icons import icon

if TYPE_CHECKING:
    from coterie.gui.app.main_window import MainWindow

Key = QKeySequence.StandardKey


def _view_key(at: int) -> str:
    """The key of the view at a place: Ctrl with 1 to 9 and 0, then Ctrl+Alt from 1 again."""
    held = "Ctrl" if at < 10 else "Ctrl+Alt"
    return f"{held}+{(at + 1) % 10}"


class Menus:
    """Makes the actions once and keeps them in step with the session."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.actions: dict[str, QAction] = {}
        self._make_file_menu()
        self._make_edit_menu()
        self._make_select_menu()
        self._make_step_menu()
        self._make_run_menu()
        self.view_menu = window.menuBar().addMenu("&View")
        self.view_menu.aboutToShow.connect(self.update_view)
        window.tabs.currentChanged.connect(self.update_view)
        self._make_help_menu()
        self._make_toolbar()
        self.update()

    def update(self) -> None:
        """Enable what can be done now."""
        session = self._window.session
        opened = session is not None and bool(session.recipe.names)
        statuses: set[str] = set()
        if session is not None and opened:
            statuses = {str(session.status(name)) for name in session.recipe.names}
        busy = bool(statuses & {"running", "waiting"})
        for name in ("save", "save-as", "select-all", "invert", "clear", "export"):
            self.actions[name].setEnabled(opened)
        self.update_view()
        self.actions["run-all"].setEnabled(opened and not busy)
        self.actions["run-step"].setEnabled(opened)
        self.actions["add-step"].setEnabled(opened)
        self.actions["cancel"].setEnabled(busy)
        self._update_step()
        for name in ("query", "ranks", "name", *(f"use-{use}" for use, _, _ in USES)):
            self.actions[name].setEnabled(opened)
        for name in ("copy-python", "copy-recipe"):
            self.actions[name].setEnabled(opened)
        for name, word in (("undo", "Undo"), ("redo", "Redo")):
            what = getattr(session.edits, f"can_{name}") if session is not None else ""
            self.actions[name].setEnabled(bool(what))
            self.actions[name].setText(f"{word} {what}".strip())
            self.actions[name].setIconText(word)
            self.actions[name].setToolTip(f"{word} {what}".strip())

    def update_view(self) -> None:
        """Enable what can be saved of the view in front."""
        session = self._window.session
        opened = session is not None and bool(session.recipe.names)
        view = self._window.tabs.current_view()
        if "picture" in self.actions:
            self.actions["picture"].setEnabled(opened and view is not None)
            self.actions["table"].setEnabled(opened and view is not None and view.has_table)
            self.actions["tear-off"].setEnabled(opened and self._window.tabs.count() > 1)

    def _update_step(self) -> None:
        """Enable what can be done with the chosen step."""
        session, chosen = self._window.session, self._window.chosen_step()
        for command in COMMANDS:
            self.actions[f"step-{command.name}"].setEnabled(False)
        if session is None or not chosen:
            return
        from coterie.gui.panels.step_menu import why_not, words_of

        for command in COMMANDS:
            action = self.actions[f"step-{command.name}"]
            action.setText(words_of(command, session, chosen))
            action.setEnabled(not why_not(command, session, chosen))

    def fill_view_menu(self) -> None:
        """List views and docks, once they exist."""
        window, menu = self._window, self.view_menu
        menu.clear()
        menu.addAction(
            self._action("start-page", "&Start page", window.show_start, icon_name="home")
        )
        menu.addSeparator()
        for at, view in enumerate(window.tabs.views):
            action = menu.addAction(view.title)
            action.triggered.connect(lambda _=False, t=view.title: window.show_view(t))
            action.setShortcut(QKeySequence(_view_key(at)))
        if window.workbench is not None:
            menu.addSeparator()
            for dock in window.workbench.docks.values():
                menu.addAction(dock.toggleViewAction())
            menu.addSeparator()
            menu.addAction("&Put panels back", window.workbench.reset)
        menu.addSeparator()
        own = "Open view in its own &window"
        menu.addAction(
            self._action("tear-off", own, window.tabs.tear_off_current, "Ctrl+Alt+W", "tear-off")
        )
        for name, text, do, keys in (
            ("picture", "Save p&icture…", window.dialogs.save_picture, "Ctrl+E"),
            ("table", "Save &table…", window.dialogs.save_table, "Ctrl+Alt+E"),
        ):
            menu.addAction(self._action(name, text, do, keys, "download"))
        menu.addSeparator()
        menu.addMenu(self._schemes())
        self.update_view()

    # Menus

    def _make_file_menu(self) -> None:
        window = self._window
        menu = window.menuBar().addMenu("&File")
        add = self._adder(menu)
        add("new", "&New window", window.new_window, Key.New)
        menu.addSeparator()
        add("open", "&Open…", window.documents.ask_open, Key.Open, "open", "Open data or a project")
        add("open-data", "Open &data…", window.documents.ask_data, "Ctrl+Shift+O")
        self.recent = menu.addMenu("Open &recent")
        self.recent.aboutToShow.connect(self._fill_recent)
        menu.addSeparator()
        add("save", "&Save", window.documents.save, Key.Save, "save", "Save the project")
        add("save-as", "Save &as…", window.documents.ask_save, Key.SaveAs)
        menu.addSeparator()
        add("export", "&Export a result…", window.export_result, "Ctrl+Shift+E", "download")
        menu.addSeparator()
        add("close", "&Close", window.close, Key.Close)
        add("quit", "&Quit", window.quit, Key.Quit)

    def _make_edit_menu(self) -> None:
        window = self._window
        menu = window.menuBar().addMenu("&Edit")
        add = self._adder(menu)
        add("undo", "Undo", window.undo, Key.Undo, "undo")
        add("redo", "Redo", window.redo, Key.Redo, "redo")
        menu.addSeparator()
        add("select-all", "Select &all items", window.select_all, "Ctrl+Shift+A")
        add("invert", "&Invert selection", window.invert_selection, "Ctrl+I")
        add("clear", "&Clear selection", window.clear_selection, "Ctrl+D")
        menu.addSeparator()
        python = "A script that computes the project again"
        add(
            "copy-python", "Copy as &Python", partial(copy_python, window), "Ctrl+Alt+C", "", python
        )
        add("copy-recipe", "Copy as r&ecipe", partial(copy_recipe, window), "Ctrl+Shift+C")
        menu.addSeparator()
        add("preferences", "&Preferences…", window.dialogs.show_preferences, "Ctrl+,")

    def _make_select_menu(self) -> None:
        menu = self._window.menuBar().addMenu("&Select")
        self.select = SelectMenu(self._window, menu, self._adder(menu))

    def _make_step_menu(self) -> None:
        window = self._window
        menu = window.menuBar().addMenu("S&tep")
        menu.setToolTipsVisible(True)
        add = self._adder(menu)
        for command in COMMANDS:
            do = partial(window.do_with_step, command.name)
            key = command.key or None
            add(f"step-{command.name}", command.words, do, key, command.icon, command.about)

    def _make_run_menu(self) -> None:
        window = self._window
        menu = window.menuBar().addMenu("&Run")
        add = self._adder(menu)
        add("run-all", "Run &all", window.run_all, "F5", "run-all", "Run every step not up to date")
        add("run-step", "Run this &step", window.run_step, "Ctrl+R", "run")
        add(
            "cancel", "&Cancel", window.cancel, "Shift+F5", "cancel", "Stop the job that is running"
        )
        menu.addSeparator()
        add("add-step", "A&dd step…", window.show_add_menu, "Ctrl+Shift+N", "add")

    def _make_help_menu(self) -> None:
        window = self._window
        menu = window.menuBar().addMenu("&Help")
        add = self._adder(menu)
        keys = add("keys", "&Keyboard shortcuts", window.dialogs.show_keys, "F1")
        keys.setShortcuts([QKeySequence("F1"), QKeySequence("?")])
        add("plugins", "&Plugins…", window.dialogs.show_plugins, "Ctrl+Shift+P", "plugin")
        menu.addSeparator()
        add("about", "&About Coterie", window.dialogs.show_about, None)

    def _make_toolbar(self) -> None:
        bar = QToolBar("Toolbar", self._window)
        bar.setObjectName("Toolbar")
        bar.setMovable(False)
        bar.setIconSize(QSize(18, 18))
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        for name in ("open", "save", "", "undo", "redo", "", "run-all", "cancel", "add-step"):
            if name:
                bar.addAction(self.actions[name])
            else:
                bar.addSeparator()
        self._window.addToolBar(bar)
        self.toolbar = bar

    # Inside

    def _adder(self, menu: QMenu) -> Callable[..., QAction]:
        def add(
            name: str,
            text: str,
            do: Callable[[], object],
            keys: QKeySequence.StandardKey | str | None = None,
            icon_name: str = "",
            about: str = "",
        ) -> QAction:
            action = self._action(name, text, do, keys, icon_name, about)
            menu.addAction(action)
            return action

        return add

    def _action(
        self,
        name: str,
        text: str,
        do: Callable[[], object],
        keys: QKeySequence.StandardKey | str | None = None,
        icon_name: str = "",
        about: str = "",
    ) -> QAction:
        if name in self.actions:
            return self.actions[name]
        action = QAction(text, self._window)
        action.triggered.connect(lambda: do())
        if keys is not None:
            action.setShortcut(QKeySequence(keys))
        if icon_name:
            action.setIcon(icon(icon_name))
        short = text.replace("&", "").removesuffix("…")
        action.setIconText(short)
        key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{about or short} ({key})" if key else about or short)
        action.setStatusTip(about)
        self.actions[name] = action
        return action

    def _fill_recent(self) -> None:
        self.recent.clear()
        for path in recent_files():
            action = self.recent.addAction(path.name)
            action.setToolTip(str(path))
            action.triggered.connect(lambda _=False, p=path: self._window.documents.open(p))
        if self.recent.isEmpty():
            self.recent.addAction("Nothing opened yet").setEnabled(False)
            return
        self.recent.addSeparator()
        self.recent.addAction("Clear this list", forget_all)

    def _schemes(self) -> QMenu:
        menu = QMenu("&Colours", self.view_menu)
        group = QActionGroup(menu)
        for scheme, text in (("", "As the &system"), ("light", "&Light"), ("dark", "&Dark")):
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(self._window.scheme == scheme)
            action.triggered.connect(lambda _=False, s=scheme: self._window.set_scheme(s))
            group.addAction(action)
        return menu
