"""Groups of texts in words: those that are more frequent in a group than elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from coterie.core.model.arrays import Ints

MOST_LETTERS = 5000  # of a text that are read: its words repeat
MOST_WORDS = 20_000  # that are considered, the most frequent ones
SHORTEST = 2  # letters


def telling_words(
    texts: Sequence[str], labels: Ints, *, shown: int = 8
) -> tuple[tuple[str, ...], ...]:
    """Return for each group the words that are more frequent in it than in all other texts.

    A word counts once a text. Words are ordered by the log of the ratio of the two shares, each
    with half a text added, weighted by the share in the group, so a word of a single text does not
    come first.

    >>> telling_words(["a red cat", "red cats", "blue sky", "the blue sea"], np.array([0, 0, 1, 1]))
    (('red', 'cat', 'cats'), ('blue', 'sea', 'sky', 'the'))
    """
    import re

    pattern = re.compile(rf"[^\W\d_]{{{SHORTEST},}}")
    k = int(labels.max(initial=-1)) + 1
    inside = [Counter[str]() for _ in range(k)]
    whole: Counter[str] = Counter()
    for text, label in zip(texts, labels.tolist(), strict=True):
        words = {word.lower() for word in pattern.findall(text[:MOST_LETTERS])}
        whole.update(words)
        if label >= 0:
            inside[label].update(words)
    known = [word for word, _ in whole.most_common(MOST_WORDS)]
    total = np.array([whole[word] for word in known], dtype=float)
    n = len(texts)
    found = []
    for group in range(k):
        size = int((labels == group).sum())
        own = np.array([inside[group][word] for word in known], dtype=float)
        share = (own + 0.5) / (size + 1)
        other = (total - own + 0.5) / (n - size + 1)
        telling = share * np.log(share / other)
        best = sorted(range(len(known)), key=lambda j: (-telling[j], known[j]))
        found.append(tuple(known[j] for j in best if telling[j] > 0 and own[j])[:shown])
    return tuple(found)
