"""Finds the plugin that is meant by a name, a folder or a file, and loads what it offers."""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from coterie.core.api.components import Component
from coterie.core.api.hooks import ENTRY_POINT_GROUP
from coterie.core.catalogue.describing import describe
from coterie.core.catalogue.discovery import PluginSource, find_plugins
from coterie.core.catalogue.registry import Registry
from coterie.core.errors import PluginError
from coterie.core.testing.side_effects import LeakDetector
from coterie.core.testing.subjects import Subject
from coterie.core.testing.verdicts import Finding

LOADS = ("loads", "it is loaded and offers methods")
QUIET = ("loads-quietly", "loading it prints nothing and leaves nothing behind")
BUILT_INS = "coterie.plugins"


def find_sources(target: str) -> list[PluginSource]:
    """Return what is meant: a file, a folder, an installed distribution or a module."""
    path = Path(target).expanduser()
    if path.suffix == ".py" or path.is_file():
        return [_file(path)]
    if path.is_dir() and (path / "pyproject.toml").is_file():
        return _project(path)
    installed = [source for source in find_plugins() if source.prefix == _normal(target)]
    if installed:
        return installed
    if _is_module(target):
        built_in = target.startswith(BUILT_INS)
        prefix = "" if built_in else _normal(target.partition(".")[0])
        return [PluginSource(name=target, prefix=prefix, origin=target, module=target)]
    if path.is_dir():
        return [_file(file) for file in sorted(path.glob("[!_.]*.py"))]
    raise PluginError(
        f"There is no plugin '{target}'. Name a Python file, the folder of a package, "
        "an installed distribution, or a module.",
        code="invalid-plugin",
    )


def load(target: str) -> tuple[Registry, list[Finding]]:
    """Load a plugin as the engine does; return what it offers, and what loading it showed."""
    registry = Registry()
    with LeakDetector(allowed=None) as strays:
        for source in find_sources(target):
            registry.add(source)
    return registry, [*_loaded(registry), _quietly(strays)]


def subjects_of(registry: Registry) -> list[Subject]:
    """Return all components of a registry."""
    return [
        Subject(method, registry.component(method.name)) for method in registry.catalogue.methods
    ]


def subjects_from(plugins: Iterable[Any]) -> list[Subject]:
    """Return the components that modules offer, or that are given as classes or by name."""
    subjects: list[Subject] = []
    for plugin in plugins:
        if isinstance(plugin, type) and issubclass(plugin, Component):
            kind = getattr(plugin, "kind", "")
            subjects.append(Subject(describe(kind, plugin, origin=plugin.__module__), plugin))
            continue
        registry = Registry()
        if isinstance(plugin, ModuleType):
            name = plugin.__name__
            registry.register(plugin, PluginSource(name=name, prefix="", origin=name))
        else:
            for source in find_sources(str(plugin)):
                registry.add(source)
        _require_whole(registry, plugin)
        subjects += subjects_of(registry)
    return subjects


def _require_whole(registry: Registry, plugin: object) -> None:
    broken = registry.catalogue.broken
    if broken:
        raise PluginError(f"{broken[0].name}: {broken[0].error}", code="invalid-plugin")
    if not (registry.catalogue.methods or registry.catalogue.templates):
        raise PluginError(
            f"{plugin} has no methods. Define a class of a kind, with an id.", code="invalid-plugin"
        )


def _loaded(registry: Registry) -> list[Finding]:
    catalogue = registry.catalogue
    name, promise = LOADS
    if not catalogue.broken:
        return [Finding("plugin", name, promise, "passed")]
    return [
        Finding(
            "plugin",
            name,
            promise,
            "failed",
            f"{plugin.name}: {plugin.error}",
            "'coterie methods' would list it as broken.",
            plugin.traceback,
        )
        for plugin in catalogue.broken
    ]


def _quietly(strays: LeakDetector) -> Finding:
    left = "; ".join(filter(None, (strays.left(what) for what in ("prints", "threads", "files"))))
    advice = "Do nothing at import but define classes and functions." if left else ""
    return Finding("plugin", *QUIET, "failed" if left else "passed", left, advice)


def _file(path: Path) -> PluginSource:
    if not path.is_file():
        raise PluginError(f"There is no file '{path}'. Check the path.", code="file-not-found")
    path = path.resolve()
    return PluginSource(name=str(path), prefix="local", origin=f"local file {path.name}", file=path)


def _project(folder: Path) -> list[PluginSource]:
    """The entry points that a project declares, whether or not it is installed."""
    project = folder / "pyproject.toml"
    try:
        settings = tomllib.loads(project.read_text(encoding="utf-8"))
        about = settings["project"]
        entries = about["entry-points"][ENTRY_POINT_GROUP]
        name = str(about["name"])
        modules = {str(key): str(value).partition(":")[0] for key, value in entries.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise PluginError(
            f"'{project}' declares no plugin. It needs a name and a table "
            f'[project.entry-points."{ENTRY_POINT_GROUP}"].',
            code="invalid-plugin",
        ) from None
    for place in (folder / "src", folder):
        if place.is_dir() and str(place.resolve()) not in sys.path:
            sys.path.insert(0, str(place.resolve()))
    origin = f"{name} {about.get('version', '')}".strip()
    return [
        PluginSource(name=f"{name}: {key}", prefix=_normal(name), origin=origin, module=module)
        for key, module in modules.items()
    ]


def _is_module(target: str) -> bool:
    if not re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", target):
        return False
    if "" not in sys.path:
        sys.path.insert(0, "")  # as `python -m` finds what is here
    try:
        return importlib.util.find_spec(target) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
