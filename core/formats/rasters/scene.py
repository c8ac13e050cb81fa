"""What is known of a scene without reading its pixels, as a small value that survives as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from coterie.core import well_known
from coterie.core.errors import DataError
from coterie.core.formats.rasters.tie_points import TiePoints
from coterie.core.model.arrays import number_type
from coterie.core.model.dataset import SCENE, Dataset

Resampling = Literal["nearest", "bilinear", "average"]
Form = Literal["gdal", "bands-last", "bands-first"]
NO_TRANSFORM = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


# The whole earth in pixels of 25 m has a trillion.
MOST_PIXELS = 10**12


@dataclass(frozen=True)
class Band:
    """One band: where it is stored, and how stored numbers become values.

    Attributes
    ----------
    file : its file, relative to the scene's folder; empty for the scene's own file
    part : the variable in a file of several; empty for none
    index : 1-based number of the band in that file
    wavelength : centre in nanometres, 0 when not known
    scale, offset : value = number × scale + offset
    nodata : the number that stands for no data, or None
    """

    name: str
    file: str = ""
    part: str = ""
    index: int = 1
    wavelength: float = 0.0
    scale: float = 1.0
    offset: float = 0.0
    nodata: float | None = None

    @property
    def is_sound(self) -> bool:
        """Whether its fields are what they are declared to be, and its file is in the folder."""
        texts: tuple[Any, ...] = (self.name, self.file, self.part)
        numbers: tuple[Any, ...] = (self.wavelength, self.scale, self.offset)
        index: Any = self.index
        nodata: Any = self.nodata
        return (
            all(isinstance(text, str) and "\0" not in text for text in texts)
            and all(isinstance(number, int | float) for number in numbers)
            and isinstance(nodata, int | float | None)
            and isinstance(index, int)
            and 0 < index < 1 << 16
            and _stays_inside(self.file)
        )


@dataclass(frozen=True)
class Scene:
    """A raster on disk: bands of height × width pixels at a place on the earth.

    Attributes
    ----------
    path : absolute path of the file or folder; in a project file its name alone
    height, width : of the grid that all bands are brought to
    dtype : numpy's name of the stored numbers
    crs : coordinate reference system as WKT; empty when not known
    transform : a, b, c, d, e, f with x = a·column + b·row + c and y = d·column + e·row + f
    block : height and width of the blocks in which it is best read
    resampling : how bands of another resolution are brought to the grid
    form : "gdal", or the order of the axes of a numpy cube
    ties : pixels whose place is known, where there is no coordinate system; None for none
    validity : a second raster that says which pixels are left out; None for none
    spare : bands that are there but read only when they are named, each with its role, such as
        ("thermal", band); not part of the description
    notes : what a person should know of how it was read; not part of the description
    """

    path: str
    bands: tuple[Band, ...]
    height: int
    width: int
    dtype: str = "float32"
    crs: str = ""
    transform: tuple[float, ...] = NO_TRANSFORM
    block: tuple[int, int] = (512, 512)
    resampling: Resampling = "nearest"
    form: Form = "gdal"
    ties: TiePoints | None = None
    validity: Validity | None = None
    spare: tuple[tuple[str, Band], ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what no instrument takes: a few bytes of header can promise any size."""
        sizes: tuple[Any, ...] = (self.height, self.width)
        # Anything but a number comes from a damaged description, and is refused as such.
        if all(isinstance(size, int) for size in sizes) and sizes[0] * sizes[1] > MOST_PIXELS:
            raise DataError(
                f"'{self.name}' claims to have {self.height} × {self.width} pixels, more than "
                "any scene. Its header is damaged; download it again.",
                code="file-damaged",
            )

    @property
    def n(self) -> int:
        """Number of pixels."""
        return self.height * self.width

    @property
    def name(self) -> str:
        """Name of the file or folder."""
        return Path(self.path).name

    @property
    def band_names(self) -> tuple[str, ...]:
        """Names of the bands, in order."""
        return tuple(band.name for band in self.bands)

    @property
    def wavelengths(self) -> tuple[float, ...]:
        """Centre of each band in nanometres, 0 when not known."""
        return tuple(band.wavelength for band in self.bands)

    def choose(self, bands: str) -> Scene:
        """Return the scene with only the named bands: "B4, B3, 2", names or 1-based numbers.

        Of a product that has more bands than are usually read, "thermal" and the like name those
        of a role, "usual" the usual ones and "all" all of them.

        >>> scene = Scene("/x.tif", (Band("red"), Band("nir")), 2, 2)
        >>> scene.choose("nir, 1").band_names
        ('nir', 'red')
        """
        wanted = [word.strip() for word in bands.split(",") if word.strip()]
        if not wanted:
            return self
        chosen = [band for word in wanted for band in self._bands(word)]
        return replace(self, bands=tuple(dict.fromkeys(chosen)), notes=self._notes_for(chosen))

    def _bands(self, word: str) -> tuple[Band, ...]:
        sought = word.casefold()
        others = tuple(band for _, band in self.spare)
        by_name = {band.name.casefold(): band for band in (*others, *self.bands)}
        if sought in by_name:
            return (by_name[sought],)
        if sought in ("all", "usual"):
            return (*self.bands, *others) if sought == "all" else self.bands
        if of_role := tuple(band for role, band in self.spare if role == sought):
            return of_role
        if word.isdigit() and 1 <= int(word) <= len(self.bands):
            return (self.bands[int(word) - 1],)
        known = ", ".join(self.band_names)
        also = ", ".join(f"{band.name} ({role})" for role, band in self.spare)
        raise DataError(
            f"'{self.name}' has no band '{word}'. It has {len(self.bands)}: {known:.300}"
            + (f"; on request {also:.200}." if also else "."),
            code="unknown-band",
        )

    def _notes_for(self, chosen: Sequence[Band]) -> tuple[str, ...]:
        """The notes, without that on bands left out once somebody has chosen among them."""
        asked = any(band in chosen for _, band in self.spare)
        return tuple(note for note in self.notes if not (asked and note == self.on_request))

    @property
    def on_request(self) -> str:
        """Which bands are there and not read unless they are named; empty for none."""
        if not self.spare:
            return ""
        listed = ", ".join(f"{band.name} ({role})" for role, band in self.spare)
        return f"Left out unless named in 'bands': {listed}."

    def as_json(self) -> dict[str, Any]:
        """Return it as plain JSON."""
        fields = asdict(replace(self, validity=None))
        del fields["spare"], fields["notes"]
        # Most scenes have neither, and are described as they always were.
        if self.ties is None:
            del fields["ties"]
        if self.validity is None:
            del fields["validity"]
        else:
            fields["validity"] = self.validity.as_json()
        return fields

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Scene:
        """Build it again from `as_json`; it may come from a file of another's making."""
        try:
            fields = dict(value)
            bands = tuple(Band(**band) for band in fields.pop("bands"))
            transform = tuple(float(v) for v in fields.pop("transform"))
            block = tuple(int(v) for v in fields.pop("block"))
            if fields.get("ties") is not None:
                fields["ties"] = TiePoints.from_json(fields["ties"])
            if fields.get("validity") is not None:
                fields["validity"] = Validity.from_json(fields["validity"])
            scene = cls(bands=bands, transform=transform, block=(block[0], block[1]), **fields)
            sizes: tuple[Any, ...] = (scene.height, scene.width, *scene.block)
            checks = (
                len(transform) == 6,
                all(isinstance(size, int) and 0 < size < 1 << 31 for size in sizes),
                isinstance(value["path"], str),
                isinstance(scene.crs, str),
                scene.resampling in get_args(Resampling),
                scene.form in get_args(Form),
                bool(bands) and all(band.is_sound for band in bands),
                number_type(scene.dtype).kind in "biuf",
            )
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
            raise DataError(
                f"The description of the scene is damaged: {error!r:.120}.", code="invalid-scene"
            ) from error
        if not all(checks):
            raise DataError(
                "The description of the scene is damaged. Open its file again.",
                code="invalid-scene",
            )
        return scene


@dataclass(frozen=True)
class Validity:
    """Pixels to leave out of a scene: those where a second raster has one of some values.

    Attributes
    ----------
    scene : that raster, described on the grid of the scene
    invalid : its numbers that make a pixel invalid
    """

    scene: Scene
    invalid: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as plain JSON."""
        return {"scene": self.scene.as_json(), "invalid": list(self.invalid)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Validity:
        """Build it again from `as_json`."""
        scene = Scene.from_json(value["scene"])
        if scene.validity is not None:  # none is made so; a chain of them could be endless
            raise ValueError("a mask that has a mask")
        return cls(scene, tuple(int(number) for number in value["invalid"]))


def _stays_inside(file: str) -> bool:
    """Whether a band's file is in the scene's folder: a path must not lead out of it."""
    return not Path(file).is_absolute() and ".." not in Path(file).parts


def scene_of(data: Dataset) -> Scene:
    """Return the scene that a dataset is, or was sampled from; a table has none."""
    described = data.details.get(SCENE)
    if not isinstance(described, Mapping):
        raise DataError(
            f"'{data.title}' is not a raster. Open a scene with {well_known.READER_RASTER}.",
            code="not-a-scene",
        )
    return Scene.from_json(described)


def raster_dataset(
    scene: Scene,
    *,
    title: str = "",
    notes: Sequence[str] = (),
    details: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Dataset:
    """Return the dataset of a scene: its items are the pixels, row by row, and stay on disk."""
    return Dataset(
        title=title or Path(scene.path).stem,
        kind="raster",
        columns=scene.band_names,
        notes=tuple(notes),
        details={SCENE: scene.as_json(), **(details or {})},
        **fields,
    )
