"""The installed plugins: what each provides, its problems, and whether it is switched on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from coterie.core.catalogue.descriptors import BrokenPlugin, Catalogue, Descriptor
from coterie.core.catalogue.discovery import PluginSource, find_plugins
from coterie.core.catalogue.quarantine import Quarantine
from coterie.core.wording import counted

if TYPE_CHECKING:
    from coterie.core.engine.options import EngineOptions

State = Literal["on", "off", "broken", "held", "waiting"]

WORDS: dict[State, str] = {
    "on": "in use",
    "off": "switched off",
    "broken": "broken",
    "held": "disabled: it crashed the engine",
    "waiting": "found, not yet loaded",
}


@dataclass(frozen=True)
class Plugin:
    """One plugin as the person sees it.

    Attributes
    ----------
    name : what it is called
    key : what it is known by when it is switched on or off; empty for the built-ins
    origin : distribution and version, or the file
    place : where it is, if it is a file
    """

    name: str
    key: str
    origin: str
    state: State
    methods: tuple[Descriptor, ...] = ()
    problems: tuple[BrokenPlugin, ...] = ()
    place: str = ""

    @property
    def can_switch(self) -> bool:
        """Whether it may be switched on and off; the built-ins may not."""
        return bool(self.key)

    @property
    def is_off(self) -> bool:
        """Whether switching it on is what can be done."""
        return self.state in ("off", "held")

    @property
    def summary(self) -> str:
        """Its state and how much it offers, in a line."""
        count = len(self.methods)
        offers = counted(count, "method") if count else ""
        return "  ·  ".join(part for part in (WORDS[self.state], offers) if part)


def plugins_of(catalogue: Catalogue, options: EngineOptions) -> tuple[Plugin, ...]:
    """Return the plugins that can be found, with what the catalogue knows of each.

    Nothing is imported. In safe mode only the built-ins are looked for.
    """
    quarantine = Quarantine(options.quarantine_folder)
    found = find_plugins(options.plugin_folders, safe_mode=options.safe_mode)
    return tuple(_plugin(source, catalogue, quarantine) for source in found)


def _plugin(source: PluginSource, catalogue: Catalogue, quarantine: Quarantine) -> Plugin:
    methods = tuple(method for method in catalogue if method.origin == source.origin)
    problems = tuple(broken for broken in catalogue.broken if _concerns(broken, source))
    return Plugin(
        name="Built-in methods" if source.built_in else _title(source),
        key="" if source.built_in else source.name,
        origin=source.origin,
        state=_state(source, methods, problems, quarantine),
        methods=methods,
        problems=problems,
        place=str(source.file) if source.file is not None else "",
    )


def _state(
    source: PluginSource,
    methods: Sequence[Descriptor],
    problems: Sequence[BrokenPlugin],
    quarantine: Quarantine,
) -> State:
    if not source.built_in and source.name in quarantine.switched_off():
        return "off"
    if not source.built_in and quarantine.holds(source.name, source.stamp):
        return "held"
    if problems:
        return "broken"
    return "on" if methods else "waiting"


def _concerns(broken: BrokenPlugin, source: PluginSource) -> bool:
    """Whether a record is about this plugin: all of it, a hook, or a module of it."""
    if broken.name in (source.name, source.known_as):
        return True
    # Two files of one name in two folders share their origin: the longer name decides.
    return broken.name.startswith(f"{source.origin}:") or (
        bool(source.module) and broken.name.startswith(f"{source.module}.")
    )


def _title(source: PluginSource) -> str:
    return source.file.name if source.file is not None else source.name.partition(":")[0]
