"""What the finder searches, and in which order it lists the hits. Knows no Qt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from coterie.core.api.kinds import KINDS
from coterie.core.catalogue.method_page import when_to_use
from coterie.core.wording import with_article
from coterie.projects.recipe.inputs import type_of
from coterie.projects.recipe.recommend import recommended

if TYPE_CHECKING:
    from coterie.core.catalogue.descriptors import Descriptor
    from coterie.core.model.dataset import Dataset
    from coterie.projects.session import Session

Sort = Literal["command", "method", "step"]
MOST_SHOWN = 60
RECOMMENDED = "Suits these data"


@dataclass(frozen=True)
class Entry:
    """Something that can be found.

    Attributes
    ----------
    sort : "command", "method" or "step"
    key : what is done: the name of a command, "kind/id", or the name of a step
    where : the menu or kind it belongs to
    about : what it does, in a sentence
    why : why it is recommended, or why it cannot be done now
    words : more by which it is found
    """

    sort: Sort
    key: str
    title: str
    where: str = ""
    about: str = ""
    keys: str = ""
    why: str = ""
    possible: bool = True
    recommended: bool = False
    words: str = ""


def method_entries(session: Session, data: Dataset | None, kind: str = "") -> list[Entry]:
    """Return the methods, those that suit the data first."""
    catalogue, recipe = session.catalogue, session.recipe
    given = {type_of(recipe, catalogue, name) for name in recipe.names}
    why = {one.use: one.why for one in recommended(data, catalogue, kind)}
    wanted = [KINDS[kind]] if kind in KINDS else [one for one in KINDS.values() if one.is_step]
    found = [
        _method(method, why.get(method.name, ""), given)
        for each in wanted
        for method in catalogue.of_kind(each.name)
    ]
    order = list(why)
    found.sort(key=lambda one: order.index(one.key) if one.recommended else len(order))
    return found


def _method(method: Descriptor, why: str, given: set[str]) -> Entry:
    lacking = ""
    for need in method.inputs:
        if not need.optional and not any(need.accepts_type(one) for one in given):
            lacking = f"It needs {with_article(' or '.join(need.accepts))} first."
            break
    return Entry(
        sort="method",
        key=method.name,
        title=method.title,
        where=KINDS[method.kind].name,
        about=method.summary,
        why=lacking or why,
        possible=not lacking,
        recommended=bool(why) and not lacking,
        words=f"{method.name} {when_to_use().get(method.name, '')}",
    )


def step_entries(session: Session) -> list[Entry]:
    """Return the steps of the recipe, to go to."""
    catalogue = session.catalogue
    return [
        Entry("step", step.name, step.name, "step",
              catalogue.get(step.use).title if step.use in catalogue else step.use)
        for step in session.recipe.steps
    ]  # fmt: skip


def search(entries: Iterable[Entry], text: str) -> tuple[Entry, ...]:
    """Return the entries that have all words of a text, the best first.

    >>> found = search([Entry("method", "a/b", "K-means"), Entry("method", "c/d", "Ward")], "mean")
    >>> [entry.title for entry in found]
    ['K-means']
    """
    words = text.casefold().split()
    scored = []
    for place, entry in enumerate(entries):
        scores = [_score(entry, word) for word in words]
        if all(scores):
            scored.append((sum(scores), entry.possible, entry.recommended, -place, entry))
    scored.sort(key=lambda one: one[:4], reverse=True)
    return tuple(one[-1] for one in scored[:MOST_SHOWN])


def _score(entry: Entry, word: str) -> int:
    """How well one word fits: 0 not at all; the title counts most, then what is said of it."""
    title = entry.title.casefold()
    if title.startswith(word):
        return 60
    if any(part.startswith(word) for part in _parts(title)):
        return 50
    if word in title:
        return 30
    if word in entry.words.casefold() or word in entry.key.casefold():
        return 20
    if word in entry.about.casefold() or word in entry.where.casefold():
        return 10
    if len(word) >= 3 and _in_order(word, title):
        return 5
    return 0


def _parts(title: str) -> Sequence[str]:
    return title.replace("-", " ").replace("–", " ").split()


def _in_order(word: str, title: str) -> bool:
    """Whether the letters of a word come in this order, each near the start of a part or the last.

    >>> _in_order("ncut", "normalised cut"), _in_order("kmns", "k-means"), _in_order("xq", "axis")
    (True, True, False)
    """
    letters = iter(title)
    return all(letter in letters for letter in word)
