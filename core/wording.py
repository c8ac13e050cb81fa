"""Numbers in sentences for people: with their nouns, and bytes with their unit."""

from __future__ import annotations

from collections.abc import Sequence


def counted(count: int, word: str) -> str:
    """Return a number and its noun.

    >>> counted(1, "group"), counted(2, "class"), counted(12000, "item")
    ('1 group', '2 classes', '12,000 items')
    """
    plural = f"{word}es" if word.endswith("s") else f"{word}s"
    return f"{count:,} {word if count == 1 else plural}"


def listed(words: Sequence[object], last: str = "and") -> str:
    """Return words as a sentence lists them.

    >>> listed([3, 2, 1]), listed([".png", ".svg"], "or")
    ('3, 2 and 1', '.png or .svg')
    """
    texts = [str(word) for word in words]
    return f" {last} ".join(filter(None, [", ".join(texts[:-1]), *texts[-1:]]))


def first_of(words: Sequence[str], most: int = 5) -> str:
    """Return the first of many names, and how many more there are.

    >>> first_of(["B1", "B2"]), first_of(["B1", "B2", "B3", "B4"], 2)
    ('B1 and B2', 'B1, B2 and 2 more')
    """
    more = len(words) - most
    return listed(words if more < 2 else [*words[:most], f"{more} more"])


def with_article(word: str) -> str:
    """Return a noun as one of its kind.

    >>> with_article("embedder"), with_article("kernel")
    ('an embedder', 'a kernel')
    """
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"


def size_in_words(size: float) -> str:
    """Return a number of bytes in decimal units: 1 kB is 1000 bytes.

    >>> size_in_words(12), size_in_words(1500), size_in_words(32e6), size_in_words(3e15)
    ('12 bytes', '1.5 kB', '32 MB', '3,000 TB')
    """
    if size < 1000:
        return counted(int(size), "byte")
    for unit in ("kB", "MB", "GB"):
        size /= 1000
        if round(size) < 1000:
            return f"{size:.1f} {unit}" if size < 9.95 else f"{size:.0f} {unit}"
    return f"{size / 1000:,.0f} TB" if size >= 10_000 else f"{size / 1000:.1f} TB"
