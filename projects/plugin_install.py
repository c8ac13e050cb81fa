"""Installing a plugin from this machine, without a network: a wheel, a folder, or a single file.

A wheel of plain Python is an archive that is unpacked, so this works where there is no pip,
as in the bundle. What has to be built or holds compiled code is left to pip.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from coterie.core.api.hooks import ENTRY_POINT_GROUP
from coterie.core.errors import PluginError
from coterie.core.io.folders import plugin_folders, plugin_site
from coterie.core.wording import size_in_words

_PATIENCE_SECONDS = 300
_MOST_METADATA = 1 << 20
_NO_REASONS = ("subprocess-exited-with-error", "metadata-generation-failed", "Failed to build")


@dataclass(frozen=True)
class Installed:
    """What was installed, and where to."""

    name: str
    folder: Path


def install(path: Path, site: Path | None = None, drop_in: Path | None = None) -> Installed:
    """Install a plugin; takes a while, so call it on a thread.

    Parameters
    ----------
    site : where wheels and folders are installed to; by default the user's own folder
    drop_in : where single files are copied to; by default the user's own folder
    """
    site, drop_in = site or plugin_site(), drop_in or plugin_folders()[0]
    try:
        if path.suffix == ".py":
            return _copy(path, drop_in)
        if path.suffix == ".whl":
            return _install_wheel(path, site)
        if path.is_dir():
            return _install_folder(path, site)
    except OSError as error:
        raise PluginError(
            f"'{path.name}' could not be installed: {error.strerror or error}. Check "
            "that the file is readable and the disk is not full.",
            code="file-access",
        ) from error
    raise PluginError(
        f"'{path.name}' is not a plugin. Choose a wheel (.whl), a folder with a "
        "pyproject.toml, or a single file (.py).",
        code="invalid-plugin",
    )


def _copy(path: Path, folder: Path) -> Installed:
    if path.name.startswith(("_", ".")):
        raise PluginError(
            f"Files whose names start with '_' are not loaded. Rename '{path.name}' first.",
            code="invalid-plugin",
        )
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / path.name
    if not (target.exists() and target.samefile(path)):
        shutil.copyfile(path, target)
    return Installed(path.name, folder)


def _install_wheel(path: Path, site: Path) -> Installed:
    try:
        with zipfile.ZipFile(path) as wheel:
            info = _info_folder(wheel, path)
            name = _require_plugin(wheel, info, path)
            if _is_plain(wheel, info):
                _unpack(wheel, name, site)
            else:
                _pip(path, site)
    # What zipfile says of archives that are cut, locked or packed in a way it does not know.
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
        if isinstance(error, PluginError):
            raise
        raise PluginError(
            f"'{path.name}' is damaged and cannot be unpacked. Download or copy it again.",
            code="file-damaged",
        ) from error
    return Installed(name, site)


def _install_folder(path: Path, site: Path) -> Installed:
    if not any((path / name).is_file() for name in ("pyproject.toml", "setup.py")):
        raise PluginError(
            f"'{path.name}' has no pyproject.toml, so it cannot be installed. Choose "
            "the folder of a plugin project, or add this folder as a plugin folder in "
            "the preferences.",
            code="invalid-plugin",
        )
    # Built apart, so what turns out to be no plugin leaves nothing behind.
    with tempfile.TemporaryDirectory() as built:
        _pip(path, Path(built), command="wheel")
        wheels = sorted(Path(built).glob("*.whl"))
        if not wheels:
            raise PluginError(
                f"'{path.name}' could not be built. Check its pyproject.toml.", code="plugin-build"
            )
        return _install_wheel(wheels[0], site)


def _info_folder(wheel: zipfile.ZipFile, path: Path) -> str:
    for name in wheel.namelist():
        if (found := re.fullmatch(r"([^/]+\.dist-info)/METADATA", name)) is not None:
            return found[1]
    raise PluginError(f"'{path.name}' is not a wheel: it has no metadata.", code="wrong-format")


def _require_plugin(wheel: zipfile.ZipFile, info: str, path: Path) -> str:
    """Return the name of the distribution, once it is known to offer plugins."""
    names = wheel.namelist()
    entry = f"{info}/entry_points.txt"
    points = _text(wheel, entry) if entry in names else ""
    if f"[{ENTRY_POINT_GROUP}]" not in points:
        raise PluginError(
            f"'{path.name}' is not a Coterie plugin: it has no entry point in the group "
            f"'{ENTRY_POINT_GROUP}'.",
            code="invalid-plugin",
        )
    text = _text(wheel, f"{info}/METADATA")
    found = re.search(r"^Name:\s*(\S+)", text, re.MULTILINE)
    return found[1] if found else info.partition("-")[0]


def _text(wheel: zipfile.ZipFile, entry: str) -> str:
    """What a small file of a wheel says, or as much of it as any has."""
    with wheel.open(entry) as stream:
        return stream.read(_MOST_METADATA).decode("utf-8", "replace")


def _is_plain(wheel: zipfile.ZipFile, info: str) -> bool:
    """Whether unpacking is all that is to be done."""
    entry = f"{info}/WHEEL"
    text = _text(wheel, entry) if entry in wheel.namelist() else ""
    scattered = any(".data/" in name for name in wheel.namelist())
    return "root-is-purelib: true" in text.lower() and not scattered


def _unpack(wheel: zipfile.ZipFile, name: str, site: Path) -> None:
    for member in wheel.namelist():
        place = PurePosixPath(member)
        if place.is_absolute() or ".." in place.parts or "\\" in member or ":" in member:
            raise PluginError(
                f"This wheel contains a file outside its own folder: '{member}'.",
                code="invalid-plugin",
            )
    site.mkdir(parents=True, exist_ok=True)
    needed, free = sum(m.file_size for m in wheel.infolist()), shutil.disk_usage(site).free
    if needed > free // 2:  # and leave some for the work that is open
        raise PluginError(
            f"This wheel unpacks to {size_in_words(needed)}, but '{site}' has only "
            f"{size_in_words(free)} left. Free some space.",
            code="disk-full",
        )
    with tempfile.TemporaryDirectory(dir=site, prefix=".unpacking-") as temporary:
        wheel.extractall(temporary)
        _remove_older(name, site)
        for found in sorted(Path(temporary).iterdir()):
            target = site / found.name
            if target.is_dir():
                shutil.rmtree(target)
            found.replace(target)


def _remove_older(name: str, site: Path) -> None:
    """Forget the version that was installed before, or there would be two of the same name."""
    plain = re.sub(r"[-_.]+", "_", name).lower()
    for info in site.glob("*.dist-info"):
        if re.sub(r"[-_.]+", "_", info.name.partition("-")[0]).lower() == plain:
            shutil.rmtree(info)


def _pip(path: Path, target: Path, command: str = "install") -> None:
    if getattr(sys, "frozen", False) or importlib.util.find_spec("pip") is None:
        raise PluginError(
            f"Building '{path.name}' needs pip, which is not installed. Build a "
            "pure-Python wheel elsewhere and install that.",
            code="plugin-build",
        )
    where = "--target" if command == "install" else "--wheel-dir"
    asked = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    asked += ["--no-input", where, str(target), str(path.resolve())]
    try:
        outcome = subprocess.run(
            [sys.executable, "-P", "-m", "pip", command, *asked],
            capture_output=True,
            text=True,
            timeout=_PATIENCE_SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise PluginError(
            f"pip did not finish building '{path.name}' within "
            f"{_PATIENCE_SECONDS // 60} minutes and was stopped. Build a wheel "
            "elsewhere and install that.",
            code="plugin-build",
        ) from None
    if outcome.returncode:
        error = PluginError(
            f"pip could not build '{path.name}': {_reason(outcome.stderr)}. Install the "
            "build requirements from its pyproject.toml, or build a wheel elsewhere.",
            code="plugin-build",
        )
        error.add_note(outcome.stderr[-4000:])
        raise error


def _reason(said: str) -> str:
    """Return the last error that names something; pip's own only say that there was one."""
    found: list[str] = re.findall(r"(?:\w*[Ee]rror|ERROR): (.+)", said)
    telling = [line.strip() for line in found if not line.startswith(_NO_REASONS)]
    return telling[-1].rstrip(".")[:200] if telling else "it gave no reason"
