"""Numbers and their nouns in sentences for people."""

from __future__ import annotations

from collections.abc import Sequence


def counted(count: int, word: str) -> str:
    """Return a number and its noun.

    >>> counted(1, "group"), counted(2, "class"), counted(12000, "item")
    ('1 group', '2 classes', '12,000 items')
    """
    plural = f"{word}es" if word.endswith("s") else f"{word}s"
    return f"{count:,} {word if count == 1 else plural}"


def listed(words: Sequence[object]) -> str:
    """Return words as a sentence lists them.

    >>> listed([3, 2, 1])
    '3, 2 and 1'
    """
    texts = [str(word) for word in words]
    return " and ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


def with_article(word: str) -> str:
    """Return a noun as one of its kind.

    >>> with_article("embedder"), with_article("kernel")
    ('an embedder', 'a kernel')
    """
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"
