"""The recipes that plugins offer, as commands of a menu. They are data: no plugin code runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from coterie.core.catalogue.descriptors import Catalogue


def add_templates(
    menu: QMenu, catalogue: Catalogue, on: str, apply: Callable[[str], None]
) -> list[QAction]:
    """Add a command for each recipe on "data" or on the "selection", after a line; return them.

    `apply` is called with the id of the one that was picked.
    """
    from coterie.projects.recipe.templates import why_unusable

    templates = catalogue.templates_on(on)
    made = [menu.addSeparator()] if templates and not menu.isEmpty() else []
    for template in templates:
        action = menu.addAction(template.title.replace("&", "&&"))
        why = why_unusable(template, catalogue)
        action.setEnabled(not why)
        action.setToolTip(f"{why or template.summary}\nFrom {template.origin}")
        action.setStatusTip(template.summary)
        action.setData(template.id)
        action.triggered.connect(lambda _=False, name=template.id: apply(name))
        made.append(action)
    return made
