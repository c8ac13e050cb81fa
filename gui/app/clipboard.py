"""What a person clicked together, on the clipboard: as a script or as a recipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

if TYPE_CHECKING:
    from coterie.gui.app.main_window import MainWindow


def copy_python(window: MainWindow) -> None:
    """Copy a script that computes the project again."""
    from coterie.projects.recipe.to_python import as_script

    if window.session is not None:
        _copy(window, as_script(window.session.recipe), "script")


def copy_recipe(window: MainWindow) -> None:
    """Copy the recipe as text."""
    from coterie.projects.recipe.toml import write_recipe

    if window.session is not None:
        _copy(window, write_recipe(window.session.recipe), "recipe")


def _copy(window: MainWindow, text: str, what: str) -> None:
    QApplication.clipboard().setText(text)
    window.statusBar().showMessage(f"The {what} is on the clipboard.", 5000)
