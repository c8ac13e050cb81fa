"""Personalised PageRank: where a walk is found that keeps coming back to its seed."""

from __future__ import annotations

from coterie.core.numerics.walks.pagerank import RestartRanker


class PersonalisedPageRank(RestartRanker):
    """Order the items by how often a random walk that keeps restarting at the seed visits them.

    The scores π = α (I − (1 − α) Pᵀ)⁻¹ s sum to one; the seed s is uniform over the whole set, a
    group, or the chosen items. From an item without an edge the walk goes back to the seed.
    """

    id, title = "personalised-pagerank", "Personalised PageRank"
    reference = "Haveliwala (2002). Topic-sensitive PageRank. WWW."
    dangling = "seed"
