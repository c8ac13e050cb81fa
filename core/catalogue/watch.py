"""Notices a plugin that replaces functions the engine relies on, and puts them back.

Plugins are loaded one by one, so the one that did it is known by name.
"""

from __future__ import annotations

import builtins
import json
import json.decoder
import json.encoder
import os
import struct
import threading
import time
from types import ModuleType, TracebackType
from typing import Any

import numpy as np

from coterie.core.errors import PluginError

_MODULES: tuple[ModuleType, ...] = (
    builtins, json, json.encoder, json.decoder, os, os.path, struct, threading, time, np,
)  # fmt: skip
_OWN = frozenset({"_"})  # an interpreter's last answer


class EngineWatch:
    """Watches a block of code; `PluginError` when it replaced or removed a function.

    What was replaced is what it was before, when the error is raised.
    """

    def __enter__(self) -> EngineWatch:
        self._before = [(module, _callables(module)) for module in _MODULES]
        self._folder = os.getcwd()  # noqa: PTH109 - a text that is put back as it was
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        replaced = [name for module, known in self._before for name in _restored(module, known)]
        if os.getcwd() != self._folder:  # noqa: PTH109
            os.chdir(self._folder)
            replaced.append("the working folder")
        if replaced and error is None:
            several = ", ".join(replaced[:5]) + (", …" if len(replaced) > 5 else "")
            raise PluginError(
                f"While it was loaded, it replaced {several}, which the engine relies on. "
                "Expected a plugin to define classes and functions of its own and to change "
                "nothing else. The originals were restored, and its methods were left out.",
                code="invalid-plugin",
            )


def _callables(module: ModuleType) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if callable(value)}


def _restored(module: ModuleType, known: dict[str, Any]) -> list[str]:
    """Put back what is not what it was, and return its names."""
    now = vars(module)
    changed = [
        name for name, value in known.items() if now.get(name) is not value and name not in _OWN
    ]
    for name in changed:
        setattr(module, name, known[name])
    return [f"{module.__name__}.{name}" for name in changed]
