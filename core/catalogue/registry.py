"""Loads plugins one by one, each inside a guard, and keeps what they offer.

pluggy carries the registration, but its own loader stops at the first failure and its hook calls
fan out. Here a plugin that fails, or does not offer what it declares, becomes a record that says
why, and the others go on.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import pkgutil
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pluggy

from coterie.core.api import hooks
from coterie.core.api.components import Component
from coterie.core.api.kinds import KINDS, kind_of_hook
from coterie.core.api.templates import RecipeTemplate, with_prefix
from coterie.core.catalogue.built_ins import BuiltIns, KnownMethod
from coterie.core.catalogue.describing import describe
from coterie.core.catalogue.descriptors import BrokenPlugin, Catalogue, Descriptor
from coterie.core.catalogue.discovery import PluginSource, find_plugins
from coterie.core.catalogue.proposer_keys import asking
from coterie.core.catalogue.quarantine import Quarantine
from coterie.core.catalogue.watch import EngineWatch
from coterie.core.errors import PluginError, UnknownComponentError, in_words
from coterie.core.io.tracing import HOOKS, is_traced, trace_hook, trace_offer
from coterie.core.version import VERSION

LOCAL_PREFIX = "coterie_local_"  # names of the modules that drop-in files become


class Registry:
    """The components that are there to use, and the plugins that are not."""

    def __init__(self) -> None:
        self._pluggy = pluggy.PluginManager(hooks.PROJECT)
        self._pluggy.add_hookspecs(hooks.specifications())
        self._components: dict[str, type[Component]] = {}
        self._descriptors: dict[str, Descriptor] = {}
        self._known: dict[str, KnownMethod] = {}
        self._broken: list[BrokenPlugin] = []
        self._templates: dict[str, RecipeTemplate] = {}

    @classmethod
    def load(
        cls,
        folders: Sequence[Path] = (),
        *,
        safe_mode: bool = False,
        quarantine: Quarantine | None = None,
        built_ins: BuiltIns | None = None,
    ) -> Registry:
        """Load the built-ins and, outside safe mode, all other plugins that can be found.

        Built-in methods that are known from an earlier start are imported when they are used.
        """
        registry = cls()
        for source in find_plugins(folders, safe_mode=safe_mode):
            if source.built_in and built_ins is not None and not is_traced(HOOKS):
                registry._add_known(source, built_ins)
            else:
                registry.add(source, quarantine)
        return registry

    @property
    def catalogue(self) -> Catalogue:
        """All descriptors and broken plugins."""
        methods, templates = asking(self._descriptors), tuple(self._templates.values())
        return Catalogue(methods, tuple(self._broken), templates)

    def component(self, name: str) -> type[Component]:
        """Return the class behind "kind/id"."""
        if name in self._known and name not in self._components:
            self._components[name] = self._imported(self._known[name])
        try:
            return self._components[name]
        except KeyError:
            self.catalogue.get(name)  # raises with a suggestion
            raise UnknownComponentError(name) from None

    def add(self, source: PluginSource, quarantine: Quarantine | None = None) -> None:
        """Load one plugin; what goes wrong becomes a record, never an exception."""
        if source.unmet:
            self._note(
                source.known_as,
                f"It requires {source.unmet}, but this is Coterie {VERSION}. Install a version "
                "of the plugin for this Coterie, or update Coterie.",
            )
        elif quarantine is None or source.built_in:
            self._load(source)
        elif source.name in quarantine.switched_off():
            self._note(source.known_as, "It is switched off. Switch it on under Help, Plugins.")
        elif quarantine.holds(source.name, source.stamp):
            self._note(
                source.known_as,
                "It crashed the engine while loading, so it is disabled. It is tried again after "
                "it has been changed or updated.",
            )
        else:
            with quarantine.watching(source.name, source.stamp):
                self._load(source)

    def _add_known(self, source: PluginSource, built_ins: BuiltIns) -> None:
        """Take what is known of the built-ins; load them when nothing is, and keep it."""
        self._known = {known.descriptor.name: known for known in built_ins.read()}
        if self._known:
            self._descriptors |= {name: known.descriptor for name, known in self._known.items()}
            return
        self.add(source)
        if not self._broken:
            components = self._components
            built_ins.write({n: (d, components[n]) for n, d in self._descriptors.items()})

    @staticmethod
    def _imported(known: KnownMethod) -> type[Component]:
        component = known.component()
        # The key of a result speaks of the version that was there at the start.
        if component.version != known.descriptor.version:
            name = known.descriptor.name
            raise PluginError(
                f"{name} has changed since Coterie started. Restart Coterie.",
                code="plugin-changed",
            )
        return component

    def register(self, module: ModuleType, source: PluginSource) -> None:
        """Take what an imported module offers, hook by hook; its own classes if it has no hook."""
        for template in own_templates(module):
            failure = _guarded(partial(self._take_template, template, source))
            if failure is not None:
                self._note(f"{source.origin}: {template.id!s:.80}", *failure)
        if not _has_hooks(module):
            offered = own_components(module)
            trace_offer(source.origin, module.__name__, offered)
            for component in offered:
                self._take_all(getattr(component, "kind", ""), [component], source)
            return
        try:
            self._pluggy.register(module)
        except pluggy.PluginValidationError as error:  # unknown arguments
            raise PluginError(
                "One of its hooks takes arguments that hooks do not have. "
                f"Write it as 'def {_hook_in(str(error))}():'.",
                code="invalid-plugin",
            ) from error
        for caller in self._pluggy.get_hookcallers(module) or []:
            for implementation in caller.get_hookimpls():
                if implementation.plugin is module:
                    self._take(caller.name, implementation.function, source)

    def _load(self, source: PluginSource) -> None:
        """Load a plugin. A package that offers nothing itself stands for all its modules."""
        if source.file is not None:
            name, load = source.origin, partial(import_file, source.file)
        else:
            name, load = source.name, partial(importlib.import_module, source.module)
        if source.built_in:
            offers = self._load_module(name, load, source)
        else:
            offers = self._load_watched(name, load, source)
        if offers == 0:
            self._note(
                name,
                "It provides no methods. Define a class that derives from Kernel or another kind, "
                "with an id, or a RecipeTemplate.",
            )

    def _load_watched(self, name: str, load: Callable[[], ModuleType], source: PluginSource) -> int:
        """Load a plugin, and leave its methods out if it replaced what the engine relies on."""
        before, imported = set(self._descriptors), set(sys.modules)
        templates = dict(self._templates)
        offers = 1

        def take() -> None:
            nonlocal offers
            with EngineWatch():
                offers = self._load_module(name, load, source)

        failure = _guarded(take)
        if failure is not None:
            for offered in set(self._descriptors) - before:
                del self._descriptors[offered]
                self._components.pop(offered, None)
            self._templates = templates
            # Drop-in files that are loaded go along to the workers of a cluster.
            for module in set(sys.modules) - imported:
                if module.startswith(LOCAL_PREFIX):
                    del sys.modules[module]
            self._note(name, *failure)
        self._name_own_methods(source)
        return offers

    def _name_own_methods(self, source: PluginSource) -> None:
        """Put the prefix of a plugin before its own methods in the steps that it offers."""
        for name, method in self._descriptors.items():
            if method.recipe and method.origin == source.origin:
                steps = with_prefix(method.recipe, source.prefix, self._descriptors)
                self._descriptors[name] = replace(method, recipe=steps)
        for name, template in self._templates.items():
            if template.origin == source.origin:
                steps = with_prefix(template.steps, source.prefix, self._descriptors)
                self._templates[name] = replace(template, steps=steps)

    def _load_module(self, name: str, load: Callable[[], ModuleType], source: PluginSource) -> int:
        """Load one module, or the modules below it; return how many offered or failed."""
        imported: list[ModuleType] = []
        below: list[str] = []

        def take() -> None:
            module = load()
            if _has_hooks(module) or own_components(module) or own_templates(module):
                imported.append(module)
                self.register(module, source)
            else:
                below.extend(_modules_below(module))

        failure = _guarded(take)
        if failure is not None:
            self._note(name, *failure)
            return 1
        return len(imported) + sum(
            self._load_module(below_it, partial(importlib.import_module, below_it), source)
            for below_it in below
        )

    def _note(self, name: str, error: str, traceback: str = "") -> None:
        self._broken.append(BrokenPlugin(name, error, traceback))

    def _take(self, hook: str, offer: Callable[[], Any], source: PluginSource) -> None:
        kind, origin = kind_of_hook(hook), source.origin
        if kind is None:
            known = ", ".join(kind.hook for kind in KINDS.values())
            self._note(f"{origin}: {hook}", f"There is no hook '{hook}'. Hooks: {known}.")
            return
        failure = _guarded(lambda: self._take_all(kind.name, _asked(offer, hook, origin), source))
        if failure is not None:
            self._note(f"{origin}: {hook}", *failure)

    def _take_all(self, kind: str, offered: Any, source: PluginSource) -> None:
        if not isinstance(offered, list | tuple):
            raise PluginError(
                f"It must return a list of classes. Got {offered!r:.80}.", code="invalid-plugin"
            )
        for component in offered:
            failure = _guarded(partial(self._take_one, kind, component, source))
            if failure is not None:
                name = getattr(component, "__name__", repr(component))
                self._note(f"{source.origin}: {name}", *failure)

    def _take_template(self, template: RecipeTemplate, source: PluginSource) -> None:
        template.check()
        known = template.known_as(source.prefix, source.origin)
        if known.id in self._templates and self._templates[known.id] != known:
            raise PluginError(
                f"There are two recipes '{known.id}'. Give this one another id.",
                code="duplicate-method",
            )
        self._templates[known.id] = known

    def _take_one(self, kind: str, component: Any, source: PluginSource) -> None:
        descriptor = describe(kind, component, source.prefix, source.origin, source.fingerprint)
        if descriptor.name in self._descriptors:
            other = self._descriptors[descriptor.name].origin
            raise PluginError(
                f"{descriptor.name} is already offered by {other}. Give this one another id.",
                code="duplicate-method",
            )
        self._components[descriptor.name] = component
        self._descriptors[descriptor.name] = descriptor


def own_templates(module: ModuleType) -> list[RecipeTemplate]:
    """Return the recipes that a module defines, or imports from another of its plugin."""
    found = [value for value in vars(module).values() if isinstance(value, RecipeTemplate)]
    return list({id(template): template for template in found}.values())


def _guarded(action: Callable[[], None]) -> tuple[str, str] | None:
    """Run `action`; return what went wrong as (sentence, traceback), or None."""
    try:
        action()
    # A plugin may even call sys.exit() at import. KeyboardInterrupt is its own as well: an engine
    # does not listen to Ctrl-C.
    except BaseException as error:
        return in_words(error), traceback.format_exc()
    return None


def _asked(offer: Callable[[], Any], hook: str, origin: str) -> Any:
    """Call a hook, and print it when hooks are traced."""
    try:
        given = offer()
    except BaseException as error:
        trace_hook(origin, hook, error=error)
        raise
    trace_hook(origin, hook, given)
    return given


def _modules_below(package: ModuleType) -> list[str]:
    """Return the modules of a package, those whose name begins with '_' aside."""
    return [
        info.name
        for info in pkgutil.iter_modules(getattr(package, "__path__", ()), f"{package.__name__}.")
        if not info.name.rpartition(".")[2].startswith("_")
    ]


def _hook_in(text: str) -> str:
    hooks = (kind.hook for kind in KINDS.values())
    return next((hook for hook in hooks if hook in text), "coterie_kernels")


def import_file(file: Path) -> ModuleType:
    """Import a drop-in file under a name of its own."""
    # The folder is in the name: two folders may hold files of one name.
    folder = hashlib.sha256(str(file.parent).encode()).hexdigest()[:8]
    name = f"{LOCAL_PREFIX}{folder}_{re.sub(r'[^A-Za-z0-9_]', '_', file.stem)}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise PluginError(f"'{file.name}' is not a Python module.", code="invalid-plugin")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # pydantic looks annotations up there
    # After all else, so a file beside it can be imported, now and while it runs, and hides nothing.
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
        importlib.invalidate_caches()
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def _has_hooks(module: ModuleType) -> bool:
    return any(hasattr(value, f"{hooks.PROJECT}_impl") for value in vars(module).values())


def own_components(module: ModuleType) -> list[type[Component]]:
    """Return the component classes that a module defines and gives an id.

    What it imports is offered where it is defined; a name that begins with '_' is its own affair.
    """
    found = [
        value
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and issubclass(value, Component)
        and value.__module__ == module.__name__
        and hasattr(value, "id")
        and not name.startswith("_")
    ]
    return list(dict.fromkeys(found))
