"""The Summary view: how many groups, how sure, each in words, and what else to try."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from coterie.core.model.arrays import is_sparse
from coterie.core.model.dataset import Dataset
from coterie.core.model.results import Clustering
from coterie.gui.toolkit.deferred import Pending
from coterie.gui.views.shown_items.displayed import Shown, look
from coterie.projects.candidates import Candidate, adopted, candidates_of
from coterie.projects.report.blocks import TableBlock
from coterie.projects.report.findings import group_table, verdict

if TYPE_CHECKING:
    from coterie.projects.session import Session

_NOTHING = TableBlock((), ())


class SummaryState:
    """The groups of the shown result in words, and the candidates of an automatic answer."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.chosen = ""
        self.shown = Shown()
        self.pending = Pending(_NOTHING)
        self.candidates: tuple[Candidate, ...] = ()

    def update(self) -> None:
        """Look again; the words are worked out elsewhere."""
        self.shown = look(self._session, self.chosen)
        groups = self.shown.clustering
        if groups is None:
            self.candidates = ()
            return
        data = described(self.shown.dataset)
        self.pending.renew((data, groups), partial(group_table, groups, data), at_once=False)
        self.candidates = candidates_of(groups, lambda _: None)

    @property
    def empty(self) -> str:
        """A sentence when there is nothing to show, else nothing."""
        if self.shown.dataset is None:
            return "Open a file or choose a sample, then run its recipe to read the answer here."
        if self.shown.clustering is None:
            return "Run a clustering method to read its groups in words here."
        return ""

    @property
    def table(self) -> TableBlock | None:
        """Each group in words; None while they are worked out."""
        return None if self.pending.work is not None else self.pending.value

    @property
    def sentence(self) -> str:
        """How many groups there are and how sure that is."""
        groups: Clustering | None = self.shown.clustering
        return "" if groups is None else verdict(groups, self.shown.clustering_step)

    def adopt(self, number: int) -> str:
        """Add the steps of a candidate to the recipe, as one edit; return the last one's name."""
        candidate, session = self.candidates[number], self._session
        recipe, name = adopted(session.recipe, self.shown.clustering_step, candidate.steps)
        session.edits.replace(recipe, f"adopt {candidate.title}")
        session.run(name)
        return name


def described(data: Dataset | None) -> Dataset | None:
    """Return the data if their columns mean something to a person and are in memory."""
    if data is None or data.kind != "table" or data.features is None or is_sparse(data.features):
        return None
    return data
