"""Read FCS: events of a flow cytometer, a column for each detector."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from coterie.core import Context, DataError, Dataset, Field, Reader

_HEADER = 58  # bytes


class FcsReader(Reader):
    """Events of a flow cytometer (FCS 3.0, 3.1): a row for each event."""

    id, title = "fcs", "Flow cytometry (FCS)"
    reference = "Spidlen and others (2010). Data file standard for flow cytometry, version FCS 3.1."
    extensions = (".fcs",)

    class Params(Reader.Params):
        """How values are read."""

        names: str = Field(
            "S",
            pattern="^[NS]$",
            description="Names of columns: S for the stain, if there is one; N for the detector.",
        )

    def compute(self, path: Path, *, params: Params, context: Context) -> Dataset:
        """Return the events."""
        context.check()
        raw = path.read_bytes()
        if len(raw) < _HEADER or not raw.startswith(b"FCS3."):
            raise DataError(
                f"'{path.name}' is not an FCS file of version 3. Choose another reader."
            )
        words = _words(raw, path)
        try:
            count, width = int(words["$TOT"]), int(words["$PAR"])
            start, end = (_place(raw, words, which) for which in ("BEGIN", "END"))
            kind = np.dtype(_type(words, width))
        except (KeyError, ValueError) as error:
            raise DataError(f"The keywords of '{path.name}' are damaged: {error}.") from error
        needed = count * width * kind.itemsize
        if count < 1 or width < 1 or needed > len(raw) - start or start > end:
            raise DataError(
                f"'{path.name}' promises {count:,} events and holds fewer. It is damaged."
            )
        context.check()
        X = np.frombuffer(raw, kind, count * width, start).reshape(count, width).astype(np.float64)
        names = [_name(words, j, params.names) for j in range(1, width + 1)]
        return Dataset(title=path.stem, features=X, columns=tuple(names))

    @classmethod
    def example(cls, folder: Path) -> Path:
        """Write a small file, for the checks."""
        return write_fcs(folder / "example.fcs", np.arange(12.0).reshape(6, 2), ("FSC", "SSC"))


def write_fcs(path: Path, X: np.ndarray, names: tuple[str, ...]) -> Path:
    """Write events as FCS 3.1, 32-bit floats."""
    data = X.astype("<f4").tobytes()
    words = {
        "$TOT": len(X),
        "$PAR": X.shape[1],
        "$DATATYPE": "F",
        "$BYTEORD": "1,2,3,4",
        "$MODE": "L",
    }
    for j, name in enumerate(names, 1):
        words |= {f"$P{j}N": name, f"$P{j}B": 32, f"$P{j}R": 1, f"$P{j}E": "0,0"}
    text = "/" + "".join(f"{key}/{value}/" for key, value in words.items())
    begin = _HEADER + len(text)
    places = [_HEADER, begin - 1, begin, begin + len(data) - 1, 0, 0]
    path.write_bytes(
        b"FCS3.1    " + "".join(f"{p:8d}" for p in places).encode() + text.encode() + data
    )
    return path


def _words(raw: bytes, path: Path) -> dict[str, str]:
    try:
        begin, end = int(raw[10:18]), int(raw[18:26])
        text = raw[begin : end + 1].decode("utf-8", errors="replace")
        parts = text[1:].rstrip(text[0]).split(text[0])
        return {k.upper().strip(): v.strip() for k, v in zip(parts[::2], parts[1::2], strict=False)}
    except (ValueError, IndexError) as error:
        raise DataError(f"The keywords of '{path.name}' cannot be read. It is damaged.") from error


def _place(raw: bytes, words: dict[str, str], which: str) -> int:
    at = 26 if which == "BEGIN" else 34
    return int(raw[at : at + 8]) or int(words[f"${which}DATA"])


def _type(words: dict[str, str], width: int) -> str:
    order = "<" if words["$BYTEORD"].startswith("1") else ">"
    bits = {int(words[f"$P{j}B"]) for j in range(1, width + 1)}
    kind = {"F": "f", "D": "f", "I": "u"}.get(words["$DATATYPE"].upper(), "")
    if len(bits) != 1 or not kind or not bits <= {8, 16, 32, 64}:
        raise ValueError("values of several widths, or of a type that is not read")
    return f"{order}{kind}{bits.pop() // 8}"


def _name(words: dict[str, str], j: int, which: str) -> str:
    return words.get(f"$P{j}{which}") or words.get(f"$P{j}N") or f"P{j}"
