"""Which results of a project can be exported, and by which writers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from coterie.core.catalogue.descriptors import Catalogue, Descriptor
from coterie.projects.recipe.inputs import type_of

if TYPE_CHECKING:
    from coterie.projects.session import Session


@dataclass(frozen=True)
class ExportChoice:
    """A result, or a part of one, that can be written; `type` says what it is."""

    name: str
    part: str
    type: str

    @property
    def title(self) -> str:
        """What it is called in a list."""
        called = f"{self.name} · {self.part}" if self.part else self.name
        return called if self.part == self.type else f"{called} ({self.type})"


def offers_of(session: Session) -> list[ExportChoice]:
    """Return all results there are, fresh or stale, with their parts."""
    offers = []
    for name in session.recipe.names:
        if session.results.key(name) is None:
            continue
        kind = type_of(session.recipe, session.catalogue, name)
        kind = kind or str(session.results.provenance(name).get("gives", "result"))
        offers.append(ExportChoice(name, "", kind))
        offers += [ExportChoice(name, part, part) for part in session.results.parts(name)]
    return offers


def writers_for(catalogue: Catalogue, offer: ExportChoice) -> list[Descriptor]:
    """Return the writers that take a result, the likeliest first.

    A graph is best written as a graph; all else, also data that hold a graph, as a table.
    """

    def takes_anything(writer: Descriptor) -> bool:
        return "any" in writer.inputs[0].accepts

    able = [
        writer
        for writer in catalogue.of_kind("writer")
        if writer.inputs and (writer.inputs[0].accepts_type(offer.type) or takes_anything(writer))
    ]
    return sorted(able, key=lambda w: takes_anything(w) == (offer.type == "affinity"))


def ending_of(writer: Descriptor) -> str:
    """Return the ending that a file of this writer gets."""
    return next(iter((*writer.claims, *writer.extensions)), "")


def with_writers_ending(path: Path, writer: Descriptor) -> Path:
    """Return the path with an ending that the writer knows; one that it knows is kept.

    >>> from types import SimpleNamespace
    >>> writer = SimpleNamespace(claims=(".graphml",), extensions=(".graphml",))
    >>> with_writers_ending(Path("near.csv"), writer).name
    'near.graphml'
    """
    if path.name.lower().endswith(tuple(writer.extensions)) or not ending_of(writer):
        return path
    stem = path.name.rsplit(".", 1)[0] if path.suffix else path.name
    return path.with_name(stem + ending_of(writer))


def file_name(project: str, offer: ExportChoice) -> str:
    """Return a name for the file, without ending: what the project and the result are called."""
    words = "-".join(filter(None, (project, offer.name, offer.part)))
    kept = "".join(c if c.isalnum() or c in "-_" else " " for c in words)
    return "-".join(kept.split()) or "result"
