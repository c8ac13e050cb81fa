"""Every command of the window: its name, its key, its place in menus and toolbar."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QToolBar

from coterie.core.well_known import CLUSTERER_AUTOMATIC
from coterie.gui.app.clipboard import copy_python, copy_recipe
from coterie.gui.app.finder import Finder
from coterie.gui.app.recents import forget_all, recent_files
from coterie.gui.app.select_menu import SelectMenu
from coterie.gui.app.step_commands import COMMANDS, USES
from coterie.gui.toolkit.styling.icons import icon

if TYPE_CHECKING:
    from coterie.gui.app.commands import Commands
    from coterie.gui.app.context import WindowContext
    from coterie.gui.app.document_controller import Documents
    from coterie.gui.app.window_dialogs import WindowDialogs

Key = QKeySequence.StandardKey


def _view_key(at: int) -> str:
    """The key of the view at a place: Ctrl with 1 to 9 and 0, then Ctrl+Alt from 1 again."""
    held = "Ctrl" if at < 10 else "Ctrl+Alt"
    return f"{held}+{(at + 1) % 10}"


class Menus(QObject):
    """Makes the actions once and keeps them in step with the session."""

    window_asked = Signal()
    quit_asked = Signal()
    start_asked = Signal()
    view_asked = Signal(str)
    scheme_chosen = Signal(str)

    def __init__(
        self,
        context: WindowContext,
        documents: Documents,
        dialogs: WindowDialogs,
        commands: Commands,
    ) -> None:
        super().__init__(context.frame)
        self._context, self._frame, self._tabs = context, context.frame, context.tabs
        self._documents, self._dialogs, self._commands = documents, dialogs, commands
        self.actions: dict[str, QAction] = {}
        self.finder = Finder(context, commands, self._frame.menuBar())
        self.finder.help_asked.connect(dialogs.show_help)
        self._make_file_menu()
        self._make_edit_menu()
        self._make_select_menu()
        self._make_step_menu()
        self._make_run_menu()
        self.view_menu = self._frame.menuBar().addMenu("&View")
        self.view_menu.aboutToShow.connect(self.update_view)
        self._tabs.currentChanged.connect(self.update_view)
        self._make_help_menu()
        self._make_toolbar()
        self.update()

    def update(self) -> None:
        """Enable what can be done now."""
        session = self._context.session
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
        labels = session is not None and opened and not busy and bool(session.labels.steps())
        self.actions["label"].setEnabled(labels)
        for name in ("copy-python", "copy-recipe", "compare"):
            self.actions[name].setEnabled(opened)
        for name, word in (("undo", "Undo"), ("redo", "Redo")):
            what = getattr(session.edits, f"can_{name}") if session is not None else ""
            self.actions[name].setEnabled(bool(what))
            self.actions[name].setText(f"{word} {what}".strip())
            self.actions[name].setIconText(word)
            self.actions[name].setToolTip(f"{word} {what}".strip())

    def update_view(self) -> None:
        """Enable what can be saved of the view in front."""
        session = self._context.session
        opened = session is not None and bool(session.recipe.names)
        view = self._tabs.current_view()
        if "picture" in self.actions:
            self.actions["picture"].setEnabled(opened and view is not None)
            self.actions["table"].setEnabled(opened and view is not None and view.has_table)
            self.actions["tear-off"].setEnabled(opened and self._tabs.count() > 1)

    def _update_step(self) -> None:
        """Enable what can be done with the chosen step."""
        session, chosen = self._context.session, self._commands.chosen_step()
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
        menu, workbench = self.view_menu, self._commands.workbench
        menu.clear()
        menu.addAction(
            self._action("start-page", "&Start page", self.start_asked.emit, icon_name="home")
        )
        menu.addSeparator()
        for at, view in enumerate(self._tabs.views):
            action = menu.addAction(view.title)
            action.triggered.connect(lambda _=False, t=view.title: self.view_asked.emit(t))
            action.setShortcut(QKeySequence(_view_key(at)))
        if workbench is not None:
            menu.addSeparator()
            for dock in workbench.docks.values():
                menu.addAction(dock.toggleViewAction())
            menu.addSeparator()
            menu.addAction("&Reset layout", workbench.reset)
        menu.addSeparator()
        own = "Open view in its own &window"
        menu.addAction(
            self._action("tear-off", own, self._tabs.tear_off_current, "Ctrl+Alt+W", "tear-off")
        )
        for name, text, do, keys in (
            ("picture", "Save p&icture…", self._dialogs.save_picture, "Ctrl+E"),
            ("table", "Save &table…", self._dialogs.save_table, "Ctrl+Alt+E"),
        ):
            menu.addAction(self._action(name, text, do, keys, "download"))
        menu.addSeparator()
        menu.addMenu(self._schemes())
        self.update_view()

    # Menus

    def _make_file_menu(self) -> None:
        menu = self._frame.menuBar().addMenu("&File")
        add = self._adder(menu)
        add("new", "&New window", self.window_asked.emit, Key.New)
        menu.addSeparator()
        add("open", "&Open…", self._documents.ask_open, Key.Open, "open", "Open data or a project")
        add("open-data", "Open &data…", self._documents.ask_data, "Ctrl+Shift+O")
        add("open-folder", "Open &folder…", self._documents.ask_folder)
        self.recent = menu.addMenu("Open &recent")
        self.recent.aboutToShow.connect(self._fill_recent)
        menu.addSeparator()
        add("save", "&Save", self._documents.save, Key.Save, "save", "Save the project")
        add("save-as", "Save &as…", self._documents.ask_save, Key.SaveAs)
        menu.addSeparator()
        add("export", "&Export result…", self._commands.export_result, "Ctrl+Shift+E", "download")
        add(
            "label",
            "&Label another table…",
            self._dialogs.label_table,
            about="Assign the rows of another table to the groups of this project",
        )
        menu.addSeparator()
        add("close", "&Close", self._frame.close, Key.Close)
        add("quit", "&Quit", self.quit_asked.emit, Key.Quit)

    def _make_edit_menu(self) -> None:
        menu = self._frame.menuBar().addMenu("&Edit")
        add = self._adder(menu)
        add("undo", "Undo", self._commands.undo, Key.Undo, "undo")
        add("redo", "Redo", self._commands.redo, Key.Redo, "redo")
        menu.addSeparator()
        add("select-all", "Select &all items", self._commands.select_all, "Ctrl+Shift+A")
        add("invert", "&Invert selection", self._commands.invert_selection, "Ctrl+I")
        add("clear", "&Clear selection", self._commands.clear_selection, "Ctrl+D")
        menu.addSeparator()
        python = "Copy a Python script that recomputes the project"
        script, recipe = (partial(copy, self._context) for copy in (copy_python, copy_recipe))
        add("copy-python", "Copy as &Python", script, "Ctrl+Alt+C", "", python)
        add("copy-recipe", "Copy as r&ecipe", recipe, "Ctrl+Shift+C")
        menu.addSeparator()
        about = "Find a command, a view, a step or a method by a few letters"
        add("find", "&Find command or method…", self.finder.show, "Ctrl+K", "find", about)
        menu.addSeparator()
        add("preferences", "&Preferences…", self._dialogs.show_preferences, "Ctrl+,")

    def _make_select_menu(self) -> None:
        menu = self._frame.menuBar().addMenu("&Select")
        self.select = SelectMenu(self._context, self._commands, menu, self._adder(menu))

    def _make_step_menu(self) -> None:
        menu = self._frame.menuBar().addMenu("S&tep")
        menu.setToolTipsVisible(True)
        add = self._adder(menu)
        for command in COMMANDS:
            do = partial(self._commands.do_with_step, command.name)
            key = command.key or None
            add(f"step-{command.name}", command.words, do, key, command.icon, command.about)

    def _make_run_menu(self) -> None:
        menu, do = self._frame.menuBar().addMenu("&Run"), self._commands
        add = self._adder(menu)
        add(
            "run-all", "Run &all", do.run_all, "F5", "run-all", "Run every step that is out of date"
        )
        add("run-step", "Run this &step", do.run_step, "Ctrl+R", "run")
        add("cancel", "&Cancel", do.cancel, "Shift+F5", "cancel", "Stop the running job")
        menu.addSeparator()
        about = "See what different methods find in these data, side by side"
        add("compare", "Compare &methods", do.compare_methods, "Ctrl+Shift+M", "compare", about)
        menu.addSeparator()
        add("add-step", "A&dd step…", do.show_add_menu, "Ctrl+Shift+N", "add")

    def _make_help_menu(self) -> None:
        menu = self._frame.menuBar().addMenu("&Help")
        add = self._adder(menu)
        add("guide", "User &guide", self._dialogs.show_help, None, "", "Read the guide, offline")
        about = "What each method does, when to use it, and its parameters"
        first = partial(self._dialogs.show_help, CLUSTERER_AUTOMATIC)
        add("methods", "&Methods", first, None, "", about)
        menu.addSeparator()
        keys = add("keys", "&Keyboard shortcuts", self._dialogs.show_keys, "F1")
        keys.setShortcuts([QKeySequence("F1"), QKeySequence("?")])
        add("plugins", "&Plugins…", self._dialogs.show_plugins, "Ctrl+Shift+P", "plugin")
        menu.addSeparator()
        add("about", "&About Coterie", self._dialogs.show_about, None)

    def _make_toolbar(self) -> None:
        bar = QToolBar("Toolbar", self._frame)
        bar.setObjectName("Toolbar")
        bar.setMovable(False)
        bar.setIconSize(QSize(18, 18))
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        for name in (
            "open",
            "save",
            "",
            "undo",
            "redo",
            "",
            "run-all",
            "cancel",
            "compare",
            "add-step",
            "find",
        ):
            if name:
                bar.addAction(self.actions[name])
            else:
                bar.addSeparator()
        self._frame.addToolBar(bar)
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
        action = QAction(text, self._frame)
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
            action.triggered.connect(lambda _=False, p=path: self._documents.open(p))
        if self.recent.isEmpty():
            self.recent.addAction("No recent files").setEnabled(False)
            return
        self.recent.addSeparator()
        self.recent.addAction("Clear list", forget_all)

    def _schemes(self) -> QMenu:
        menu = QMenu("&Colours", self.view_menu)
        group = QActionGroup(menu)
        for scheme, text in (("", "Follow &system"), ("light", "&Light"), ("dark", "&Dark")):
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(self._context.scheme == scheme)
            action.triggered.connect(lambda _=False, s=scheme: self.scheme_chosen.emit(s))
            group.addAction(action)
        return menu
