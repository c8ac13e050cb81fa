"""Loads plugins one by one, each inside a guard, and keeps what they offer.

pluggy carries the registration, but its own loader stops at the first failure and its hook calls
fan out. Here a plugin that fails, or lies about what it offers, becomes a record that says why,
and the others go on.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import json
import pkgutil
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pluggy

from coterie.core import hooks
from coterie.core.components import KINDS, Component
from coterie.core.descriptors import BrokenPlugin, Catalogue, Descriptor, Need
from coterie.core.discovery import PluginSource, find_plugins
from coterie.core.encoding import NOUNS
from coterie.core.errors import PluginError, UnknownComponentError
from coterie.core.parameters import Params
from coterie.core.quarantine import Quarantine

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_INPUT_TYPES = {*NOUNS, "any", "path"}


class Registry:
    """The components that are there to use, and the plugins that are not."""

    def __init__(self) -> None:
        self._pluggy = pluggy.PluginManager(hooks.PROJECT)
        self._pluggy.add_hookspecs(hooks)
        self._components: dict[str, type[Component]] = {}
        self._descriptors: dict[str, Descriptor] = {}
        self._broken: list[BrokenPlugin] = []

    @classmethod
    def load(
        cls,
        folders: Sequence[Path] = (),
        *,
        safe_mode: bool = False,
        quarantine: Quarantine | None = None,
    ) -> Registry:
        """Load the built-ins and, outside safe mode, all other plugins that can be found."""
        registry = cls()
        for source in find_plugins(folders, safe_mode=safe_mode):
            registry.add(source, quarantine)
        return registry

    @property
    def catalogue(self) -> Catalogue:
        """All descriptors and broken plugins."""
        return Catalogue(tuple(self._descriptors.values()), tuple(self._broken))

    def component(self, name: str) -> type[Component]:
        """Return the class behind "kind/id"."""
        try:
            return self._components[name]
        except KeyError:
            self.catalogue.get(name)  # raises with a suggestion
            raise UnknownComponentError(name) from None

    def add(self, source: PluginSource, quarantine: Quarantine | None = None) -> None:
        """Load one plugin; what goes wrong becomes a record, never an exception."""
        if quarantine is None or source.built_in:
            self._load(source)
        elif quarantine.holds(source.name, source.stamp):
            self._broken.append(
                BrokenPlugin(
                    source.name,
                    "It ended the engine while it was being loaded and is disabled. "
                    "Change or update it to have it tried again.",
                )
            )
        else:
            with quarantine.watching(source.name, source.stamp):
                self._load(source)

    def register(self, module: ModuleType, prefix: str, origin: str) -> None:
        """Take what an imported module offers, hook by hook."""
        self._pluggy.register(module)  # raises when a hook has unknown arguments
        callers = self._pluggy.get_hookcallers(module) or []
        known = {name for name in dir(hooks) if name.startswith("coterie_")}
        strange = {caller.name for caller in callers} - known
        if strange:
            raise PluginError(f"There is no hook '{sorted(strange)[0]}'. Hooks: {_listed(known)}.")
        for caller in callers:
            for implementation in caller.get_hookimpls():
                if implementation.plugin is module:
                    self._take(caller.name, implementation.function, prefix, origin)

    def _load(self, source: PluginSource) -> None:
        for name, load in _modules(source):
            failure = _guarded(partial(self._import, load, source))
            if failure is not None:
                self._broken.append(BrokenPlugin(name, *failure))

    def _import(self, load: Callable[[], ModuleType], source: PluginSource) -> None:
        module = load()
        if not _offers_something(module):
            raise PluginError(
                "It offers nothing. Decorate a function such as coterie_kernels with @hookimpl."
            )
        self.register(module, source.prefix, source.origin)

    def _take(self, hook: str, offer: Callable[[], Any], prefix: str, origin: str) -> None:
        kind = hook.removeprefix("coterie_").removesuffix("s")
        failure = _guarded(lambda: self._take_all(kind, offer(), prefix, origin))
        if failure is not None:
            self._broken.append(BrokenPlugin(f"{origin}: {hook}", *failure))

    def _take_all(self, kind: str, offered: Any, prefix: str, origin: str) -> None:
        if not isinstance(offered, list | tuple):
            raise PluginError(f"It must return a list of classes. Got {offered!r:.80}.")
        for component in offered:
            failure = _guarded(partial(self._take_one, kind, component, prefix, origin))
            if failure is not None:
                name = getattr(component, "__name__", repr(component))
                self._broken.append(BrokenPlugin(f"{origin}: {name}", *failure))

    def _take_one(self, kind: str, component: Any, prefix: str, origin: str) -> None:
        descriptor = describe(kind, component, prefix, origin)
        if descriptor.name in self._components:
            other = self._descriptors[descriptor.name].origin
            raise PluginError(
                f"{descriptor.name} is already offered by {other}. Give this one another id."
            )
        self._components[descriptor.name] = component
        self._descriptors[descriptor.name] = descriptor


def describe(kind: str, component: Any, prefix: str = "", origin: str = "") -> Descriptor:
    """Return the descriptor of a component class, or say what it does wrong."""
    base = KINDS[kind]
    if not (inspect.isclass(component) and issubclass(component, base)):
        raise PluginError(f"It must be a subclass of {base.__name__}. Got {component!r:.80}.")
    identifier, title = getattr(component, "id", None), getattr(component, "title", None)
    if not isinstance(identifier, str) or not _ID.fullmatch(identifier):
        raise PluginError(f"Its id must be lower-case words joined by '-'. Got {identifier!r}.")
    if not isinstance(title, str) or not title.strip():
        raise PluginError(f"Its title must be a few words for menus. Got {title!r}.")
    if inspect.isabstract(component):
        raise PluginError("It does not implement compute(self, *inputs, params, context).")
    for text in component.needs:
        unknown = set(Need.parse(text).accepts) - _INPUT_TYPES
        if unknown:
            raise PluginError(f"It needs '{text}', but inputs are: {_listed(_INPUT_TYPES)}.")
    schema, defaults = _schema(component)
    return Descriptor(
        kind=kind,
        id=f"{prefix}:{identifier}" if prefix else identifier,
        title=title,
        summary=component.summary(),
        description=inspect.getdoc(component) or "",
        version=str(component.version),
        reference=component.reference,
        origin=origin,
        fingerprint=_fingerprint(component),
        params=schema,
        defaults=defaults,
        needs=tuple(component.needs),
        gives=component.gives,
        extensions=tuple(getattr(component, "extensions", ())),
    )


def _schema(component: type[Component]) -> tuple[dict[str, Any], dict[str, Any]]:
    params: Any = component.Params
    if not (inspect.isclass(params) and issubclass(params, Params)):
        raise PluginError(f"Its Params must derive from {component.kind.title()}.Params.")
    try:
        schema = params.model_json_schema()
        defaults = params().as_json()
        params.model_validate(defaults)
        return json.loads(json.dumps(schema)), defaults
    except Exception as error:
        raise PluginError(f"Its Params have no valid schema and defaults: {error}") from error


def _fingerprint(component: type[Component]) -> str:
    try:
        source = Path(inspect.getfile(component)).read_bytes()
    except (OSError, TypeError):  # a frozen bundle has no source files; its version stands in
        source = f"{component.__module__} {component.version}".encode()
    return hashlib.sha256(source).hexdigest()


def _guarded(action: Callable[[], None]) -> tuple[str, str] | None:
    """Run `action`; return what went wrong as (sentence, traceback), or None."""
    try:
        action()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a plugin may even call sys.exit() at import
        sentence = str(error) if isinstance(error, PluginError) else f"{_kind(error)}: {error}"
        return sentence, traceback.format_exc()
    return None


def _kind(error: BaseException) -> str:
    return type(error).__name__


def _modules(source: PluginSource) -> Iterator[tuple[str, Callable[[], ModuleType]]]:
    """Yield each module of a plugin with the way to import it.

    A package that offers nothing itself stands for all its modules, each loaded on its own.
    """
    if source.file is not None:
        yield source.name, partial(_import_file, source.file)
        return
    package: list[ModuleType] = []
    failure = _guarded(lambda: package.append(importlib.import_module(source.module)))
    if failure is not None or _offers_something(package[0]) or not hasattr(package[0], "__path__"):
        yield source.name, partial(importlib.import_module, source.module)
        return
    for info in pkgutil.walk_packages(package[0].__path__, f"{source.module}."):
        if not info.ispkg and not info.name.rpartition(".")[2].startswith("_"):
            yield info.name, partial(importlib.import_module, info.name)


def _import_file(file: Path) -> ModuleType:
    name = f"coterie_local_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise PluginError(f"'{file.name}' is not a Python module.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # pydantic looks annotations up there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _offers_something(module: ModuleType) -> bool:
    return any(hasattr(value, f"{hooks.PROJECT}_impl") for value in vars(module).values())


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))
