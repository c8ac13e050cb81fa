"""Bag of words: words that two texts share."""

from __future__ import annotations

from coterie.core import Affinity, Context, Cost, Dataset, Field, Kernel
from coterie.core.numerics.features.counts import count_words, require_content, require_texts
from coterie.core.numerics.similarity.inner_products import inner_products


class BagOfWords(Kernel):
    """Similarity Σ over words: count in one text × count in the other.

    Long texts are similar to everything: normalise afterwards (graph `normalise-kernel`). Dense;
    positive semi-definite.
    """

    id, title = "bag-of-words", "Bag of words"
    reference = "Salton, McGill (1983). Introduction to Modern Information Retrieval."

    class Params(Kernel.Params):
        """What counts as the same word."""

        lower_case: bool = Field(
            True, description="Whether words that differ only in capitals are the same."
        )

    def compute(self, data: Dataset, *, params: Params, context: Context) -> Affinity:
        """Return the dense n × n inner products of counts."""
        context.check()
        counts, words = count_words(
            require_texts(data), lower_case=params.lower_case, check=context.check
        )
        require_content(data, counts, "words")
        return Affinity(
            values=inner_products(counts, check=context.check),
            symmetric=True,
            nonnegative=True,
            positive_semidefinite=True,
            title="Shared words",
            dataset=data,
            details={"words": len(words)},
        )

    def estimate(self, data: Dataset, *, params: Params) -> Cost:
        """One n × n matrix and the counts."""
        n, letters = data.n, sum(map(len, data.texts))
        return Cost(
            bytes=8 * n * n + 64 * letters + (8 << 20),
            seconds=1e-7 * n * n + 1e-6 * letters,
        )
