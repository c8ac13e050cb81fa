"""The methods of all plugins, as last reported by the engine, and reloading them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from psygnal import Signal

from coterie.core.catalogue.cache import CatalogueCache
from coterie.core.catalogue.descriptors import Catalogue

if TYPE_CHECKING:
    from coterie.core.engine.options import EngineOptions
    from coterie.projects.jobs.background import BackgroundThread
    from coterie.projects.jobs.scheduler import Scheduler


class LoadedPlugins:
    """Available as `session.plugins`; `changed` is emitted when the methods change."""

    changed: ClassVar[Signal] = Signal()

    def __init__(
        self, options: EngineOptions, scheduler: Scheduler, background: BackgroundThread
    ) -> None:
        self.options = options
        self._scheduler, self._background = scheduler, background
        self._cache = self._new_cache()
        self.catalogue: Catalogue = self._cache.read() or Catalogue()
        scheduler.catalogue_came.connect(self._on_catalogue)

    def reload(self, *, safe_mode: bool | None = None) -> None:
        """Restart the engine, with the plugins there are now; `changed` follows.

        `safe_mode` leaves all but the built-in ones out from now on, or takes them in again.
        """
        wanted = self.options.safe_mode if safe_mode is None else safe_mode
        options = replace(self.options, safe_mode=wanted)
        self._scheduler.renew(options)
        self.options = options
        self.options.catalogue_file.unlink(missing_ok=True)
        self._cache = self._new_cache()

    def _on_catalogue(self, catalogue: Catalogue) -> None:
        if catalogue == self.catalogue:
            return  # as it was found in the cache
        self.catalogue = catalogue
        self._background.do_quietly(lambda: self._cache.write(catalogue))
        self.changed.emit()

    def _new_cache(self) -> CatalogueCache:
        options = self.options
        return CatalogueCache(
            options.catalogue_file, options.plugin_folders, safe_mode=options.safe_mode
        )
