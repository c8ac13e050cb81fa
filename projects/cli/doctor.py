"""The facts about this machine for a bug report, probe by probe; none can fail the others."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.core.io.platform.memory import physical_memory
from coterie.core.io.platform.processors import processor_name
from coterie.core.io.platform.screen import has_screen
from coterie.core.version import VERSION

if TYPE_CHECKING:
    from coterie.core.engine.options import EngineOptions

LIBRARIES = (
    "numpy", "scipy", "scikit-learn", "h5py", "rasterio", "pydantic", "pluggy",
    "psygnal", "PySide6-Essentials", "pyqtgraph", "typer", "rich", "pyarrow", "dask",
    "matplotlib", "faiss-cpu", "graspologic-native", "openTSNE",
)  # fmt: skip
VARIABLES = (
    "COTERIE_PLUGINS", "COTERIE_TRACE", "QT_QPA_PLATFORM", "QT_SCALE_FACTOR", "XDG_SESSION_TYPE",
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "LANG",
)  # fmt: skip
WINDOW_SECONDS = 30.0
MOST_FILES = 100_000

Section = dict[str, Any]


def diagnose(options: EngineOptions) -> dict[str, Section]:
    """Return what each probe found; one that failed says so in its place."""
    probes: dict[str, Callable[[], Section]] = {
        "coterie": _about_coterie,
        "machine": lambda: _about_machine(options),
        "libraries": _about_libraries,
        "window": _about_window,
        "methods": lambda: _about_methods(options),
        "folders": _about_folders,
        "files of others": _about_confinement,
    }
    return {name: _guarded(probe) for name, probe in probes.items()}


def _guarded(probe: Callable[[], Section]) -> Section:
    try:
        return probe()
    except Exception as error:  # whatever is wrong here is what the report is for
        return {"failed": f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")}


def _about_coterie() -> Section:
    return {
        "version": VERSION,
        "Python": f"{platform.python_version()}, {platform.python_implementation()}",
        "from": "bundled" if getattr(sys, "frozen", False) else "Python packages",
        "program": tidy(sys.executable),
        "variables": {name: os.environ[name] for name in VARIABLES if os.environ.get(name)},
    }


def _about_machine(options: EngineOptions) -> Section:
    return {
        "system": platform.platform(),
        "processor": processor_name(),
        "cores": options.workers,
        "memory": physical_memory(),
        "memory for methods": options.memory,
    }


def _about_libraries() -> Section:
    found: Section = {}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    found["HDF5"] = _guarded_value(_hdf5)
    found["GDAL"] = _guarded_value(_gdal)
    found["linear algebra"] = _guarded_value(_linear_algebra)
    return found


def _guarded_value(probe: Callable[[], str]) -> str:
    try:
        return probe()
    except Exception as error:
        return f"cannot be loaded ({type(error).__name__}: {error})"


def _hdf5() -> str:
    import h5py

    return str(h5py.version.hdf5_version)


def _gdal() -> str:
    import rasterio

    return str(rasterio.__gdal_version__)


def _linear_algebra() -> str:
    import numpy  # noqa: F401 - loads the library that is asked about
    from threadpoolctl import threadpool_info

    pools = [pool for pool in threadpool_info() if pool.get("user_api") == "blas"]
    return ", ".join(
        f"{pool['internal_api']} {pool.get('version')}, {pool['num_threads']} threads"
        for pool in pools
    )


def _about_window() -> Section:
    """Ask Qt in a process of its own: it may end that one, or not be there at all."""
    from coterie.projects.cli.subprocesses import ask_window

    return {"screen": "yes" if has_screen() else "none", **ask_window("screen", WINDOW_SECONDS)}


def _about_methods(options: EngineOptions) -> Section:
    from coterie.core.catalogue.quarantine import Quarantine
    from coterie.projects.cli.session_runner import read_catalogue

    catalogue = read_catalogue(options)
    origins: dict[str, int] = {}
    for method in catalogue:
        origins[method.origin] = origins.get(method.origin, 0) + 1
    return {
        "safe mode": options.safe_mode,
        "from": origins,
        "broken": {tidy(one.name): " ".join(one.error.split()) for one in catalogue.broken},
        "in quarantine": [tidy(name) for name in Quarantine(options.quarantine_folder).entries()],
        "plugin folders": [
            f"{tidy(folder)}{'' if folder.is_dir() else ' (not found)'}"
            for folder in options.plugin_folders
        ],
    }


def _about_folders() -> Section:
    from coterie.core.io import folders

    return {
        "cache": _guarded(lambda: _about_folder(folders.cache_folder())),
        "state": _guarded(lambda: _about_folder(folders.state_folder())),
        "workspaces": _guarded(lambda: _about_folder(folders.workspaces_folder())),
    }


def _about_confinement() -> Section:
    """Start a process as for a stranger's file, and say what this system takes from it."""
    from coterie.core.io.confined.process import ConfinedProcess
    from coterie.projects.confined_services import PROJECTS

    process = ConfinedProcess(PROJECTS, "nothing")
    try:
        return {"reader process": process.confinement.in_words}
    finally:
        process.close()


def _about_folder(folder: Path) -> Section:
    count = total = 0
    for size in _sizes(folder):
        count, total = count + 1, total + size
        if count >= MOST_FILES:
            break
    return {
        "folder": tidy(folder),
        "files": count,
        "bytes": total,
        "free": shutil.disk_usage(folder).free,
        "writable": os.access(folder, os.W_OK),
    }


def _sizes(folder: Path) -> Iterator[int]:
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                yield Path(place, name).lstat().st_size
            except OSError:
                continue  # gone since


def tidy(path: str | Path) -> str:
    """Return a path with the home folder as ~: a report need not show who wrote it.

    >>> tidy("/usr/bin/coterie")
    '/usr/bin/coterie'
    """
    text, home = str(path), str(Path.home())
    return f"~{text[len(home) :]}" if home != "/" and text.startswith(home + os.sep) else text
