"""Finds plugins without importing them: installed distributions and drop-in files."""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import Distribution, EntryPoint, distributions
from pathlib import Path
from typing import Any

from coterie.core.api.hooks import ENTRY_POINT_GROUP
from coterie.core.catalogue.plugin_code import (
    PluginCode,
    code_of_distribution,
    code_of_file,
    module_files,
    stamp_of,
)
from coterie.core.catalogue.requirement import unmet
from coterie.core.io.folders import plugin_site
from coterie.core.version import VERSION

BUILT_IN = "coterie"
BUILT_IN_MODULE = "coterie.plugins"


@dataclass(frozen=True)
class PluginSource:
    """A plugin that could be loaded: a module (or package of modules), or a drop-in file.

    Attributes
    ----------
    name : how messages call it
    prefix : what its component ids begin with; empty for built-ins
    origin : distribution and version, or the file
    module : what to import, or empty for a drop-in file
    file : the drop-in file, or None
    code : its modules, and the versions of what it requires
    unmet : what it asks of Coterie that this version is not, such as "coterie>=2"
    """

    name: str
    prefix: str
    origin: str
    module: str = ""
    file: Path | None = None
    code: PluginCode = field(default_factory=PluginCode)
    unmet: str = ""

    @property
    def built_in(self) -> bool:
        """Whether it belongs to Coterie itself."""
        return not self.prefix

    @property
    def stamp(self) -> str:
        """A text that changes when its code changes."""
        return self.code.stamp

    @cached_property
    def fingerprint(self) -> str:
        """What the keys of its results know its code by; a built-in is known by its version."""
        return "" if self.built_in else self.code.fingerprint()

    @property
    def known_as(self) -> str:
        """Its name in reports of broken plugins."""
        return self.origin if self.file else self.name


def find_plugins(folders: Sequence[Path] = (), *, safe_mode: bool = False) -> list[PluginSource]:
    """Return the built-ins, then what is installed, then what is in `folders`."""
    found = [
        PluginSource(
            name=BUILT_IN,
            prefix="",
            origin=f"{BUILT_IN} {VERSION}",
            module=BUILT_IN_MODULE,
            code=PluginCode(module_files(BUILT_IN_MODULE)),
        )
    ]
    if not safe_mode:
        use_plugin_site()
        found += _installed()
        found += _dropped_in(folders)
    return found


def use_plugin_site() -> None:
    """Let Python find what was installed into the user's own folder, after all else.

    Only its place is made known; nothing of it is imported.
    """
    site = plugin_site()
    # Not `Path.is_dir`, which raises where one may not look.
    if str(site) not in sys.path and os.path.isdir(site):  # noqa: PTH112
        sys.path.append(str(site))
        importlib.invalidate_caches()


def catalogue_stamp(folders: Sequence[Path] = (), *, safe_mode: bool = False) -> str:
    """Return a text that changes whenever the catalogue may have changed."""
    parts = [VERSION, sys.version, str(safe_mode)]
    for source in find_plugins(folders, safe_mode=safe_mode):
        parts += [source.name, source.origin, source.stamp]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def code_stamp() -> str:
    """Return a text that changes with the code of the built-ins and of what they are made with.

    It is empty in a frozen bundle, whose code is in no files.
    """
    files = [*module_files(BUILT_IN_MODULE).values(), *module_files("coterie.core").values()]
    return stamp_of(files) if files and all(file.is_file() for file in files) else ""


def _installed() -> Iterator[PluginSource]:
    seen: set[str] = set()
    for distribution in distributions():
        try:
            entries = _entry_points(distribution)
            if not entries:
                continue  # before its metadata is parsed: nearly all end here, at every start
            name: Any = distribution.metadata["Name"]  # None in a half-removed one
            prefix = re.sub(r"[-_.]+", "-", name).lower()
            if prefix == BUILT_IN or prefix in seen:
                continue  # built in: named above, so a bundle without metadata has its methods
            code = code_of_distribution(distribution, map(_module, entries))
            lacking = unmet(distribution.requires or (), VERSION)
        except Exception:  # half-removed or malformed: one such must not hide all the others
            continue
        seen.add(prefix)  # further down the path the same distribution is hidden, as for imports
        for entry in entries:
            yield PluginSource(
                name=f"{name}: {entry.name}",
                prefix=prefix,
                origin=f"{name} {distribution.version}",
                module=_module(entry),
                code=code,
                unmet=lacking,
            )


def _module(entry: EntryPoint) -> str:
    return re.split(r"[:\[]", entry.value)[0].strip()


def _entry_points(distribution: Distribution) -> list[EntryPoint]:
    # Reading the file first is much cheaper than parsing every distribution's entry points.
    text = distribution.read_text("entry_points.txt") or ""
    if ENTRY_POINT_GROUP not in text:
        return []
    return [entry for entry in distribution.entry_points if entry.group == ENTRY_POINT_GROUP]


def _dropped_in(folders: Sequence[Path]) -> Iterator[PluginSource]:
    for folder in folders:
        try:
            files = sorted(path for path in folder.iterdir() if path.suffix == ".py")
        except OSError:
            continue  # not there, or not ours to read
        for file in files:
            if not file.name.startswith(("_", ".")):
                yield PluginSource(
                    name=str(file),
                    prefix="local",
                    origin=f"local file {file.name}",
                    file=file,
                    code=code_of_file(file),
                )
