"""Coterie in Python: what `import coterie` gives.

This folder is the package `coterie` itself, and a module in it is `coterie.<module>`
(docs/adr/0013-coterie-is-a-package.md). Names are loaded when first used, so importing
the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coterie.analysing import cluster as cluster
    from coterie.analysing import run as run
    from coterie.core.errors import Cancelled as Cancelled
    from coterie.core.errors import CoterieError as CoterieError
    from coterie.files import read as read
    from coterie.files import write as write
    from coterie.inputs import affinity as affinity
    from coterie.inputs import dataset as dataset
    from coterie.project import Project as Project
    from coterie.project import open as open
    from coterie.recipes import Recipe as Recipe
    from coterie.registry import describe as describe
    from coterie.registry import methods as methods
    from coterie.results import Result as Result

__version__: str

_HOMES = {
    "Cancelled": ("coterie.core.errors", "Cancelled"),
    "CoterieError": ("coterie.core.errors", "CoterieError"),
    "Project": ("coterie.project", "Project"),
    "Recipe": ("coterie.recipes", "Recipe"),
    "Result": ("coterie.results", "Result"),
    "__version__": ("coterie.core.version", "VERSION"),
    "affinity": ("coterie.inputs", "affinity"),
    "cluster": ("coterie.analysing", "cluster"),
    "dataset": ("coterie.inputs", "dataset"),
    "describe": ("coterie.registry", "describe"),
    "methods": ("coterie.registry", "methods"),
    "open": ("coterie.project", "open"),
    "read": ("coterie.files", "read"),
    "run": ("coterie.analysing", "run"),
    "write": ("coterie.files", "write"),
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    try:
        module, attribute = _HOMES[name]
    except KeyError:
        raise AttributeError(f"module 'coterie' has no attribute '{name}'") from None
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return __all__
