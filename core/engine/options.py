"""How an engine is to be started."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from coterie.core.io.folders import cache_folder, plugin_folders, state_folder
from coterie.core.io.platform.memory import available_memory
from coterie.core.io.platform.processors import available_cores


@dataclass(frozen=True)
class EngineOptions:
    """What an engine may load and use.

    Attributes
    ----------
    safe_mode : load the built-in methods only
    plugin_folders : where drop-in plugins are
    memory : bytes that methods may use
    workers : cores that methods may use
    cluster : address of a Dask scheduler whose workers do what can be divided; empty for none
    """

    safe_mode: bool = False
    plugin_folders: tuple[Path, ...] = field(default_factory=plugin_folders)
    memory: int = field(default_factory=lambda: available_memory() * 4 // 5)
    workers: int = field(default_factory=available_cores)
    cluster: str = ""

    @property
    def quarantine_folder(self) -> Path:
        """Where it is remembered which plugins ended an engine."""
        return state_folder() / "quarantine"

    @property
    def catalogue_file(self) -> Path:
        """Where the catalogue is kept between starts."""
        return cache_folder() / ("catalogue-safe.json" if self.safe_mode else "catalogue.json")

    @property
    def built_ins_file(self) -> Path:
        """Where it is kept between starts what is known of the built-in methods."""
        return cache_folder() / "built-ins.json"
