"""Reads a query as people type it: printed signs, spoken names.

`Petal length ≤ 1,5 and species = red wine` becomes the strict form that `queries` works out: signs
become Python's, and words that stand together become one name, whether of a column or of a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|“[^”]*”)
    |`(?P<quoted>[^`]*)`
    |(?P<sign><=|>=|==|!=|<>|[≤≥≠=<>])
    |(?P<number>(?:\d+(?:[.,]\d+)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
    |(?P<mark>[-−+*×/÷%()\[\]{},])
    |(?P<word>(?![:;])[^\s'"“`<>≤≥≠=−+*×/÷%()\[\]{},!-]+)""",
    re.VERBOSE,
)
_SIGNS = {"≤": "<=", "≥": ">=", "≠": "!=", "<>": "!=", "=": "==", "−": "-", "×": "*", "÷": "/"}
_JOINS = ("and", "or", "not", "in")
_TRUTHS = ("True", "False")


@dataclass
class Reading:
    """A query in the strict form.

    Attributes
    ----------
    expression : as Python's parser takes it
    columns : the columns that its made-up names stand for
    words : what other words stand for, which may be names of values
    """

    expression: str = ""
    columns: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)


def has_sign(text: str) -> bool:
    """Return whether a text compares something, rather than being one to look for.

    >>> has_sign("width ≥ 2"), has_sign("kind in ('a', 'b')"), has_sign("red wine")
    (True, True, False)
    """
    return re.search(r"[<>=≤≥≠]|\bin\s*[(\[{]", text) is not None


def read(text: str, column_of: Callable[[str], str | None], known: Iterable[str] = ()) -> Reading:
    """Bring a query to the strict form.

    Parameters
    ----------
    column_of : returns the column that a person means by a name, or None
    known : names of columns; those with signs in them are found as they are written

    Examples
    --------
    >>> found = read("Petal length ≤ 1,5", {"Petal length": "petal length"}.get)
    >>> found.expression, found.columns
    ('name_0_ <= 1.5', {'name_0_': 'petal length'})
    """
    reading, parts, signed = Reading(), list[str](), _signed(known)
    run: tuple[int, int] | None = None
    depth = at = 0

    def end_run() -> None:
        nonlocal run
        if run is not None:
            parts.append(_named(text[run[0] : run[1]], reading, column_of))
        run = None

    while at < len(text):
        name = signed.match(text, at) if signed is not None and run is None else None
        if name is not None:
            parts.append(_strict("quoted", f"`{name.group()}`", reading, column_of))
            at = name.end()
            continue
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None:
            end_run()
            parts.append(text[at])  # the parser will say that it cannot be read
            at += 1
            continue
        kind, token = found.lastgroup, found.group()
        if kind == "number" and run is None and not _word_follows(text, found.end()):
            # Within brackets a comma parts the entries of a list.
            if depth and "," in token:
                found = re.compile(r"\d+").match(text, at) or found
                token = found.group()
            parts.append(token.replace(",", "."))
        elif kind in ("word", "number") and token.casefold() not in _JOINS:
            run = (run[0] if run else at, found.end())
        elif kind != "space":
            end_run()
            depth += (token in "([{") - (token in ")]}") if kind == "mark" else 0
            parts.append(_strict(kind, token, reading, column_of))
        at = found.end()
    end_run()
    reading.expression = " ".join(parts)
    return reading


def _signed(known: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern of the names that no run of words could be, the longest first."""
    names = [name for name in known if re.match(r"\w.*[^\w\s]", name) and "`" not in name]
    longest_first = sorted(names, key=len, reverse=True)
    any_of = "|".join(map(re.escape, longest_first))
    return re.compile(rf"(?:{any_of})(?!\w)", re.IGNORECASE) if names else None


def _strict(kind: str, token: str, reading: Reading, column_of: Callable[[str], str | None]) -> str:
    if kind == "quoted":
        inside = token[1:-1]
        return _stand_in(reading.columns, column_of(inside) or inside, reading)
    if kind == "text":
        return repr(token[1:-1]) if token[0] == "“" else token
    return token.casefold() if kind == "word" else _SIGNS.get(token, token)


def _named(words: str, reading: Reading, column_of: Callable[[str], str | None]) -> str:
    """Return what stands in for words that stand together."""
    if words in _TRUTHS:
        return words
    column = column_of(words)
    if column is not None:
        return _stand_in(reading.columns, column, reading)
    if " " not in words and not words.replace("_", "").isalnum() and words.isascii():
        return words  # such as width.size: left to the parser, to be refused
    return _stand_in(reading.words, words, reading)


def _stand_in(names: dict[str, str], name: str, reading: Reading) -> str:
    known = f"name_{len(reading.columns) + len(reading.words)}_"
    names[known] = name
    return known


def _word_follows(text: str, at: int) -> bool:
    """Whether a number is the first of several words, such as 7 in 7 dwarfs."""
    found = re.compile(r"[^\S\n]+").match(text, at)
    following = _TOKEN.match(text, found.end()) if found else None
    if following is None or following.lastgroup not in ("word", "number"):
        return False
    return following.group().casefold() not in _JOINS
