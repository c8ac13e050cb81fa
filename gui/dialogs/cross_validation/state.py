"""A cross-validation as a person sets it up and reads it. No widgets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from coterie.core.errors import CoterieError
from coterie.core.numerics.drawing.plots import MeanCurve
from coterie.core.numerics.partitions.repetitions import Spread
from coterie.gui.dialogs.trials.state import TrialsState
from coterie.projects.jobs.cross_validate_figure import curves_of, top_in_words, write_curve
from coterie.projects.jobs.cross_validate_plan import CrossValidationPlan, parse_numbers, plan_for
from coterie.projects.jobs.cross_validate_results import (
    OVERALL,
    CrossValidationTable,
    measure_in_words,
)
from coterie.projects.jobs.cross_validate_verdict import verdict

if TYPE_CHECKING:
    from coterie.projects.session import Session

_FEWER = (4, 2)  # a curve begins with these fractions of the recipe's sample


@dataclass(frozen=True)
class Written:
    """A picture in memory as it was written to disk, its known classes, and what they mean."""

    scene: Path
    truth: Path | None
    classes: str


class CrossValidationState(TrialsState[CrossValidationTable]):
    """What is repeated, and what came of it.

    Parameters
    ----------
    meant : what the numbers of the mask mean, where that is not as the recipe says

    Attributes
    ----------
    sizes, tops : numbers with commas between, as a person types them
    at_most : pixels to judge by, 0 for all
    can_rank : whether the classifier has a ranking to choose the best by
    why_not : why nothing can be repeated, or nothing
    """

    kept = "their accuracies"

    def __init__(self, session: Session, written: Written | None = None, meant: str = "") -> None:
        super().__init__(session)
        self._written, self._meant = written, meant
        self.times, self.at_most = 10, 0
        self.sizes = self.tops = ""
        self.measure = OVERALL
        self._why_not, self.can_rank = "", False
        try:
            plan = self.plan()
        except CoterieError as error:
            self._why_not = str(error)
            return
        own, top = plan.sizes[0], plan.tops[0]
        self.sizes = ", ".join(str(max(own // part, 10)) for part in _FEWER) + f", {own}"
        self.can_rank = len(session.recipe.step(plan.step).of) > 2
        self.tops = f"all, {top or 30}" if self.can_rank else "all"

    # Setting it up

    def plan(self) -> CrossValidationPlan:
        """Return the plan, or say what is wrong with it."""
        written = self._written
        session = self._session
        return plan_for(
            session.recipe,
            session.catalogue,
            scene=written.scene if written else None,
            truth=written.truth if written else None,
            truth_classes=written.classes if written else self._meant,
            sizes=parse_numbers(self.sizes, "sizes"),
            tops=parse_numbers(self.tops, "numbers of top-ranked pixels"),
            times=self.times,
            at_most=self.at_most,
        )

    def planned(self) -> int:
        """Return the number of runs, or say what is wrong with the plan."""
        return self.plan().count

    @property
    def why_not(self) -> str:
        """Why there is nothing to cross-validate, or nothing."""
        return self._why_not

    # Running it

    def start(self) -> None:
        """Begin."""
        self._session.cross_validations.start(self.plan())

    def take(self, table: CrossValidationTable) -> None:
        """Take in a table."""
        self.table = table
        if table.found and self.measure not in table.measures:
            self.measure = OVERALL

    # What is seen

    def best_in_words(self, table: CrossValidationTable) -> str:
        """Return the best mean so far, and what it was trained on."""
        if (best := self._best()) is None:
            return ""
        size, top = best
        found = table.spread(self.measure, size, top)
        return (
            f"best {spread_in_words(found)} with a subset of {table.plan.sizes[size]:,}, "
            f"{top_in_words(table.plan.tops[top])}"
        )

    def _best(self) -> tuple[int, int] | None:
        table = self.table
        if table is None:
            return None
        means = {cell: table.spread(self.measure, *cell).mean for cell in table.cells()}
        known = {cell: mean for cell, mean in means.items() if isfinite(mean)}
        return max(known, key=lambda cell: known[cell]) if known else None

    @property
    def measures(self) -> dict[str, str]:
        """What can be looked at, in words."""
        names = self.table.measures if self.table is not None else (OVERALL,)
        return {name: measure_in_words(name) for name in names}

    def curves(self) -> tuple[list[MeanCurve], str]:
        """Return the lines of the chosen measure, and the axis."""
        if self.table is None or not self.table.found:
            return [], ""
        return curves_of(self.table, self.measure)

    @property
    def verdict(self) -> str:
        """Whether the runs show anything about the chosen measure, as a sentence."""
        return "" if self.table is None else verdict(self.table, self.measure)

    def headers(self) -> list[str]:
        """Return the words above the columns."""
        compared = ["Difference from all", "p"] if self._compares else []
        return ["Pixels", "Trained on", "Runs", *compared, *self.measures.values()]

    def rows(self) -> Iterator[tuple[list[str], str]]:
        """Yield the cells of each size and number of best-ranked, and what groups stood for."""
        table = self.table
        if table is None:
            return
        for size, top in table.cells():
            spreads = [table.spread(measure, size, top) for measure in self.measures]
            cells = [f"{table.plan.sizes[size]:,}", top_in_words(table.plan.tops[top])]
            cells.append(str(spreads[0].n))
            if self._compares:
                cells += self._difference(size, top)
            yield [*cells, *map(spread_in_words, spreads)], self.matching(size, top)

    @property
    def _compares(self) -> bool:
        plan = self.table.plan if self.table is not None else None
        return plan is not None and len(plan.tops) > 1 and 0 in plan.tops

    def _difference(self, size: int, top: int) -> list[str]:
        assert self.table is not None
        more = self.table.difference(OVERALL, size, top)
        if more is None or not isfinite(more.low):
            return ["", ""]
        p = f"{more.p:.2g}" if isfinite(more.p) else ""
        return [f"{more.low:+.3f} to {more.high:+.3f}", p]

    def matching(self, size: int, top: int) -> str:
        """Return, line by line, what the groups of each repetition stood for."""
        if self.table is None:
            return ""
        lines = []
        for repetition in range(self.table.plan.times):
            one = self.table.found.get((repetition, size, top))
            if one is None:
                continue
            counts = dict.fromkeys(one.accuracy.names, 0)
            for _, name in one.matching:
                counts[name] += 1
            said = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
            lines.append(f"{repetition + 1}: {one.groups} groups: {said}")
        return "\n".join(lines)

    # Files

    def write_table(self, path: Path, *, each: bool = False) -> None:
        """Write the means, or each repetition, as CSV."""
        if self.table is not None:
            (self.table.write_each if each else self.table.write_means)(path)

    def write_curve(self, path: Path) -> None:
        """Write the curve as PNG or SVG, on white paper."""
        if self.table is not None:
            write_curve(self.table, self.measure, path)


def spread_in_words(spread: Spread) -> str:
    """Return a mean with its standard deviation.

    >>> spread_in_words(Spread(3, 0.951, 0.004, 0.94, 0.96))
    '0.951 ± 0.004'
    """
    if not isfinite(spread.mean):
        return "–"
    if not isfinite(spread.deviation):
        return f"{spread.mean:.3f}"
    return f"{spread.mean:.3f} ± {spread.deviation:.3f}"
