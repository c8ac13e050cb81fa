"""Coterie in Python: what `import coterie` gives.

This folder is the package `coterie` itself, and a module in it is `coterie.<module>`
(docs/adr/0013-coterie-is-a-package.md). Names are loaded when first used, so importing
the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__: str

_HOMES = {"__version__": ("coterie.core.version", "VERSION")}

__all__ = ["__version__"]


def __getattr__(name: str) -> Any:
    try:
        module, attribute = _HOMES[name]
    except KeyError:
        raise AttributeError(f"module 'coterie' has no attribute '{name}'") from None
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return __all__
