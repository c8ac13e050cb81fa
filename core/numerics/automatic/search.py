"""Asks every family of methods for candidates, within the time there is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from coterie.core.api.context import Context
from coterie.core.errors import CoterieError
from coterie.core.io import clock
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.automatic import families
from coterie.core.numerics.automatic.answer import (
    Answer,
    Candidate,
    Source,
    found_again,
    propose,
)
from coterie.core.numerics.automatic.chain import NEAREST, WALKED, MethodChain
from coterie.core.numerics.automatic.links import Links
from coterie.core.numerics.partitions.groups import settled_order
from coterie.core.wording import counted

REPEATED: Final = 0.7  # share of the items that candidates are found again on
FIRST_PASS: Final = (0.1, 0.5)  # shares of the work at which the families are asked, …
SECOND_PASS: Final = (0.5, 0.7)  # … and asked again
MOST_MIXED: Final = 20  # groups tried by methods on numbers and categories
NOT_REPEATED: Final = ("mixtures",)  # as long as all others together


class Search:
    """One run: the families to ask, within the time there is."""

    def __init__(self, context: Context, *, seconds: float = 0.0) -> None:
        self._context, self._progress = context, FIRST_PASS
        self._ends = clock.seconds() + seconds if seconds else float("inf")

    @property
    def is_over(self) -> bool:
        """Whether the time that there was is up."""
        return clock.seconds() > self._ends

    def sources(
        self, items: Dataset, chain: MethodChain, numbers: Mapping[str, Sequence[int]] | None = None
    ) -> dict[str, Source]:
        """Return how to start each family, or only those in `numbers`, at these numbers."""
        X = items.dense_features()
        check = self._context.check
        every = [*families.FAMILIES, *chain.asked]
        asked = numbers or dict.fromkeys(every, ())
        starts: dict[str, Source] = {
            "density": lambda: families.by_density(X, asked["density"], check),
            "linkage": lambda: families.by_linkage(X, asked["linkage"], check),
            "cuts": lambda: families.by_cuts(chain.near(items, WALKED), asked["cuts"], check),
            "spectrum": lambda: families.by_spectrum(
                chain.near(items, NEAREST), asked["spectrum"], check
            ),
            "means": lambda: families.by_means(X, asked["means"], check),
            "mixtures": lambda: families.by_mixtures(X, asked["mixtures"], check),
        }
        if chain.mixed:
            starts["means"] = partial(self._of_columns, "means", items, chain)
            starts["mixtures"] = partial(self._of_columns, "mixtures", items, chain)
        for use in chain.asked:
            starts[use] = partial(self._of_method, use, items, chain, asked.get(use, ()))
        return {
            family: partial(self._limited, start, family, place / len(every))
            for place, (family, start) in enumerate(starts.items())
            if family in asked
        }

    def _of_method(
        self, use: str, items: Dataset, chain: MethodChain, numbers: Sequence[int]
    ) -> Iterator[families.Proposal]:
        """Groups by another method, with each of the settings that it proposes."""
        for number in numbers or range(len(chain.asked[use].settings)):
            self._context.check()
            labels = chain.proposal(items, use, number).labels
            yield families.Proposal(use, number, labels)

    def _of_columns(
        self, family: str, items: Dataset, chain: MethodChain
    ) -> Iterator[families.Proposal]:
        """Groups by methods on numbers and categories as they are."""
        for k in families.numbers_to_try(min(MOST_MIXED, families.most_groups(items.n))):
            self._context.check()
            labels = chain.realised(items, family, k).labels
            yield families.Proposal(family, k, labels)

    def found_again(
        self,
        candidates: list[Candidate],
        items: Dataset,
        chain: MethodChain,
        links: Links | None = None,
    ) -> list[Candidate]:
        """Return the candidates with how far each is found again on a part of the items.

        Which items are taken depends on what they are, and not on where they stand.
        """
        if self.is_over:
            return candidates
        X = items.dense_features()
        some = self._context.rng.permutation(items.n)[: round(REPEATED * items.n)]
        part = np.sort(settled_order(X)[some])
        asked: dict[str, set[int]] = {}
        for one in candidates:
            setting = one.setting
            if one.family in NOT_REPEATED or (chain.mixed and one.family == "means"):
                continue
            if one.family == "density":
                setting = max(2, round(REPEATED * setting))
            asked.setdefault(one.family, set()).add(setting)
        taken = Dataset(kind="table", features=X[part])
        parts = chain.of_part(taken, part)
        self._progress = SECOND_PASS
        numbers = {family: sorted(settings) for family, settings in asked.items()}
        known = None if links is None else links.among(part)
        again, _ = propose(taken.dense_features(), self.sources(taken, parts, numbers), known)
        return found_again(candidates, part, again)

    def _limited(self, start: Source, family: str, place: float) -> Iterator[families.Proposal]:
        if place and self.is_over:
            raise CoterieError("The time limit was reached before it was tried.", code="time-limit")
        first, last = self._progress
        done = first + (last - first) * place
        self._context.progress(done, 1, f"candidates by {family}")
        yield from start()

    def show_curve(self, found: Answer, n: int) -> None:
        """Show the best grouping of the n items at each number, and what it is worth."""
        shown = len(found.candidates[0].labels) == n  # labels of a subset are of other items
        best: dict[int, int] = {}
        for place in np.argsort(found.quality, kind="stable").tolist():
            best[found.candidates[place].k] = place
        for k, place in sorted(best.items()):
            self._context.frame(
                k,
                expected=float(found.quality[place]),
                candidates=sum(candidate.k == k for candidate in found.candidates),
                phase=counted(k, "group"),
                labels=found.candidates[place].labels if shown else None,
            )
