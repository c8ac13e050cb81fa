"""Results that a project file does without, as they are quickly computed again.

Data that were opened, and what was found out (groups, ranks, places, models, histories, numbers)
are always stored. What is between them, similarities and data that a step made, may be left
out: the file then says how each came about, and it is computed again when it is needed.
docs/adr/0029-projects-leave-out-what-is-quickly-computed.md gives the reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from coterie.core.model.artefacts import is_key
from coterie.core.model.recipes import Recipe, Step
from coterie.projects.recipe.keys import Computed
from coterie.projects.store.held import Held
from coterie.projects.store.keeping import Keep

PATIENCE = 60.0  # seconds that a person would wait for what they look at
LEAST = 1 << 20  # bytes; less is not worth computing again
MOST = 3.0  # times the data: the size of a project that the longest computations may reach

_BETWEEN = ("affinity", "dataset")


@dataclass(frozen=True)
class LeftOut:
    """A result that is not stored, and how it came about.

    Attributes
    ----------
    parts : keys of what was published beside it, which is stored
    type, shape : what it is and how large, as of any result in a project file
    nbytes : what its arrays take
    seconds : what it takes to compute it, with those left out on the way to it
    provenance : as of any result in a project file
    """

    key: str
    parts: Mapping[str, str] = field(default_factory=dict)
    type: str = ""
    shape: tuple[int, ...] = ()
    nbytes: int = 0
    seconds: float = 0.0
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return it as it stands in the project file."""
        return {**asdict(self), "shape": list(self.shape)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> LeftOut:
        """Build it again from `as_json`; raise ValueError or TypeError when it is not that."""
        found = cls(
            key=str(value["key"]),
            parts={str(part): str(key) for part, key in dict(value.get("parts", {})).items()},
            type=str(value.get("type", "")),
            shape=tuple(int(side) for side in value.get("shape", ())),
            nbytes=int(value.get("nbytes", 0)),
            seconds=float(value.get("seconds", 0.0)),
            provenance=dict(value.get("provenance", {})),
        )
        if not all(map(is_key, (found.key, *found.parts.values()))):
            raise ValueError("a key that is not one")
        return found


def left_out_of(
    recipe: Recipe,
    computed: Mapping[str, Computed],
    fresh: Iterable[str],
    held: Mapping[str, Held],
    keep: Keep = "quick",
) -> dict[str, LeftOut]:
    """Return the steps whose results a project does without.

    Parameters
    ----------
    computed : what is to be saved
    fresh : names of the results that the recipe implies now: others could not be made again
    held : what is known of each result and part, by key
    """
    if keep == "all":
        return {}
    possible = _possible(recipe, computed, set(fresh), held)
    quick: dict[str, float] = {}
    for name in [*possible]:
        seconds = _seconds(recipe, name, computed, held, quick)
        if keep == "none" or seconds <= PATIENCE:
            quick[name] = seconds
    chosen = dict(quick)
    slow = [name for name in possible if name not in chosen]
    slow.sort(key=lambda name: held[computed[name].key].seconds / held[computed[name].key].nbytes)
    room = MOST * sum(
        held[computed[source.name].key].nbytes
        for source in recipe.sources
        if source.name in computed and computed[source.name].key in held
    )
    for name in slow:
        if held[computed[name].key].seconds == float("inf"):
            break  # nobody knows what it took
        kept = _keys(computed, chosen)
        if sum(one.nbytes for key, one in held.items() if key in kept) <= room:
            break
        chosen[name] = _seconds(recipe, name, computed, held, chosen)
    return {
        name: _record(computed[name], held, chosen[name]) for name in possible if name in chosen
    }


def _possible(
    recipe: Recipe, computed: Mapping[str, Computed], fresh: set[str], held: Mapping[str, Held]
) -> list[str]:
    """The steps that could be left out, inputs before what is made of them."""
    found = []
    for step in recipe.in_order():
        known = held.get(computed[step.name].key) if step.name in computed else None
        if known is None or known.type not in _BETWEEN or known.nbytes < LEAST:
            continue
        above = [recipe.find(name) for name in recipe.ancestors([step.name])]
        # A method that ships with Coterie is there when the project is opened.
        shipped = all(":" not in part.use for part in above if isinstance(part, Step))
        whole = all(part.name in fresh for part in above)
        if shipped and whole and not _from_scene(above, computed, held):
            found.append(step.name)
    # What a stored result is about is needed to show it: it is stored, too.
    while True:
        stored = _keys(computed, found)
        own = {key for name in found for key in computed[name].parts.values()}
        # A model that was fitted to data says nothing of their items: it is stored without them.
        models = {key for key in own if key in held and held[key].type == "model"}
        about = {held[key].dataset for key in stored - models if key in held}
        needed = [name for name in found if computed[name].key in {*about, *stored}]
        if not needed:
            return found
        found = [name for name in found if name not in needed]


def _from_scene(
    above: Iterable[Any], computed: Mapping[str, Computed], held: Mapping[str, Held]
) -> bool:
    """Whether something on the way is a scene, whose pixels are not in the project."""
    keys = (computed[part.name].key for part in above if part.name in computed)
    return any(held[key].kind == "raster" for key in keys if key in held)


def _keys(computed: Mapping[str, Computed], left: Iterable[str]) -> set[str]:
    """The keys of what is stored: of all steps but some, and of all parts."""
    left = set(left)
    return {key for name, one in computed.items() for key in _stored(one, name in left)}


def _stored(one: Computed, left: bool) -> Iterator[str]:
    if not left:
        yield one.key
    yield from one.parts.values()


def _seconds(
    recipe: Recipe,
    name: str,
    computed: Mapping[str, Computed],
    held: Mapping[str, Held],
    left: Mapping[str, float],
) -> float:
    """What it takes to compute a step, with those left out that it is made of."""
    on_the_way = [n for n in recipe.ancestors([name]) if n in left and n != name]
    return sum(held[computed[n].key].seconds for n in (name, *on_the_way))


def _record(one: Computed, held: Mapping[str, Held], seconds: float) -> LeftOut:
    known = held[one.key]
    return LeftOut(
        one.key, one.parts, known.type, known.shape, known.nbytes, seconds, known.provenance
    )
