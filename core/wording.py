"""Numbers and their nouns in sentences for people."""

from __future__ import annotations


def counted(count: int, word: str) -> str:
    """Return a number and its noun.

    >>> counted(1, "group"), counted(2, "class"), counted(12000, "item")
    ('1 group', '2 classes', '12,000 items')
    """
    plural = f"{word}es" if word.endswith("s") else f"{word}s"
    return f"{count:,} {word if count == 1 else plural}"
