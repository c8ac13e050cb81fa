"""One wide, large group and two narrow, small ones."""

from __future__ import annotations

from coterie.core.formats.samples.multi_scale import make_with_share
from coterie.core.model.dataset import Dataset


def make(seed: int, n: int) -> Dataset:
    """Return n points, eight in the wide group for one in either narrow one."""
    return make_with_share("Wide, many; narrow, few", 8.0, seed, n)
