"""The answer in words: how many groups, how sure, and what else it could be."""

from __future__ import annotations

from typing import Final

from coterie.core.numerics.automatic.answer import Answer, Candidate
from coterie.core.numerics.automatic.choice import is_finer
from coterie.core.wording import counted

TITLES: Final = {
    "density": "Density tree",
    "linkage": "Genie",
    "cuts": "Isoperimetric cut",
    "spectrum": "Spectral clustering",
    "means": "K-means",
    "mixtures": "Gaussian mixture",
    "whole": "One group",
}
MIXED_TITLES: Final = {"means": "k-prototypes", "mixtures": "Latent classes"}


def title_of(family: str, k: int, *, mixed: bool = False) -> str:
    """Return what a candidate is called; `mixed` where there are numbers and categories.

    >>> title_of("cuts", 7)
    'Isoperimetric cut, 7 groups'
    """
    title = MIXED_TITLES.get(family, TITLES[family]) if mixed else TITLES[family]
    return title if family == "whole" else f"{title}, {counted(k, 'group')}"


def sentence_of(found: Answer, chosen: int | None) -> str:
    """Return the verdict as one or two sentences.

    Parameters
    ----------
    chosen : position of the candidate that was taken; None for no groups
    """
    if chosen is None:
        return "No groups: no division of these items is better supported than leaving them whole."
    best = found.candidates[chosen]
    worth = f"Expected agreement with the true groups: {100 * found.quality[chosen]:.0f} %."
    others = [found.candidates[place] for place in found.choice.answers if place != chosen]
    if found.choice.verdict == "sure":
        return f"{counted(best.k, 'group')}. {worth}"
    instead = " or ".join(_instead(best, other) for other in others)
    possibly = f"; possibly {instead}" if instead else ""
    return f"Probably {counted(best.k, 'group')}{possibly}. {worth}"


def _instead(best: Candidate, other: Candidate) -> str:
    """What else it could be, and how that relates to the best.

    Two nested answers are not rivals: one says more than the other.
    """
    if other.k == 1:
        return "no groups at all"
    if other.k > best.k and is_finer(other.labels, best.labels):
        return f"{other.k} within them"
    if other.k < best.k and is_finer(best.labels, other.labels):
        return f"{other.k} that contain them"
    return f"{other.k} other groups" if other.k != best.k else f"{other.k} different groups"
