"""The lines of the comparison: candidates of the automatic answer, and groups of other steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from coterie.core.model.recipes import Step
from coterie.core.model.results import Clustering
from coterie.gui.views.shown_items.displayed import same_items
from coterie.projects.candidates import AUTOMATIC, ListedCandidate, adopted, candidates_of
from coterie.projects.recipe import group_edits

if TYPE_CHECKING:
    from coterie.core.model.dataset import Dataset
    from coterie.projects.session import Session


@dataclass(frozen=True, eq=False)
class Row:
    """One grouping.

    Attributes
    ----------
    key : the same as long as the grouping is the same, for what is pinned or removed
    remark : what it is among the others: "chosen", "alternative", "step 'name'" or nothing
    expected, agreement, stability : as in `ListedCandidate`; None where nobody estimated them
    truth : agreement with the known classes; None without them, and while it is worked out
    number : of the candidate; −1 for the groups of a step
    step : that has the groups; empty for a candidate that was not adopted
    groups : None while they are not at hand
    """

    key: str
    title: str
    remark: str
    k: int
    sizes: tuple[int, ...]
    unassigned: int
    expected: float | None = None
    agreement: float | None = None
    stability: float | None = None
    truth: float | None = None
    number: int = -1
    step: str = ""
    chosen: bool = False
    groups: Clustering | None = None

    @property
    def sizes_in_words(self) -> str:
        """The sizes of the groups, the largest first."""
        shown = sorted(self.sizes, reverse=True)
        said = ", ".join(f"{size:,}" for size in shown[:_MOST_SIZES])
        more = f" and {len(shown) - _MOST_SIZES} more" if len(shown) > _MOST_SIZES else ""
        among = " of these at first" if self.number >= 0 else ""  # a candidate's are filled up
        loose = f"; {self.unassigned:,}{among} in no group" if self.unassigned else ""
        return f"{said}{more}{loose}"


_MOST_SIZES = 8


def automatic_step(session: Session, shown_step: str) -> str:
    """Return the automatic step whose candidates are compared; empty for none.

    That of the groups that are shown, else the newest.
    """
    recipe = session.recipe
    if shown_step in recipe.names:
        origin = group_edits.origin_of(recipe, shown_step)
        if getattr(recipe.find(origin), "use", "") == AUTOMATIC:
            return origin
    off = recipe.switched_off()
    found = [step.name for step in recipe.steps if step.use == AUTOMATIC and step.name not in off]
    return found[-1] if found else ""


def rows_of(session: Session, automatic: str, data: Dataset) -> tuple[Row, ...]:
    """Return the candidates of an automatic step, then the groups of other steps."""
    rows: list[Row] = []
    answer = session.results.artefact(automatic) if automatic else None
    if isinstance(answer, Clustering) and answer.n == data.n:
        found = candidates_of(answer, lambda part: _part(session, automatic, part))
        steps = _adopted(session, automatic, found)
        for number, one in enumerate(found):
            own = automatic if one.chosen else steps.get(number, "")
            rows.append(_of_candidate(number, one, own))
        if not any(row.chosen for row in rows):
            rows.insert(0, _of_step(automatic, answer, remark="chosen"))
    listed = {row.step for row in rows}
    rows += [
        _of_step(step.name, groups)
        for step, groups in _groupings(session, data.n)
        if step.name not in listed and step.use != group_edits.EDIT
    ]
    return tuple(rows)


def _part(session: Session, step: str, part: str) -> Clustering | None:
    found = session.results.artefact(step, part) if part else None
    return found if isinstance(found, Clustering) else None


def _groupings(session: Session, n: int) -> Iterator[tuple[Step, Clustering]]:
    """The steps on the first data that have groups of as many items, and those groups."""
    recipe = session.recipe
    off = recipe.switched_off()
    for step in recipe.in_order():
        if not step.use.startswith("clusterer/") or step.name in off:
            continue
        found = session.results.artefact(step.name)
        if (
            isinstance(found, Clustering)
            and found.n == n
            and same_items(session, step.name, recipe.names[0])
        ):
            yield step, found


def _adopted(
    session: Session, automatic: str, candidates: Sequence[ListedCandidate]
) -> dict[int, str]:
    """The steps of the recipe that do what a candidate does on the same data, by its number."""
    recipe = session.recipe
    found = {}
    for number, one in enumerate(candidates):
        if one.steps and not one.chosen:
            after, name = adopted(recipe, automatic, one.steps)
            if name in recipe.names and len(after.steps) == len(recipe.steps):
                found[number] = name
    return found


def _of_candidate(number: int, one: ListedCandidate, step: str) -> Row:
    remark = "chosen" if one.chosen else "alternative" if one.is_answer else ""
    if step and not one.chosen:
        remark = f"step '{step}'"
    return Row(
        key=f"{one.family}, {one.title}",
        title=one.title,
        remark=remark,
        k=one.k,
        sizes=one.sizes,
        unassigned=one.unassigned,
        expected=one.expected,
        agreement=one.agreement,
        stability=one.stability,
        number=number,
        step=step,
        chosen=one.chosen,
        groups=one.groups,
    )


def _of_step(name: str, groups: Clustering, remark: str = "") -> Row:
    inside = groups.labels[groups.labels >= 0]
    return Row(
        key=f"step {name}",
        title=groups.title or name,
        remark=remark or f"step '{name}'",
        k=groups.k,
        sizes=tuple(np.bincount(inside, minlength=groups.k).tolist()),
        unassigned=int((groups.labels < 0).sum()),
        step=name,
        chosen=remark == "chosen",
        groups=groups,
    )
