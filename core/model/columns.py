"""Typed columns of a table: what each holds, and what it is used for."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args, overload

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Array, Floats, Ints, read_only

ColumnType = Literal["number", "category", "ordered", "date", "text", "identifier"]
Role = Literal["feature", "label", "name", "weight", "information"]
TYPES: tuple[str, ...] = get_args(ColumnType)
ROLES: tuple[str, ...] = get_args(Role)
NUMERIC = ("number", "date")
CODED = ("category", "ordered")
WORDED = ("text", "identifier")
SECONDS_A_DAY = 86400


class Texts(Sequence[str]):
    """Strings in one row of bytes; an empty one stands for a missing one.

    >>> Texts.of(["ab", "", "ö"]).tolist()
    ['ab', '', 'ö']
    """

    def __init__(self, utf8: Array, starts: Array) -> None:
        if (
            utf8.dtype != np.dtype(np.uint8)
            or (utf8.ndim, starts.ndim) != (1, 1)
            or starts.dtype.kind not in "iu"
            or not len(starts)
            or starts[0] != 0
            or starts[-1] != len(utf8)
            or (starts[1:] < starts[:-1]).any()
        ):
            raise DataError(
                "The texts of a column do not fit their bytes. The file is damaged.",
                code="file-damaged",
            )
        self.utf8, self.starts = read_only(utf8), read_only(starts)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Texts:
        """Pack strings; what is not a character is replaced."""
        packed = [text.encode("utf-8", "replace") for text in texts]
        lengths = np.fromiter(map(len, packed), np.int64, len(packed))
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        return cls(np.frombuffer(b"".join(packed), np.uint8), starts)

    @classmethod
    def of_whole(cls, numbers: Array) -> Texts:
        """Write whole numbers as texts.

        >>> Texts.of_whole(np.array([7.0, 12.0])).tolist()
        ['7', '12']
        """
        whole = numbers.astype(np.int64)
        try:
            import pyarrow
        except ImportError:  # a few times slower
            return cls._of_digits(whole)
        if not len(whole):
            return cls.of([])
        _, places, letters = pyarrow.array(whole).cast("large_string").buffers()
        starts = np.frombuffer(places, np.int64, len(whole) + 1)
        return cls(np.frombuffer(letters, np.uint8, int(starts[-1])), starts)

    @classmethod
    def _of_digits(cls, whole: Array) -> Texts:
        left = np.abs(whole)
        largest = int(left.max(initial=0))
        most = len(str(largest))
        if largest < 1 << 31:  # half the memory to go through for each digit
            left = left.astype(np.int32)
        digits = np.searchsorted(10 ** np.arange(1, most, dtype=left.dtype), left, side="right") + 1
        lengths = digits + (whole < 0)
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        letters = np.full(starts[-1], ord("-"), np.uint8)
        ends = starts[1:]
        for place in range(1, most + 1):
            rest = left // 10
            has = slice(None) if place == 1 else digits >= place
            letters[(ends - place)[has]] = (left - 10 * rest + ord("0"))[has]
            left = rest
        return cls(letters, starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        return self.utf8[self.starts[at] : self.starts[at + 1]].tobytes().decode("utf-8", "replace")

    def __iter__(self) -> Iterator[str]:
        if len(self) > 1 and self.utf8.all():  # no zero in them: it can separate them
            apart = np.insert(self.utf8, self.starts[1:-1], 0).tobytes()
            return iter(apart.decode("utf-8", "replace").split("\0"))
        whole, ends = self.utf8.tobytes(), self.starts.tolist()
        if whole.isascii():  # then a character is a byte
            text = whole.decode("ascii")
            return (text[begin:end] for begin, end in itertools.pairwise(ends))
        return (
            whole[begin:end].decode("utf-8", "replace") for begin, end in itertools.pairwise(ends)
        )

    def tolist(self) -> list[str]:
        """All of them, as Python strings."""
        return list(self)

    def take(self, index: Ints) -> Texts:
        """Those at the positions `index`, in that order."""
        chosen = np.asarray(index)
        lengths = np.diff(self.starts)[chosen]
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        within = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
        return Texts(self.utf8[np.repeat(self.starts[:-1][chosen], lengths) + within], starts)


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a table.

    Attributes
    ----------
    name : what the table calls it
    values : float64 for a number or a date, NaN where missing (a date counts seconds since
        1970-01-01); int32 codes for a category or an ordered one, an index into `categories`, −1
        where missing; `Texts` for a text or an identifier, empty where missing
    type : what it holds
    role : what it is used for
    categories : names of the codes; of an ordered column, the least first
    unit : what its numbers are of, such as "€" or "%"
    why : why it was given its type and role, as a sentence; empty when a person chose them

    >>> Column("size", np.array([1.5, np.nan])).missing.tolist()
    [False, True]
    """

    name: str
    values: Any
    type: ColumnType = "number"
    role: Role = "feature"
    categories: tuple[str, ...] = ()
    unit: str = ""
    why: str = ""
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        if self.type not in TYPES or self.role not in ROLES:
            raise DataError(
                f"Column '{self.name:.80}' must have one of the types {', '.join(TYPES)} and one "
                f"of the roles {', '.join(ROLES)}. Got '{self.type!s:.40}', '{self.role!s:.40}'.",
                code="wrong-type",
            )
        values = self.values
        if self.type in WORDED:
            if not isinstance(values, Texts):
                object.__setattr__(self, "values", Texts.of(values))
            return
        array = np.asarray(values)
        if array.ndim != 1 or array.dtype.kind not in "biuf":
            raise DataError(
                f"Column '{self.name:.80}' must be one row of numbers. "
                f"Got {array.dtype} of shape {array.shape}.",
                code="wrong-shape",
            )
        array = array.astype(np.float64 if self.type in NUMERIC else np.int32, copy=False)
        if self.type in CODED and array.size:
            least, most = int(array.min()), int(array.max())
            if least < -1 or most >= len(self.categories):
                raise DataError(
                    f"Column '{self.name:.80}' has {len(self.categories)} categories, but codes "
                    f"from {least} to {most}.",
                    code="wrong-shape",
                )
        object.__setattr__(self, "values", read_only(array))

    def __len__(self) -> int:
        return len(self.values)

    @property
    def missing(self) -> Any:
        """For each item whether its value is not known."""
        if self.type in NUMERIC:
            return np.isnan(self.values)
        if self.type in CODED:
            return self.values < 0
        return np.diff(self.values.starts) == 0

    def take(self, index: Ints) -> Column:
        """The values of the items at the positions `index`."""
        some = self.values.take(index) if self.type in WORDED else self.values[index]
        return replace(self, values=some)

    def words(self) -> list[str]:
        """The values as texts, "" where missing."""
        if self.type in CODED:
            return [*map((*self.categories, "").__getitem__, self.values.tolist())]
        if self.type == "date":
            return dates_in_words(self.values)
        if self.type == "number":
            return [number_in_words(value) for value in self.values.tolist()]
        return list(self.values)

    def cell(self, item: int) -> str:
        """The value of one item as a text, "" where missing."""
        return self.take(np.array([item])).words()[0]


def number_in_words(value: float) -> str:
    """A number with all its digits, whole ones without a point; nothing for a missing one.

    >>> number_in_words(3.0), number_in_words(0.1)
    ('3', '0.1')
    """
    if value != value:
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)


def dates_in_words(seconds: Floats, *, timed: bool | None = None) -> list[str]:
    """Dates as ISO 8601, with the time of day when `timed`, or if it is not always midnight.

    >>> dates_in_words(np.array([0.0, np.nan]))
    ['1970-01-01', '']
    """
    known = np.isfinite(seconds) & (np.abs(seconds) < 1e12)  # beyond this numpy has no year
    whole = np.where(known, seconds, 0.0)
    if timed is None:
        timed = bool((whole % SECONDS_A_DAY).any())
    unit = "s" if timed else "D"
    stamps = whole.astype(np.int64).astype("datetime64[s]").astype(f"datetime64[{unit}]")
    shown = np.datetime_as_string(stamps).tolist()
    return [text.replace("T", " ") if ok else "" for text, ok in zip(shown, known, strict=True)]


def category(name: str, words: Sequence[str], **more: Any) -> Column:
    """A column of categories from texts, in the order of the alphabet or of the numbers they are.

    >>> category("sex", ["m", "", "f"]).values.tolist()
    [1, -1, 0]
    """
    names = sorted_categories(set(words) - {""})
    position = {text: code for code, text in enumerate(names)} | {"": -1}
    codes = np.fromiter((position[word] for word in words), np.int32, len(words))
    return Column(name, codes, **{"type": "category"} | more, categories=names)


def sorted_categories(words: Iterable[str]) -> tuple[str, ...]:
    """In the order of numbers as far as they are numbers, then of the alphabet.

    >>> sorted_categories({"10", "9", "none"})
    ('9', '10', 'none')
    """

    def key(word: str) -> tuple[bool, float, str]:
        try:
            number = float(word)
        except ValueError:
            number = np.nan
        return (True, 0.0, word) if number != number else (False, number, word)

    return tuple(sorted(words, key=key))
