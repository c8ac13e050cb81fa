"""PageRank: how often a random walk with occasional jumps visits each item."""

from __future__ import annotations

from coterie.core.numerics.walks.pagerank import RestartRanker


class PageRank(RestartRanker):
    """Order the items by how often a random walk with occasional jumps visits them.

    From an item without an edge the walk goes to any item alike. Scores sum to one. In a group, or
    relative to chosen items, the walk jumps only to these.
    """

    id, title = "pagerank", "PageRank"
    reference = (
        "Brin, Page (1998). The anatomy of a large-scale hypertextual Web search engine. "
        "Computer Networks 30."
    )
    dangling = "uniform"
