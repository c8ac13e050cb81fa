"""What a person may want to make of a column that is about to be left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coterie.gui.states.importing import ImportState


def hints(state: ImportState) -> list[str]:
    """Return a sentence for the first column that could name the items, or say what they are."""
    found = []
    if name := possible_names(state):
        found.append(
            f"'{name}' has another text in every row. Click its head to take it as item names."
        )
    if name := _possible_classes(state):
        found.append(
            f"'{name}' has a few texts that come again and again. "
            "Click its head to take it as known classes."
        )
    return found


def possible_names(state: ImportState) -> str:
    """Return a column that would be left out but could name the items, or nothing."""
    for name, cells in _left_out(state, "items"):
        known = set(cells) - {""}
        if 1 < len(known) == len(cells):
            return name
    return ""


def _possible_classes(state: ImportState) -> str:
    for name, cells in _left_out(state, "truth"):
        if 1 < len(set(cells) - {""}) <= len(cells) / 3:
            return name
    return ""


def _left_out(state: ImportState, role: str) -> Iterator[tuple[str, list[str]]]:
    """Columns of texts that the reader leaves out by itself, while nothing has the role yet."""
    preview = state.preview
    if preview is None or role in preview.roles or role not in state.parameter_names():
        return
    chosen = set(state.params.get("leave_out", ()))
    for j, name in enumerate(preview.columns):
        if state.role(j) == "left out" and name not in chosen:
            yield name, [state.raw(i, j) for i in range(len(preview.rows))]
