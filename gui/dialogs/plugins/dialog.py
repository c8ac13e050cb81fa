"""The plugins: what each provides, its problems, switching on and off, and installing more."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase, QIcon
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from coterie.gui.dialogs.plugins.state import Plugin, plugins_of
from coterie.gui.toolkit.background import Aside
from coterie.gui.toolkit.buttons import plain, with_plain_buttons
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.problems import Problem, ProblemBanner
from coterie.gui.toolkit.styling import theme
from coterie.gui.toolkit.styling.icons import icon

if TYPE_CHECKING:
    from coterie.projects.plugin_install import Installed
    from coterie.projects.session import Session

_MARKS = {
    "on": ("fresh", "success"),
    "off": ("missing", "muted"),
    "broken": ("broken", "danger"),
    "held": ("broken", "danger"),
    "waiting": ("waiting", "muted"),
}
_SAFE_MODE = "Safe mode: only built-in methods are loaded. Turn it off below to use plugins again."


class PluginDialog(QDialog):
    """A list of plugins, and beside it the one that is chosen. Does not block the window."""

    reloaded = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._aside = Aside(self)
        self._said = ""  # what is done once the engine has started again
        self.plugins: tuple[Plugin, ...] = ()
        self.setObjectName("plugins")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Plugins")
        self.resize(820, 540)
        self.list = QListWidget()
        self.list.setAccessibleName("Plugins")
        self.list.currentRowChanged.connect(self._on_chosen)
        self._make_details()
        self._make_buttons()
        self._lay_out()
        listen(self, session.catalogue_changed, self._on_catalogue_changed)
        self.refresh()

    # What is there

    def refresh(self) -> None:
        """Look for plugins again; the one that was chosen stays so."""
        before = self.chosen
        self.plugins = plugins_of(self._session.catalogue, self._session.plugins.options)
        self.list.blockSignals(True)
        self.list.clear()
        for plugin in self.plugins:
            entry = QListWidgetItem(_mark(plugin), f"{plugin.name}\n{plugin.summary}")
            entry.setToolTip(plugin.place or plugin.origin)
            self.list.addItem(entry)
        self.list.blockSignals(False)
        keys = [plugin.key for plugin in self.plugins]
        row = keys.index(before.key) if before is not None and before.key in keys else 0
        self.list.setCurrentRow(row)
        self._on_chosen()

    @property
    def chosen(self) -> Plugin | None:
        """The plugin whose details are shown."""
        row = self.list.currentRow()
        return self.plugins[row] if 0 <= row < len(self.plugins) else None

    def choose(self, name: str) -> None:
        """Choose a plugin by its name, as a click would."""
        self.list.setCurrentRow([plugin.name for plugin in self.plugins].index(name))

    def _on_catalogue_changed(self) -> None:
        if self._said:
            self.remark.setText(self._said)
            self._said = ""
        self.refresh()

    # What a person does

    def switch(self) -> None:
        """Switch the chosen plugin on or off, and restart the engine."""
        from coterie.core.catalogue.quarantine import Quarantine

        plugin = self.chosen
        if plugin is None or not plugin.can_switch:
            return
        quarantine = Quarantine(self._session.plugins.options.quarantine_folder)
        quarantine.switch(plugin.key, on=plugin.is_off)
        word = "on" if plugin.is_off else "off"
        self.reload(f"“{plugin.name}” is switched {word}.")
        self.refresh()

    def _on_safe_mode(self, safe: bool) -> None:
        self.reload("Safe mode is on." if safe else "Safe mode is off.", safe_mode=safe)
        on = self._session.plugins.options.safe_mode
        self.safe_mode.setChecked(on)  # as it was, when something is running
        self._safe.setVisible(on)
        self._ready()
        self.refresh()

    def reload(self, said: str = "", *, safe_mode: bool | None = None) -> None:
        """Restart the engine with the current plugins."""
        self.banner.show_problem(None)
        try:
            self._session.plugins.reload(safe_mode=safe_mode)
        except Exception as error:
            self.banner.show_problem(Problem.of_error(error, "reload the plugins"))
            self.remark.setText(f"{said} It takes effect when you reload.".strip())
            return
        self._said = said or "All plugins were reloaded."
        self.remark.setText(f"{said} Restarting the engine …".strip())
        self.reloaded.emit()

    def install(self, path: Path) -> None:
        """Install a wheel, a folder or a file, on another thread."""
        from coterie.projects.plugin_install import install

        self.banner.show_problem(None)
        self.remark.setText(f"Installing {path.name} …")
        for button in (self.add_file, self.add_folder):
            button.setEnabled(False)
        drop_in = next(iter(self._session.plugins.options.plugin_folders), None)
        self._aside.ask(
            lambda: install(path, drop_in=drop_in), self._on_installed, self._on_not_installed
        )

    def _on_installed(self, installed: Installed) -> None:
        self._ready()
        self.reload(f"Installed {installed.name}.")
        self.refresh()

    def _on_not_installed(self, error: BaseException) -> None:
        self._ready()
        self.remark.clear()
        self.banner.show_problem(Problem.of_error(error, "install the plugin"))

    def _ready(self) -> None:
        for button in (self.add_file, self.add_folder):
            button.setEnabled(not self._session.plugins.options.safe_mode)

    def _on_add_file(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self, "Install plugin", str(Path.home()), "Plugins (*.whl *.py)"
        )
        if chosen:
            self.install(Path(chosen))

    def _on_add_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, "Install plugin", str(Path.home()))
        if chosen:
            self.install(Path(chosen))

    def _on_chosen(self, _row: int = 0) -> None:
        plugin = self.chosen
        self.methods.clear()
        self.switch_button.setEnabled(plugin is not None and plugin.can_switch)
        if plugin is None:
            return
        self.heading.setText(plugin.name)
        self.about.setText("\n".join(filter(None, (plugin.origin, plugin.place))))
        self.switch_button.setText("Switch on" if plugin.is_off else "Switch off")
        for method in plugin.methods:
            row = QTreeWidgetItem([method.title, method.name])
            row.setToolTip(0, plain(method.summary))
            self.methods.addTopLevelItem(row)
        self.methods.resizeColumnToContents(0)
        self.methods.setVisible(bool(plugin.methods))
        self.errors.setVisible(bool(plugin.problems))
        self.errors.setPlainText("\n\n".join(_told(problem) for problem in plugin.problems))

    # Inside

    def _make_details(self) -> None:
        self.heading = QLabel()
        self.heading.setProperty("role", "heading")
        self.about = QLabel(wordWrap=True)
        self.about.setProperty("role", "muted")
        self.about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        for label in (self.heading, self.about):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.methods = QTreeWidget()
        self.methods.setHeaderLabels(["Method", "Name in a recipe"])
        self.methods.setRootIsDecorated(False)
        self.methods.setAlternatingRowColors(True)
        self.methods.setAccessibleName("Methods in this plugin")
        self.errors = QPlainTextEdit()
        self.errors.setReadOnly(True)
        self.errors.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.errors.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.errors.setAccessibleName("Problems with this plugin")
        self.switch_button = QPushButton("Switch off")
        self.switch_button.clicked.connect(self.switch)

    def _make_buttons(self) -> None:
        self.remark = QLabel(wordWrap=True)
        self.remark.setProperty("role", "muted")
        self.banner = ProblemBanner(closable=True)
        self.add_file = QPushButton(icon("add"), "Install file…")
        self.add_file.setToolTip("Install a wheel (.whl) or a single file (.py); no network needed")
        self.add_file.clicked.connect(self._on_add_file)
        self.add_folder = QPushButton("Install folder…")
        self.add_folder.setToolTip("Install a plugin project folder that has a pyproject.toml")
        self.add_folder.clicked.connect(self._on_add_folder)
        self.reload_button = QPushButton(icon("reset"), "Reload")
        self.reload_button.setToolTip("Restart the engine and reload all plugins")
        self.reload_button.clicked.connect(lambda: self.reload())
        self.safe_mode = QCheckBox("Safe mode")
        self.safe_mode.setToolTip("Restart the engine with built-in methods only")
        self.safe_mode.setChecked(self._session.plugins.options.safe_mode)
        self.safe_mode.clicked.connect(self._on_safe_mode)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        with_plain_buttons(self.buttons)
        self.buttons.rejected.connect(self.close)
        self._ready()

    def _lay_out(self) -> None:
        self._safe = QLabel(_SAFE_MODE, wordWrap=True)
        self._safe.setProperty("role", "warning")
        self._safe.setVisible(self._session.plugins.options.safe_mode)
        details = QWidget()
        inside = QVBoxLayout(details)
        inside.setContentsMargins(12, 0, 0, 0)
        inside.setSpacing(8)
        head = QHBoxLayout()
        head.addWidget(self.heading, 1)
        head.addWidget(self.switch_button)
        inside.addLayout(head)
        inside.addWidget(self.about)
        inside.addWidget(self.errors, 2)
        inside.addWidget(self.methods, 3)
        inside.addStretch(0)
        split = QSplitter(childrenCollapsible=False)
        split.addWidget(self.list)
        split.addWidget(details)
        split.setSizes([280, 520])
        below = QHBoxLayout()
        for button in (self.add_file, self.add_folder, self.reload_button):
            below.addWidget(button)
        below.addSpacing(8)
        below.addWidget(self.safe_mode)
        below.addStretch(1)
        below.addWidget(self.buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 12)
        layout.setSpacing(10)
        layout.addWidget(self._safe)
        layout.addWidget(split, 1)
        layout.addWidget(self.banner)
        layout.addWidget(self.remark)
        layout.addLayout(below)
        order = (
            self.list, self.switch_button, self.errors, self.methods,
            self.add_file, self.add_folder, self.reload_button, self.safe_mode, self.buttons,
        )  # fmt: skip
        for first, second in pairwise(order):
            QWidget.setTabOrder(first, second)


def _mark(plugin: Plugin) -> QIcon:
    name, role = _MARKS[plugin.state]
    return icon(name, getattr(theme.current(), role))


def _told(problem: object) -> str:
    error, trace = getattr(problem, "error", ""), getattr(problem, "traceback", "")
    return f"{getattr(problem, 'name', '')}\n{error}\n\n{trace}".rstrip()
