"""Finds the groups of items without a number to choose: proposals, evidence, choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from coterie.core.errors import Cancelled, CoterieError, in_words
from coterie.core.model.arrays import Floats, Ints
from coterie.core.numerics.automatic.agreement import pairwise_adjusted_rand
from coterie.core.numerics.automatic.choice import CLAIMED, Choice, choose
from coterie.core.numerics.automatic.evidence import NAMES, evidence_table
from coterie.core.numerics.automatic.families import FAMILIES, Proposal
from coterie.core.numerics.automatic.links import Links, kept_to
from coterie.core.numerics.automatic.quality import comparative_merit, expected_quality
from coterie.core.numerics.automatic.surroundings import surroundings_of
from coterie.core.numerics.density.tree import nearest_group_fill
from coterie.core.numerics.mixed.table import MixedTable
from coterie.core.numerics.similarity.tiles import Check

BROKEN: Final = 0.5  # merit lost by groups that keep to none of the links by themselves
COMPARED: Final = 1000  # items by which partitions are compared with each other
BY_COLUMNS: Final = 0.5  # merit of describing the columns as well as any candidate
UNLIKE: Final = 0.85  # of the quality where there are categories, which it was not learned on
WHOLE: Final = "whole"  # all items as one group
NOT_TRIED: Final = 0.5  # for how far a candidate is found again, where that is not known

Source = Callable[[], Iterator[Proposal]]
"""Starts a family of methods; it may fail."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """Groups that were proposed, with every item in one of them.

    Attributes
    ----------
    family, setting : where they come from, as in `Proposal`
    labels : (n,) groups from 0, none empty
    noise : share of items that were in no group before they joined the nearest
    again : agreement with what the method finds on a part of the items; None if not tried
    broken : share of the links that it did not keep to before it was made to
    """

    family: str
    setting: int
    labels: Ints
    noise: float
    again: float | None = None
    broken: float = 0.0

    @property
    def k(self) -> int:
        """Number of groups."""
        return int(self.labels.max()) + 1


@dataclass(frozen=True, eq=False)
class Answer:
    """All candidates, and the choice among them.

    Attributes
    ----------
    quality : (m,) judged agreement of each with the truth
    agreement : (m, m) adjusted Rand index of every two
    failed : by family, why it proposed nothing
    """

    candidates: tuple[Candidate, ...]
    choice: Choice
    quality: Floats
    agreement: Floats
    failed: Mapping[str, str] = field(default_factory=dict)

    def curve(self) -> list[tuple[int, float]]:
        """Return the best expected agreement with the truth at each number of groups."""
        best: dict[int, float] = {}
        for candidate, expected in zip(self.candidates, self.quality, strict=True):
            best[candidate.k] = max(best.get(candidate.k, 0.0), float(expected))
        return sorted(best.items())


def propose(
    X: Floats, sources: Mapping[str, Source], links: Links | None = None
) -> tuple[list[Candidate], dict[str, str]]:
    """Return what each family proposes, and why some propose nothing.

    All items in one group are left to the whole, which is always a candidate.

    Parameters
    ----------
    sources : by the name of the family
    links : what belongs together and apart; all proposals are made to keep to it
    """
    found, failed = [], {}
    for family, start in sources.items():
        try:
            for proposal in start():
                candidate = _filled(X, proposal, links)
                if candidate is not None:
                    found.append(candidate)
        except Cancelled:
            raise
        except (CoterieError, ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
            failed[family] = in_words(error)
    return found, failed


@dataclass(frozen=True, eq=False)
class Judged:
    """Candidates with the evidence on each.

    Attributes
    ----------
    candidates : with the whole as one group, last
    agreement : (m, m) adjusted Rand index of every two
    evidence : (m, columns) as in `evidence.NAMES`
    """

    candidates: tuple[Candidate, ...]
    agreement: Floats
    evidence: Floats


def judge(
    X: Floats,
    candidates: Sequence[Candidate],
    check: Check | None = None,
    table: MixedTable | None = None,
    links: Links | None = None,
) -> Judged:
    """Return the evidence on the candidates, with the whole as one group among them.

    Parameters
    ----------
    table : the columns, where there are categories among them
    links : what belongs together and apart
    """
    undivided = np.zeros(len(X), dtype=np.int64)
    apart = 0.0 if links is None else links.broken(undivided)
    whole = Candidate(WHOLE, 1, undivided, 0.0, 1.0, apart)
    every = (*candidates, whole)
    agreement = _agreement(every)
    others = sorted({c.family for c in candidates} - {*FAMILIES})
    number = {name: place for place, name in enumerate((*FAMILIES, *others))}
    families = [number.get(c.family, -1) for c in every]
    labels, noise = [c.labels for c in every], [c.noise for c in every]
    again = [NOT_TRIED if c.again is None else c.again for c in every]
    around = surroundings_of(X, check, table)
    evidence = evidence_table(around, labels, families, noise, agreement, again, check)
    return Judged(every, agreement, evidence)


def found_again(
    candidates: Sequence[Candidate], part: Ints, repeated: Sequence[Candidate]
) -> list[Candidate]:
    """Return the candidates with how far each is found again on a part of the items.

    The proposal of the same family that is most like it counts, of those with nearly its number of
    groups.

    Parameters
    ----------
    part : positions of the items that `repeated` are candidates of
    """
    found = list(candidates)
    for family in {one.family for one in repeated}:
        own = [place for place, one in enumerate(candidates) if one.family == family]
        others = [other for other in repeated if other.family == family]
        labels = [compact(candidates[place].labels[part]) for place in own]
        agreement = pairwise_adjusted_rand(np.stack([*labels, *(other.labels for other in others)]))
        groups = np.array([other.k for other in others])
        for place, row in zip(own, agreement[: len(own), len(own) :], strict=True):
            k = candidates[place].k
            like = row[np.abs(groups - k) <= max(1, k // 10)]
            found[place] = replace(candidates[place], again=max(0.0, float(like.max(initial=0.0))))
    return found


def answer(
    X: Floats,
    candidates: Sequence[Candidate],
    failed: Mapping[str, str],
    check: Check | None = None,
    table: MixedTable | None = None,
    links: Links | None = None,
) -> Answer:
    """Judge the candidates and choose; `table` and `links` as for `judge`."""
    judged = judge(X, candidates, check, table, links)
    quality = expected_quality(judged.evidence)
    groups = np.array([candidate.k for candidate in judged.candidates])
    merit = comparative_merit(judged.evidence)
    if table is not None:
        # What is judged by neighbours in a few directions was learned on numbers; how much of the
        # columns the groups describe counts beside it, and is evidence of groups by itself.
        saved = _description_saved(judged.evidence)
        merit = merit + BY_COLUMNS * saved
        quality = np.maximum(UNLIKE * quality, np.where(saved > 0, CLAIMED, 0.0))
    broken = np.array([candidate.broken for candidate in judged.candidates])
    merit = merit - BROKEN * broken
    quality = quality * (1 - BROKEN * broken)
    choice = choose(quality, judged.agreement, groups, merit)
    return Answer(judged.candidates, choice, quality, judged.agreement, failed)


def _description_saved(evidence: Floats) -> Floats:
    """The share of the best saving of description, by the criterion, that each candidate reaches.

    The whole, which is last, saves nothing.
    """
    criterion = evidence[:, NAMES.index("gaussian criterion")]
    most = float(criterion[-1] - criterion.min())
    return np.asarray(np.maximum(criterion[-1] - criterion, 0.0) / (most or 1.0))


def compact(labels: Ints) -> Ints:
    """Return the labels renumbered from 0 without gaps.

    >>> compact(np.array([5, 2, 5])).tolist()
    [1, 0, 1]
    """
    return np.asarray(np.unique(labels, return_inverse=True)[1].reshape(labels.shape))


def _in_order(labels: Ints) -> Ints:
    """The labels renumbered from 0 in the order of the first items: equal groups, equal labels."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    number = np.empty(len(first), dtype=np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    return np.asarray(number[inverse])


def _filled(X: Floats, proposal: Proposal, links: Links | None) -> Candidate | None:
    noise = float((proposal.labels < 0).mean())
    labels = nearest_group_fill(X, proposal.labels)
    if labels.min() < 0:
        return None
    broken = 0.0 if links is None else links.broken(labels)
    if links is not None and broken:
        labels = kept_to(links, X, labels)
    labels = _in_order(labels)
    if labels.max() == 0:
        return None
    return Candidate(proposal.family, proposal.setting, labels, noise, broken=broken)


def _agreement(candidates: Sequence[Candidate]) -> Floats:
    n = len(candidates[0].labels)
    some = np.arange(n) if n <= COMPARED else np.linspace(0, n - 1, COMPARED).astype(np.int64)
    return pairwise_adjusted_rand(np.stack([compact(c.labels[some]) for c in candidates]))
