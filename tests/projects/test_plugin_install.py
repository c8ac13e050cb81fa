"""Installing plugins from files on this machine."""

import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from coterie.core.errors import PluginError
from coterie.projects.plugin_install import install
from tests.refusals import refuses

ENTRY = "[coterie.plugins]\nflat = mylab_flat\n"


def wheel(
    folder: Path,
    version: str = "1.2",
    *,
    name: str = "my-lab",
    entry: str = ENTRY,
    extra: str = "",
    module: str = "VALUE = 1\n",
) -> Path:
    escaped = name.replace("-", "_")
    path = folder / f"{escaped}-{version}-py3-none-any.whl"
    info = f"{escaped}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("mylab_flat.py", module)
        file.writestr("mylab/data.txt", "x")
        file.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\n")
        file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        if entry:
            file.writestr(f"{info}/entry_points.txt", entry)
        if extra:
            file.writestr(extra, "stray")
    return path


def test_a_wheel_is_unpacked(tmp_path: Path) -> None:
    site = tmp_path / "site"
    found = install(wheel(tmp_path), site)
    assert (found.name, found.folder) == ("my-lab", site)
    assert sorted(path.name for path in site.iterdir()) == [
        "my_lab-1.2.dist-info",
        "mylab",
        "mylab_flat.py",
    ]


def test_a_newer_version_takes_the_place_of_the_older(tmp_path: Path) -> None:
    site = tmp_path / "site"
    install(wheel(tmp_path), site)
    install(wheel(tmp_path, "2.0", module="VALUE = 2\n"), site)
    assert [path.name for path in site.glob("*.dist-info")] == ["my_lab-2.0.dist-info"]
    assert (site / "mylab_flat.py").read_text() == "VALUE = 2\n"


def test_a_wheel_without_a_plugin_is_refused(tmp_path: Path) -> None:
    with refuses("invalid-plugin", PluginError):
        install(wheel(tmp_path, entry=""), tmp_path / "site")
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("place", ["../outside.py", "/outside.py", "a/../../outside.py"])
def test_a_wheel_that_writes_elsewhere_is_refused(tmp_path: Path, place: str) -> None:
    with refuses("invalid-plugin", PluginError):
        install(wheel(tmp_path, extra=place), tmp_path / "site")
    assert not (tmp_path / "outside.py").exists()


@pytest.mark.parametrize(
    ("name", "content"), [("x.whl", b"no archive"), ("x.txt", b""), ("gone.whl", None)]
)
def test_what_is_no_plugin_gets_one_sentence(
    tmp_path: Path, name: str, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(PluginError) as caught:
        install(tmp_path / name, tmp_path / "site")
    assert name in str(caught.value)


def test_a_single_file_is_copied(tmp_path: Path) -> None:
    (tmp_path / "flat.py").write_text("VALUE = 1\n")
    found = install(tmp_path / "flat.py", drop_in=tmp_path / "plugins")
    assert (tmp_path / "plugins" / "flat.py").read_text() == "VALUE = 1\n"
    assert found.name == "flat.py"
    install(tmp_path / "plugins" / "flat.py", drop_in=tmp_path / "plugins")  # where it is already
    (tmp_path / "_hidden.py").touch()
    with refuses("invalid-plugin", PluginError):
        install(tmp_path / "_hidden.py", drop_in=tmp_path / "plugins")


def test_a_folder_that_is_no_project_is_refused(tmp_path: Path) -> None:
    with refuses("invalid-plugin", PluginError, match=r"pyproject\.toml"):
        install(tmp_path, tmp_path / "site")


@pytest.mark.slow
def test_a_project_folder_is_built_and_installed(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "mylab_flat.py").write_text("VALUE = 1\n")
    (project / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
        '[project]\nname = "my-lab"\nversion = "1.2"\n'
        '[project.entry-points."coterie.plugins"]\nflat = "mylab_flat"\n'
        '[tool.setuptools]\npy-modules = ["mylab_flat"]\n'
    )
    site = tmp_path / "site"
    assert install(project, site).name == "my-lab"
    assert (site / "mylab_flat.py").is_file()


def test_a_project_that_cannot_be_built_says_why(tmp_path: Path) -> None:
    project = tmp_path / "mylab"
    project.mkdir()
    (project / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
        '[project]\nname = "mylab"\nversion = "1"\nnonsense = "x"\n',
        encoding="utf-8",
    )
    with refuses("plugin-build", PluginError) as caught:
        install(project, tmp_path / "site", tmp_path / "plugins")
    assert "subprocess" not in str(caught.value)
    assert "build a wheel elsewhere" in str(caught.value)


def test_archives_that_cannot_be_unpacked_get_one_sentence(tmp_path: Path) -> None:
    whole = wheel(tmp_path).read_bytes()
    path = tmp_path / "my_lab-1.2-py3-none-any.whl"
    locked, unknown = bytearray(whole), bytearray(whole)
    at = 0
    while (at := whole.find(b"PK\x01\x02", at + 1)) > 0:
        locked[at + 8] |= 1  # it has a password
        unknown[at + 10] = 77  # packed in a way that nobody knows
    for content in (bytes(locked), bytes(unknown), whole[:-30]):
        path.write_bytes(content)
        with refuses("file-damaged", PluginError):
            install(path, tmp_path / "site")
    assert not list((tmp_path / "site").glob("*"))


def test_a_wheel_that_would_fill_the_disk_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = shutil.disk_usage(tmp_path)._replace(free=20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    with refuses("disk-full", PluginError):
        install(wheel(tmp_path), tmp_path / "site")
    assert not list((tmp_path / "site").iterdir())


def test_pip_that_does_not_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pyproject.toml").touch()

    def endless(command: list[str], **_: object) -> None:
        raise subprocess.TimeoutExpired(command, 300)

    monkeypatch.setattr(subprocess, "run", endless)
    with refuses("plugin-build", PluginError):
        install(tmp_path, tmp_path / "site")
