"""`coterie finish`: clean a map, and write its polygons, statistics and a printable page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coterie.core.errors import DataError, ParameterError
from coterie.projects.cli.output_files import require_output

if TYPE_CHECKING:
    from coterie.core.formats.rasters.scene import Scene


def finish(
    map_file: Annotated[Path, typer.Argument(metavar="MAP", help="A map of classes.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="MAP", help="The finished map, a GeoTIFF."),
    ] = None,
    majority: Annotated[
        int,
        typer.Option(metavar="SIDE", help="Majority filter in squares of SIDE pixels: 3, 5, …"),
    ] = 0,
    smallest: Annotated[
        str,
        typer.Option(metavar="SIZE", help="Smallest patch: 20 (pixels), 5000m2 or 0.5ha."),
    ] = "",
    holes: Annotated[
        int, typer.Option(metavar="PIXELS", help="Fill unclassified patches smaller than this.")
    ] = 0,
    since: Annotated[
        Path | None,
        typer.Option(
            metavar="MAP", help="An earlier map to compare with: which class became which."
        ),
    ] = None,
    polygons: Annotated[
        Path | None, typer.Option(metavar="FILE", help="polygons as .gpkg or .geojson.")
    ] = None,
    page: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A printable page as .pdf or .png.")
    ] = None,
    title: Annotated[str, typer.Option(metavar="TEXT", help="Title of the page.")] = "",
    statistics: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A table of the classes as .csv.")
    ] = None,
    scene: Annotated[
        Path | None,
        typer.Option(metavar="SCENE", help="Scene whose bands are added to the statistics."),
    ] = None,
) -> None:
    """Finish a map: fewer specks, filled holes, changes, polygons, statistics, a page for print.

    Small patches take the class of the largest patch that touches them. Polygons, page and
    statistics are of the finished map, or of MAP itself when there is none.
    """
    from coterie.core.formats.maps.finish import Finish, finish_map, write_extras

    pixels, area = _size(smallest)
    how = Finish(majority, pixels, area, holes)
    if (how.changes or since is not None) and output is None:
        raise DataError(
            "A finished map needs a file of its own: add -o FILE.tif.", code="invalid-option"
        )
    if not how.changes and not any((output, polygons, page, statistics)):
        raise DataError(
            "There is nothing to do. Add --majority, --smallest, --holes, --polygons, --page or "
            "--statistics.",
            code="invalid-option",
        )
    if how.changes and since is not None:
        raise DataError(
            "Finish both maps first, then compare them with --since.", code="invalid-option"
        )
    if scene is not None and statistics is None:
        raise DataError(
            "--scene adds its bands to the statistics: add --statistics FILE.csv.",
            code="invalid-option",
        )
    for target, endings, what in (
        (output, (".tif", ".tiff"), "maps as GeoTIFF"),
        (polygons, (".gpkg", ".geojson", ".json"), "polygons as GeoPackage or GeoJSON"),
        (page, (".pdf", ".png", ".svg"), "pages as PDF, PNG or SVG"),
        (statistics, (".csv",), "statistics as CSV"),
    ):
        if target is not None:
            require_output(target, map_file, since, scene, what=what, endings=endings)
    source, said = map_file, []
    if output is not None and since is not None:
        from coterie.core.formats.maps.changed import write_changes

        said += [f"Wrote {output}.", *write_changes(since, map_file, output)]
        source = output
    elif output is not None:
        said += [f"Wrote {output}.", *finish_map(map_file, output, how)]
        source = output
    said += write_extras(
        source,
        polygons=polygons,
        page=page,
        title=title,
        statistics=statistics,
        scene=None if scene is None else _scene(scene),
    )
    for line in said:
        typer.echo(line)


def _size(text: str) -> tuple[int, float]:
    """Pixels, or square metres, of a size as people write it.

    >>> _size("20"), _size("0.5 ha"), _size("")
    ((20, 0.0), (0, 5000.0), (0, 0.0))
    """
    written = text.strip().lower().replace(" ", "").replace("²", "2")
    factor = next((f for end, f in _UNITS.items() if written.endswith(end)), 0.0)
    number = written.removesuffix(next((e for e in _UNITS if written.endswith(e)), ""))
    try:
        value = float(number or "0")
    except ValueError:
        value = -1.0
    if value < 0 or not value < 1e15 or (not factor and value != int(value)):
        raise ParameterError(
            f"A smallest size is a number of pixels, or an area such as 0.5ha or 5000m2. Got "
            f"'{text:.40}'.",
            code="invalid-parameters",
        )
    return (0, value * factor) if factor else (int(value), 0.0)


_UNITS = {"km2": 1e6, "ha": 1e4, "m2": 1.0}


def _scene(path: Path) -> Scene:
    from coterie.core.formats.rasters.formats import scene_of

    return scene_of(path)
