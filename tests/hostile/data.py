"""Reads hostile data files, each in the memory that a test gives it.

Run as a program: python -m tests.hostile.data FOLDER MEGABYTES [LINE_MEGABYTES]. It prints one line
of JSON: for each file the number of items and features that were read, or the sentence that was
given instead. Anything else ends it with an error.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

from coterie.core.engine.options import EngineOptions
from coterie.core.model.recipes import Recipe, Source
from coterie.projects.session import Session
from tests.hostile import bombs
from tests.hostile.capped import cap


def make(folder: Path, line_megabytes: int) -> list[Path]:
    """Write the files."""
    made = {
        "wide.csv": _rows([",".join(f"c{i}" for i in range(100_000)), *[_digits(100_000)] * 3]),
        "one-line.csv": b"x" * (line_megabytes << 20),
        "long-cell.csv": b"a,b\n1,2\n3," + b"y" * (line_megabytes << 20) + b"\n",
        "many-cells.csv": b"1," * (line_megabytes << 19),
        "quote.csv": b'a,b\n"' + b"1,2\n" * 200_000,
        "nul.csv": b"a,b\n1,\x002\n3,4\n",
        "bytes.csv": bytes(range(256)) * 50,
        "empty.csv": b"",
        "ragged.csv": b"a,b\n1\n2,3,4,5\n,,,,,\n",
        "absurd.hdr": _envi(10**9, 10**9, 10**4),
        "negative.hdr": _envi(-5, 10, 2),
        "absurd.tif": _tiff(2**31 - 1, 2**31 - 1),
        "lying.tif": _tiff(4000, 4000),
        "absurd.npy": _npy((10**9, 10**9)),
        "pickle.npy": b"\x93NUMPY\x01\x00v\x00"
        + b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }".ljust(117)
        + b"\n\x80\x04K\x01.",
        "deep.arff": b"@relation x\n@attribute a {" + b"v," * 200_000 + b"v}\n@data\nv\n",
        "not.xlsx": b"PK\x03\x04" + b"\0" * 100,
        "not.parquet": b"PAR1" + b"\xff" * 100 + b"PAR1",
        "not.mat": b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + b"\xff" * 64,
        **bombs.files(line_megabytes),
    }
    paths = []
    for name, content in made.items():
        path = folder / name
        path.write_bytes(content)
        paths.append(path)
    (folder / "absurd.dat").write_bytes(b"\0" * 100)
    (folder / "negative.dat").write_bytes(b"\0" * 100)
    for name, pictures in bombs.folders().items():
        path = folder / name
        path.mkdir()
        for file, content in pictures.items():
            (path / file).write_bytes(content)
        paths.append(path)
    return paths


def _rows(rows: list[str]) -> bytes:
    return "\n".join(rows).encode() + b"\n"


def _digits(count: int) -> str:
    return ",".join(str(i % 10) for i in range(count))


def _envi(samples: int, lines: int, bands: int) -> bytes:
    fields = {"samples": samples, "lines": lines, "bands": bands, "header offset": 0}
    fields |= {"data type": 4, "byte order": 0}
    text = "ENVI\n" + "".join(f"{name} = {value}\n" for name, value in fields.items())
    return (text + "interleave = bsq\n").encode()


def _tiff(width: int, height: int) -> bytes:
    """Return a TIFF that promises a picture and holds a few bytes of it."""
    tags = [
        *((256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8), (259, 3, 1, 1)),
        *((262, 3, 1, 1), (273, 4, 1, 8), (277, 3, 1, 1), (278, 4, 1, height), (279, 4, 1, 100)),
    ]
    body = b"II*\0" + struct.pack("<I", 8) + struct.pack("<H", len(tags))
    return body + b"".join(struct.pack("<HHII", *tag) for tag in tags) + b"\0" * 104


def _npy(shape: tuple[int, int]) -> bytes:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + b"\0" * 64


def read(session: Session, path: Path) -> str:
    """Read a file as a window would; return what came of it."""
    reader = bombs.READERS.get(path.name, "")
    params = bombs.PARAMS.get(path.name, {})
    source = Source(open=str(path), reader=reader, params=params)
    session.project.load_recipe(Recipe(sources=(source,)))
    session.run()
    session.wait(100)
    failure = session.failure("data")
    if failure is None:
        noun = session.fetch("data")
        return f"{noun.n} items of {getattr(noun, 'd', '?')}"
    if failure.traceback and "Error" in failure.message.split(":")[0]:
        raise SystemExit(f"{path.name}: {failure.message}\n{failure.traceback}")
    return failure.message


def main() -> None:
    folder, megabytes, *line = Path(sys.argv[1]), int(sys.argv[2]), *map(int, sys.argv[3:])
    # The engine is told that it has plenty, so that no estimate protects the readers.
    options = EngineOptions(plugin_folders=(), memory=1 << 36, workers=1)
    session = Session(engine="inprocess", options=options, root=folder)
    session.start()
    (folder / "warm.csv").write_text("a,b\n1,2\n3,4\n")
    read(session, folder / "warm.csv")
    paths = make(folder, line[0] if line else 50)
    cap(megabytes)
    said = {}
    for path in paths:
        said[path.name] = read(session, path)
        if path.is_file():
            path.unlink()
    session.close()
    print(json.dumps(said, indent=1))


if __name__ == "__main__":
    main()
