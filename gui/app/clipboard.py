"""Copies the project to the clipboard, as a Python script or as a recipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from coterie.gui.app.context import WindowContext


def copy_python(context: WindowContext) -> None:
    """Copy a script that computes the project again."""
    from coterie.projects.recipe.to_python import as_script

    if context.session is not None:
        _copy(context, as_script(context.session.recipe), "script")


def copy_recipe(context: WindowContext) -> None:
    """Copy the recipe as text."""
    from coterie.projects.recipe.toml import write_recipe

    if context.session is not None:
        _copy(context, write_recipe(context.session.recipe), "recipe")


def _copy(context: WindowContext, text: str, what: str) -> None:
    QApplication.clipboard().setText(text)
    context.say(f"The {what} is on the clipboard.")
