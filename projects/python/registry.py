"""The methods that this process can run: the built-ins at once, plugins when they are asked for."""

from __future__ import annotations

from functools import cache, partial

from coterie.core.api.components import Component
from coterie.core.api.kinds import KINDS
from coterie.core.catalogue.built_ins import BuiltIns
from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.core.catalogue.quarantine import Quarantine
from coterie.core.catalogue.registry import Registry
from coterie.core.engine.nested_runs import DirectRuns
from coterie.core.engine.options import EngineOptions
from coterie.core.errors import ParameterError


@cache
def built_ins() -> Registry:
    """Return the built-in methods; each is imported when it is first used."""
    options = EngineOptions(plugin_folders=())
    return Registry.load(safe_mode=True, built_ins=BuiltIns(options.built_ins_file))


@cache
def all_methods() -> Registry:
    """Return the built-in methods and those of plugins, which are loaded into this process."""
    options = EngineOptions()
    quarantine = Quarantine(options.quarantine_folder)
    quarantine.collect()
    return Registry.load(
        options.plugin_folders,
        quarantine=quarantine,
        built_ins=BuiltIns(options.built_ins_file),
    )


def registry_of(use: str) -> Registry:
    """Return the methods among which "kind/id" is: plugins are loaded only if it is not built in.

    A name that nobody knows raises `UnknownComponentError`, with the nearest names.
    """
    if not isinstance(use, str):
        raise ParameterError(
            f"A method is named by a text such as 'kind/id'. Got {use!r:.80}.",
            code="invalid-parameters",
        )
    if use in built_ins().catalogue:
        return built_ins()
    all_methods().catalogue.get(use)
    return all_methods()


def describe(use: str) -> Descriptor:
    """Return what is known of a method: its title, summary, parameters, inputs and reference.

    >>> describe("kernel/gaussian").needs
    ('dataset',)
    """
    return registry_of(use).catalogue.get(use)


def component(use: str) -> type[Component]:
    """Return the class of a method."""
    return registry_of(use).component(use)


def methods(kind: str = "") -> list[str]:
    """Return the names of all methods, or of those of one kind, plugins included.

    >>> "kmeans" in [name.partition("/")[2] for name in methods("clusterer")]
    True
    """
    if kind and kind not in KINDS:
        known = "', '".join(sorted(KINDS))
        raise ParameterError(
            f"'{kind!s:.80}' is not a kind of methods. Name one of '{known}'.",
            code="invalid-parameters",
        )
    found: Catalogue = all_methods().catalogue
    return [descriptor.name for descriptor in found if kind in ("", descriptor.kind)]


def runs_for(use: str) -> DirectRuns:
    """Return what runs other methods for this one."""
    return DirectRuns(partial(registry_of, use))


def reload() -> None:
    """Look for plugins again, as after installing one; code that is loaded stays as it is."""
    built_ins.cache_clear()
    all_methods.cache_clear()
