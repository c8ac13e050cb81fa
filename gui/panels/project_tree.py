"""The Project panel: everything the project holds, by what it is, and how up to date."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QMenu,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from coterie.core.api.kinds import KINDS
from coterie.core.model.recipes import Source
from coterie.core.model.result_types import RESULT_TYPES, SECTIONS
from coterie.gui.panels.status import colour_of, look_of
from coterie.gui.panels.step_problems import lost_file
from coterie.gui.toolkit.connect import listen
from coterie.gui.toolkit.redraw_queue import soon
from coterie.gui.toolkit.styling.icons import icon
from coterie.projects.formatting import shape_in_words, time_in_words
from coterie.projects.recipe.inputs import type_of
from coterie.projects.recipe.toml import is_sample

if TYPE_CHECKING:
    from coterie.projects.session import Session

_NAME = Qt.ItemDataRole.UserRole
_PART = Qt.ItemDataRole.UserRole + 1


def _icon_of(part: str) -> str:
    """Parts are mostly named by their type; any other is drawn as a model is."""
    return RESULT_TYPES[part if part in RESULT_TYPES else "model"].icon


class ProjectTree(QWidget):
    """Data, graphs and results, each with its status, shape and time.

    `step_chosen` is emitted when a person picks an entry; `run_asked`, `removal_asked`,
    `export_asked` and `find_asked` come from its menu and its keys.
    """

    step_chosen = Signal(str)
    run_asked = Signal(str)
    removal_asked = Signal(str)
    export_asked = Signal(str, str)  # name, part
    find_asked = Signal(str)
    attach_asked = Signal(str)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._items: dict[str, QTreeWidgetItem] = {}
        self._parts: dict[str, tuple[str, ...]] = {}
        self._lost: frozenset[str] = frozenset()
        self.tree = self._make_tree()
        self._empty = QLabel("Nothing here yet.\nOpen data, a project or a sample.")
        self._empty.setProperty("role", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.tree)
        self._stack.addWidget(self._empty)
        listen(self, session.recipe_changed, self.rebuild)
        listen(self, session.catalogue_changed, self.rebuild)
        listen(self, session.step_changed, self._on_step_changed)
        self.rebuild()

    def rebuild(self) -> None:
        """List everything again, keeping the choice."""
        chosen = self.chosen()
        self.tree.blockSignals(True)
        self.tree.clear()
        self._items.clear()
        self._parts.clear()
        recipe = self._session.recipe
        groups: dict[str, QTreeWidgetItem] = {}
        for key, title in SECTIONS.items():
            names = [name for name in recipe.names if self._group_of(name) == key]
            if names:
                groups[key] = self._heading(title, len(names))
                for name in names:
                    self._add(groups[key], name)
        self.tree.expandAll()
        for item in self._items.values():
            item.setExpanded(False)
        if chosen in self._items:
            self.tree.setCurrentItem(self._items[chosen])
        self.tree.blockSignals(False)
        self._stack.setCurrentWidget(self.tree if recipe.names else self._empty)

    def chosen(self) -> str:
        """Return the name of the chosen entry, or nothing."""
        item = self.tree.currentItem()
        return str(item.data(0, _NAME) or "") if item is not None else ""

    def chosen_part(self) -> str:
        """Return the part of the chosen entry's result that is chosen, or nothing."""
        item = self.tree.currentItem()
        return str(item.data(0, _PART) or "") if item is not None else ""

    def show_lost(self, names: frozenset[str]) -> None:
        """Mark the sources whose files are gone."""
        changed, self._lost = self._lost ^ names, names
        for name in changed & set(self._items):
            self._update(name)

    def choose(self, name: str) -> None:
        """Choose an entry, as a click would, but without telling anyone."""
        if name in self._items:
            self.tree.blockSignals(True)
            self.tree.setCurrentItem(self._items[name])
            self.tree.blockSignals(False)

    def lists(self, names: Iterable[str]) -> bool:
        """Return whether each of these has an entry."""
        return all(name in self._items for name in names)

    def item(self, name: str) -> QTreeWidgetItem:
        """Return the entry of a source or step."""
        return self._items[name]

    def changeEvent(self, event: QEvent) -> None:
        """Take the colours of a new scheme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for name in self._items:
                self._update(name)

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setColumnCount(2)
        tree.setHeaderHidden(True)
        tree.setAccessibleName("Project")
        tree.setRootIsDecorated(True)
        tree.setIndentation(14)
        tree.setUniformRowHeights(True)
        tree.setAllColumnsShowFocus(True)
        tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        tree.header().setStretchLastSection(False)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        tree.currentItemChanged.connect(self._on_current_changed)
        tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tree.customContextMenuRequested.connect(self._on_menu)
        remove = QAction("Remove", tree)
        remove.setShortcut(QKeySequence(QKeySequence.StandardKey.Delete))
        remove.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        remove.triggered.connect(lambda: self._ask(self.removal_asked))
        tree.addAction(remove)
        return tree

    def _group_of(self, name: str) -> str:
        given = type_of(self._session.recipe, self._session.catalogue, name)
        part = self._session.recipe.find(name)
        if not given and not isinstance(part, Source):  # its plugin is not here, its kind is known
            kind = KINDS.get(part.use.partition("/")[0])
            given = "" if kind is None else kind.gives
        return RESULT_TYPES[given].section if given in RESULT_TYPES else "results"

    def _heading(self, title: str, count: int) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self.tree, [title, str(count)])
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        font = item.font(0)
        font.setBold(True)
        item.setFont(0, font)
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return item

    def _add(self, parent: QTreeWidgetItem, name: str) -> None:
        item = QTreeWidgetItem(parent)
        item.setData(0, _NAME, name)
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._items[name] = item
        self._update(name)

    def _on_step_changed(self, name: str) -> None:
        soon(self._catch_up, name)

    def _catch_up(self, name: str) -> None:
        if name in self._items:
            self._update(name)

    def _update(self, name: str) -> None:
        session, item = self._session, self._items[name]
        status = session.status(name)
        failure = session.failure(name)
        look = look_of(status)
        item.setText(0, name)
        item.setIcon(0, icon(str(status), colour_of(status)))
        # Where there is no provenance, the artefact is still in the project file: a list of names
        # does not justify reading it.
        provenance = session.results.provenance(name)
        artefact = session.results.artefact(name) if provenance else None
        seconds = provenance.get("seconds")
        amounts = [shape_in_words(artefact) if provenance else session.results.shape_in_file(name)]
        if seconds is not None and artefact is not None:
            amounts.append(time_in_words(float(seconds)))
        item.setText(1, " · ".join(filter(None, amounts)))
        about = f"{name}: {self._method_title(name)}"
        item.setToolTip(0, f"{about}\n{look.word}. {failure.message if failure else look.sentence}")
        item.setToolTip(1, item.toolTip(0))
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{name}, {look.word}")
        source = session.recipe.find(name)
        # What was found lost a moment ago may have gone, and its name may be another's.
        if name in self._lost and isinstance(source, Source):
            item.setIcon(0, icon("stale", colour_of("stale")))
            item.setText(1, "file missing")
            item.setToolTip(0, f"{about}\n{lost_file(source)}")
            item.setToolTip(1, item.toolTip(0))
            item.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{name}, file missing")
        self._update_parts(item, name)

    def _update_parts(self, item: QTreeWidgetItem, name: str) -> None:
        parts = self._session.results.parts(name)
        if self._parts.get(name) == parts:
            return
        self._parts[name] = parts
        item.takeChildren()
        for part in parts:
            child = QTreeWidgetItem(item, [part])
            child.setData(0, _NAME, name)
            child.setData(0, _PART, part)
            child.setIcon(0, icon(_icon_of(part)))
            child.setToolTip(0, f"The {part} of {name}, an additional output.")

    def _method_title(self, name: str) -> str:
        part = self._session.recipe.find(name)
        if isinstance(part, Source):
            return part.open
        catalogue = self._session.catalogue
        return catalogue.get(part.use).title if part.use in catalogue else part.use

    def _on_current_changed(self, item: QTreeWidgetItem | None) -> None:
        if item is not None and item.data(0, _NAME):
            self.step_chosen.emit(str(item.data(0, _NAME)))

    def _ask(self, signal: object) -> None:
        name = self.chosen()
        if name:
            signal.emit(name)  # type: ignore[attr-defined]

    def _on_menu(self, place: QPoint) -> None:
        item = self.tree.itemAt(place)
        name = str(item.data(0, _NAME) or "") if item is not None else ""
        if not name:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(icon("run"), f"Run “{name}”", lambda: self.run_asked.emit(name))
        part = str(item.data(0, _PART) or "") if item is not None else ""
        export = menu.addAction(icon("download"), f"Export “{part or name}”…")
        export.triggered.connect(lambda: self.export_asked.emit(name, part))
        export.setEnabled(self._session.results.key(name) is not None)
        if isinstance(found := self._session.recipe.find(name), Source) and not is_sample(found):
            menu.addAction("Locate file…", lambda: self.find_asked.emit(name))
            inside = self._session.files.is_attached(name)
            words = "Detach file" if inside else "Attach file…"
            menu.addAction(words, lambda: self.attach_asked.emit(name))
        menu.addSeparator()
        menu.addAction(icon("remove"), "Remove", lambda: self.removal_asked.emit(name))
        menu.popup(self.tree.viewport().mapToGlobal(place))
