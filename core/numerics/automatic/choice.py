"""From judged candidates to an answer: the choice, other good answers, and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from coterie.core.model.arrays import Floats, Ints

SHARPNESS: Final = 0.02  # difference of quality that makes a candidate e times as likely
SURE: Final = 0.8  # quality from which the answer is called sure, …
SAME: Final = 0.95  # … if of what is likely, most agrees with it as far as this
MOST: Final = 0.5
CLAIMED: Final = 0.35  # quality below which no groups are claimed
DIFFERENT: Final = 0.7  # agreement below which two answers are different
MOST_ANSWERS: Final = 3

Verdict = Literal["sure", "unsure", "no groups"]


@dataclass(frozen=True, eq=False)
class Choice:
    """What was chosen.

    Attributes
    ----------
    answers : positions of the chosen candidate and of different good ones, best first
    weights : (m,) how likely each candidate is the truth; they sum to one
    expected : (m,) agreement of each candidate with the truth, averaged over those weights
    shared : (m,) how likely all candidates are together that are nearly the same as each
    """

    answers: tuple[int, ...]
    weights: Floats
    expected: Floats
    shared: Floats


def choose(quality: Floats, agreement: Floats, groups: Ints, merit: Floats | None = None) -> Choice:
    """Choose the candidate that agrees most with all candidates, weighted by their quality.

    Weights rise with the quality as if one of the candidates were the truth; the candidate of the
    largest expected agreement is the best answer to give whichever of them it is. That also breaks
    ties: of many similar candidates the middle one wins.

    Parameters
    ----------
    quality : (m,) judged agreement with the truth
    agreement : (m, m) adjusted Rand index of every two
    groups : (m,) number of groups of each; a candidate of 1 stands for "no groups"
    merit : (m,) by what the candidates are compared with each other, if not by their quality

    Examples
    --------
    >>> agreement = np.array([[1.0, 0.9, 0.1], [0.9, 1.0, 0.1], [0.1, 0.1, 1.0]])
    >>> choose(np.array([0.8, 0.82, 0.82]), agreement, np.array([3, 3, 5])).answers
    (1, 2)
    """
    merit = quality if merit is None else merit
    weights = np.exp((merit - merit.max()) / SHARPNESS)
    weights /= weights.sum()
    expected = np.clip(agreement, 0.0, 1.0) @ weights
    best = int(np.argmax(expected))
    answers = [best]
    whole = np.flatnonzero(groups == 1)
    if quality[best] < CLAIMED and len(whole) and groups[best] > 1:
        # Something comes out best of any items; it stays on offer.
        answers = [int(whole[0]), best]
        best = answers[0]
    for other in np.argsort(-expected, kind="stable").tolist():
        if len(answers) == MOST_ANSWERS or expected[other] < expected.max() / 3:
            break
        if all(agreement[other, given] < DIFFERENT for given in answers):
            answers.append(other)
    shared = (agreement >= SAME) @ weights
    return Choice(tuple(answers), weights, expected, shared)


def verdict_on(quality: float, k: int, shared: float = 1.0) -> Verdict:
    """Return what to call an answer of k groups of that quality.

    Groups that agree well with the truth whichever it is may still be nobody's first choice, as
    where two of many touch: then one answer is not sure.

    Parameters
    ----------
    shared : how likely the candidates are together that are nearly the same

    >>> verdict_on(0.9, 3), verdict_on(0.5, 3), verdict_on(0.9, 1), verdict_on(0.9, 3, 0.3)
    ('sure', 'unsure', 'no groups', 'unsure')
    """
    if k == 1:
        return "no groups"
    return "sure" if quality >= SURE and shared >= MOST else "unsure"


def memberships(chosen: Ints, others: Sequence[Ints], weights: Floats) -> Floats:
    """Return the share of each item in each chosen group, over all candidates by their weight.

    A group of another candidate counts for the chosen group that has most of its items.

    Parameters
    ----------
    chosen : (n,) groups from 0
    others : partitions of the same items
    weights : of each of them

    Returns
    -------
    (n, k), rows sum to one

    Examples
    --------
    >>> memberships(np.array([0, 0, 1]), [np.array([1, 1, 0]), np.array([0, 1, 1])],
    ...             np.array([0.75, 0.25])).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.25, 0.75]]
    """
    n, k = len(chosen), int(chosen.max()) + 1
    shares = np.zeros((n, k))
    for labels, weight in zip(others, weights, strict=True):
        overlap = np.zeros((int(labels.max()) + 1, k))
        np.add.at(overlap, (labels, chosen), 1.0)
        shares[np.arange(n), overlap.argmax(axis=1)[labels]] += weight
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def is_finer(fine: Ints, coarse: Ints, tolerance: float = 0.05) -> bool:
    """Return whether almost all items of each fine group are in one coarse group.

    >>> is_finer(np.array([0, 0, 1, 2]), np.array([0, 0, 1, 1]))
    True
    """
    overlap = np.zeros((int(fine.max()) + 1, int(coarse.max()) + 1))
    np.add.at(overlap, (fine, coarse), 1.0)
    return float(overlap.max(axis=1).sum()) >= (1 - tolerance) * len(fine)
