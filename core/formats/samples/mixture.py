"""Three groups that overlap and lean: a mixture of Gaussians of different spread and slant."""

from __future__ import annotations

from coterie.core.formats.samples.clouds import Cloud, clouds
from coterie.core.model.dataset import Dataset

PARTS = (
    Cloud("red", (2.0, 0.0), 0.025**0.5),
    Cloud("green", (1.2, 0.5), 0.05**0.5, -0.5),
    Cloud("blue", (2.0, 1.0), 0.1**0.5, 0.5),
)


def make(seed: int, n: int) -> Dataset:
    """Return n points, a third of them from each Gaussian."""
    return clouds("Leaning mixture", "component", PARTS, seed, n)
