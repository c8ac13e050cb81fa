"""Which results of a project the views show: the chosen one of each kind, else the newest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from coterie.core.api.kinds import KINDS
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.recipes import Step
from coterie.core.model.results import Clustering, Embedding, Ranking, Trace
from coterie.gui.views.shown_items.corrections import latest

if TYPE_CHECKING:
    from coterie.projects.session import Session

_STILL = 1e-6  # relative; a curve that changes less is a straight line on any screen
N = TypeVar("N", Dataset, Affinity, Clustering, Ranking, Embedding, Trace)


@dataclass(frozen=True)
class Shown:
    """The artefacts that the views draw, each with the name of the step it comes from."""

    dataset: Dataset | None = None
    dataset_step: str = ""
    clustering: Clustering | None = None
    clustering_step: str = ""
    ranking: Ranking | None = None
    ranking_step: str = ""
    embedding: Embedding | None = None
    embedding_step: str = ""
    trace: Trace | None = None
    trace_step: str = ""
    stale: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """Number of items."""
        return 0 if self.dataset is None else self.dataset.n

    @property
    def group_colours(self) -> tuple[str, ...]:
        """What `group_colour` needs to know of the groups that are shown."""
        return () if self.clustering is None else self.clustering.colours


def look(session: Session, chosen: str = "") -> Shown:
    """Return what to show when the person chose the step `chosen`, or nothing yet.

    Everything shown is about the same items. The chosen step comes first, then what it was made
    from, then the newest; of data sets, one that was not chosen is shown as it was opened, or as
    it was sampled when the results are about a sample, with names and classes as they were
    corrected. Pixels that stay on disk are not shown.
    """
    recipe = session.recipe
    if chosen not in recipe.names:
        chosen = ""
    source = _root(session, chosen) if chosen else next(iter(recipe.names), "")
    names = _by_preference(session, chosen, source)
    dataset, dataset_step = _items(session, source, names)
    if chosen and (other := _artefact(session, chosen, Dataset)) is not None and not other.on_disk:
        dataset, dataset_step = other, chosen
    fixed = latest(recipe, dataset_step) if dataset_step else ""
    if fixed != dataset_step and (better := _artefact(session, fixed, Dataset)) is not None:
        dataset, dataset_step = better, fixed
    if dataset is None:
        return Shown()
    n = dataset.n
    clustering = _first(session, names, Clustering, lambda a: a.n == n)
    ranking = _first(session, names, Ranking, lambda a: len(a.scores) == n)
    embedding = _first(session, names, Embedding, lambda a: len(a.coordinates) == n)
    trace = _trace(session, names, chosen)
    return Shown(
        dataset, dataset_step, *clustering, *ranking, *embedding, *trace,
        stale=tuple(name for name in names if session.status(name) == "stale"),
    )  # fmt: skip


def opened(session: Session, chosen: str = "") -> Dataset | None:
    """Return the data that the chosen step begins with, as they were opened; they may be a scene.

    Without a choice, the first data of the project.
    """
    recipe = session.recipe
    source = _root(session, chosen) if chosen in recipe.names else next(iter(recipe.names), "")
    return _artefact(session, source, Dataset)


def look_for_affinity(session: Session, chosen: str, n: int) -> tuple[Affinity | None, str, str]:
    """Return the similarities of n items to show, the step they come from, and one to run first.

    Not part of `look`, as the other views have no need to bring them from the project file.
    """
    names = _about_the_same(session, chosen)
    affinity, step = _first(session, names, Affinity, lambda a: a.n == n)
    waiting = [name for name in names if gives(session, name) == "affinity"]
    return affinity, step, waiting[0] if waiting and affinity is None else ""


def affinity_step(session: Session, chosen: str, n: int) -> str:
    """Return the step whose similarities of n items a further step can follow, or nothing.

    Similarities that are still in the project file count too: a step that follows them needs no
    more than their name.
    """
    for name in _about_the_same(session, chosen):
        if gives(session, name) == "affinity":
            found = _artefact(session, name, Affinity)
            items = session.results.length_in_file(name) if found is None else found.n
            if items == n:
                return name
    return ""


def numbers_behind(session: Session, step: str) -> str:
    """Return the step with the numbers that the similarities of a step compare, or nothing.

    Nothing, too, where some are missing, or where the similarities compare something else.
    """
    part = session.recipe.find(step)
    while isinstance(part, Step) and part.of and gives(session, part.name) != "dataset":
        part = session.recipe.find(part.of[0])
    data = _artefact(session, part.name, Dataset)
    if data is None or data.features is None or data.on_disk:
        return ""
    stored: Any = data.features
    values = stored.data if is_sparse(stored) else stored
    return part.name if np.isfinite(values).all() else ""


def why_outdated(old: Iterable[str]) -> str:
    """Return the sentence of a view that draws results of these steps, which are out of date."""
    names = " and ".join(f"'{name}'" for name in old)
    if not names:
        return ""
    # A parameter, the data, or, in a project from another version, the method itself.
    return f"Settings or inputs changed since {names} ran. Run again to update this view."


def gives_any(session: Session, types: Iterable[str]) -> bool:
    """Return whether a step of the recipe gives, or once it has run will give, one of the types."""
    return bool(giving(session, types))


def giving(session: Session, types: Iterable[str]) -> list[str]:
    """Return the steps that give, or once they have run will give, one of the types."""
    wanted = set(types)
    return [
        name
        for name in session.recipe.names
        if gives(session, name) in wanted or wanted.intersection(session.results.parts(name))
    ]


def same_items(session: Session, one: str, other: str) -> bool:
    """Return whether two steps are about the items of the same data set."""
    names = session.recipe.names
    if one not in names or other not in names:
        return False
    return _root(session, one) == _root(session, other)


def _items(session: Session, source: str, names: list[str]) -> tuple[Dataset | None, str]:
    """The data as they were opened, or the first data of as many items as the results have."""
    dataset = _artefact(session, source, Dataset)
    n = next((found for name in names if (found := _size(session, name))), 0)
    if dataset is None or (not dataset.on_disk and n in (0, dataset.n)):
        return dataset, source
    own = set(names)
    for step in session.recipe.in_order():
        if step.name in own:
            other = _artefact(session, step.name, Dataset)
            if other is not None and not other.on_disk and n in (0, other.n):
                return other, step.name
    return (None, "") if dataset.on_disk else (dataset, source)


def _size(session: Session, name: str) -> int:
    """The number of items that a step's groups, ranks or places are about; 0 when it has none."""
    if gives(session, name) not in ("clustering", "ranking", "embedding"):
        return 0
    found = session.results.artefact(name)
    if isinstance(found, Clustering):
        return found.n
    if isinstance(found, Ranking):
        return len(found.scores)
    return len(found.coordinates) if isinstance(found, Embedding) else 0


def _root(session: Session, name: str) -> str:
    part = session.recipe.find(name)
    while isinstance(part, Step) and part.of:
        part = session.recipe.find(part.of[0])
    return part.name


def _about_the_same(session: Session, chosen: str) -> list[str]:
    """All steps on the items that the chosen step is about, else on the first data."""
    recipe = session.recipe
    if not recipe.names:
        return []
    if chosen not in recipe.names:
        chosen = ""
    return _by_preference(session, chosen, _root(session, chosen or recipe.names[0]))


def _by_preference(session: Session, chosen: str, source: str) -> list[str]:
    """All steps on the items of `source`, those to be shown first at the front."""
    recipe = session.recipe
    off = recipe.switched_off()  # what is switched off is shown only when it is asked for
    newest = [
        step.name
        for step in reversed(recipe.in_order())
        if step.name not in off and _root(session, step.name) == source
    ]
    if not chosen:
        return newest
    lineage = list(reversed(recipe.ancestors([chosen])))
    return list(dict.fromkeys([*(name for name in lineage if name != source), *newest]))


def _artefact(session: Session, name: str, noun: type[N]) -> N | None:
    found = (
        session.results.artefact(name)
        if name and gives(session, name) == noun.encoding_type
        else None
    )
    return found if isinstance(found, noun) else None


def _first(
    session: Session, names: list[str], noun: type[N], fits: Callable[[N], bool]
) -> tuple[N | None, str]:
    wanted = noun.encoding_type
    for name in names:
        part = wanted if wanted in session.results.parts(name) else ""
        if part or gives(session, name) == wanted:
            found = session.results.artefact(name, part)
            if isinstance(found, noun) and fits(found):
                return found, name
    return None, ""


def _trace(session: Session, names: list[str], chosen: str) -> tuple[Trace | None, str]:
    """The chosen step's history, else the newest in which something moved, else the newest.

    That of a ranking comes last: how groups and similarities came about is what one watches.
    """
    own = [name for name in names if name == chosen]
    names = sorted(names, key=lambda name: gives(session, name) == "ranking")
    tries: tuple[tuple[list[str], Callable[[Trace], bool]], ...] = (
        (own, lambda trace: len(trace.iterations) > 0),
        (names, lambda trace: _moves(trace) and _has_states(trace)),
        (names, _moves),
        (names, lambda trace: len(trace.iterations) > 1),
    )
    for some, fits in tries:
        if (first := _first(session, some, Trace, fits))[0] is not None:
            return first
    return _first(session, names, Trace, lambda trace: len(trace.iterations) > 0)


def _has_states(trace: Trace) -> bool:
    """Whether there is more to see of a run than its curves."""
    return any(one is not None for one in (trace.shares, trace.labels, trace.coordinates))


def _moves(trace: Trace) -> bool:
    """Whether a curve of a run goes up or down; of starts that all end alike none does."""
    for name in trace.values.keys() - {"support"}:
        curve = trace.value(name)
        known = curve[np.isfinite(curve)]
        if len(known) > 1 and np.ptp(known) > _STILL * np.abs(known).max():
            return True
    return False


def gives(session: Session, name: str) -> str:
    """What a step gives, known from its kind: looking at it would load it from the file."""
    part = session.recipe.find(name)
    kind = part.use.partition("/")[0] if isinstance(part, Step) else "reader"
    return KINDS[kind].gives if kind in KINDS else ""
