"""What no project file may hold is refused, with what it is and where."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from coterie.core.errors import ProjectFileError
from coterie.projects.store.hdf5 import inspection, shapes
from coterie.projects.store.hdf5.chunks import fletcher32
from coterie.projects.store.hdf5.reading import ProjectFile
from coterie.projects.store.hdf5.texts import write_attribute
from coterie.projects.store.hdf5.validation import validate
from tests.refusals import refuses

from . import damage, samples

ARCHIVED = sorted((Path(__file__).parents[3] / "archives").glob("*.coterie.h5"))

KEY = samples.key_of("hostile")
DATA = samples.points().key
Edit = Callable[[h5py.File], Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A project with a result of every type."""
    path = tmp_path_factory.mktemp("made") / "p.coterie.h5"
    samples.save(path)
    return path.read_bytes()


@pytest.fixture
def project(made: bytes, tmp_path: Path) -> Path:
    """A copy of that project."""
    path = tmp_path / "p.coterie.h5"
    path.write_bytes(made)
    return path


def edited(path: Path, edit: Edit) -> Path:
    with h5py.File(path, "r+", libver=("v108", "latest")) as file:
        edit(file)
    return path


def _loop(file: h5py.File) -> None:
    file["data/loop"] = file["/"]


def _two_names(file: h5py.File) -> None:
    file[f"results/{KEY}"] = file[f"data/{DATA}"]


def _external_storage(file: h5py.File) -> None:
    file.create_dataset("data/x", (10,), "f8", external=[("/etc/passwd", 0, 80)])


def _virtual(file: h5py.File) -> None:
    whole = h5py.VirtualLayout(shape=(10,), dtype="f8")
    whole[:] = h5py.VirtualSource("other.h5", "x", shape=(10,))
    file.create_virtual_dataset("data/x", whole)


def _opaque(file: h5py.File) -> None:
    file["data/x"] = np.array([b"\x80\x04pickle"], dtype="V8")


def _reference(file: h5py.File) -> None:
    file.create_dataset("data/x", (1,), h5py.ref_dtype)


def _ragged(file: h5py.File) -> None:
    file.create_dataset("data/x", (1,), h5py.vlen_dtype("i4"))


def _compound(file: h5py.File) -> None:
    file["data/x"] = np.zeros(1, dtype=[("a", "i4"), ("b", "f8")])


def _fake_complex(file: h5py.File) -> None:
    file["data/x"] = np.zeros(1, dtype=[("r", "S8"), ("i", "f8")])


def _enumeration(file: h5py.File) -> None:
    file.create_dataset("data/x", (1,), h5py.enum_dtype({"red": 1, "green": 2}))


def _array_entries(file: h5py.File) -> None:
    kind = h5py.h5t.array_create(h5py.h5t.NATIVE_INT32, (4,))
    space = h5py.h5s.create_simple((2,))
    h5py.h5d.create(file.id, b"data/x", kind, space)


def _lzf(file: h5py.File) -> None:
    file.create_dataset("data/x", data=np.zeros(100), compression="lzf")


def _scale_offset(file: h5py.File) -> None:
    file.create_dataset("data/x", data=np.arange(100), scaleoffset=0)


def _stored_type(file: h5py.File) -> None:
    file["data/x"] = np.dtype("f8")


def _null(file: h5py.File) -> None:
    file["data/x"] = h5py.Empty("f8")


def _bomb_chunks(file: h5py.File) -> None:
    file.create_dataset("data/x", (1 << 40,), "f8", chunks=(1 << 17,), compression="gzip")


def _bomb_contiguous(file: h5py.File) -> None:
    file.create_dataset("data/x", (1 << 40,), "f8")


def _bomb_one_chunk(file: h5py.File) -> None:
    x = file.create_dataset("data/x", (2,), "u1", maxshape=(None,), chunks=(1 << 30,))
    x.id.write_direct_chunk((0,), b"x" * 100)


def _overlong_chunk(file: h5py.File) -> None:
    # Without a filter the library makes room for the entries, and reads what is stored.
    x = file.create_dataset("data/x", (4,), "u1", maxshape=(None,), chunks=(4,))
    x.id.write_direct_chunk((0,), b"x" * 100)


def _bomb_forged_chunk(file: h5py.File) -> None:
    # A chunk stored in a few bytes that says it unpacks to 8 MiB.
    x = file.create_dataset("data/x", (1 << 23,), "u1", chunks=(1 << 23,), compression="gzip")
    x.id.write_direct_chunk((0,), b"x" * 100)


def _unpacked_chunk(file: h5py.File) -> None:
    # HDF5 would take 80 bytes from the five that are there.
    x = file.create_dataset("data/x", (10,), "f8", chunks=(10,), compression="gzip")
    x.id.write_direct_chunk((0,), b"short", filter_mask=1)


def _unusual_order(file: h5py.File) -> None:
    plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plan.set_chunk((10,))
    plan.set_fletcher32()
    plan.set_deflate(1)
    space = h5py.h5s.create_simple((10,))
    h5py.h5d.create(file.id, b"data/x", h5py.h5t.NATIVE_DOUBLE, space, plan)


def _unusual_number(file: h5py.File) -> None:
    kind = h5py.h5t.IEEE_F64LE.copy()
    kind.set_ebias(1000)
    h5py.h5d.create(file.id, b"data/x", kind, h5py.h5s.create_simple((1,)))


def _hole(file: h5py.File) -> None:
    x = file.create_dataset("data/x", (10, 10), "f8", chunks=(5, 10))
    x[:5] = 1


def _deep(file: h5py.File) -> None:
    file.create_group("data/" + "/".join("d" * 30))


def _not_a_key(file: h5py.File) -> None:
    file.create_group("data/..%2f..%2fetc")


def _key_twice(file: h5py.File) -> None:
    group = file.create_group(f"results/{DATA}")
    write_attribute(group, "encoding-type", "model")
    write_attribute(group, "encoding-version", 1)


def _wrong_dataset(file: h5py.File) -> None:
    write_attribute(file[f"data/{DATA}"], "dataset", "../../etc")


def _many_attributes(file: h5py.File) -> None:
    for i in range(100):
        file[f"data/{DATA}"].attrs[f"a{i}"] = i


def _attribute_array(file: h5py.File) -> None:
    file[f"data/{DATA}"].attrs["x"] = np.zeros(1000)


def _attribute_reference(file: h5py.File) -> None:
    file[f"data/{DATA}"].attrs["x"] = file["data"].ref


def _attribute_text(file: h5py.File) -> None:
    file[f"data/{DATA}"].attrs["title"] = "of any length"


def _attribute_huge(file: h5py.File) -> None:
    kind = h5py.string_dtype("utf-8", 60_000)
    file[f"data/{DATA}"].attrs.create("x", np.bytes_(b"x"), dtype=kind)


def _varying_text(file: h5py.File) -> None:
    file["data/x"] = ["a", "b"]


def _huge_text(file: h5py.File) -> None:
    file.create_dataset("data/x", (1,), h5py.string_dtype("utf-8", 1 << 30))


REFUSED: dict[str, tuple[Edit, str, str]] = {
    "external link": (
        lambda f: f.__setitem__("data/x", h5py.ExternalLink("/etc/hosts", "/")),
        "a link to another file",
        "/data/x",
    ),
    "soft link": (lambda f: f.__setitem__("x", h5py.SoftLink("/data")), "a soft link", "/x"),
    "dangling link": (lambda f: f.__setitem__("x", h5py.SoftLink("/no")), "a soft link", "/x"),
    "loop": (_loop, "a hard link", "/data/loop"),
    "two names": (_two_names, "a hard link", KEY),
    "external storage": (_external_storage, "stored in another file", "/data/x"),
    "virtual dataset": (_virtual, "virtual dataset", "/data/x"),
    "pickle": (_opaque, "raw bytes", "/data/x"),
    "reference": (_reference, "references", "/data/x"),
    "object array": (_ragged, "lists of varying length", "/data/x"),
    "compound": (_compound, "compound", "/data/x"),
    "fake complex": (_fake_complex, "compound", "/data/x"),
    "enumeration": (_enumeration, "enumeration", "/data/x"),
    "array entries": (_array_entries, "arrays within", "/data/x"),
    "lzf": (_lzf, "needs a plugin", "/data/x"),
    "scale offset": (_scale_offset, "needs a plugin", "/data/x"),
    "stored type": (_stored_type, "stored type", "/data/x"),
    "no value": (_null, "without a value", "/data/x"),
    "bomb in chunks": (_bomb_chunks, "promises 8796093022208 bytes where 0", "/data/x"),
    "bomb in one piece": (_bomb_contiguous, "promises 8796093022208 bytes where 0", "/data/x"),
    "bomb of one chunk": (_bomb_one_chunk, "chunks of 1073741824 bytes", "/data/x"),
    "overlong chunk": (_overlong_chunk, "another size than its entries", "/data/x"),
    "forged chunk": (_bomb_forged_chunk, "promises 8388608 bytes where 100", "/data/x"),
    "unpacked chunk": (_unpacked_chunk, "outside the file or was not compressed", "/data/x"),
    "unusual order": (_unusual_order, "filters in an unusual order", "/data/x"),
    "unusual number": (_unusual_number, "numbers of an unusual kind", "/data/x"),
    "hole": (_hole, "1 chunks instead of 2", "/data/x"),
    "deep": (_deep, "nested more than 8 deep", "/data/d/d"),
    "not a key": (_not_a_key, "not an artefact's key", "/data/..%2f..%2fetc"),
    "key twice": (_key_twice, "used twice", DATA),
    "path as dataset": (_wrong_dataset, "not named by its key", DATA),
    "many attributes": (_many_attributes, "attributes", DATA),
    "attribute array": (_attribute_array, "not a single number or text", "attribute 'x'"),
    "attribute reference": (_attribute_reference, "references", "attribute 'x'"),
    "enormous attribute": (_attribute_huge, "60000 bytes", "attribute 'x'"),
    "varying attribute": (_attribute_text, "text of varying length", "attribute 'title'"),
    "varying text": (_varying_text, "text of varying length", "/data/x"),
    "enormous text": (_huge_text, "texts of 1073741824 bytes each", "/data/x"),
}


@pytest.mark.parametrize(("edit", "problem", "where"), REFUSED.values(), ids=REFUSED)
def test_what_no_project_may_hold_is_refused(
    project: Path, edit: Edit, problem: str, where: str
) -> None:
    edited(project, edit)
    with pytest.raises(ProjectFileError, match=problem) as caught:
        ProjectFile.open(project)
    assert where in str(caught.value)
    (finding,) = validate(project)
    assert where in finding.where


def test_a_virtual_dataset_does_not_make_us_open_its_source(project: Path, tmp_path: Path) -> None:
    """Asking an unlimited virtual dataset for its shape would open the file it points to."""
    trap = tmp_path / "trap.h5"
    os.mkfifo(trap)  # opening it would wait for ever

    def unlimited(file: h5py.File) -> None:
        plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        space = h5py.h5s.create_simple((4,), (h5py.h5s.UNLIMITED,))
        source = h5py.h5s.create_simple((4,), (h5py.h5s.UNLIMITED,))
        every = (h5py.h5s.UNLIMITED,)
        source.select_hyperslab((0,), every, block=(1,))
        space.select_hyperslab((0,), every, block=(1,))
        plan.set_virtual(space, os.fsencode(trap), b"x", source)
        whole = h5py.h5s.create_simple((4,), (h5py.h5s.UNLIMITED,))
        h5py.h5d.create(file.id, b"data/x", h5py.h5t.NATIVE_DOUBLE, whole, plan)

    edited(project, unlimited)
    with refuses("unsafe-file", ProjectFileError):
        ProjectFile.open(project)


def test_stored_bytes_used_twice_are_refused(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chunks that overlap in the file would let a few bytes unpack to any amount."""
    measure = shapes.measure

    def overlapping(dataset: Any, path: str, size: int, types: shapes.Types) -> Any:
        kind, shape, _ = measure(dataset, path, size, types)
        return kind, shape, size // 3

    monkeypatch.setattr(shapes, "measure", overlapping)
    with h5py.File(project) as file, refuses("unsafe-file", ProjectFileError):
        inspection.inspect(file, size=file.id.get_filesize())


@pytest.mark.parametrize(
    "packed", [zlib.compress(b"short"), zlib.compress(bytes(1 << 24)), b"not packed at all", b"x"]
)
@pytest.mark.parametrize("checked", [True, False])
def test_forged_chunks_are_not_given_to_the_library(
    project: Path, packed: bytes, checked: bool
) -> None:
    """HDF5 itself reads foreign memory, or crashes, when a chunk unpacks to fewer bytes."""

    def forge(file: h5py.File) -> None:
        group = file[f"data/{DATA}"]
        del group["features"]
        x = group.create_dataset(
            "features", (1 << 12, 2), "f8", chunks=(1 << 12, 2), compression=1, fletcher32=checked
        )
        ending = fletcher32(packed).to_bytes(4, "little") if checked else b""
        x.id.write_direct_chunk((0, 0), packed + ending)

    edited(project, forge)
    with ProjectFile.open(project) as file, refuses("file-damaged", ProjectFileError):
        file.read(DATA)


def test_too_many_objects_are_refused(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspection, "MOST_OBJECTS", 20)
    with refuses("unsafe-file", ProjectFileError, match="20"):
        ProjectFile.open(project)


@pytest.mark.parametrize("name", [b"\xff\xfe", b"\xed\xa0\x80"])
def test_names_that_are_not_text_are_refused(project: Path, name: bytes) -> None:
    edited(project, lambda f: h5py.h5g.create(f.id, name))
    with refuses("unsafe-file", ProjectFileError):
        ProjectFile.open(project)


def test_titles_that_are_not_text_are_refused(project: Path) -> None:
    edited(project, lambda f: f.attrs.create("title", np.bytes_(b"\xff\xfe")))
    with refuses("file-damaged", ProjectFileError):
        ProjectFile.open(project)


def _replace_text(name: str, text: str | bytes) -> Edit:
    def edit(file: h5py.File) -> None:
        del file[name]
        raw = text if isinstance(text, bytes) else text.encode()
        file[name] = np.bytes_(raw)

    return edit


BAD_TEXTS: dict[str, tuple[str | bytes, str]] = {
    "not JSON": ("{", "not JSON"),
    "not an object": ("[1]", "not an object"),
    "deep": ("[" * 100_000, "not JSON"),
    "a name twice": ('{"a": 1, "a": 2}', "given twice"),
    "bad UTF-8": (b"\xff", "not UTF-8"),
    "no key": ('{"groups": {"key": "../../etc"}}', "no key for the step 'groups'"),
    "a part without key": (
        json.dumps({"g": {"key": KEY, "parts": {"trace": "x"}}}),
        "no key for the step 'g'",
    ),
    "parts of another kind": (json.dumps({"g": {"key": KEY, "parts": 3}}), "no key for the step"),
}


@pytest.mark.parametrize(("text", "problem"), BAD_TEXTS.values(), ids=BAD_TEXTS)
def test_steps_that_make_no_sense_are_refused(
    project: Path, text: str | bytes, problem: str
) -> None:
    edited(project, _replace_text("steps", text))
    with (
        ProjectFile.open(project) as file,
        refuses("file-damaged", ProjectFileError, match=problem),
    ):
        _ = file.steps
    assert [finding.where for finding in validate(project)] == ["/steps"]


def test_oversized_json_is_refused(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "MOST_TEXT_BYTES", 1000)
    edited(project, _replace_text("view", json.dumps({"a": "x" * 2000})))
    with refuses("unsafe-file", ProjectFileError, match="2009"):
        ProjectFile.open(project)


def test_an_artefact_needing_more_memory_than_there_is_gets_a_sentence(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coterie.projects.store.hdf5.reading.physical_memory", lambda: 10)
    with ProjectFile.open(project) as file, refuses("out-of-memory", ProjectFileError):
        file.read(DATA)


@pytest.mark.parametrize("way", [damage.in_old_format, damage.with_old_objects])
def test_the_format_without_checksums_is_refused(
    made: bytes, tmp_path: Path, way: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "p.coterie.h5"
    path.write_bytes(way(made))
    with pytest.raises(ProjectFileError) as refused:
        ProjectFile.open(path)
    assert refused.value.code in ("not-a-project", "unsafe-file")


@pytest.mark.parametrize("release", ARCHIVED, ids=lambda path: path.name)
def test_projects_of_every_release_have_checksums(release: Path) -> None:
    ProjectFile.open(release).close()


def test_a_project_behind_other_bytes_is_refused(made: bytes, tmp_path: Path) -> None:
    path = tmp_path / "p.coterie.h5"
    path.write_bytes(b"PK\x03\x04".ljust(512, b"\0") + made)  # HDF5 looks there, too
    with refuses("not-a-project", ProjectFileError):
        ProjectFile.open(path)
