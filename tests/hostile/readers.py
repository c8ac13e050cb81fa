"""Every reader's files, mutated: each is read, or refused with a sentence, in little memory.

Run as a program: python -m tests.hostile.readers SEED COUNT [ENDING]. It prints one line of JSON:
how many were read and refused. A fault, a crash or a file that takes long ends it, and the file is
kept in build/fuzz/readers.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import shutil
import struct
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import rasterio
from scipy.io import netcdf_file, savemat
from scipy.sparse import csc_array

from coterie.core.engine.options import EngineOptions
from coterie.core.model.recipes import Recipe, Source
from coterie.projects.session import Session
from tests.hostile import bombs
from tests.hostile.capped import cap, limit_time
from tests.hostile.parsers import KEPT, mutate

MOST_MEGABYTES = 1024
MOST_SECONDS = 10
TABLE = b"name;width;kind;when\n" + b"".join(
    b"item %d;%d,5;%s;2024-01-%02d\n" % (i, i, b"ab"[i % 2 : i % 2 + 1], i % 28 + 1)
    for i in range(20)
)
ARFF = b"""% a remark
@RELATION flowers
@attribute 'sepal width' REAL
@attribute name string
@attribute day date "yyyy-MM-dd"
@attribute class {setosa,"a, b"}
@DATA
1.5, 'it\\'s, one', 2024-01-02, setosa
?,two,?,"a, b"
{0 3, 3 setosa}
"""
MTL = b"""GROUP = LANDSAT_METADATA_FILE
  GROUP = PRODUCT_CONTENTS
    FILE_NAME_BAND_1 = "b1.tif"
  END_GROUP = PRODUCT_CONTENTS
  GROUP = IMAGE_ATTRIBUTES
    SPACECRAFT_ID = "LANDSAT_8"
    SENSOR_ID = "OLI_TIRS"
  END_GROUP = IMAGE_ATTRIBUTES
END_GROUP = LANDSAT_METADATA_FILE
END
"""
# Beside all files: the band that _MTL.txt and .vrt name.
BAND = "b1.tif"
VRT = b"""<VRTDataset rasterXSize="30" rasterYSize="20">
  <VRTRasterBand dataType="UInt16" band="1">
    <SimpleSource>
      <SourceFilename relativeToVRT="1">b1.tif</SourceFilename>
      <SourceBand>1</SourceBand>
      <SrcRect xOff="0" yOff="0" xSize="30" ySize="20"/>
      <DstRect xOff="0" yOff="0" xSize="30" ySize="20"/>
    </SimpleSource>
  </VRTRasterBand>
</VRTDataset>
"""


def _seeds() -> dict[str, list[tuple[str, bytes]]]:
    """Return sound files by ending, each with the reader that it is opened by; "" for the usual."""
    numbers = np.random.default_rng(0).normal(size=(30, 4))
    similar = np.abs(numbers @ numbers.T)
    band = _raster("GTiff", "uint16")
    bands = {"scene/B02.tif": band, "scene/B03.tif": band}
    found: dict[str, list[tuple[str, bytes]]] = {
        ".csv": [
            ("", TABLE),
            ("reader/triplets", b"1,2,0.5\n2,3,0.25\n3,1,1\n"),
            ("reader/edges", b"source,target,weight\na,b,1\nb,c,2\n"),
            ("reader/images", b"0,1,2,3\n4,5,6,7\n"),
            ("reader/texts", b"id,text\n1,some words\n2,more words here\n"),
            ("reader/similarity", b"1,0.5\n0.5,1\n"),
        ],
        ".tab": [("reader/csv", b"a\tb\nc\td\n\tclass\n1.5\tx\n2\ty\n")],
        ".arff": [("", ARFF)],
        ".json": [
            ("", b'[{"a": 1, "b": {"c": 2.5, "d": "x"}}, {"a": null, "b": {"d": "y"}, "e": [1]}]'),
            ("", b'{"columns": ["a", "b"], "data": [[1, "x"], [2, "y"]]}'),
            ("", b'{"a": {"0": 1, "1": 2}, "b": {"0": "x", "1": null}}'),
        ],
        ".jsonl": [("", b'{"a": 1, "b": "x"}\n{"a": 2.5e3, "b": "\\u00e9"}\n')],
        ".geojson": [
            (
                "",
                b'{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": '
                b'{"a": 1}, "geometry": {"type": "Point", "coordinates": [7.5, 47.6]}}]}',
            )
        ],
        ".xlsx": [("", bombs.workbook("shared.xlsx", 0))],
        ".ods": [("", bombs.open_document(bombs.repeated_row(3, 2)))],
        ".npy": [("", _saved(np.save, numbers)), ("reader/similarity", _saved(np.save, similar))],
        ".npz": [("", _saved(np.savez_compressed, numbers))],
        ".mat": [
            ("", _saved(lambda file, x: savemat(file, {"x": x, "y": [1, 2]}), numbers)),
            ("", _saved(lambda file, x: savemat(file, {"x": x}), csc_array(similar > 1))),
            ("", _saved(lambda file, x: savemat(file, {"x": x}, format="4"), numbers)),
            ("", _sparse_hdf5(csc_array(similar))),
        ],
        ".h5": [("", _hdf5(numbers)), ("", _hdf5(numbers, "earliest"))],
        ".tif": [("", _raster("GTiff", "uint16")), ("", _raster("GTiff", "float32"))],
        ".png": [("reader/raster", _raster("PNG", "uint8"))],
        ".jpg": [("reader/raster", _raster("JPEG", "uint8"))],
        ".txt": [("reader/csv", TABLE)],
        "_MTL.txt": [("", MTL)],
        ".jp2": [("", _raster("JP2OpenJPEG", "uint8"))],
        ".img": [("", _raster("HFA", "uint8"))],
        ".nc": [("", _netcdf(numbers, "3")), ("", _netcdf(numbers, "4"))],
        ".zip": [("", _zip(bands)), ("", _zip({"x_MTL.txt": MTL, "b1.tif": band}))],
        ".tar.gz": [("", _tar(bands))],
        ".csv.gz": [("", gzip.compress(TABLE))],
        ".edges": [("", b"a b 1\nb c 2\nc a 0.5\n")],
        ".triplets": [("", b"1 2 0.5\n2 3 0.25\n3 1 1\n")],
        ".sim": [("", b"1\t0.5\n0.5\t1\n")],
        ".vrt": [("", VRT)],
    }
    found |= _tables(numbers)
    return found


def _tables(numbers: Any) -> dict[str, list[tuple[str, bytes]]]:
    """Files of optional parts, where these are installed."""
    found: dict[str, list[tuple[str, bytes]]] = {}
    try:
        import pyarrow
        from pyarrow import parquet

        made = io.BytesIO()
        columns = {"x": numbers[:, 0], "kind": ["a", "b"] * 15}
        parquet.write_table(pyarrow.table(columns), made)
        found[".parquet"] = [("", made.getvalue())]
    except ImportError:
        pass
    try:
        import pandas
        import pyreadstat

        frame = pandas.DataFrame({"x": numbers[:, 0], "kind": ["a", "b"] * 15})
        for ending, write in (
            (".sav", pyreadstat.write_sav),
            (".zsav", partial(pyreadstat.write_sav, compress=True)),
            (".por", pyreadstat.write_por),
            (".dta", pyreadstat.write_dta),
            (".xpt", pyreadstat.write_xport),
        ):
            found[ending] = [("", _written(partial(write, frame)))]
    except ImportError:
        pass
    return found


def _written(write: Callable[[str], Any]) -> bytes:
    """Return what a function writes to a file."""
    with tempfile.TemporaryDirectory() as folder:
        write(f"{folder}/x")
        return (Path(folder) / "x").read_bytes()


def _netcdf(numbers: Any, version: str) -> bytes:
    """Return a scene of NetCDF 3, or of NetCDF 4, which is HDF5."""
    if version == "3":

        def write(path: str) -> None:
            with netcdf_file(path, "w") as file:
                file.createDimension("y", 30)
                file.createDimension("x", 4)
                file.createVariable("red", "f8", ("y", "x"))[:] = numbers

        return _written(write)
    made = io.BytesIO()
    with h5py.File(made, "w") as file:
        for name, size in (("y", 30), ("x", 4)):
            file[name] = np.arange(float(size))
            file[name].make_scale(name)
        file["red"] = numbers
        for axis, name in enumerate(("y", "x")):
            file["red"].dims[axis].attach_scale(file[name])
    return made.getvalue()


def _zip(members: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


def _tar(members: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name, content in members.items():
            about = tarfile.TarInfo(name)
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
    return made.getvalue()


def _saved(save: Callable[[Any, Any], Any], array: Any) -> bytes:
    made = io.BytesIO()
    save(made, array)
    return made.getvalue()


def _hdf5(numbers: Any, oldest: str = "latest") -> bytes:
    made = io.BytesIO()
    with h5py.File(made, "w", libver=(oldest, "latest")) as file:
        file.create_dataset("x", data=numbers, chunks=(10, 4), compression=4)
        file["labels"] = np.arange(30) % 3
        file["x"].attrs["columns"] = ["a", "b", "c", "d"]
    return made.getvalue()


def _sparse_hdf5(matrix: Any) -> bytes:
    """Return a sparse matrix as MATLAB 7.3 keeps it."""
    made = io.BytesIO()
    with h5py.File(made, "w", libver="earliest") as file:
        group = file.create_group("x")
        group.attrs["MATLAB_sparse"] = np.uint64(matrix.shape[0])
        for name, part in zip(
            ("data", "ir", "jc"), (matrix.data, matrix.indices, matrix.indptr), strict=True
        ):
            group[name] = part
    return made.getvalue()


def _raster(driver: str, kind: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x"
        values = np.random.default_rng(1).integers(0, 200, (3, 20, 30)).astype(kind)
        with rasterio.open(
            path, "w", driver=driver, count=3, height=20, width=30, dtype=kind
        ) as target:
            target.write(values)
        return path.read_bytes()


# Mutations that keep what surrounds the change whole


def changed(data: bytes, rng: random.Random) -> bytes:
    """Return a file with changes; those of archives and pictures with their checksums repaired."""
    if data.startswith(b"PK\x03\x04") and rng.random() < 0.7:
        return _in_archive(data, rng)
    if data.startswith(b"\x89PNG") and rng.random() < 0.7:
        return _in_chunk(data, rng)
    return mutate(data, rng)


def _in_archive(data: bytes, rng: random.Random) -> bytes:
    """Change one member."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w") as new:
        names = old.namelist()
        chosen = rng.choice(names)
        for name in names:
            content = old.read(name)
            new.writestr(name, mutate(content, rng) if name == chosen else content)
    return made.getvalue()


def _in_chunk(data: bytes, rng: random.Random) -> bytes:
    """Change one chunk of a PNG picture."""
    chunks, at = [], 8
    while at + 8 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        chunks.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    chosen = rng.randrange(len(chunks))
    parts = [data[:8]]
    for number, (kind, content) in enumerate(chunks):
        content = mutate(content, rng) if number == chosen else content
        check = zlib.crc32(kind + content)
        parts.append(struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check))
    return b"".join(parts)


# The campaign


def read(session: Session, path: Path, reader: str) -> tuple[bool, str]:
    """Open a file as a window would; return whether it was read, and any fault."""
    params = {"height": 2, "width": 2} if reader == "reader/images" else {}
    session.project.load_recipe(
        Recipe(sources=(Source(open=str(path), reader=reader, params=params),))
    )
    session.run()
    session.wait(100)
    failure = session.failure("data")
    if failure is None:
        return True, ""
    fault = failure.code == "internal" or "\n" in failure.message
    return False, f"{failure.message}\n{failure.traceback}" if fault else ""


def main() -> None:
    seed, count, *only = int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]
    rng, tally = random.Random(seed), Counter({"refused": 0, "read": 0})
    folder = Path(tempfile.mkdtemp(prefix="coterie-readers-"))
    options = EngineOptions(plugin_folders=(), memory=1 << 30, workers=1)
    session = Session(engine="inprocess", options=options, root=folder)
    session.start()
    seeds = _seeds()
    (folder / BAND).write_bytes(_raster("GTiff", "uint16"))
    endings = only or sorted(seeds)
    for ending in endings:
        for number, (reader, data) in enumerate(seeds[ending]):
            path = folder / f"sound-{number}{ending}"
            path.write_bytes(data)
            sound, _ = read(session, path, reader)  # loads the libraries
            if not sound:
                raise SystemExit(f"{path.name}: {session.failure('data')}")
    cap(MOST_MEGABYTES)
    for number in range(count):
        ending = rng.choice(endings)
        reader, data = rng.choice(seeds[ending])
        path = folder / f"file-{number}{ending}"
        path.write_bytes(changed(data, rng))
        kept = KEPT / "readers" / f"{reader.partition('/')[2]}-{seed}-{number}{ending}"
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(path.read_bytes())  # it may end the process
        limit_time(MOST_SECONDS)
        sound, fault = read(session, path, reader)
        limit_time(0)
        if fault:
            raise SystemExit(f"{kept}: {fault}")
        kept.unlink()
        path.unlink()
        tally["read" if sound else "refused"] += 1
    session.close()
    shutil.rmtree(folder, ignore_errors=True)
    print(json.dumps(tally))


if __name__ == "__main__":
    main()
