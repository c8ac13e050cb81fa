"""What the draws of a cross-validation show, in a sentence: often, that they show nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coterie.core.numerics.partitions.repetitions import difference_of
from coterie.core.wording import counted
from coterie.projects.jobs.cross_validate_figure import top_in_words
from coterie.projects.jobs.cross_validate_results import CrossValidationTable

CHANCE = 0.05  # of a difference as large, over all comparisons
MOST_NAMED = 3

Cell = tuple[int, int]  # numbers of a size and of a number of best-ranked


@dataclass(frozen=True)
class Standing:
    """The setting with the best mean, and how it compares with all others on the same draws.

    Attributes
    ----------
    draws : how many draws have a result of all settings compared
    best : size and top of the best mean
    tied : settings that chance may have put behind it
    worse : settings that are behind it by more than chance explains
    """

    draws: int
    best: Cell
    tied: tuple[Cell, ...]
    worse: tuple[Cell, ...]


def standing(table: CrossValidationTable, measure: str) -> Standing | None:
    """Compare the best setting with the others; None when there are not two with results.

    Paired t-tests over the draws. As the best is found by looking, p counts as often as there are
    settings to compare it with (Bonferroni).
    """
    values = {cell: table.values(measure, *cell) for cell in table.cells()}
    known = {cell: one for cell, one in values.items() if np.isfinite(one).any()}
    if len(known) < 2:
        return None
    best = max(known, key=lambda cell: float(np.nanmean(known[cell])))
    others = {cell: one for cell, one in known.items() if cell != best}
    found = {cell: difference_of(known[best], one) for cell, one in others.items()}
    worse = [cell for cell, one in found.items() if one.p * len(found) < CHANCE]
    return Standing(
        draws=min(one.n for one in found.values()),
        best=best,
        tied=tuple(cell for cell in found if cell not in worse),
        worse=tuple(worse),
    )


def verdict(table: CrossValidationTable, measure: str) -> str:
    """Return a sentence on what the draws show; nothing while there is nothing to compare."""
    found = standing(table, measure)
    if found is None:
        return ""
    if found.draws < 2:
        return "One draw cannot show that a setting is better than another. Repeat it more often."
    draws = counted(found.draws, "draw")
    if not found.worse:
        return (
            f"{draws} do not show that any of these settings is better than another: all "
            "differences may be chance. Repeat it more often before choosing one."
        )
    best = _in_words(table, found.best)
    if not found.tied:
        return f"{draws} show that {best} is best: it differs from all others by more than chance."
    named = [_in_words(table, cell) for cell in found.tied[:MOST_NAMED]]
    if more := len(found.tied) - len(named):
        named.append(f"{more} more")
    return (
        f"{best} has the best mean, but {draws} do not show that it is better than "
        f"{' or '.join(named)}. {counted(len(found.worse), 'setting')} did worse "
        "by more than chance."
    )


def _in_words(table: CrossValidationTable, cell: Cell) -> str:
    """Name a setting by what varies."""
    plan = table.plan
    size, top = f"{plan.sizes[cell[0]]:,} pixels", top_in_words(plan.tops[cell[1]])
    if len(plan.tops) == 1:
        return size
    return top if len(plan.sizes) == 1 else f"{size} with {top}"
