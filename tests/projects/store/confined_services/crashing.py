"""Stand-ins for the process that parses project files, after a file has taken it over."""

from __future__ import annotations

import ctypes
from typing import Any

from coterie.projects.store.hdf5.service import ProjectService


class Crashing(ProjectService):
    def open(self, path: str) -> dict[str, Any]:
        ctypes.string_at(0)
        return {}


class WrongKey(ProjectService):
    def open(self, path: str) -> dict[str, Any]:
        told = super().open(path)
        told["entries"][0]["key"] = "../../../elsewhere"
        return told


class WrongSteps(ProjectService):
    def open(self, path: str) -> dict[str, Any]:
        return {**super().open(path), "steps": {"data": {"key": "elsewhere"}}}


class WrongSizes(ProjectService):
    def open(self, path: str) -> dict[str, Any]:
        told = super().open(path)
        told["entries"][0]["nbytes"] = "many"
        return told


class WrongNothing(ProjectService):
    def open(self, path: str) -> dict[str, Any]:
        return {}


class WrongShape(ProjectService):
    def open(self, path: str) -> dict[str, Any]:
        told = super().open(path)
        told["entries"][0]["shape"] = [float("inf")]
        return told


class WrongProvenance(ProjectService):
    def provenance(self, key: str) -> Any:
        return 3
