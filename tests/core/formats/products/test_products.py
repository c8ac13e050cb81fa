"""Products as they are delivered: archives, band files, virtual rasters, old and new metadata."""

from __future__ import annotations

import io
import shutil
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coterie.core.errors import DataError
from coterie.core.formats.products.archives import unpacked
from coterie.core.formats.products.masks import mask_scene
from coterie.core.formats.products.quality import quality_of
from coterie.core.formats.rasters.formats import scene_of
from coterie.core.formats.rasters.numpy_scenes import scene_of_cube
from coterie.core.formats.rasters.scene import Scene
from coterie.core.formats.rasters.truth import find_truth
from coterie.core.formats.rasters.windows import SceneReader, Window
from tests.core.formats.rasters.making import corner, cube, write, write_landsat, write_safe
from tests.refusals import refuses

OLD_MTL = """GROUP = L1_METADATA_FILE
  GROUP = PRODUCT_METADATA
    SPACECRAFT_ID = "Landsat5"
    SENSOR_ID = "TM"
    BAND1_FILE_NAME = "L5_B10.TIF"
    BAND6_FILE_NAME = "L5_B60.TIF"
  END_GROUP = PRODUCT_METADATA
  GROUP = MIN_MAX_RADIANCE
    LMAX_BAND1 = 193.0
    LMIN_BAND1 = -1.52
  END_GROUP = MIN_MAX_RADIANCE
  GROUP = MIN_MAX_PIXEL_VALUE
    QCALMAX_BAND1 = 255.0
    QCALMIN_BAND1 = 1.0
  END_GROUP = MIN_MAX_PIXEL_VALUE
END_GROUP = L1_METADATA_FILE
END
"""


def read(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    with SceneReader(scene) as reader:
        return reader.read(Window(0, 0, scene.height, scene.width))


# Landsat


def test_the_first_metadata_of_landsat_give_radiance_by_their_limits(tmp_path: Path) -> None:
    numbers = cube(1)
    write(tmp_path / "L5_B10.TIF", numbers)
    (tmp_path / "L5_MTL.txt").write_text(OLD_MTL, encoding="utf-8")
    scene = scene_of(tmp_path)
    assert scene.band_names == ("B1",)
    assert any("radiance" in note for note in scene.notes)
    assert any("B6" in note for note in scene.notes)  # its file is not there, and that is said
    values, _ = read(scene)
    slope = (193.0 + 1.52) / 254
    assert np.allclose(values[0], (numbers[0] - 1.0) * slope - 1.52, atol=1e-3)


def test_metadata_as_xml_say_what_those_as_text_say(tmp_path: Path) -> None:
    folder = tmp_path / "product"
    write_landsat(folder)
    by_text = scene_of(folder)
    groups: dict[str, list[str]] = {}
    inside = ""
    for line in (folder / "LC08_MTL.txt").read_text().splitlines():
        name, _, value = (part.strip() for part in line.partition("="))
        if name == "GROUP":
            inside = value
        elif value and name != "END_GROUP":
            groups.setdefault(inside, []).append(f"<{name}>{value.strip(chr(34))}</{name}>")
    body = "".join(f"<{g}>{''.join(lines)}</{g}>" for g, lines in groups.items())
    (folder / "LC08_MTL.xml").write_text(f"<LANDSAT_METADATA_FILE>{body}</LANDSAT_METADATA_FILE>")
    (folder / "LC08_MTL.txt").unlink()
    assert scene_of(folder).bands == by_text.bands


def test_real_landsat_folders_open_and_say_what_they_leave_out(realdata: Path) -> None:
    old = scene_of(realdata / "scenes" / "landsat5_folder")
    assert old.band_names == ("B1", "B2", "B3", "B4", "B5", "B7")
    assert old.choose("thermal").band_names == ("B6",)
    new = scene_of(realdata / "scenes" / "landsat8_folder")
    assert len(new.bands) == 8
    assert new.choose("all").band_names[-3:] == ("B8", "B10", "B11")
    values, valid = read(new.choose("B4, panchromatic"))
    assert valid.mean() > 0.99
    assert 0 < values[0][valid].mean() < 0.5
    # The panchromatic band is brought to the grid of the others, and shows the same ground.
    assert np.corrcoef(values[0][valid], values[1][valid])[0, 1] > 0.8
    with pytest.raises(DataError) as caught:
        new.choose("B12")
    assert caught.value.code == "unknown-band"


# Folders of band files


def test_files_of_a_folder_are_bands_called_after_what_differs(tmp_path: Path) -> None:
    numbers = cube(3)
    for name, band in zip(("B10", "B2", "B8A"), numbers, strict=True):
        write(tmp_path / f"T33_2024_{name}_x.tif", band[None])
    write(tmp_path / "T33_2024_SCL_x.tif".replace("_x", ""), numbers[:1])
    scene = scene_of(tmp_path)
    assert scene.band_names == ("B2", "B8A", "B10")
    assert any("SCL" in note for note in scene.notes)
    assert np.array_equal(read(scene)[0], numbers[[1, 2, 0]].astype(np.float32))


def test_dates_in_names_make_a_stack_in_their_order(tmp_path: Path) -> None:
    numbers = cube(3)
    for date, band in zip(("20240301", "20231224", "20240105"), numbers, strict=True):
        write(tmp_path / f"ndvi_{date}_v1.tif", band[None])
    scene = scene_of(tmp_path)
    assert scene.band_names == ("2023-12-24", "2024-01-05", "2024-03-01")
    assert np.array_equal(read(scene)[0], numbers[[1, 2, 0]].astype(np.float32))


def test_the_twelve_dates_of_modis_are_one_scene(realdata: Path) -> None:
    scene = scene_of(realdata / "scenes" / "modis_ndvi_12_dates")
    assert len(scene.bands) == 12
    assert scene.band_names[0] == "2013-09-14"
    assert (scene.height, scene.width) == (147, 255)


def test_coarser_files_are_brought_to_the_finest_grid(tmp_path: Path) -> None:
    fine, coarse = cube(1, 40, 50), cube(1, 20, 25, seed=3)
    write(tmp_path / "a_fine.tif", fine)
    write(tmp_path / "a_coarse.tif", coarse, transform=corner(metres=20))
    scene = scene_of(tmp_path)
    values, _ = read(scene)
    assert scene.band_names == ("coarse", "fine")
    assert np.array_equal(values[0], np.kron(coarse[0], np.ones((2, 2))))


@pytest.mark.parametrize(
    "profile",
    [{"crs": "EPSG:32634"}, {"transform": corner(west=600_000)}],
    ids=["system", "place"],
)
def test_files_that_do_not_fit_together_are_refused(
    tmp_path: Path, profile: dict[str, Any]
) -> None:
    write(tmp_path / "a_1.tif", cube(1))
    write(tmp_path / "a_2.tif", cube(1), **profile)
    with pytest.raises(DataError) as caught:
        scene_of(tmp_path)
    assert caught.value.code == "grid-mismatch"


# Virtual rasters


VRT = """<VRTDataset rasterXSize="50" rasterYSize="40">
  <VRTRasterBand dataType="UInt16" band="1"{sub}>
    <SimpleSource>
      <SourceFilename relativeToVRT="{relative}">{file}</SourceFilename>
      <SourceBand>2</SourceBand>{more}
    </SimpleSource>
  </VRTRasterBand>
</VRTDataset>
"""


def virtual(folder: Path, file: str, *, relative: int = 1, sub: str = "", more: str = "") -> Path:
    path = folder / "scene.vrt"
    path.write_text(VRT.format(file=file, relative=relative, sub=sub, more=more))
    return path


def test_a_virtual_raster_of_files_beside_it_is_a_scene(tmp_path: Path) -> None:
    numbers = cube(2)
    write(tmp_path / "a.tif", numbers)
    scene = scene_of(virtual(tmp_path, "a.tif"))
    assert np.array_equal(read(scene)[0][0], numbers[1].astype(np.float32))
    scene = scene_of(virtual(tmp_path, str(tmp_path / "a.tif"), relative=0))
    assert len(scene.bands) == 1


@pytest.mark.parametrize(
    "file",
    [
        "../secret.tif",
        "/vsicurl/http://127.0.0.1:9/a.tif",
        "http://127.0.0.1:9/a.tif",
        "/vsizip/a.zip/a.tif",
        "link.tif",
        "&lt;VRTDataset/&gt;",
        "",
    ],
)
def test_a_virtual_raster_that_leads_elsewhere_is_refused(tmp_path: Path, file: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    write(tmp_path / "secret.tif", cube(2))
    (folder / "link.tif").symlink_to(tmp_path / "secret.tif")
    with pytest.raises(DataError) as caught:
        scene_of(virtual(folder, file))
    assert caught.value.code == "outside-folder"


def test_a_virtual_raster_may_neither_compute_nor_hide_another_one(tmp_path: Path) -> None:
    write(tmp_path / "a.tif", cube(2))
    derived = ' subClass="VRTDerivedRasterBand"'
    for path in (
        virtual(tmp_path, "a.tif", sub=derived),
        virtual(tmp_path, "a.tif", more="<OpenOptions><OOI key='X'>y</OOI></OpenOptions>"),
    ):
        with pytest.raises(DataError) as caught:
            scene_of(path)
        assert caught.value.code == "not-a-scene"
    # By its name a GeoTIFF, by its text a virtual raster that leads out of the folder.
    (tmp_path / "b.tif").write_text(VRT.format(file="/etc/passwd", relative=0, sub="", more=""))
    with pytest.raises(DataError) as caught:
        scene_of(virtual(tmp_path, "b.tif"))
    assert caught.value.code == "file-damaged"


# Archives


def zipped(folder: Path, target: Path) -> Path:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, Path(folder.name) / file.relative_to(folder))
    return target


def test_a_zipped_product_is_read_as_its_folder_is(tmp_path: Path) -> None:
    folder = tmp_path / "S2A.SAFE"
    folder.mkdir()
    write_safe(folder)
    plain = scene_of(folder)
    packed = scene_of(zipped(folder, tmp_path / "S2A.zip"))
    assert packed.band_names == plain.band_names
    assert packed.name == "S2A.zip"
    shutil.rmtree(folder)
    assert np.array_equal(read(packed)[0][0], read(packed)[0][0])
    shutil.rmtree(unpacked(tmp_path / "S2A.zip"))
    assert read(packed)[1].any()  # unpacked again when the cache was emptied
    assert Scene.from_json(packed.as_json()) == Scene.from_json(packed.as_json())


def test_a_rolled_and_compressed_product_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "LC08"
    numbers = write_landsat(folder)
    with tarfile.open(tmp_path / "LC08.tar.gz", "w:gz") as archive:
        for file in sorted(folder.iterdir()):
            archive.add(file, file.name)
    scene = scene_of(tmp_path / "LC08.tar.gz")
    assert scene.band_names == ("B4", "B5")
    assert np.allclose(read(scene)[0], numbers * 2.75e-05 - 0.2, atol=1e-6)


@pytest.mark.parametrize("name", ["../a.tif", "/tmp/a.tif", "C:\\a.tif", "x/../../a.tif"])
def test_an_archive_whose_names_lead_out_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), b"x")
    with pytest.raises(DataError) as caught:
        scene_of(path)
    assert caught.value.code == "outside-folder"


def test_an_archive_with_a_link_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        link = tarfile.TarInfo("a.tif")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    with pytest.raises(DataError) as caught:
        scene_of(path)
    assert caught.value.code == "outside-folder"


def test_an_archive_that_unpacks_to_far_more_than_it_is_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.tif", bytes(80 << 20))
    with pytest.raises(DataError) as caught:
        scene_of(path)
    assert caught.value.code == "file-too-large"


def test_an_archive_without_a_scene_is_named_and_not_where_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "letters.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("readme.txt", "hello")
    with refuses("not-a-scene", DataError) as refused:
        scene_of(path)
    assert path.name in str(refused.value)


def test_a_virtual_raster_of_itself_is_refused(tmp_path: Path) -> None:
    with refuses("not-a-scene", DataError):
        scene_of(virtual(tmp_path, "scene.vrt"))


def test_an_empty_file_is_said_to_be(tmp_path: Path) -> None:
    (tmp_path / "scene.tif").touch()
    with refuses("file-damaged", DataError) as refused:
        scene_of(tmp_path / "scene.tif")
    assert str(tmp_path) not in str(refused.value)


def test_an_archive_cut_short_is_said_to_be(tmp_path: Path) -> None:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("a.tif", bytes(1000))
    (tmp_path / "a.zip").write_bytes(whole.getvalue()[:500])
    with pytest.raises(DataError) as caught:
        scene_of(tmp_path / "a.zip")
    assert caught.value.code == "file-damaged"


# Quality layers


@pytest.mark.parametrize(
    ("file", "numbers", "names"),
    [
        (
            "x_QA_PIXEL.TIF",
            [1, 21824, 21952, 22280, 23888, 54596],
            ["clear", "water", "cloud", "cloud shadow", "cirrus"],
        ),
        (
            "x_BQA.TIF",
            [1, 2720, 2800, 2976, 3744, 6816],
            ["clear", "cloud", "cloud shadow", "snow", "cirrus"],
        ),
        (
            "x_BQA.TIF",
            [1, 20480, 53248, 28672, 23552, 20528],
            ["clear", "cloud", "cirrus", "snow", "water"],
        ),
        ("T33_SCL_20m.jp2", [0, 4, 9, 8, 3], ["vegetation", "cloud", "cloud", "cloud shadow"]),
        ("x_fmask.tif", [255, 0, 1, 2, 3, 4], ["land", "water", "cloud shadow", "snow", "cloud"]),
    ],
)
def test_bits_of_quality_layers_are_classes_by_name(
    file: str, numbers: list[int], names: list[str]
) -> None:
    quality = quality_of(file)
    assert quality is not None
    meanings = quality.meanings(numbers)
    assert numbers[0] not in meanings  # no data
    assert [meanings[number] for number in numbers[1:]] == names


def test_a_coarser_quality_layer_in_a_product_is_its_mask(tmp_path: Path) -> None:
    folder = tmp_path / "S2A.SAFE"
    folder.mkdir()
    write_safe(folder, level="2A")
    classes = np.full((1, 60, 60), 4, dtype=np.uint8)
    classes[0, :30] = 9
    images = folder / "GRANULE" / "L1C_T33" / "IMG_DATA" / "R20m"
    write(images / "T33_20240101_SCL_20m.tif", classes, transform=corner(metres=20))
    scene = scene_of(folder)
    truth = find_truth(scene, mask_scene(folder, "SCL"), {}, lambda: None)
    assert truth.names == ("vegetation", "cloud")
    values, valid = read(truth.scene)
    assert values.shape[1:] == (120, 120)
    found = truth.classes(values[0], valid)
    assert (found[:60] == 1).all()
    assert (found[60:] == 0).all()


# Cubes


@pytest.mark.parametrize(
    ("shape", "bands"),
    [((14, 14, 20), 20), ((20, 14, 14), 20), ((61, 34, 10), 10), ((6, 34, 61), 6)],
)
def test_the_axis_of_bands_is_known_by_the_shape(
    tmp_path: Path, shape: tuple[int, ...], bands: int
) -> None:
    np.save(tmp_path / "a.npy", np.zeros(shape))
    assert len(scene_of_cube(tmp_path / "a.npy").bands) == bands


@pytest.mark.parametrize("shape", [(30, 40, 35), (40, 6, 50)])
def test_a_shape_that_says_nothing_of_the_bands_is_asked_about(
    tmp_path: Path, shape: tuple[int, ...]
) -> None:
    np.save(tmp_path / "a.npy", np.zeros(shape))
    with pytest.raises(DataError) as caught:
        scene_of_cube(tmp_path / "a.npy")
    assert caught.value.code == "ambiguous-axes"
