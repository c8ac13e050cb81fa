"""The partial estimate of a similarity while it is being learned, and its progress in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from coterie.core.api.partial_affinity import Glimpse
from coterie.core.model.affinity import Affinity
from coterie.core.model.arrays import Ints
from coterie.core.model.recipes import Step

if TYPE_CHECKING:
    from coterie.projects.jobs.job import EngineJob


@dataclass(frozen=True, eq=False)
class LiveEstimate:
    """Similarities among some items while `step`, as it was when it began, is running."""

    glimpse: Glimpse
    step: Step

    @cached_property
    def affinity(self) -> Affinity:
        """The similarities as an affinity of those items."""
        values = self.glimpse.values
        return Affinity(values=values, nonnegative=bool(values.min() >= 0), title=self.step.name)

    @property
    def items(self) -> Ints:
        """The items, as positions among all."""
        return self.glimpse.items

    @property
    def n(self) -> int:
        """Number of all items."""
        return self.glimpse.n

    def in_words(self, jobs: Iterable[EngineJob]) -> str:
        """Return how far the run is, or that it ended before its time."""
        runs = [job for job in jobs if job.step == self.step.name]
        job = max(runs, key=lambda job: job.number, default=None)
        reached = f" – {job.message}" if job is not None and job.message else ""
        some = f"{len(self.items):,} of {self.n:,} items"
        part = "all items" if len(self.items) == self.n else some
        if job is None or job.active:
            return (
                f"'{self.step.name}' is still being computed{reached}. This is an estimate "
                f"for {part}."
            )
        return (
            f"'{self.step.name}' was stopped{reached}. This is a partial estimate, not "
            "a result. Run it again, with fewer fits if it takes too long."
        )
