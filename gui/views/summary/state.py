"""The Summary view: how many groups, how sure, each in words, and what else to try."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from coterie.core.formats.files.tables import item_name
from coterie.core.model.arrays import Ints, is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering
from coterie.core.wording import counted
from coterie.gui.toolkit.deferred import Pending
from coterie.gui.views.shown_items.displayed import Shown, look
from coterie.gui.views.shown_items.group_editing import GroupEditing
from coterie.projects.candidates import ListedCandidate, adopted, candidates_of
from coterie.projects.recipe import group_edits
from coterie.projects.report.findings import verdict
from coterie.projects.report.group_description import GroupDescription, describe_groups

if TYPE_CHECKING:
    from coterie.projects.session import Session

Descriptions = tuple[GroupDescription, ...]
MOST_ALTERNATIVES = 4


@dataclass(frozen=True)
class NextStep:
    """Something to try next.

    Attributes
    ----------
    words : what a button says
    why : in half a sentence
    what : what the window does: "view", "export", "compare", "find", "select"
    which : of which view or step
    """

    words: str
    why: str
    what: str
    which: str = ""


class SummaryState:
    """The groups of the shown result in words, and the candidates of an automatic answer."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.chosen = ""
        self.shown = Shown()
        self.pending: Pending[Descriptions] = Pending(())
        self.candidates: tuple[ListedCandidate, ...] = ()
        self.origin: Clustering | None = None
        self.origin_step = ""
        self._labels: Ints | None = None
        self._sizes: tuple[Clustering | None, tuple[int, ...]] = (None, ())

    def update(self) -> None:
        """Look again; the words are worked out elsewhere."""
        self.shown = look(self._session, self.chosen)
        groups = self.shown.clustering
        self.origin, self.origin_step, self.candidates = None, "", ()
        if groups is None:
            return
        recipe, step = self._session.recipe, self.shown.clustering_step
        self.origin_step = group_edits.origin_of(recipe, step) if step in recipe.names else step
        found = self._session.results.artefact(self.origin_step)
        self.origin = found if isinstance(found, Clustering) else groups
        self.candidates = candidates_of(self.origin, lambda _: None)
        # Another name of a group leaves all words true.
        if self._labels is None or not np.array_equal(self._labels, groups.labels):
            self._labels = groups.labels
        data = described(self.shown.dataset)
        work = partial(describe_groups, groups, data)
        self.pending.renew((self.shown.dataset, self._labels), work, at_once=False)

    @property
    def empty(self) -> str:
        """A sentence when there is nothing to show, else nothing."""
        if self.shown.dataset is None:
            return "Open a file or choose a sample, then run its recipe to read the answer here."
        if self.shown.clustering is None:
            return "Run a clustering method to read its groups in words here."
        return ""

    @property
    def descriptions(self) -> Descriptions | None:
        """Each group in words; None while they are worked out."""
        return None if self.pending.work is not None else self.pending.value

    @property
    def edited(self) -> bool:
        """Whether the groups are not as the method found them."""
        groups, origin = self.shown.clustering, self.origin
        if groups is None or origin is None:
            return False
        return groups.k != origin.k or not np.array_equal(groups.labels, origin.labels)

    @property
    def verdict(self) -> str:
        """How sure the automatic answer is: "sure", "unsure" or "no groups"; else nothing."""
        return "" if self.origin is None else str(self.origin.details.get("verdict", ""))

    @property
    def headline(self) -> str:
        """How many groups there are, in two or three words."""
        groups = self.shown.clustering
        if groups is None:
            return ""
        if groups.k == 0 or (self.verdict == "no groups" and not self.edited):
            return "No groups"
        return counted(groups.k, "group")

    @property
    def sentence(self) -> str:
        """How sure the number of groups is, and what else it could be."""
        groups, origin = self.shown.clustering, self.origin
        if groups is None or origin is None:
            return ""
        said = verdict(origin, self.origin_step)
        if self.edited:
            found = counted(origin.k, "group")
            return f"Edited by hand. The method '{self.origin_step}' found {found}: {said}"
        # What the headline says already is not said twice.
        return said.removeprefix(f"{self.headline}. ")

    @property
    def facts(self) -> str:
        """How many items there are, and how many are in no group."""
        groups, data = self.shown.clustering, self.shown.dataset
        if groups is None or data is None:
            return ""
        outside = int((groups.labels < 0).sum())
        said = [counted(groups.n, "item")]
        if data.d:
            said.append(counted(data.d, "column"))
        if outside:
            said.append(f"{outside:,} in no group")
        decided = int((self.origin or groups).details.get("decided_on", groups.n))
        if decided < groups.n:
            said.append(f"decided on {decided:,} of them")
        return " · ".join(said)

    @property
    def curve(self) -> tuple[tuple[int, float], ...]:
        """The best expected agreement at each number of groups."""
        rows = () if self.origin is None else self.origin.details.get("curve", ())
        return tuple((int(k), float(value)) for k, value in rows)

    @property
    def alternatives(self) -> tuple[tuple[int, ListedCandidate], ...]:
        """The candidates to offer instead, each with its number, those the verdict names first."""
        others = [(n, one) for n, one in enumerate(self.candidates) if not one.chosen and one.k > 1]
        return tuple(others[:MOST_ALTERNATIVES])

    def size(self, group: int) -> int:
        """Return the number of items of a group."""
        groups = self.shown.clustering
        return 0 if groups is None else len(groups.members(group))

    def sizes(self) -> tuple[int, ...]:
        """Return the number of items of each group."""
        groups = self.shown.clustering
        if groups is not None and self._sizes[0] is not groups:  # each card asks for them
            self._sizes = groups, _sizes_of(groups)
        return () if groups is None else self._sizes[1]

    def item_name(self, item: int) -> str:
        """Return what an item is called."""
        return item_name(self.shown.dataset, item)

    def next_steps(self) -> tuple[NextStep, ...]:
        """Return what to try next, the most useful first."""
        groups = self.shown.clustering
        if groups is None:
            return ()
        found = []
        if self.verdict in ("unsure", "no groups") and self.candidates:
            why = "no single answer stands out" if self.verdict == "unsure" else "to confirm it"
            found.append(NextStep("Compare methods…", why, "compare"))
        if self.verdict == "no groups" or groups.k < 2:
            why = "methods differ in what they call a group"
            found.append(NextStep("Try another method…", why, "find", "clusterer"))
        found.append(NextStep("See the picture", "each item as a point", "view", "Embedding"))
        if groups.k > 1:
            found.append(
                NextStep("Compare the columns", "their values in each group", "view", "Profile")
                if described(self.shown.dataset) is not None
                else NextStep("See typical items", "items ranked by group", "view", "Ranking")
            )
        if int((groups.labels < 0).sum()):
            found.append(NextStep("Select items in no group", "to inspect them", "select", "-1"))
        found += [
            NextStep("Export…", "the groups as a table", "export", self.shown.clustering_step),
            NextStep("Write a report", "this page, figures and how it was made", "view", "Report"),
        ]
        return tuple(found)

    # Edits

    def adopt(self, number: int) -> str:
        """Add the steps of a candidate to the recipe, as one edit; return the last one's name."""
        candidate, session = self.candidates[number], self._session
        recipe, name = adopted(session.recipe, self.origin_step, candidate.steps)
        session.edits.replace(recipe, f"adopt {candidate.title}")
        session.run(name)
        return name

    @property
    def editing(self) -> GroupEditing | None:
        """What changes the groups that are shown; None without any."""
        groups = self.shown.clustering
        if groups is None:
            return None
        return GroupEditing(self._session, self.shown.clustering_step, groups)


def _sizes_of(groups: Clustering) -> tuple[int, ...]:
    if groups.group_starts is not None:
        return tuple(np.diff(groups.group_starts).tolist())
    labels = groups.labels
    inside = labels if labels.min(initial=0) >= 0 else labels[labels >= 0]
    return tuple(np.bincount(inside, minlength=groups.k).tolist())


def described(data: Dataset | None) -> Dataset | None:
    """Return the data if something of them can be said in words."""
    if data is None or data.on_disk:
        return None
    if data.kind == "texts" and data.texts:
        return data
    known = data.kind in ("table", "images", "raster")
    if not known or data.features is None or is_sparse(data.features):
        return None
    return data
