"""Libraries of spectra, and pixels matched and unmixed by them."""

from pathlib import Path

import numpy as np
import pytest

from coterie.core import Clustering, Context, Dataset, Output
from coterie.core.formats.rasters.derived import reader_of
from coterie.core.formats.rasters.numpy_scenes import scene_of_cube
from coterie.core.formats.rasters.scene import raster_dataset
from coterie.core.formats.rasters.windows import Window
from coterie.core.numerics.features.derived import with_shares
from coterie.plugins.readers.spectral_library import SpectralLibraryReader
from coterie.plugins.transforms.spectra_to_bands import SpectraToBands
from coterie.plugins.transforms.unmix import Unmix
from tests.refusals import refuses

CHANNELS = """\
wavelength;grass 1;grass 2;soil
0,45;0,05;0,07;0,10
0,65;0,04;0,06;0,20
0,85;0,50;0,60;0,30
"""
ROWS = "name,450 nm,650 nm,850 nm\ngrass,0.06,0.05,0.55\nsoil,0.1,0.2,-1.23e34\n"
HEADER = """\
ENVI
samples = 3
lines = 2
bands = 1
file type = ENVI Spectral Library
data type = 4
byte order = 1
wavelength units = Micrometers
wavelength = { 0.45, 0.65, 0.85 }
spectra names = { grass,
 soil }
"""


def read(path: Path) -> Dataset:
    found = SpectralLibraryReader().compute(
        path, params=SpectralLibraryReader.Params(), context=Context()
    )
    assert isinstance(found, Dataset)
    return found


def test_a_table_of_channels_in_micrometres_with_decimal_commas(tmp_path: Path) -> None:
    (tmp_path / "plants.csv").write_text(CHANNELS)
    found = read(tmp_path / "plants.csv")
    assert found.columns == ("450 nm", "650 nm", "850 nm")
    assert found.items == ("grass 1", "grass 2", "soil")
    assert found.truth_names == ("grass", "soil")
    np.testing.assert_array_equal(found.truth, [0, 0, 1])
    np.testing.assert_allclose(found.dense_features()[0], [0.05, 0.04, 0.5])


@pytest.mark.parametrize("unit", [" µm", "μm", " um", " Micrometers", ""])
def test_units_of_wavelengths(tmp_path: Path, unit: str) -> None:
    text = f"name,0.45{unit},0.65{unit}\ngrass,0.06,0.05\nsoil,0.1,0.2\n"
    (tmp_path / "rows.csv").write_text(text, encoding="utf-8")
    assert read(tmp_path / "rows.csv").columns == ("450 nm", "650 nm")


def test_a_table_of_rows_with_a_deleted_channel(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text(ROWS)
    found = read(tmp_path / "rows.csv")
    assert found.details["wavelengths"] == [450, 650, 850]
    assert np.isnan(np.asarray(found.features)[1, 2])
    assert found.notes


@pytest.mark.parametrize("name", ["lib.sli", "lib.hdr"])
def test_an_envi_library(tmp_path: Path, name: str) -> None:
    values = np.array([[0.05, 0.04, 0.5], [0.1, 0.2, 0.3]])
    (tmp_path / "lib.sli").write_bytes(values.astype(">f4").tobytes())
    (tmp_path / "lib.hdr").write_text(HEADER)
    found = read(tmp_path / name)
    assert found.items == ("grass", "soil")
    assert found.details["wavelengths"] == pytest.approx([450, 650, 850])
    np.testing.assert_allclose(found.dense_features(), values, rtol=1e-6)


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (HEADER.replace("Spectral Library", "Standard"), "wrong-format"),
        (HEADER.replace("lines = 2", "lines = 200"), "file-damaged"),
        (HEADER.replace("samples = 3", "samples = many"), "file-damaged"),
    ],
)
def test_damaged_libraries(tmp_path: Path, header: str, code: str) -> None:
    (tmp_path / "lib.sli").write_bytes(bytes(24))
    (tmp_path / "lib.hdr").write_text(header)
    with refuses(code):
        read(tmp_path / "lib.sli")


@pytest.mark.parametrize("text", ["", "a,b\n", "a,b\nx,y\nz,w\n", "a,b\n1,2\n3\n"])
def test_tables_without_spectra(tmp_path: Path, text: str) -> None:
    (tmp_path / "no.csv").write_text(text)
    with refuses("wrong-format"):
        read(tmp_path / "no.csv")


def library(tmp_path: Path) -> Dataset:
    (tmp_path / "plants.csv").write_text(CHANNELS)
    return read(tmp_path / "plants.csv")


def test_spectra_are_read_off_at_the_bands_and_pixels_pass(tmp_path: Path) -> None:
    pixels = Dataset(
        features=np.ones((4, 2)), columns=("red", "nir"), details={"wavelengths": [650, 750]}
    )
    component = SpectraToBands()
    params = component.Params()
    output = component.compute(pixels, library(tmp_path), params=params, context=Context())
    assert isinstance(output, Output)
    found = output.main
    assert isinstance(found, Dataset)
    np.testing.assert_allclose(found.dense_features()[2], [0.2, 0.25])
    assert found.columns == ("red", "nir")
    model = output.parts["model"]
    assert component.apply(model, pixels, Context()) is pixels  # type: ignore[arg-type]
    outside = Dataset(features=np.ones((1, 1)), columns=("swir",), details={"wavelengths": [2200]})
    with refuses("missing-values"):
        component.compute(outside, library(tmp_path), params=params, context=Context())
    unknown = Dataset(features=np.ones((1, 2)), columns=("a", "b"))
    with refuses("columns-mismatch"):
        component.compute(unknown, library(tmp_path), params=params, context=Context())


def test_a_scene_is_unmixed_window_by_window(tmp_path: Path) -> None:
    known = library(tmp_path)
    grass, soil = known.dense_features()[:2].mean(axis=0), known.dense_features()[2]
    share = np.linspace(0, 1, 12).reshape(3, 4, 1)
    np.save(tmp_path / "scene.npy", (share * grass + (1 - share) * soil).astype(np.float32))
    scene = raster_dataset(scene_of_cube(tmp_path / "scene.npy"))
    component = Unmix()
    output = component.compute(scene, known, params=component.Params(), context=Context())
    assert isinstance(output, Output)
    assert isinstance(output.main, Dataset)
    assert output.main.columns == ("grass", "soil", "residual")
    with reader_of(output.main) as reader:
        values, valid = reader.read(Window(0, 0, 3, 4))
    assert valid.all()
    np.testing.assert_allclose(values[0], share[..., 0], atol=1e-5)  # of 32-bit pixels
    each = component.Params(materials="items", keep="append")
    listed = component.compute(scene, known, params=each, context=Context()).main
    assert isinstance(listed, Dataset)
    assert listed.columns[-4:] == ("grass 1", "grass 2", "soil", "residual")
    for spectra in (np.ones((1, 3)), np.empty((0, 3)), np.ones((2, 3))):  # one, none, one twice
        with refuses("too-few-groups"):
            few = Dataset(features=spectra)
            component.compute(scene, few, params=component.Params(), context=Context())
    with refuses("wrong-shape"):
        names = scene.columns
        nothing = {"bands": list(names), "names": [], "spectra": [], "keep": "replace"}
        with_shares(np.ones((2, len(names))), names, nothing)


def test_pixels_are_matched_by_their_spectral_angle(tmp_path: Path) -> None:
    from coterie.plugins.classifiers.spectral_angle import SpectralAngle
    from coterie.plugins.clusterers.known_classes import KnownClasses

    known = library(tmp_path)
    spectra = known.dense_features()
    pixels = Dataset(features=np.vstack([0.3 * spectra, [[1.0, 0.1, 0.1]]]))
    groups = KnownClasses().compute(known, params=KnownClasses.Params(), context=Context())
    assert isinstance(groups, Clustering)
    wanted = SpectralAngle.Params(held_out=0.0, max_angle=0.3)
    learnt = SpectralAngle().compute(known, groups, params=wanted, context=Context()).main
    found = SpectralAngle().apply(learnt, pixels, Context())  # type: ignore[arg-type]
    assert found.labels.tolist() == [0, 0, 1, -1]
