"""Whether a plugin's distribution asks for this version of Coterie."""

from __future__ import annotations

import re
from collections.abc import Iterable

_CLAUSE = re.compile(r"(~=|==|!=|<=|>=|<|>)\s*([0-9]+(?:\.[0-9]+)*)(\.\*)?[^,\s]*")


def unmet(requirements: Iterable[str], version: str) -> str:
    """Return what a distribution asks of Coterie that this version is not; empty when it fits.

    Only numbers of releases are compared; what else a requirement says is left to installers.

    Parameters
    ----------
    requirements : as in its metadata, such as "coterie>=0.1,<2"

    Examples
    --------
    >>> unmet(["numpy", "coterie[tables]>=0.3; python_version>'3'"], "0.2.0")
    'coterie>=0.3'
    >>> unmet(["coterie~=0.1"], "0.2.0")
    ''
    """
    for text in requirements:
        needed, _, condition = text.partition(";")
        if re.match(r"\s*coterie(?![\w.-])", needed, re.I) is None or "extra" in condition:
            continue
        clauses = _CLAUSE.findall(needed)
        if not all(_fits(_release(version), sign, wanted, star) for sign, wanted, star in clauses):
            return "coterie" + ",".join(f"{sign}{wanted}{star}" for sign, wanted, star in clauses)
    return ""


def _fits(have: tuple[int, ...], sign: str, wanted: str, star: str) -> bool:
    want = _release(wanted)
    if sign in ("==", "!=") and star:
        return (have[: len(want)] == want) == (sign == "==")
    if sign == "~=":
        return _padded(have, want) >= _padded(want, have) and have[: len(want) - 1] == want[:-1]
    one, other = _padded(have, want), _padded(want, have)
    return {
        "==": one == other, "!=": one != other, "<=": one <= other, ">=": one >= other,
        "<": one < other, ">": one > other,
    }[sign]  # fmt: skip


def _release(version: str) -> tuple[int, ...]:
    found = re.match(r"[0-9]+(\.[0-9]+)*", version)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def _padded(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return one + (0,) * (len(other) - len(one))
