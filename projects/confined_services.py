"""The classes that answer in confined processes, by name: to ask for one imports neither."""

from __future__ import annotations

from coterie.core.io.confined.starting import SPARE

PROJECTS = "coterie.projects.store.hdf5.service:ProjectService"
RASTERS = "coterie.projects.sources.raster_service:RasterService"


def keep_one_ready() -> None:
    """Keep a process ready that can read a project, a scene or a map."""
    SPARE.keep(service.partition(":")[0] for service in (PROJECTS, RASTERS))
