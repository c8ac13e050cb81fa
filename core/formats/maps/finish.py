"""Finishing a map: fewer specks, filled holes, polygons, statistics and a printable page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from coterie.core.errors import ParameterError
from coterie.core.formats.maps.majority import majority_rows
from coterie.core.formats.maps.map_file import MapFile, open_map
from coterie.core.formats.maps.patches import find_patches, sieved_rows
from coterie.core.formats.maps.printed import write_page
from coterie.core.formats.maps.statistics import write_statistics
from coterie.core.formats.rasters.areas import row_areas
from coterie.core.formats.rasters.maps import write_areas, write_look, write_map_at
from coterie.core.formats.rasters.scene import Scene
from coterie.core.wording import counted

LARGEST_SIDE = 51


@dataclass(frozen=True)
class Finish:
    """How a map is finished.

    Attributes
    ----------
    majority : side of the square whose most frequent class each pixel takes, odd; 0: none
    smallest : patches of fewer pixels take the class of their largest neighbour; 0: none
    smallest_area : the same by square metres
    holes : patches of fewer pixels without class or data are filled in the same way; 0: none
    """

    majority: int = 0
    smallest: int = 0
    smallest_area: float = 0.0
    holes: int = 0

    def __post_init__(self) -> None:
        side = self.majority
        if side and not (0 < side <= LARGEST_SIDE and side % 2):
            raise ParameterError(
                f"The square of the majority filter has an odd side up to {LARGEST_SIDE}. "
                f"Got {side}.",
                code="invalid-window",
            )
        if min(self.smallest, self.smallest_area, self.holes) < 0:
            raise ParameterError(
                "The smallest size of patches and holes cannot be negative.",
                code="invalid-parameters",
            )

    @property
    def changes(self) -> bool:
        """Whether any pixel may change its class."""
        return bool(self.majority or self.smallest or self.smallest_area or self.holes)


def finish_map(
    source: Path, target: Path, how: Finish, check: Callable[[], None] = lambda: None
) -> list[str]:
    """Write a finished copy of a map, with its style, names, areas and quick look; return remarks.

    The majority filter comes first, then holes are filled, then small patches go. Memory is that
    of a strip of rows and a few numbers for each patch.
    """
    if target.exists() and source.exists() and target.samefile(source):
        raise ParameterError(
            f"'{target.name}' is the map itself. Choose another name.", code="output-is-input"
        )
    if how.majority and (how.smallest or how.smallest_area or how.holes):
        # What follows reads the map several times: it is filtered once.
        with TemporaryDirectory(prefix=".", dir=target.parent) as folder:
            filtered = Path(folder) / "filtered.tif"
            finish_map(source, filtered, Finish(majority=how.majority), check)
            return finish_map(filtered, target, replace(how, majority=0), check)
    said: list[str] = []
    with open_map(source) as made:
        grid, read, smallest = made.grid, made.read, _in_pixels(how, made)
        if how.majority:
            read = majority_rows(read, grid.height, how.majority, grid.nodata)
        if how.holes or smallest:
            patches = find_patches(read, grid.height, check)
            empty = patches.classes >= len(grid.names) - 1
            small = (patches.sizes < smallest) & ~empty
            small |= (patches.sizes < how.holes) & empty
            read = sieved_rows(read, grid.height, patches, small, grid.nodata, check)
            what = "small patches and holes" if how.holes else "small patches"
            said.append(f"{int(small.sum()):,} {what} went to their neighbours.")
        counts = write_map_at(target, grid, read, check)
    pixels = counts.sum(axis=0)
    write_areas(target.with_suffix(".csv"), grid, counts)
    with open_map(target) as done:
        write_look(target.with_suffix(".png"), grid, done.read, np.flatnonzero(pixels).tolist())
    return said


def write_extras(
    source: Path,
    check: Callable[[], None] = lambda: None,
    *,
    polygons: Path | None = None,
    page: Path | None = None,
    title: str = "",
    statistics: Path | None = None,
    scene: Scene | None = None,
) -> list[str]:
    """Write what else is wanted of a map: polygons, a page, statistics; return remarks."""
    from coterie.core.formats.maps.outlines import write_outlines  # loads SQLite

    said = []
    with open_map(source) as made:
        if polygons is not None:
            count = write_outlines(polygons, made, check)
            said.append(f"'{polygons.name}' has {counted(count, 'polygon')}.")
        if page is not None:
            write_page(page, made, title or source.stem)
            said.append(f"'{page.name}' is a printable page.")
        if statistics is not None:
            said += write_statistics(statistics, made, check, scene)
    return said


def _in_pixels(how: Finish, made: MapFile) -> int:
    grid = made.grid
    if not how.smallest_area:
        return how.smallest
    side = row_areas(grid.height, grid.width, grid.crs, grid.transform)
    if side is None:
        raise ParameterError(
            "The map has no coordinate system, so a smallest area cannot be measured. Give the "
            "number of pixels instead.",
            code="no-coordinate-system",
        )
    return max(how.smallest, int(np.ceil(how.smallest_area / float(side.mean()))))
