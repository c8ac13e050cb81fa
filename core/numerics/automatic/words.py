"""The answer in words: how many groups, how sure, and what else it could be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from coterie.core.numerics.automatic.answer import Answer, Candidate
from coterie.core.numerics.automatic.choice import Verdict, is_finer
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


def sentence_of(
    found: Answer, chosen: int | None, k: int, expected: float, verdict: Verdict
) -> str:
    """Return the verdict as one or two sentences.

    Parameters
    ----------
    chosen : position of the candidate that was taken; None for no groups
    k : number of its groups, of all items
    expected : agreement of its groups with the truth
    """
    if chosen is None:
        return "No groups: no grouping is better supported than leaving the items undivided."
    best = found.candidates[chosen]
    worth = f"Expected agreement with the true groups: {expected:.0%}."
    others = [found.candidates[place] for place in found.choice.answers if place != chosen]
    if verdict == "sure":
        return f"{counted(k, 'group')}. {worth}"
    possibly = f"; possibly {_all_instead(best, others)}" if others else ""
    return f"Probably {counted(k, 'group')}{possibly}. {worth}"


def why_not_more(chosen: float, others: Sequence[tuple[str, float]]) -> list[str]:
    """Return why the answer is not what is expected to agree most by itself, if it is not.

    Parameters
    ----------
    others : what else is listed, and the agreement expected of it

    >>> why_not_more(0.5, [("K-means, 3 groups", 0.4)])
    []
    """
    title, most = max(others, key=lambda one: one[1], default=("", 0.0))
    if round(100 * most) <= round(100 * chosen):
        return []
    return [
        f"On its own, '{title}' has a higher expected agreement ({most:.0%}). The answer "
        "is the grouping that agrees most with all candidates, weighted by how likely each is."
    ]


def _all_instead(best: Candidate, others: Sequence[Candidate]) -> str:
    """What else it could be, best first: "10 or 11 within them"."""
    numbers: dict[str, list[str]] = {}  # of groups, by how these relate to the best
    for other in others:
        number, relation = _instead(best, other)
        known = numbers.setdefault(relation, [])
        if number not in known:
            known.append(number)
    return " or ".join(
        f"{', '.join(known[:-1])}{' or ' if known[1:] else ''}{known[-1]} {relation}"
        for relation, known in numbers.items()
    )


def _instead(best: Candidate, other: Candidate) -> tuple[str, str]:
    """How many groups it could be instead, and how they relate to the best.

    Two nested answers are not rivals: one says more than the other.
    """
    if other.k == 1:
        return "no", "groups at all"
    if other.k > best.k and is_finer(other.labels, best.labels):
        return str(other.k), "within them"
    if other.k < best.k and is_finer(best.labels, other.labels):
        return str(other.k), "that contain them"
    return str(other.k), "other groups" if other.k != best.k else "different groups"
