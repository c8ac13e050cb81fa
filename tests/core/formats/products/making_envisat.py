"""A small MERIS level-1b product in Envisat's own form, written byte by byte.

The layout is that of ESA's product specification (PO-RS-MDA-GS-2009): a main header of 1,247 bytes,
a specific header that ends in data set descriptors of 280 bytes, and then the data sets, all of
them in records with the highest byte first.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from coterie.core.model.arrays import Array, Floats

MAIN, DESCRIPTOR = 1247, 280
PRODUCT = "MER_RR__1PNPDK20060509_091240_000021802047_00308_21905_0850.N1"
NANOMETRES = (
    412.5, 442.5, 490.0, 510.0, 560.0, 620.0, 665.0, 681.25, 708.75, 753.75, 760.625, 778.75, 865.0,
    885.0, 900.0,
)  # fmt: skip
# Of the size that real ones have: six digits after the point are not enough for them.
FACTORS = tuple(0.00947484 / (1 + 0.11 * i) for i in range(15))
INVALID, LAND = 128, 16
LINE_MICROSECONDS = 176_000


@dataclass(frozen=True)
class Meris:
    """What was written: numbers of each band, the factors, the flags and where the points lie.

    Attributes
    ----------
    numbers : (15, height, width)
    factors : (15,) radiance of a number, in float32 as in the file
    flags : (height, width)
    ties : (rows, columns, 2) longitude and latitude of every `step`-th pixel
    """

    path: Path
    numbers: Array
    factors: Floats
    flags: Array
    ties: Floats
    step: int


def write_meris(
    path: Path, numbers: Array | None = None, *, step: int = 16, flags: Array | None = None
) -> Meris:
    """Write a product with a tie point at every `step`-th row and column, the last included."""
    if numbers is None:
        numbers = np.random.default_rng(3).integers(500, 9000, (15, 33, 49)).astype(np.uint16)
    bands, height, width = numbers.shape
    assert bands == 15
    assert (height - 1) % step == 0 == (width - 1) % step
    if flags is None:
        flags = np.where(numbers.min(axis=0) == 0, INVALID, LAND).astype(np.uint8)
    ties = _ties(height, width, step)
    sets = [
        ("Quality ADS", "A", [_time(0) + b"\0" * 21]),
        ("Scaling Factor GADS", "G", [_scaling()]),
        ("Tie points ADS", "A", [_tie_record(i * step, row) for i, row in enumerate(ties)]),
    ]
    for i, band in enumerate(numbers):
        rows = [_time(row) + b"\0" + line.astype(">u2").tobytes() for row, line in enumerate(band)]
        sets.append((f"Radiance MDS({i + 1})", "M", rows))
    marks = [_time(row) + b"\0" + _flag_line(line) for row, line in enumerate(flags)]
    sets.append(("Flags MDS(16)", "M", marks))
    path.write_bytes(_product(width, step, sets))
    return Meris(path, numbers, np.array(FACTORS, dtype=np.float32), flags, ties, step)


def _ties(height: int, width: int, step: int) -> Floats:
    """Of a swath that runs from north to south and bends: no six numbers place it."""
    row, column = np.meshgrid(np.arange(0, height, step), np.arange(0, width, step), indexing="ij")
    longitude = 8 + 0.014 * column - 0.003 * row + 2e-5 * column * row
    latitude = 47 - 0.009 * row - 0.002 * column - 1e-5 * column**2
    return np.stack([longitude, latitude], axis=-1).round(6)


def _time(row: int) -> bytes:
    """Days since 2000, seconds and microseconds."""
    seconds, micro = divmod(row * LINE_MICROSECONDS, 1_000_000)
    return struct.pack(">iII", 2320, 33_160 + seconds, micro)


def _scaling() -> bytes:
    """292 bytes: seven factors, those of radiance, gains, sampling rate, flux of the sun, spare."""
    flux = [1700.0 - 50 * i for i in range(15)]
    return struct.pack(">7f15f80sI15f60s", *[1.0] * 7, *FACTORS, b"", 0, *flux, b"")


def _tie_record(row: int, points: Floats) -> bytes:
    """Latitudes, longitudes, height, roughness, corrections of both, and angles and weather."""
    micro = (points * 1e6).round().astype(">i4")
    zeros = b"\0" * (4 * len(points))
    rest = b"\0" * (26 * len(points))
    return _time(row) + b"\0" + micro[:, 1].tobytes() + micro[:, 0].tobytes() + 4 * zeros + rest


def _flag_line(line: Array) -> bytes:
    """A byte of flags for each pixel, then its detector: three bytes a pixel."""
    detectors = np.arange(len(line), dtype=">i2")
    return line.astype(np.uint8).tobytes() + detectors.tobytes()


def _product(width: int, step: int, sets: list[tuple[str, str, list[bytes]]]) -> bytes:
    specific = _lines(
        'SPH_DESCRIPTOR="Level 1b Reduced Resolution "',
        "TRANS_ERR_FLAG=0",
        "NUM_BANDS=+015",
        "BAND_WAVELEN=" + "".join(f"+{round(n * 1000):010d}" for n in NANOMETRES) + "<10-3nm>",
        f"LINE_TIME_INTERVAL=+{LINE_MICROSECONDS:010d}<10-6s>",
        f"LINE_LENGTH=+{width:05d}<samples>",
        f"LINES_PER_TIE_PT=+{step:03d}",
        f"SAMPLES_PER_TIE_PT=+{step:03d}",
        "COLUMN_SPACING=+1.04000000e+03<m>",
    )
    headers = len(specific) + DESCRIPTOR * len(sets)
    at, described, data = MAIN + headers, b"", b""
    for name, kind, records in sets:
        size = sum(len(record) for record in records)
        described += _lines(
            f'DS_NAME="{name:28}"',
            f"DS_TYPE={kind}",
            f'FILENAME="{"":62}"',
            f"DS_OFFSET=+{at:020d}<bytes>",
            f"DS_SIZE=+{size:020d}<bytes>",
            f"NUM_DSR=+{len(records):010d}",
            f"DSR_SIZE=+{len(records[0]):010d}<bytes>",
            fill=DESCRIPTOR,
        )
        data += b"".join(records)
        at += size
    main = _lines(
        f'PRODUCT="{PRODUCT}"',
        "PROC_STAGE=N",
        'REF_DOC="PO-RS-MDA-GS-2009_4/B  "',
        'SENSING_START="09-MAY-2006 09:12:40.000000"',
        f"TOT_SIZE=+{at:020d}<bytes>",
        f"SPH_SIZE=+{headers:010d}<bytes>",
        f"NUM_DSD=+{len(sets):010d}",
        f"DSD_SIZE=+{DESCRIPTOR:010d}<bytes>",
        f"NUM_DATA_SETS=+{len(sets):010d}",
        fill=MAIN,
    )
    return main + specific + described + data


def _lines(*lines: str, fill: int = 0) -> bytes:
    """Lines that end as in the product, blanks before the last end making up for the size."""
    text = "".join(f"{line}\n" for line in lines).encode("ascii")
    return text if not fill else text.ljust(fill - 1) + b"\n"
