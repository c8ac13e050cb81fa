"""Envisat products (.N1): a file whose headers say where its data are and how they are scaled.

GDAL reads the pixels and the tie points. What it leaves out is taken from the headers here: the
factors of MERIS' radiances, which it rounds to six digits after the point, their wavelengths, and
whether the file is whole. Layout: ESA, Envisat-1 Products Specifications (PO-RS-MDA-GS-2009).
"""

from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass, replace
from pathlib import Path

from coterie.core.errors import DataError
from coterie.core.formats.rasters.scene import Band, Scene

NO_DATA = 0.0  # pixels outside the swath, and lines that were lost
_START = b"PRODUCT="
_MAIN_SIZE = 1247
_LARGEST_HEADER = 1 << 20
_MERIS_BANDS = 15
_FACTORS_AT = 28  # after seven factors of the weather at the tie points
_FACTORS = struct.Struct(f">{_MERIS_BANDS}f")
_LINE_HEADER = 13  # its time, and a byte that says whether it was lost
_RADIANCE = re.compile(r"Radiance MDS\((\d+)\)")
# Bits and numbers of detectors are no measurements. Nor does GDAL read them rightly: it takes their
# lines to be as long as those of the radiances.
_NOT_MEASURED = ("Flags", "Detector index")


def is_envisat(path: Path) -> bool:
    """Return whether a file begins as an Envisat product does, whatever its name ends in."""
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(_START)) == _START


def scene_of_envisat(path: Path) -> Scene:
    """Return the scene of an Envisat product; of MERIS level 1b, its radiances in W/(m² sr µm).

    Radiance is number × factor, one factor for each band, from the product. The number 0 stands
    for no data. Bands of other products are as they are stored.
    """
    from coterie.core.formats.rasters.formats import scene_of_file

    product = _Product.read(path)
    scene = scene_of_file(path)
    bands = tuple(band for band in scene.bands if not band.name.startswith(_NOT_MEASURED))
    if not bands:
        raise DataError(
            f"'{path.name}' has no measurements ({product.name:.20}), only flags.",
            code="no-bands",
        )
    if not product.is_meris_level_1:
        return replace(scene, bands=bands)
    if product.line_sizes - {2 * scene.width + _LINE_HEADER}:
        raise _damaged(path, "LINE_LENGTH")
    factors, wavelengths = product.factors(), product.wavelengths()
    radiances = []
    for band in bands:
        found = _RADIANCE.match(band.name)
        number = int(found.group(1)) if found else 0
        if not 1 <= number <= _MERIS_BANDS:
            continue
        radiances.append(
            Band(
                name=f"radiance_{number}",
                index=band.index,
                wavelength=wavelengths[number - 1] if len(wavelengths) >= number else 0.0,
                scale=factors[number - 1],
                nodata=NO_DATA,
            )
        )
    if not radiances:
        raise DataError(
            f"'{path.name}' has no MERIS radiances. Download the product again.", code="no-bands"
        )
    return replace(scene, bands=tuple(radiances), dtype="uint16")


@dataclass(frozen=True)
class _Product:
    """The headers of a product: names and values, and of each data set where and how long it is.

    `sets` has the first byte of each, its size, and that of its records.
    """

    path: Path
    main: dict[str, str]
    specific: dict[str, str]
    sets: dict[str, tuple[int, int, int]]

    @classmethod
    def read(cls, path: Path) -> _Product:
        """Read and check the headers; a file that is cut short is refused here."""
        size = path.stat().st_size
        with path.open("rb") as stream:
            main = _entries(path, stream.read(_MAIN_SIZE))
            whole = _number(path, main, "TOT_SIZE")
            if size < whole:
                raise DataError(
                    f"'{path.name}' is incomplete: its header promises {whole:,} bytes, it has "
                    f"{size:,}. Download it again.",
                    code="file-damaged",
                )
            more, each = _number(path, main, "SPH_SIZE"), _number(path, main, "DSD_SIZE")
            count = _number(path, main, "NUM_DSD")
            if not 0 <= each * count <= more <= _LARGEST_HEADER:
                raise _damaged(path, "SPH_SIZE")
            header = stream.read(more)
        fixed = more - each * count
        sets = {}
        for i in range(count):
            described = _entries(path, header[fixed + i * each : fixed + (i + 1) * each])
            # Others name files that the product was made from.
            if described.get("DS_TYPE") in ("A", "G", "M"):
                fields = ("DS_OFFSET", "DS_SIZE", "NUM_DSR", "DSR_SIZE")
                at, long, records, each_one = (_number(path, described, n) for n in fields)
                if at < 0 or long < 0 or at + long > size or records * each_one > long:
                    raise _damaged(path, described.get("DS_NAME", "DS_NAME"))
                sets[described.get("DS_NAME", "")] = (at, long, each_one)
        return cls(path, main, _entries(path, header[:fixed]), sets)

    @property
    def name(self) -> str:
        """What the product is called in its own header, whatever its file is called."""
        return self.main.get("PRODUCT", "")

    @property
    def is_meris_level_1(self) -> bool:
        """Whether it holds radiances at the top of the atmosphere: MER_RR__1P, MER_FRS_1P, …"""
        return self.name.startswith("MER_") and self.name[8:10] == "1P"

    @property
    def line_sizes(self) -> set[int]:
        """How many bytes a line of radiances has, in every band the same."""
        return {size for name, (_, _, size) in self.sets.items() if _RADIANCE.match(name)}

    def factors(self) -> tuple[float, ...]:
        """The radiance that a number of each band stands for."""
        at, long, _ = self.sets.get("Scaling Factor GADS", (0, 0, 0))
        if long < _FACTORS_AT + _FACTORS.size:
            raise DataError(
                f"'{self.path.name}' has no scaling factors, so its numbers cannot be converted "
                "to radiance. Download the product again.",
                code="file-damaged",
            )
        with self.path.open("rb") as stream:
            stream.seek(at + _FACTORS_AT)
            factors: tuple[float, ...] = _FACTORS.unpack(stream.read(_FACTORS.size))
        if not all(math.isfinite(factor) and factor > 0 for factor in factors):
            raise _damaged(self.path, "the scaling factors")
        return factors

    def wavelengths(self) -> tuple[float, ...]:
        """The centre of each band in nanometres, as far as they are given."""
        listed = re.findall(r"[-+]\d+", self.specific.get("BAND_WAVELEN", ""))
        return tuple(int(thousandths) / 1000 for thousandths in listed)


def _entries(path: Path, header: bytes) -> dict[str, str]:
    """Names and values of a header's lines; quotes, blanks and units are left out."""
    if not header.isascii():
        raise _damaged(path, "letters that no product has")
    entries = {}
    for line in header.decode("ascii").splitlines():
        name, equals, value = line.partition("=")
        if equals:
            quoted = value.startswith('"')
            entries[name.strip()] = value.strip('" ') if quoted else value.partition("<")[0].strip()
    return entries


def _number(path: Path, entries: dict[str, str], name: str) -> int:
    try:
        return int(entries[name])
    except (KeyError, ValueError):
        raise _damaged(path, name) from None


def _damaged(path: Path, what: str) -> DataError:
    return DataError(
        f"The header of '{path.name}' is damaged at {what}. Download the product again.",
        code="file-damaged",
    )
