"""The code of a plugin: the modules that its results depend on, and their hash.

Found without importing any of it. docs/adr/0017-keys-that-neither-lie-nor-shout.md gives the
reasons.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, PackageNotFoundError
from pathlib import Path

MODULE_ENDINGS = (".py", ".so", ".pyd")
# Updates of these change no result worth computing again; they are noted in the provenance.
_NOT_COUNTED = frozenset({"coterie", "numpy", "scipy", "scikit-learn"})
_EDITABLE = "__editable__"  # written by installers, with paths of this machine in it


@dataclass(frozen=True)
class PluginCode:
    """The modules of a plugin, and what else its results depend on.

    Attributes
    ----------
    files : each module's file, by a name that is the same on every machine
    versions : of its distribution and of what that requires, as "name version"
    """

    files: Mapping[str, Path] = field(default_factory=dict)
    versions: tuple[str, ...] = ()

    @property
    def stamp(self) -> str:
        """A text that changes with the code, at the cost of a look at each file."""
        return " ".join([*self.versions, stamp_of(self.files.values())])

    def fingerprint(self) -> str:
        """Return the SHA-256 of all of it; every file is read."""
        digest = hashlib.sha256("\n".join(self.versions).encode())
        for name in sorted(self.files):
            try:
                content = self.files[name].read_bytes()
            except OSError:
                continue  # gone since it was listed, or inside a frozen bundle
            digest.update(f"\n{name} {hashlib.sha256(content).hexdigest()}".encode())
        return digest.hexdigest()


def stamp_of(files: Iterable[Path]) -> str:
    """Return a text that changes when one of the files does, by size and time."""
    digest = hashlib.sha256()
    for file in files:
        try:
            status = file.stat()
        except OSError:
            continue
        digest.update(f"{file}|{status.st_size}|{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:32]


def code_of_distribution(distribution: Distribution, modules: Iterable[str]) -> PluginCode:
    """Return every module of a distribution, and the versions of what it requires.

    Parameters
    ----------
    modules : those that its entry points name; an editable install does not list its own
    """
    files = {
        file.as_posix(): Path(str(file.locate()))
        for file in distribution.files or ()
        if file.suffix in MODULE_ENDINGS and not file.name.startswith(_EDITABLE)
    }
    listed = (distribution.read_text("top_level.txt") or "").split()
    for module in (*modules, *listed):
        files |= module_files(_top_of(module))
    metadata = distribution.metadata  # parsed at each look
    own = f"{metadata['Name']} {metadata['Version']}"
    return PluginCode(files, (own, *_required(distribution.requires or ())))


def code_of_file(file: Path) -> PluginCode:
    """Return a drop-in file with the modules beside it that it imports, and those that they do."""
    files: dict[str, Path] = {}
    waiting = [file]
    while waiting:
        now = waiting.pop()
        files[now.relative_to(file.parent).as_posix()] = now
        beside = _imported_from(file.parent, now)
        waiting += [other for other in beside if other not in files.values()]
    return PluginCode(files)


def module_files(module: str) -> dict[str, Path]:
    """Return the files of a module, or of a package with all below it, by names.

    Nothing is imported but the packages above it.
    """
    spec = _found(module)
    if spec is None:
        return {}
    place = module.replace(".", "/")
    locations = [Path(location) for location in spec.submodule_search_locations or ()]
    files = {
        f"{place}/{name}": location / name
        for location in locations
        for name in sorted(_modules_below(location))
    }
    if spec.origin and spec.has_location and not locations:
        files[f"{place}{Path(spec.origin).suffix}"] = Path(spec.origin)
    return files


def _modules_below(folder: Path) -> Iterator[str]:
    """The modules in a folder and those below it, by their place from there."""
    for parent, _, names in os.walk(folder):  # at every start: `rglob` takes four times as long
        place = parent[len(str(folder)) + 1 :].replace(os.sep, "/")
        for name in names:
            if name.endswith(MODULE_ENDINGS):
                yield f"{place}/{name}" if place else name


def _top_of(module: str) -> str:
    """The package that a module belongs to: below a namespace, which others may be part of too."""
    names = module.split(".")
    top = names.pop(0)
    while names and (spec := _found(top)) is not None and spec.origin is None:
        top = f"{top}.{names.pop(0)}"
    return top


def _found(module: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(module)
    except (ImportError, ValueError, AttributeError):
        return None


def _required(requirements: Iterable[str]) -> Iterator[str]:
    """The installed versions of what a distribution requires, its extras aside."""
    for requirement in sorted(requirements):
        needed, _, condition = requirement.partition(";")
        name = re.match(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)", needed)
        if name is None or re.search(r"\bextra\b", condition):
            continue
        normal = re.sub(r"[-_.]+", "-", name[1]).lower()
        if normal in _NOT_COUNTED:
            continue
        try:
            yield f"{normal} {_version_of(Distribution.from_name(normal))}"
        except PackageNotFoundError:
            yield f"{normal} missing"


def _version_of(distribution: Distribution) -> str:
    """The version by one look at the metadata: parsing all of it takes most of a start's time."""
    text = distribution.read_text("METADATA") or ""
    line = re.search(r"^Version:[ \t]*(\S+)[ \t]*$", text.partition("\n\n")[0], re.MULTILINE)
    return line[1] if line else distribution.version


def _imported_from(folder: Path, file: Path) -> list[Path]:
    """Return the modules of `folder` that a file imports, or names as text, such as "_own.py"."""
    if file.suffix != ".py":
        return []
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                names.update(alias.name.partition(".")[0] for alias in node.names)
            case ast.ImportFrom(module=str(module)):
                names.add(module.partition(".")[0])
            case ast.ImportFrom():  # from . import this
                names.update(alias.name for alias in node.names)
            case ast.Constant(value=str(text)) if text.isidentifier() or text.endswith(".py"):
                names.add(text.removesuffix(".py"))
            case _:
                pass
    return [found for name in sorted(names) for found in _modules_named(folder, name)]


def _modules_named(folder: Path, name: str) -> Iterator[Path]:
    if "/" in name or "\\" in name or name in ("", ".", ".."):
        return
    try:
        for ending in MODULE_ENDINGS:
            yield from sorted(folder.glob(f"{name}.*{ending}" if ending != ".py" else f"{name}.py"))
        if (folder / name).is_dir():
            yield from sorted(f for f in (folder / name).rglob("*") if f.suffix in MODULE_ENDINGS)
    except (OSError, ValueError):
        return
