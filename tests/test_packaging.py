"""The packages, the version and what a wheel holds."""

import importlib.util
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from configparser import ConfigParser
from importlib import metadata
from itertools import chain
from pathlib import Path, PurePath
from typing import Any
from xml.etree import ElementTree

import pytest

from coterie.core.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("core", "plugins", "projects", "gui")
TOP = PurePath("projects", "python")  # is `coterie` itself
DEB = ROOT / "packaging" / "deb"
METAINFO = "org.coterie.Coterie.metainfo.xml"


@pytest.fixture(scope="module")
def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def _in_package(path: PurePath) -> PurePath:
    """Where a file of the checkout is inside the package `coterie`."""
    return path.relative_to(TOP) if path.is_relative_to(TOP) else path


def test_pyproject_lists_the_packages_on_disk(pyproject: dict[str, Any]) -> None:
    on_disk = {
        ".".join(["coterie", *_in_package(init.parent.relative_to(ROOT)).parts])
        for folder in FOLDERS
        for init in (ROOT / folder).rglob("__init__.py")
    }
    assert pyproject["tool"]["setuptools"]["packages"] == sorted(on_disk)


def test_every_folder_with_code_is_a_package() -> None:
    modules = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    bare = {path.parent for path in modules if not (path.parent / "__init__.py").exists()}
    assert not bare


def test_coterie_itself_is_the_public_package_and_knows_its_version() -> None:
    import coterie

    assert coterie.__file__ == str(ROOT / TOP / "__init__.py")
    assert coterie.__version__ == VERSION
    assert {"__version__", "run", "cluster", "read", "open", "Recipe"} <= set(dir(coterie))
    for name in dir(coterie):
        assert getattr(coterie, name) is not None
        # A module of that name would take its place when it is imported.
        assert not (ROOT / TOP / f"{name}.py").exists()
    with pytest.raises(AttributeError, match="'coterie' has no attribute 'gone'"):
        _ = coterie.gone


_IMPORTS = """
import sys
before = set(sys.modules)
import coterie
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
print(coterie.__version__)
"""


def test_importing_coterie_loads_nothing_else(tmp_path: Path) -> None:
    asked = [sys.executable, "-c", _IMPORTS]
    loaded, version = subprocess.check_output(asked, cwd=tmp_path, text=True).splitlines()
    assert set(loaded.split()) <= {"coterie", *sys.stdlib_module_names}
    assert version == VERSION


def test_packaging_folder_does_not_shadow_the_library() -> None:
    assert not (ROOT / "packaging" / "__init__.py").exists()


def test_version_is_written_once(pyproject: dict[str, Any]) -> None:
    assert "version" not in pyproject["project"]
    assert metadata.version("coterie") == VERSION


def test_a_citation_names_the_version_and_the_licence_that_are_shipped() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {VERSION}\n" in citation
    assert "\nlicense: BSD-3-Clause\n" in citation
    assert f"version = {{{VERSION}}}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_builtin_methods_come_through_the_public_plugin_group() -> None:
    entries = metadata.distribution("coterie").entry_points.select(group="coterie.plugins")
    assert [(entry.name, entry.value) for entry in entries] == [("builtins", "coterie.plugins")]


def test_the_window_is_an_entry_point_of_the_distribution(pyproject: dict[str, Any]) -> None:
    declared = pyproject["project"]["entry-points"]["coterie.windows"]
    entries = metadata.distribution("coterie").entry_points.select(group="coterie.windows")
    assert {entry.name: entry.value for entry in entries} == declared
    assert set(declared) == {"open", "probe"}


def test_lock_pins_every_requirement() -> None:
    pinned = set(re.findall(r"^([a-z0-9-]+)==", (ROOT / "requirements.lock").read_text(), re.M))
    asked = {re.split(r"[^\w-]", line)[0] for line in metadata.requires("coterie") or []}
    asked.discard("coterie")  # an extra that takes in others
    assert {name.lower().replace("_", "-") for name in asked} <= pinned


def test_lock_names_packages_and_no_places() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    assert "://" not in lock
    assert str(ROOT) not in lock


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, so that building leaves no trace in the checkout."""
    copy = tmp_path_factory.mktemp("source")
    for folder in FOLDERS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    for path in _documents():
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, copy / path)
    return copy


def _documents() -> set[str]:
    """The documents that the window shows offline, which are installed beside the packages."""
    named = _patterns_of_documents()
    return {path.relative_to(ROOT).as_posix() for one in named for path in ROOT.glob(one)}


def _patterns_of_documents() -> list[str]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        folders = tomllib.load(file)["tool"]["setuptools"]["data-files"]
    return [one for files in folders.values() for one in files]


def _build(kind: str, source: Path) -> Path:
    """Build a 'wheel' or an 'sdist' with the installed backend, no network needed."""
    hook = f"from setuptools import build_meta; print(build_meta.build_{kind}('dist'))"
    subprocess.run([sys.executable, "-c", hook], cwd=source, check=True, capture_output=True)
    [built] = (source / "dist").glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return built


def _files_below(folders: Path) -> set[str]:
    return {
        _in_package(path.relative_to(folders)).as_posix()
        for folder in FOLDERS
        for path in (folders / folder).rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def wheel(source: Path) -> Path:
    return _build("wheel", source)


@pytest.mark.slow
def test_wheel_holds_every_file_of_the_packages(source: Path, wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    documents = {name for name in names if ".data/data/share/doc/coterie/" in name}
    assert {Path(name).name for name in documents} == {Path(name).name for name in _documents()}
    packed = {name for name in names if ".dist-info/" not in name} - documents
    assert packed == {f"coterie/{name}" for name in _files_below(source)}


@pytest.mark.slow
def test_sdist_holds_every_file_of_the_packages(source: Path) -> None:
    sdist = _build("sdist", source)
    with tarfile.open(sdist) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    files = {
        path.relative_to(source).as_posix()
        for folder in FOLDERS
        for path in (source / folder).rglob("*")
        if path.is_file()
    }
    assert packed >= files | {"pyproject.toml", "README.md", "LICENSE"}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel in it, which borrows the dependencies from here."""
    home = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(home, symlinks=True)
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True)
    # A folder named in a .pth file has its own .pth files left alone, so the editable install of
    # the checkout stays out of sight.
    [site_packages] = home.glob("lib/python*/site-packages")
    (site_packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    return home


@pytest.mark.slow
def test_installed_wheel_passes_its_quick_self_test(installed: Path, tmp_path: Path) -> None:
    where = "import coterie.core; print(coterie.core.__file__)"
    python = installed / "bin" / "python"
    found = subprocess.check_output([python, "-c", where], cwd=tmp_path, text=True)
    assert Path(found.strip()).is_relative_to(installed)
    version = "import coterie; print(coterie.__file__, coterie.__version__)"
    said = subprocess.check_output([python, "-c", version], cwd=tmp_path, text=True)
    place, number = said.split()
    assert Path(place).is_relative_to(installed)
    assert number == VERSION
    command = [str(installed / "bin" / "coterie"), "--self-test", "--quick"]
    done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert VERSION in done.stdout
    assert done.stdout.count("\nok") == 3


@pytest.mark.slow
def test_installed_wheel_passes_its_whole_self_test(installed: Path, tmp_path: Path) -> None:
    command = [str(installed / "bin" / "coterie"), "--self-test"]
    done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# What desktops are told


def test_the_desktop_entry_opens_projects_with_our_program() -> None:
    entry = ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read(DEB / "coterie.desktop", encoding="utf-8")
    said = entry["Desktop Entry"]
    assert said["Exec"] == "coterie %f"
    assert "application/x-coterie" in said["MimeType"].split(";")
    assert all(said[name].endswith(";") for name in ("MimeType", "Categories", "Actions"))
    for action in said["Actions"].strip(";").split(";"):
        assert entry[f"Desktop Action {action}"]["Exec"].startswith("coterie ")


def test_project_files_are_more_than_any_hdf5() -> None:
    space = "{http://www.freedesktop.org/standards/shared-mime-info}"
    [kind] = ElementTree.parse(DEB / "coterie-mime.xml").getroot()
    assert kind.get("type") == "application/x-coterie"
    [glob] = kind.findall(f"{space}glob")
    assert glob.get("pattern") == "*.coterie.h5"
    assert int(glob.get("weight", "50")) > 50


def test_software_centres_are_told_the_same() -> None:
    about = ElementTree.parse(DEB / METAINFO).getroot()
    assert about.findtext("launchable") == "coterie.desktop"
    assert about.findtext("provides/mediatype") == "application/x-coterie"
    [release, *_] = about.findall("releases/release")
    assert release.get("version") == VERSION


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="appstreamcli is not installed")
def test_the_metadata_for_software_centres_validates() -> None:
    command = ["appstreamcli", "validate", "--no-net", str(DEB / METAINFO)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def make_bundle() -> Any:
    script = ROOT / "packaging" / "make_bundle.py"
    spec = importlib.util.spec_from_file_location("make_bundle", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_bundle_is_made_of_all_folders_that_a_wheel_takes_files_from(
    pyproject: dict[str, Any], make_bundle: Any
) -> None:
    named = chain.from_iterable(pyproject["tool"]["setuptools"]["data-files"].values())
    assert {PurePath(file).parts[0] for file in named} <= set(make_bundle.PACKED)


def test_a_library_that_the_loader_would_refuse_is_known(make_bundle: Any) -> None:
    part = struct.pack("<IIQQQQQQ", 1, 5, 0x1000, 0x1000, 0, 0, 0, 0x1000)
    head = bytearray(64)
    head[:6] = b"\x7fELF\x02\x01"
    struct.pack_into("<Q", head, 0x20, 64)
    struct.pack_into("<HH", head, 0x36, len(part), 1)
    assert make_bundle.loads_by_page(bytes(head) + part)
    moved = struct.pack("<IIQQQQQQ", 1, 5, 0x0FF0, 0x1000, 0, 0, 0, 0x1000)
    assert not make_bundle.loads_by_page(bytes(head) + moved)
    assert not make_bundle.loads_by_page(b"#!/bin/sh")
