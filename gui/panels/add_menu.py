"""The menu of methods to add, by kind, with what each does; broken plugins are listed too."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu

from coterie.core.api.kinds import KINDS
from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.model.recipes import Recipe
from coterie.core.wording import with_article
from coterie.gui.panels.plugin_recipes import add_templates
from coterie.gui.toolkit.styling.icons import icon
from coterie.projects.recipe.inputs import type_of


def fill_add_menu(
    menu: QMenu,
    catalogue: Catalogue,
    recipe: Recipe,
    add: Callable[[str], None],
    apply: Callable[[str], None],
) -> None:
    """Fill `menu` again.

    `add` is called with "kind/id" of the method that was picked, `apply` with the id of a recipe
    that a plugin offers.
    """
    menu.clear()
    menu.setToolTipsVisible(True)
    given = {type_of(recipe, catalogue, name) for name in recipe.names}
    for kind in KINDS.values():
        methods = catalogue.of_kind(kind.name)
        if not methods or not kind.is_step:
            continue
        submenu = menu.addMenu(icon(kind.icon), kind.title)
        submenu.setToolTipsVisible(True)
        for method in methods:
            action = submenu.addAction(_with_summary(method.title, method.summary))
            action.setToolTip(method.summary)
            action.setData(method.name)
            action.triggered.connect(lambda _=False, use=method.name: add(use))
            lacking = _lacking(method, given)
            if lacking:
                action.setEnabled(False)
                action.setToolTip(f"{method.summary}\nIt needs {lacking} first.")
    if catalogue.templates_on("data"):
        menu.addSeparator()
        recipes = menu.addMenu(icon("plugin"), "Recipes of plugins")
        recipes.setToolTipsVisible(True)
        add_templates(recipes, catalogue, "data", apply)
    if catalogue.broken:
        menu.addSeparator()
        broken = menu.addMenu(icon("broken"), "Broken plugins")
        broken.setToolTipsVisible(True)
        for plugin in catalogue.broken:
            action = broken.addAction(_with_summary(plugin.name, plugin.error))
            action.setToolTip(plugin.error)
            action.setEnabled(False)
    if menu.isEmpty():
        action = menu.addAction("Loading the list of methods …")
        action.setEnabled(False)


def _lacking(method: Descriptor, given: set[str]) -> str:
    """Name the first input that nothing in the recipe can fill."""
    for need in method.inputs:
        if not need.optional and not any(need.accepts_type(kind) for kind in given):
            return with_article(" or ".join(need.accepts))
    return ""


def _with_summary(title: str, summary: str, most: int = 64) -> str:
    short = summary.strip().removesuffix(".")
    if len(short) > most:
        short = short[: most - 1].rstrip() + "…"
    # A menu takes "&" for the mark of a key.
    return (f"{title} – {short}" if short else title).replace("&", "&&")
