"""What is known of the built-in methods, kept between starts.

An engine that knows them need not import over a hundred modules to name them: it imports a method
when it is first used. That takes most of the time off its start.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pydantic

from coterie.core.api.components import Component
from coterie.core.catalogue.cache import write_quietly
from coterie.core.catalogue.descriptors import Descriptor
from coterie.core.catalogue.discovery import BUILT_IN_MODULE, code_stamp
from coterie.core.errors import PluginError
from coterie.core.version import VERSION


@dataclass(frozen=True)
class KnownMethod:
    """A built-in method that need not have been imported yet.

    Attributes
    ----------
    place : its module and class, as in "coterie.plugins.kernels.gaussian:Gaussian"
    """

    descriptor: Descriptor
    place: str

    def component(self) -> type[Component]:
        """Import the class."""
        module, _, name = self.place.partition(":")
        found = getattr(importlib.import_module(module), name, None)
        if inspect.isclass(found) and issubclass(found, Component):
            return found
        raise PluginError(
            f"{self.descriptor.name} is no longer where it was. Restart Coterie.",
            code="plugin-changed",
        )


class BuiltIns:
    """One JSON file that is believed only while Coterie's own code is what it was."""

    def __init__(self, file: Path) -> None:
        self._file = file
        code = code_stamp()
        # The schemas of parameters are pydantic's.
        self._stamp = f"{VERSION} {sys.version} {pydantic.VERSION} {code}" if code else ""

    def read(self) -> tuple[KnownMethod, ...]:
        """Return the built-in methods; none when nothing is kept that is still right."""
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
            if not self._stamp or kept["stamp"] != self._stamp:
                return ()
            return tuple(_known(entry) for entry in kept["methods"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return ()

    def write(self, methods: Mapping[str, tuple[Descriptor, type[Component]]]) -> None:
        """Keep them, unless one could not be found again; failing to is harmless."""
        if not self._stamp or not all(_is_found(component) for _, component in methods.values()):
            return
        entries = [
            {"place": _place(component), "method": descriptor.as_json()}
            for descriptor, component in methods.values()
        ]
        write_quietly(self._file, json.dumps({"stamp": self._stamp, "methods": entries}))


def _known(entry: Mapping[str, Any]) -> KnownMethod:
    place = entry["place"]
    if not place.startswith(f"{BUILT_IN_MODULE}."):
        raise ValueError(place)  # not ours to import
    return KnownMethod(Descriptor.from_json(entry["method"]), place)


def _place(component: type[Component]) -> str:
    return f"{component.__module__}:{component.__qualname__}"


def _is_found(component: type[Component]) -> bool:
    module = sys.modules.get(component.__module__)
    found = getattr(module, component.__qualname__, None)
    return found is component and component.__module__.startswith(f"{BUILT_IN_MODULE}.")
