"""How many groups a spectrum suggests, by several rules that can be compared.

No rule is right for all data. The largest gap says 1 where groups touch so much that the second
eigenvalue is far from 1; the largest ratio sees groups that are each well separated, at every
scale. Where the rules agree, the number can be trusted more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from coterie.core.model.arrays import Floats
from coterie.core.wording import counted

MOST_EIGENVALUES = 20  # among which a number of groups is sought
APART = 0.01  # 1 − λ below which groups count as separate, and ratios as those to this
KERNEL_APART = 0.01  # share of the largest eigenvalue of a kernel below which others are noise

COUNTS = "groups_by_rule"  # under this name in the details of a `Spectrum`


@dataclass(frozen=True)
class GroupCounts:
    """Numbers of groups by rule.

    Attributes
    ----------
    gap : before the largest gap
    ratio : before the largest ratio; 2 or more where there are so many eigenvalues
    at_least_two : before the largest gap that is not the first; 1 only where there is no other
    """

    gap: int
    ratio: int
    at_least_two: int

    @property
    def differ(self) -> bool:
        """Whether the rules disagree."""
        return len(set(asdict(self).values())) > 1

    def at_least(self, least: int, most: int) -> GroupCounts:
        """Return the same with no number outside these limits."""
        limited = {name: min(max(k, least), most) for name, k in asdict(self).items()}
        return GroupCounts(**limited)

    def in_details(self) -> dict[str, int]:
        """Return them for the details of a `Spectrum`."""
        return asdict(self)

    def in_words(self) -> str:
        """Return one sentence with all of them."""
        return said(asdict(self))


def said(counts: Mapping[str, Any]) -> str:
    """Return one sentence for what a `Spectrum` has in its details.

    >>> said({"gap": 1, "ratio": 7, "at_least_two": 7})
    'The largest gap suggests 1 group, the largest ratio 7, the largest gap after the first 7.'
    >>> said({"gap": 3, "ratio": 3, "at_least_two": 3})
    'All rules suggest 3 groups.'
    """
    gap, ratio, two = (int(counts[name]) for name in ("gap", "ratio", "at_least_two"))
    if gap == ratio == two:
        return f"All rules suggest {counted(gap, 'group')}."
    return (
        f"The largest gap suggests {counted(gap, 'group')}, the largest ratio {ratio}, the "
        f"largest gap after the first {two}."
    )


def group_counts(
    values: Any, *, pieces: int = 1, kernel: bool = False, most: int = MOST_EIGENVALUES
) -> GroupCounts:
    """Return how many groups falling eigenvalues suggest, by each rule.

    Parameters
    ----------
    values : eigenvalues of a walk, 1 first, or of a kernel; complex ones count by their real parts
    pieces : connected pieces of the graph; no rule gives fewer groups
    kernel : whether they are those of a kernel, of any size: the ratio is then that of the
        eigenvalues, not of what they are below 1
    most : eigenvalues that are looked at

    Examples
    --------
    >>> group_counts(np.array([1.0, 0.54, 0.51, 0.49, 0.42, 0.03, 0.02]))
    GroupCounts(gap=1, ratio=5, at_least_two=5)
    >>> group_counts(np.array([1.0, 0.99, 0.98, 0.4, 0.3]))
    GroupCounts(gap=3, ratio=3, at_least_two=3)
    """
    falling = np.real(np.asarray(values))[:most]
    if len(falling) < 2:
        return GroupCounts(1, 1, 1).at_least(pieces, max(pieces, 1))
    gaps = falling[:-1] - falling[1:]
    # Equal but for rounding, which grows with the eigenvalues: those of a kernel have any size.
    equal = 1e-12 * float(np.abs(falling).max())
    gap = _first_largest(gaps, equal) + 1
    at_least_two, ratio = gap, gap
    if len(gaps) > 1 and gaps[1:].max() > equal:
        at_least_two = _first_largest(gaps[1:], equal) + 2
        ratio = _first_largest(_ratios(falling, kernel=kernel)[1:], 1e-9) + 2
    return GroupCounts(gap, ratio, at_least_two).at_least(pieces, max(pieces, len(falling)))


def suggested_groups(values: Any, most: int = MOST_EIGENVALUES) -> int:
    """Return how many eigenvalues, falling, stand before the largest gap among the first `most`.

    Complex eigenvalues count by their real parts. At least 1; the first of equal gaps wins.

    >>> suggested_groups(np.array([1.0, 0.99, 0.98, 0.4, 0.3]))
    3
    """
    return group_counts(values, most=most).gap


def _ratios(falling: Floats, *, kernel: bool) -> Floats:
    """How many times each step is the one before it, what is small counting as equal."""
    if kernel:
        held = np.maximum(falling, KERNEL_APART * float(falling[0]))
        return np.asarray(held[:-1] / held[1:]) if falling[0] > 0 else np.ones(len(falling) - 1)
    apart = np.maximum(1.0 - falling, APART)
    return np.asarray(apart[1:] / apart[:-1])


def _first_largest(values: Floats, equal: float) -> int:
    return int(np.flatnonzero(values >= values.max() - equal)[0])
