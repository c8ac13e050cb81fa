"""Makes Tab move through widgets in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QWidget


def set_tab_order(first: QWidget, parts: Iterable[QWidget]) -> None:
    """Go from `first` through everything in `parts` that takes the focus, hidden or not."""
    chain = [first, *(widget for part in parts for widget in _taking_focus(part))]
    for before, after in pairwise(chain):
        QWidget.setTabOrder(before, after)


def _taking_focus(widget: QWidget) -> Iterator[QWidget]:
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield widget
    elif (layout := widget.layout()) is not None:
        yield from _in_layout(layout)


def _in_layout(layout: QLayout) -> Iterator[QWidget]:
    for at in range(layout.count()):
        item = layout.itemAt(at)
        if item is None:
            continue
        inner, widget = item.layout(), item.widget()
        if inner is not None:
            yield from _in_layout(inner)
        elif widget is not None:
            yield from _taking_focus(widget)
