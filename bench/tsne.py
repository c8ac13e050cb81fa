"""A live t-SNE of 10,000 items: its processor time against openTSNE alone, and its pictures.

openTSNE gets the same items, perplexity, iterations and first places, and one thread as we do. What
ours does besides is to look for a cancel, to note each iteration and to send pictures; the limit is
1.2 times the peer's processor time. Of the pictures it says how many were sent in each second of
processor time: 10 or more are wanted.
"""

from __future__ import annotations

import time

import numpy as np
from tools.measuring import report

from coterie.core import Context, Dataset, Embedding, Output
from coterie.core.api.context import NullListener
from coterie.core.api.frame import Frame
from coterie.plugins.embedders.tsne import EARLY, EXAGGERATION, TSNE

N, D, GROUPS = 10_000, 20, 12
ITERATIONS = 500


class Counting(NullListener):
    """Counts the pictures that are sent."""

    pictures = 0

    def frame(self, frame: Frame) -> None:
        """Count one."""
        self.pictures += frame.coordinates is not None


def main() -> None:
    """Measure both, ours first and last, so a machine that slows down favours nobody."""
    rng = np.random.default_rng(0)
    centres = rng.normal(scale=6, size=(GROUPS, D))
    X = centres[rng.integers(0, GROUPS, N)] + rng.normal(size=(N, D))
    first, sent = ours(X)
    peer = theirs(X)
    second, _ = ours(X)
    report(f"t-SNE of {N:,} items", [first, second], "openTSNE alone", peer)
    print(f"Pictures: {sent}, {sent / first:.1f} in a second of processor time")


def ours(X: np.ndarray) -> tuple[float, int]:
    """Return our processor seconds, and the number of pictures."""
    listener = Counting()
    began = time.process_time()
    found = TSNE().compute(
        Dataset(features=X),
        params=TSNE.Params(iterations=ITERATIONS),
        context=Context(seed=0, listener=listener),
    )
    assert isinstance(found, Output)
    assert isinstance(found.main, Embedding)
    return time.process_time() - began, listener.pictures


def theirs(X: np.ndarray) -> float:
    """Return the processor seconds of openTSNE with the same settings."""
    import openTSNE

    began = time.process_time()
    openTSNE.TSNE(
        perplexity=30,
        early_exaggeration=EXAGGERATION,
        early_exaggeration_iter=EARLY,
        n_iter=ITERATIONS,
        initialization="pca",
        n_jobs=1,
        random_state=0,
    ).fit(X)
    return time.process_time() - began


if __name__ == "__main__":
    main()
