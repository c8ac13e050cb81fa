"""One wide group and two narrow ones, of equal size: no single width suits all three."""

from __future__ import annotations

from dataclasses import replace

from coterie.core.formats.samples.clouds import Cloud, clouds
from coterie.core.model.dataset import Dataset

WIDE = Cloud("wide", (-6.0, 0.0), 2.0)
NARROW = (Cloud("near", (0.0, 0.0), 0.5), Cloud("far", (2.0, 0.0), 0.5))


def make(seed: int, n: int) -> Dataset:
    """Return n points, a third of them in each group."""
    return make_with_share("Wide and narrow", 1.0, seed, n)


def make_with_share(title: str, share: float, seed: int, n: int) -> Dataset:
    """Return n points, `share` times as many in the wide group as in either narrow one."""
    return clouds(title, "group", (replace(WIDE, share=share), *NARROW), seed, n)
