"""Data files that unfold to far more than they hold, lead elsewhere, or hold their reader up."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
import zlib
from typing import Any

import h5py

SECRET = "/etc/passwd"
# Read by another reader than the ending says, and by parameters.
READERS = {
    "promising.npy": "reader/similarity",
    "promising-pictures.npy": "reader/images",
    "numbered.csv": "reader/triplets",
    "wide-number.csv": "reader/triplets",
    "long.csv": "reader/triplets",
    "absurd.png": "reader/raster",
    "pictures-elsewhere": "reader/images",
    "pictures-absurd": "reader/images",
    "pictures-network": "reader/images",
}
CELLS = {
    "corners.xlsx": ["A1", "XFD1048576"],
    "column.xlsx": ["A1", "XFD9999"],
    "shared.xlsx": ["A1"],
}
PARAMS: dict[str, dict[str, Any]] = {
    "pictures-absurd": {"height": 8, "width": 8},
    "pictures-elsewhere": {"height": 8, "width": 8},
    "codec.csv": {"encoding": "zlib_codec"},
    "unknown-codec.csv": {"encoding": "../../etc"},
}


def files(line_megabytes: int) -> dict[str, bytes]:
    """Return the files, by name."""
    blanks = b" " * 200_000
    line_megabytes = min(line_megabytes, 80)  # longer than any line is taken
    return {
        **{name: workbook(name) for name in CELLS},
        "elsewhere.xlsx": workbook("corners.xlsx", place="s.dat"),
        "repeated.ods": open_document(repeated_row(1 << 20, 1 << 14)),
        "promising.npz": _npz({"x": (10**6, 10**6)}),
        "promising.npy": _npy((10**5, 10**6)),
        "promising-pictures.npy": _npy((10**9, 28, 28)),
        "locked.npz": _locked(_npz({"x": (2, 2)})),
        "one-line.arff": b"@relation x\n@attribute a numeric\n@data\n"
        + b"1" * _bytes(line_megabytes),
        "blanks.arff": b"@relation x\n@attribute a numeric\n@data\na" + blanks + b"b\n",
        "sparse-blanks.arff": b"@relation x\n@attribute a numeric\n@data\n{0 a" + blanks + b"b}\n",
        "quotes.arff": b"@relation x\n@attribute a string\n@data\n" + b"'\\" * 100_000 + b"\n",
        "values.arff": b"@relation x\n@attribute a {"
        + b",".join(_words(60_000))
        + b"}\n@data\n"
        + b"\n".join(_words(60_000))
        + b"\n",
        "numbered.csv": b"1,1,1\n999999999999,2,1\n",
        "wide-number.csv": b"1,1,1\n2,999999999999,1\n",
        "long.csv": b"1,1," + b"1" * _bytes(line_megabytes) + b"\n",
        "bomb.csv.gz": gzip.compress(b"1," * _bytes(line_megabytes // 2) + b"1\n", 1),
        "codec.csv": b"a,b\n1,2\n",
        "unknown-codec.csv": b"a,b\n1,2\n",
        "huge.mat": _matlab((2**31 - 1, 2**31 - 1)),
        "packed.mat": _matlab((2**20, 2**20), packed=True),
        "virtual.h5": _hdf5("virtual"),
        "elsewhere.h5": _hdf5("external"),
        "linked.h5": _hdf5("link"),
        "shape.h5": _hdf5("shape"),
        "elsewhere.tif": _vrt(),
        "network.tif": _wms(),
        "absurd.png": _png(2**30, 2**30),
        "MTD_MSIL1C.xml": _entities(),
    }


def folders() -> dict[str, dict[str, bytes]]:
    """Return folders of pictures, each with what lies in it."""
    return {
        "pictures-elsewhere": {"a.png": _vrt()},
        "pictures-network": {"a.png": _wms()},
        "pictures-absurd": {"a.png": _png(2**30, 2**30)},
    }


def _bytes(megabytes: int) -> int:
    return megabytes << 20


def _words(count: int) -> list[bytes]:
    return [b"v%d" % i for i in range(count)]


def workbook(name: str, shared: int = 3 << 10, place: str = "worksheets/sheet1.xml") -> bytes:
    """Return one of the workbooks; with so many MB of texts, if it has any."""
    shared = shared if name.startswith("shared") else 0
    return workbook_of(_sheet(CELLS[name]), shared, place)


def repeated_row(rows: int, columns: int) -> str:
    """Return a cell of OpenDocument that is said to be there in so many rows and columns."""
    return (
        f'<table:table-row table:number-rows-repeated="{rows}"><table:table-cell '
        f'table:number-columns-repeated="{columns}" office:value-type="float" office:value="1"/>'
        "</table:table-row>"
    )


def open_document(rows: str) -> bytes:
    """Return an OpenDocument workbook of one sheet with these rows."""
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    names = "urn:oasis:names:tc:opendocument:xmlns"
    spaces = " ".join(f'xmlns:{n}="{names}:{n}:1.0"' for n in ("office", "table", "text"))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", kind, zipfile.ZIP_STORED)
        archive.writestr(
            "META-INF/manifest.xml",
            f'<manifest:manifest xmlns:manifest="{names}:manifest:1.0"/>',
        )
        archive.writestr(
            "content.xml",
            f"<office:document-content {spaces}><office:body><office:spreadsheet>"
            f'<table:table table:name="S">{rows}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return made.getvalue()


def _sheet(places: list[str]) -> str:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    cells = "".join(f'<row r="{p.lstrip(letters)}"><c r="{p}"><v>1</v></c></row>' for p in places)
    return f'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{cells}</sheetData></worksheet>'


def workbook_of(sheet: str, shared: int = 0, place: str = "worksheets/sheet1.xml") -> bytes:
    """Return a workbook of one sheet, with so many MB of texts that pack to nothing."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{package}/content-types"><Default Extension="xml" '
            'ContentType="application/xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
            f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
            '<sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
            f'Type="{office}/worksheet" Target="{place}"/></Relationships>',
        )
        archive.writestr(f"xl/{place}", sheet)
        if shared:
            with archive.open("xl/sharedStrings.xml", "w", force_zip64=True) as stream:
                stream.write(f'<sst xmlns="{main}"><si><t>'.encode())
                for _ in range(shared):
                    stream.write(b"x" * (1 << 20))
                stream.write(b"</t></si></sst>")
    return made.getvalue()


def _header(shape: tuple[int, ...]) -> bytes:
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def _npy(shape: tuple[int, ...]) -> bytes:
    return _header(shape) + b"\0" * 64


def _npz(arrays: dict[str, tuple[int, ...]]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, shape in arrays.items():
            archive.writestr(f"{name}.npy", _npy(shape))
    return made.getvalue()


def _locked(archive: bytes) -> bytes:
    """Say of each member that it has a password."""
    changed = bytearray(archive)
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = changed.find(mark)
        changed[at + flags] |= 1
    return bytes(changed)


def _matlab(shape: tuple[int, int], *, packed: bool = False) -> bytes:
    """Return a MATLAB file of a matrix that is promised and not there."""

    def element(kind: int, content: bytes) -> bytes:
        return struct.pack("<II", kind, len(content)) + content + b"\0" * (-len(content) % 8)

    matrix = element(6, struct.pack("<II", 6, 0)) + element(5, struct.pack("<ii", *shape))
    matrix += element(1, b"x") + struct.pack("<II", 9, 0xFFFFFFF8)
    body = element(14, matrix)
    if packed:
        squeezed = zlib.compress(body)
        body = struct.pack("<II", 15, len(squeezed)) + squeezed
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + body


def _hdf5(way: str) -> bytes:
    made = io.BytesIO()
    with h5py.File(made, "w") as file:
        if way == "virtual":
            layout = h5py.VirtualLayout((10, 10), "f8")
            layout[:] = h5py.VirtualSource(SECRET, "x", (10, 10))
            file.create_virtual_dataset("x", layout)
        elif way == "external":
            file.create_dataset("x", (10, 10), "u1", external=[(SECRET, 0, 100)])
        elif way == "link":
            file["x"] = h5py.ExternalLink(SECRET, "/x")
        else:
            file.create_dataset("x", (10**7, 10**7), "f8", chunks=(1000, 1000), fillvalue=1.0)
    return made.getvalue()


def _vrt() -> bytes:
    """Return a picture that GDAL would read from another file."""
    return (
        b'<VRTDataset rasterXSize="8" rasterYSize="8"><VRTRasterBand dataType="Byte" band="1" '
        b'subClass="VRTRawRasterBand"><SourceFilename relativetoVRT="0">'
        + SECRET.encode()
        + b"</SourceFilename><ImageOffset>0</ImageOffset><PixelOffset>1</PixelOffset>"
        b"<LineOffset>8</LineOffset></VRTRasterBand></VRTDataset>"
    )


def _wms() -> bytes:
    """Return a picture that GDAL would ask the network for."""
    return (
        b'<GDAL_WMS><Service name="TMS"><ServerUrl>http://127.0.0.1:9/${z}/${x}/${y}.png'
        b"</ServerUrl></Service><DataWindow><UpperLeftX>0</UpperLeftX><UpperLeftY>0</UpperLeftY>"
        b"<LowerRightX>8</LowerRightX><LowerRightY>8</LowerRightY><SizeX>8</SizeX><SizeY>8</SizeY>"
        b"</DataWindow><BandsCount>1</BandsCount></GDAL_WMS>"
    )


def _png(width: int, height: int) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content))
            + kind
            + content
            + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 1)
    pixels = zlib.compress(b"\0" * 1000)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


def _entities() -> bytes:
    """Return metadata whose one word stands for a thousand million."""
    lines = ['<!ENTITY a "aaaaaaaaaa">']
    lines += [f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(9)]
    return f"<!DOCTYPE x [{''.join(lines)}]><x>&j;</x>".encode()
