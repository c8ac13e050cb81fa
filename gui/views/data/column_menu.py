"""The menu of a column's head: its type and its role."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from coterie.core.model.columns import ROLES, TYPES
from coterie.gui.views.data.state import TableState
from coterie.gui.views.shown_items.columns import COLUMN_ROLES, TYPE_WORDS


def column_menu(state: TableState, column: int, parent: QWidget) -> QMenu | None:
    """Return the menu of a column of the table; None for columns that were found out."""
    typed = state.typed(column)
    if typed is None:
        return None
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addSection(typed.name)
    _fill(
        menu.addMenu("Type"), TYPES, TYPE_WORDS, typed.type,
        lambda kind: state.retype(column, kind=kind),
    )  # fmt: skip
    _fill(
        menu.addMenu("Role"), ROLES, COLUMN_ROLES, typed.role,
        lambda role: state.retype(column, role=role),
    )  # fmt: skip
    return menu


def _fill(
    menu: QMenu,
    keys: tuple[str, ...],
    words: dict[str, str],
    now: str,
    choose: Callable[[str], None],
) -> None:
    group = QActionGroup(menu)
    for key in keys:
        action = menu.addAction(words[key])
        action.setCheckable(True)
        action.setChecked(key == now)
        group.addAction(action)
        action.triggered.connect(lambda _=False, key=key: choose(key))
