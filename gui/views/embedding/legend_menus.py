"""The menus of a scatter: of an entry of its legend, and of what can be selected."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from coterie.gui.views.shown_items.colouring import Colouring, LegendEntry
from coterie.gui.views.shown_items.group_menu import GroupMenu

if TYPE_CHECKING:
    from coterie.gui.views.base_view import View
    from coterie.gui.views.embedding.state import ScatterState
    from coterie.projects.selection import Selection


def legend_menu(
    view: View,
    state: ScatterState,
    colouring: Colouring,
    entry: LegendEntry,
    hide: Callable[[Iterable[int]], object],
) -> QMenu:
    """Return what can be done with the class that an entry stands for."""
    editing, group = state.editing, entry.code - 1  # code 0 stands for items in no group
    groups = editing is not None and 0 <= group < editing.groups.k
    menu = view.bare_group_menu(editing, group) if editing and groups else QMenu(view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    every = {other.code for other in colouring.entries}
    offers: tuple[tuple[str, Iterable[int]], ...] = (
        (f"Show only {entry.name}", every - {entry.code}),
        (f"Hide {entry.name}", state.hidden | {entry.code}),
        ("Show all", ()),
    )
    for title, hidden in offers:
        action = menu.addAction(title.replace("&", "&&"))
        action.triggered.connect(lambda _=False, codes=hidden: hide(codes))
    if isinstance(menu, GroupMenu):
        menu.add_edits()
    return menu


def fill_select_menu(menu: QMenu, selection: Selection, colouring: Colouring) -> None:
    """Offer to select all, none, or the items of a class."""
    menu.clear()
    menu.addAction("All").triggered.connect(
        lambda: selection.update(np.ones(selection.n, dtype=bool))
    )
    menu.addAction("None").triggered.connect(selection.clear)
    menu.addAction("Invert").triggered.connect(selection.invert)
    menu.addSeparator()
    for entry in colouring.entries:
        action = menu.addAction(f"{entry.name}  ({entry.count:,})")
        action.triggered.connect(
            lambda _=False, entry=entry: selection.choose(colouring.members(entry))
        )
