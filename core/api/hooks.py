"""The hooks by which a plugin may offer its components, one for each kind.

They are optional: a module without any offers the component classes that it defines. Hook
specifications may gain arguments, but never rename or drop one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType

import pluggy

from coterie.core.api.components import Component
from coterie.core.api.kinds import KINDS, Kind

PROJECT = "coterie"
ENTRY_POINT_GROUP = "coterie.plugins"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


def specifications() -> ModuleType:
    """Return a specification for each kind: a function without arguments that gives classes."""
    module = ModuleType("specifications")
    for kind in KINDS.values():
        setattr(module, kind.hook, hookspec(_offer(kind)))
    return module


def _offer(kind: Kind) -> Callable[[], Sequence[type[Component]]]:
    def offer() -> Sequence[type[Component]]:
        return ()

    offer.__name__, offer.__doc__ = kind.hook, f"Offer {kind.folder}. {kind.about}"
    return offer
