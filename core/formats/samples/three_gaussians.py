"""Three round groups of equal size, well apart."""

from __future__ import annotations

from coterie.core.formats.samples.clouds import Cloud, clouds
from coterie.core.model.dataset import Dataset

PARTS = (
    Cloud("left", (0.0, 0.0), 1.0),
    Cloud("right", (5.0, 0.5), 1.0),
    Cloud("top", (2.2, 4.5), 1.0),
)


def make(seed: int, n: int) -> Dataset:
    """Return n points, a third of them in each group."""
    return clouds("Three clouds", "cloud", PARTS, seed, n)
