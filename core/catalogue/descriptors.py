"""All that is known of a component without its code, and the catalogue of them all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from difflib import get_close_matches
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from coterie.core import well_known
from coterie.core.api.curves import Curve, curves_from_json
from coterie.core.api.kinds import makers_of
from coterie.core.api.proposers import Proposer
from coterie.core.api.templates import RecipeTemplate, steps_from_json
from coterie.core.errors import UnknownComponentError
from coterie.core.model.artefacts import step_key
from coterie.core.model.recipes import Step

_MOST_LOOKED_AT = 1000  # files of a folder; that of a product has some dozens


@dataclass(frozen=True)
class Need:
    """One input of a component: which types it accepts, and how many."""

    accepts: tuple[str, ...]
    optional: bool = False
    many: bool = False

    @classmethod
    def parse(cls, text: str) -> Need:
        """Read the short form of `Component.needs`.

        >>> Need.parse("clustering|dataset?")
        Need(accepts=('clustering', 'dataset'), optional=True, many=False)
        """
        return cls(
            accepts=tuple(text.rstrip("?+").split("|")),
            optional=text.endswith("?"),
            many=text.endswith("+"),
        )

    def accepts_type(self, encoding_type: str) -> bool:
        """Return whether an artefact of this type may be given."""
        return encoding_type in self.accepts or "any" in self.accepts


TAKE_COORDINATES = ("clusterer", "classifier")  # kinds whose numbers may be coordinates


@dataclass(frozen=True)
class Descriptor:
    """A component as the window, the command line and a recipe know it.

    Attributes
    ----------
    params : JSON Schema of its parameters
    defaults : every parameter's default
    origin : distribution and version it comes from, such as "mylab 1.2", or the drop-in file
    fingerprint : SHA-256 of the code of its plugin, part of the key of its results; empty for a
        built-in, whose version says when its results change
    extensions : file endings, for readers and writers
    default_for : the endings for which it is taken when none is named; None for all
    curves : what the values of its frames are called and mean
    draws : the methods whose results a plot is made for; empty for all
    interruptible : whether it stops soon when it is cancelled
    sample : whether it is a reader that makes a sample, offered on the start page
    recipe : the steps that a sample opens with; empty for those of any table
    proposes : of a clusterer, the parameters with which the automatic answer asks it for groups
    """

    kind: str
    id: str
    title: str
    summary: str
    version: str
    origin: str
    params: Mapping[str, Any]
    needs: tuple[str, ...]
    gives: str
    description: str = ""
    reference: str = ""
    fingerprint: str = ""
    defaults: Mapping[str, Any] = field(default_factory=dict)
    extensions: tuple[str, ...] = ()
    default_for: tuple[str, ...] | None = None
    curves: tuple[Curve, ...] = ()
    draws: tuple[str, ...] = ()
    interruptible: bool = True
    sample: bool = False
    recipe: tuple[Step, ...] = ()
    proposes: tuple[Mapping[str, Any], ...] = ()

    @property
    def name(self) -> str:
        """The name a recipe uses: kind/id."""
        return f"{self.kind}/{self.id}"

    @property
    def inputs(self) -> tuple[Need, ...]:
        """The inputs in order."""
        return tuple(Need.parse(text) for text in self.needs)

    @property
    def claims(self) -> tuple[str, ...]:
        """The file endings for which it is taken when no other is named."""
        return self.extensions if self.default_for is None else self.default_for

    @property
    def accepted(self) -> list[tuple[str, ...]]:
        """The types that each of its inputs may have."""
        return [need.accepts for need in self.inputs]

    def refusal(self, given: Sequence[str]) -> str:
        """Return why artefacts of these types cannot be its inputs; empty when they can."""
        needs = self.inputs
        required = sum(not need.optional for need in needs)
        many = bool(needs) and needs[-1].many
        if len(given) < required or (len(given) > len(needs) and not many):
            wanted = ", ".join(self.needs) or "nothing"
            got = ", ".join(given) or "nothing"
            return f"{self.name} works on {wanted}. Got {got}."
        for position, encoding_type in enumerate(given):
            need = needs[min(position, len(needs) - 1)]
            # Coordinates are numbers too: the engine hands them over as such.
            as_numbers = encoding_type == "embedding" and self.kind in TAKE_COORDINATES
            if not need.accepts_type("dataset" if as_numbers else encoding_type) and not (
                need.accepts_type(encoding_type)
            ):
                wanted = " or ".join(need.accepts)
                makers = list(filter(None, map(makers_of, need.accepts)))
                advice = f" Give it the result of {' or '.join(makers)}." if makers else ""
                return (
                    f"{self.name} needs {wanted} as input {position + 1}. Got {encoding_type}."
                    f"{advice}"
                )
        return ""

    def with_defaults(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return all its parameters: those given, and the defaults of the others."""
        return {**self.defaults, **params}

    def key_of(self, params: Mapping[str, Any], inputs: Sequence[str], seed: int) -> str:
        """Return the key of its result: the only place where one is made.

        Made of what is asked, not of what the component makes of it: the window, which has no code
        of plugins, and the engine come to the same key.

        Parameters
        ----------
        inputs : keys of the inputs; of a reader, the hashes of the files
        """
        return step_key(
            component=self.name,
            version=self.version,
            fingerprint=self.fingerprint,
            params=self.with_defaults(params),
            inputs=inputs,
            seed=seed,
        )

    @property
    def proposer(self) -> Proposer:
        """What the automatic answer asks."""
        return Proposer(self.name, self.title, self.inputs[0].accepts[0], self.proposes)

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain JSON; schema and defaults are its own and not to be changed."""
        # Not `asdict`, which copies each schema to its leaves, at every start.
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        curves = [curve.as_json() for curve in self.curves]
        return {**values, "curves": curves, "recipe": [asdict(step) for step in self.recipe]}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Descriptor:
        """Build it again from `as_json`."""
        listed = ("needs", "extensions", "draws", "proposes")
        lists = {name: tuple(value.get(name, ())) for name in listed}
        claimed = value.get("default_for")
        curves = curves_from_json(value.get("curves", ()))
        claimed = None if claimed is None else tuple(claimed)
        made = {"curves": curves, "default_for": claimed}
        return cls(**{**value, **lists, **made, "recipe": steps_from_json(value.get("recipe", ()))})


@dataclass(frozen=True)
class BrokenPlugin:
    """A plugin, or one component of it, that could not be loaded, and why."""

    name: str
    error: str
    traceback: str = ""


@dataclass(frozen=True)
class Catalogue:
    """The list of descriptors, of the recipes that plugins offer, and of what is broken."""

    methods: tuple[Descriptor, ...] = ()
    broken: tuple[BrokenPlugin, ...] = ()
    templates: tuple[RecipeTemplate, ...] = ()

    def __iter__(self) -> Iterator[Descriptor]:
        return iter(self.methods)

    @cached_property
    def _by_name(self) -> dict[str, Descriptor]:
        return {descriptor.name: descriptor for descriptor in self.methods}

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def get(self, name: str) -> Descriptor:
        """Return the descriptor of "kind/id", or say what comes close."""
        try:
            return self._by_name[name]
        except KeyError:
            raise UnknownComponentError(_unknown(name, list(self._by_name))) from None

    def of_kind(self, kind: str) -> tuple[Descriptor, ...]:
        """Return the descriptors of one kind, built-ins first."""
        return tuple(descriptor for descriptor in self.methods if descriptor.kind == kind)

    def samples(self) -> tuple[Descriptor, ...]:
        """Return the samples that plugins offer."""
        return tuple(descriptor for descriptor in self.methods if descriptor.sample)

    def templates_on(self, what: str) -> tuple[RecipeTemplate, ...]:
        """Return the recipes that plugins offer on "data" or on the "selection"."""
        return tuple(template for template in self.templates if template.on == what)

    def reader_for(self, name: str) -> Descriptor | None:
        """Return the reader for a file of that name ("iris.csv", ".csv.gz"); None for no reader."""
        return self._for_ending("reader", name)

    def reader_of(self, path: Path) -> Descriptor | None:
        """Return the reader for a file or folder at a path; None for no reader.

        A folder whose name ends like no data is known by a file in it: by an ending that is part
        of a name, such as "_mtl.txt", and not by one that many files have. One in which most files
        are rasters is a scene of several files.
        """
        found = self.reader_for(path.name)
        if found is not None or not path.is_dir():
            return found
        readers = self.of_kind("reader")
        marks = {end: r for r in readers for end in r.claims if not end.startswith(".")}
        try:
            with os.scandir(path) as entries:
                names = [entry.name.lower() for entry in islice(entries, _MOST_LOOKED_AT)]
        except OSError:  # a folder without permission is reported when it is read
            return None
        found = next((marks[end] for name in names for end in marks if name.endswith(end)), None)
        if found is not None or well_known.READER_RASTER not in self:
            return found
        scenes = self.get(well_known.READER_RASTER)
        rasters = sum(name.endswith(scenes.claims) for name in names)
        return scenes if rasters and 2 * rasters > len(names) else None

    def writer_for(self, name: str) -> Descriptor | None:
        """Return the writer for a file of that name; None when there is none."""
        return self._for_ending("writer", name)

    def _for_ending(self, kind: str, name: str) -> Descriptor | None:
        """The one that claims the longest ending of `name`; of several, a built-in, the first."""
        fitting = [
            (len(ending), descriptor)
            for descriptor in self.of_kind(kind)
            for ending in descriptor.claims
            if name.lower().endswith(ending)
        ]
        return max(fitting, key=lambda pair: pair[0])[1] if fitting else None

    def as_json(self) -> dict[str, Any]:
        """Return all of it as plain JSON."""
        return {
            "methods": [descriptor.as_json() for descriptor in self.methods],
            "broken": [asdict(plugin) for plugin in self.broken],
            "templates": [template.as_json() for template in self.templates],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Catalogue:
        """Build it again from `as_json`."""
        return cls(
            methods=tuple(Descriptor.from_json(entry) for entry in value["methods"]),
            broken=tuple(BrokenPlugin(**entry) for entry in value["broken"]),
            templates=tuple(map(RecipeTemplate.from_json, value.get("templates", ()))),
        )


def _unknown(name: str, known: list[str]) -> str:
    message = f"There is no method '{name}'."
    plugin = name.partition("/")[2].rpartition(":")[0]
    if plugin == "local":
        return f"{message} It comes from a file in the plugin folder, which is missing or broken."
    if plugin and not any(f"/{plugin}:" in other for other in known):
        return f"{message} It comes from the plugin '{plugin}', which is not installed."
    close = _close_to(name, known)
    if close:
        return f"{message} Did you mean {' or '.join(close)}?"
    return f"{message} 'coterie methods' lists all methods."


def _close_to(name: str, known: list[str]) -> list[str]:
    """Return what may have been meant: an id of the same kind, else any name."""
    kind, slash, wanted = name.partition("/")
    siblings = [other.removeprefix(kind + slash) for other in known if other.startswith(kind + "/")]
    if siblings:
        return [kind + slash + id for id in get_close_matches(wanted, siblings, n=3, cutoff=0.7)]
    if not slash:  # the kind was left out
        ids = {other.partition("/")[2] for other in known}
        meant = get_close_matches(name, sorted(ids), n=3, cutoff=0.7)
        return [other for other in known if other.partition("/")[2] in meant[:1]] or [
            other for other in known if other.partition("/")[2] in meant
        ]
    return get_close_matches(name, known, n=3, cutoff=0.7)
