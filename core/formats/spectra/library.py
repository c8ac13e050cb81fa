"""Spectral libraries: spectra of known materials, from tables and ENVI files."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from coterie.core.errors import DataError
from coterie.core.model.arrays import Floats

MOST_BYTES = 1 << 28
DELETED = -1e30  # libraries mark channels without a value by numbers below
# Either mu: that of the keyboard and that of the Greek alphabet.
_UNIT = re.compile(r"\s*(nm|[uµμ]m|(nano|micro)met(er|re)s?)$", re.IGNORECASE)
_TYPES = {1: "u1", 2: "i2", 3: "i4", 4: "f4", 5: "f8", 12: "u2", 13: "u4"}


@dataclass(frozen=True, eq=False)
class SpectralLibrary:
    """Spectra of materials.

    Attributes
    ----------
    wavelengths : (d,) in nanometres, rising
    spectra : (n, d), NaN where a spectrum has no value
    """

    names: tuple[str, ...]
    wavelengths: Floats
    spectra: Floats

    def at(self, wavelengths: Floats) -> Floats:
        """Return (n, m) spectra at other wavelengths, between the nearest channels with values.

        NaN beyond the first and last channel of a spectrum.
        """
        found = np.full((len(self.spectra), len(wavelengths)), np.nan)
        for i, spectrum in enumerate(self.spectra):
            known = np.isfinite(spectrum)
            if known.any():
                x, y = self.wavelengths[known], spectrum[known]
                found[i] = np.interp(wavelengths, x, y, left=np.nan, right=np.nan)
        return found


def read_library(path: Path) -> SpectralLibrary:
    """Read a library: an ENVI file (.sli, or its .hdr) or a table (.csv, .txt).

    A table has wavelengths in its first column and a spectrum in each other one, or a spectrum in
    each row and wavelengths in its heading. Micrometres are known by their size.
    """
    header = _header_of(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise DataError(
                f"'{path.name}' is too large for a spectral library.", code="file-too-large"
            )
        names, waves, spectra = _envi(path, header) if header is not None else _table(path)
    except OSError as error:
        raise DataError(
            f"'{path.name}' cannot be read: {error.strerror or error}.", code="file-access"
        ) from None
    sound = len(waves) >= 2 and len(spectra) and np.isfinite(waves).all() and waves.min() > 0
    if not sound:
        raise DataError(
            f"'{path.name}' has no wavelengths. A spectral library has them in its first column, "
            "its heading or its header.",
            code="wrong-format",
        )
    if waves.max() < 100:
        waves = waves * 1000.0  # micrometres
    order = np.argsort(waves, kind="stable")
    spectra = np.where(np.isfinite(spectra) & (spectra > DELETED), spectra, np.nan)
    return SpectralLibrary(tuple(names), waves[order], spectra[:, order])


def material_of(name: str) -> str:
    """Return the material of a spectrum: its name without a number or bracket at the end.

    >>> material_of("grass 12"), material_of("Kaolinite_b (2)"), material_of("7")
    ('grass', 'Kaolinite_b', '7')
    """
    return re.sub(r"[\s_\-]*(\(?\d+\)?)$", "", name).strip() or name


def _header_of(path: Path) -> Path | None:
    """The header of an ENVI library, None for other files."""
    if path.suffix.lower() == ".hdr":
        return path
    beside = [path.with_suffix(".hdr"), path.with_name(f"{path.name}.hdr")]
    return next((one for one in beside if one.is_file()), None)


def _envi(path: Path, header: Path) -> tuple[list[str], Floats, Floats]:
    fields = _fields(header.read_text(encoding="latin-1")[: 1 << 22])
    if "spectral library" not in fields.get("file type", "").lower():
        raise DataError(
            f"'{header.name}' is not the header of a spectral library. Open a scene as a raster.",
            code="wrong-format",
        )
    data = path
    if path == header:
        stem = header.with_suffix("")
        data = next((p for p in (stem, stem.with_suffix(".sli")) if p.is_file()), stem)
    try:
        wide, high = int(fields["samples"]), int(fields["lines"])
        kind = _TYPES[int(fields["data type"])]
        order = ">" if fields.get("byte order", "0").strip() == "1" else "<"
        skip = int(fields.get("header offset", "0"))
        waves = np.array([float(v) for v in _listed(fields["wavelength"])])
        scale = float(fields.get("reflectance scale factor", "1")) or 1.0
    except (KeyError, ValueError) as error:
        raise DataError(
            f"The header '{header.name}' lacks or misstates {error!s:.60}.", code="file-damaged"
        ) from None
    count = wide * high
    size = data.stat().st_size
    if (
        not (wide == len(waves) > 0 and high > 0)
        or skip < 0
        or count * np.dtype(kind).itemsize > size - skip
    ):
        raise DataError(
            f"'{data.name}' does not hold the {high} spectra of {wide} channels that its header "
            "promises.",
            code="file-damaged",
        )
    values = np.fromfile(data, dtype=f"{order}{kind}", count=count, offset=skip)
    names = _listed(fields.get("spectra names", ""))
    named = [names[i] if i < len(names) else f"spectrum {i + 1}" for i in range(high)]
    return named, waves, values.reshape(high, wide).astype(np.float64) / scale


def _fields(text: str) -> dict[str, str]:
    found = re.findall(r"^\s*([\w ]+?)\s*=\s*(\{[^}]*\}|[^\n]*)", text, re.MULTILINE)
    return {name.lower(): value.strip() for name, value in found}


def _listed(value: str) -> list[str]:
    return [part.strip() for part in value.strip("{} \n").split(",") if part.strip()]


def _table(path: Path) -> tuple[list[str], Floats, Floats]:
    lines = path.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    lines = [line for line in lines if line.strip() and not line.startswith("#")]
    mark = max(",;\t", key=lambda m: lines[0].count(m)) if lines else ","
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=mark)]
    comma = mark != ","
    if len(rows) < 2 or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows):
        raise DataError(
            f"'{path.name}' is not a table of spectra: its rows differ in length, or there are too "
            "few.",
            code="wrong-format",
        )
    heading = np.array([_number(cell, comma) for cell in rows[0][1:]])
    body = np.array([[_number(cell, comma) for cell in row] for row in rows[1:]])
    if np.isfinite(heading).all():  # a spectrum in each row
        return [row[0] for row in rows[1:]], heading, body[:, 1:]
    return rows[0][1:], body[:, 0], body[:, 1:].T


def _number(cell: str, comma: bool) -> float:
    text = _UNIT.sub("", cell.strip())
    try:
        return float(text.replace(",", ".") if comma else text)
    except ValueError:
        return float("nan")
