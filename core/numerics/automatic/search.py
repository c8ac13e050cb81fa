"""Asks every family of methods for candidates, within the time there is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from coterie.core import well_known
from coterie.core.api.context import Context
from coterie.core.errors import CoterieError
from coterie.core.io import clock
from coterie.core.model.dataset import Dataset
from coterie.core.numerics.automatic import families
from coterie.core.numerics.automatic.answer import Answer, Source
from coterie.core.numerics.automatic.chain import NEIGHBOURS, Chain
from coterie.core.wording import counted


class Search:
    """One run: the families to ask, within the time there is."""

    def __init__(
        self, context: Context, *, seconds: float = 0.0, progress: tuple[float, float] = (0.1, 0.7)
    ) -> None:
        self._context, self._progress = context, progress
        self._ends = clock.seconds() + seconds if seconds else float("inf")

    def sources(
        self, items: Dataset, chain: Chain, numbers: Mapping[str, Sequence[int]] | None = None
    ) -> dict[str, Source]:
        """Return how to start each family, or only those in `numbers`, at these numbers."""
        X = items.dense_features()
        check = self._context.check
        # A stream for each: leaving one out changes nothing for the others.
        spawned = self._context.rng.spawn(len(families.FAMILIES))
        streams = dict(zip(families.FAMILIES, spawned, strict=True))
        near = {"neighbours": min(NEIGHBOURS, items.n - 1)}
        asked = numbers or dict.fromkeys(families.FAMILIES, ())
        starts: dict[str, Source] = {
            "density": lambda: families.by_density(X, asked["density"], check),
            "linkage": lambda: families.by_linkage(X, asked["linkage"], check),
            "cuts": lambda: families.by_cuts(
                chain.run(well_known.GRAPH_LOCAL_GAUSSIAN, items, near), asked["cuts"], check
            ),
            "spectrum": lambda: families.by_spectrum(
                chain.run(well_known.GRAPH_KNN, items, near),
                streams["spectrum"],
                asked["spectrum"],
                check,
            ),
            "means": lambda: families.by_means(X, streams["means"], asked["means"], check),
            "mixtures": lambda: families.by_mixtures(
                X, streams["mixtures"], asked["mixtures"], check
            ),
        }
        return {
            family: partial(self._limited, start, family, place)
            for place, (family, start) in enumerate(starts.items())
            if family in asked
        }

    def _limited(self, start: Source, family: str, place: int) -> Iterator[families.Proposal]:
        if place and clock.seconds() > self._ends:
            raise CoterieError("The time was up before it was tried.", code="time-limit")
        first, last = self._progress
        done = first + (last - first) * place / len(families.FAMILIES)
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
