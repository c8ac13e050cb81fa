"""Settings of a person for all projects, stored between starts."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSettings

from coterie.core.errors import ParameterError
from coterie.projects.store.keeping import KEEPS, Keep

if TYPE_CHECKING:
    from coterie.core.engine.options import EngineOptions
    from coterie.gui.toolkit.styling.theme import Scheme

GIGABYTE = 10**9
MOST_VERSIONS = 50


@dataclass(frozen=True)
class Preferences:
    """All of them, with what holds unless a person says otherwise.

    Attributes
    ----------
    scheme : "light", "dark", or nothing to follow the system
    memory : gigabytes that methods may use; 0: most of what is free when the engine starts
    threads : cores that methods may use; 0: all
    quota : gigabytes that results in the workspace may take; 0: a fifth of the free disk
    plugin_folders : where single-file plugins are looked for, beside the usual folders
    ask_on_close : whether to ask about unsaved work; without, it is offered at the next start
    versions : how many earlier versions of a saved project are kept beside it
    keep : which results between the data and the groups a saved project stores; see `left_out`
    cluster : address of a Dask scheduler whose workers share the work; empty for none
    """

    scheme: Scheme = ""
    memory: float = 0.0
    threads: int = 0
    quota: float = 0.0
    plugin_folders: tuple[str, ...] = ()
    ask_on_close: bool = True
    versions: int = 1
    keep: Keep = "quick"
    cluster: str = ""

    @classmethod
    def load(cls) -> Preferences:
        """Return what was stored; what makes no sense counts as never set."""
        stored = QSettings()
        scheme = stored.value("window/scheme")
        folders = stored.value("engine/plugin-folders") or ()
        folders = [folders] if isinstance(folders, str) else folders
        return cls(
            scheme="light" if scheme == "light" else "dark" if scheme == "dark" else "",
            memory=_amount(stored.value("engine/memory")),
            threads=int(_amount(stored.value("engine/threads"))),
            quota=_amount(stored.value("workspace/quota")),
            plugin_folders=tuple(str(folder) for folder in folders if folder),
            ask_on_close=str(stored.value("window/ask-on-close", "true")).lower() != "false",
            versions=min(max(1, int(_amount(stored.value("project/versions")))), MOST_VERSIONS),
            keep=next((k for k in KEEPS if k == stored.value("project/keep")), "quick"),
            cluster=_address(stored.value("engine/cluster")),
        )

    def store(self) -> None:
        """Keep all of them for the next start."""
        stored = QSettings()
        stored.setValue("window/scheme", self.scheme)
        stored.setValue("engine/memory", self.memory)
        stored.setValue("engine/threads", self.threads)
        stored.setValue("workspace/quota", self.quota)
        stored.setValue("engine/plugin-folders", list(self.plugin_folders))
        stored.setValue("window/ask-on-close", "true" if self.ask_on_close else "false")
        stored.setValue("project/versions", self.versions)
        stored.setValue("project/keep", self.keep)
        stored.setValue("engine/cluster", self.cluster)

    def engine_options(self, *, safe_mode: bool = False) -> EngineOptions:
        """Return how engines are started."""
        from coterie.core.engine.options import EngineOptions
        from coterie.core.io.folders import plugin_folders

        chosen: dict[str, Any] = {}
        if self.memory:
            chosen["memory"] = int(self.memory * GIGABYTE)
        if self.threads:
            chosen["workers"] = min(self.threads, os.cpu_count() or self.threads)
        usual = plugin_folders()
        others = [Path(folder) for folder in self.plugin_folders]
        chosen["plugin_folders"] = (*usual, *(path for path in others if path not in usual))
        return EngineOptions(safe_mode=safe_mode, cluster=self.cluster, **chosen)

    @property
    def quota_bytes(self) -> int | None:
        """The workspace's quota in bytes; None to leave it to the disk."""
        return int(self.quota * GIGABYTE) or None

    def same_engine(self, other: Preferences) -> bool:
        """Return whether engines are started alike with either."""
        mine, theirs = (
            (each.memory, each.threads, each.quota, each.plugin_folders, each.cluster)
            for each in (self, other)
        )
        return mine == theirs


def _amount(value: object) -> float:
    """A stored number, which some systems give back as a text; 0 for what is none."""
    try:
        amount = float(str(value))
    except ValueError:
        return 0.0
    return amount if 0 < amount < 1e6 else 0.0


def _address(value: object) -> str:
    """A stored address of a scheduler; empty for what is none."""
    from coterie.core.engine.dask.connect import parse_address

    try:
        return parse_address(str(value)) if value else ""
    except ParameterError:
        return ""
