"""One wide, large group and two narrow, small ones."""

from __future__ import annotations

from coterie.core.dataset import Dataset
from coterie.core.samples.multi_scale import make_with_share


def make(seed: int, n: int) -> Dataset:
    """Return n points, eight in the wide group for one in either narrow one."""
    return make_with_share("Wide, many; narrow, few", 8.0, seed, n)
