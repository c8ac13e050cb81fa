"""Suggestions for a column that would be left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coterie.projects.recipe.guess_content import class_column, naming_column

if TYPE_CHECKING:
    from coterie.gui.dialogs.import_data.state import ImportState


def hints(state: ImportState) -> list[str]:
    """Return a sentence for the first column that could name the items, or say what they are."""
    found = []
    if name := possible_names(state):
        found.append(
            f"'{name}' has a different value in every row. Click its header to use it "
            "as item names."
        )
    if name := _possible_classes(state):
        found.append(
            f"'{name}' has a few repeated values. Click its header to use it as known classes."
        )
    return found


def possible_names(state: ImportState) -> str:
    """Return a column that would be left out but could name the items, or nothing."""
    if state.preview is None or "items" not in state.parameter_names():
        return ""
    return naming_column(state.preview, but=state.params.get("leave_out", ()))


def _possible_classes(state: ImportState) -> str:
    if state.preview is None or "truth" not in state.parameter_names():
        return ""
    return class_column(state.preview, but=state.params.get("leave_out", ()))
