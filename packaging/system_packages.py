"""The Debian packages that Coterie needs beside Python; standard library only, as `dev` is."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

# What Qt's xcb platform and OpenGL load from the system, and the Debian package of each.
QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libexpat.so.1": "libexpat1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
VIRTUAL_SCREEN_PROGRAMS = {"Xvfb": "xvfb", "xauth": "xauth"}
LOCALE_SOURCES = Path("/usr/share/i18n/locales")  # the tests make locales of them
FONT_FOLDERS = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts"]


def missing_packages(*, pip: bool, virtual_screen: bool) -> list[str]:
    """Return the Debian packages whose content this machine lacks; `pip`: .venv has one."""
    missing = []
    if importlib.util.find_spec("ensurepip") is None and not pip:
        missing.append(f"python3.{sys.version_info.minor}-venv")
    if sys.platform != "linux":
        return missing
    missing += [package for name, package in QT_LIBRARIES.items() if not _loads(name)]
    if not any(_holds_a_font(folder) for folder in FONT_FOLDERS):
        missing.append("fonts-dejavu-core")
    if virtual_screen:
        programs = VIRTUAL_SCREEN_PROGRAMS.items()
        missing += [package for name, package in programs if shutil.which(name) is None]
        if not LOCALE_SOURCES.is_dir():
            missing.append("locales")
    return missing


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _holds_a_font(folder: Path) -> bool:
    return any(path.suffix in {".ttf", ".otf"} for path in folder.rglob("*"))


def provide(packages: list[str]) -> None:
    """Install the packages, or say how to, and end, where that is not possible."""
    if not packages:
        return
    names = " ".join(packages)
    if shutil.which("apt-get") is None:
        sys.exit(
            f"System libraries that Qt needs are missing here. On Debian they are the packages\n"
            f"  {names}\nPlease install what your system calls them, then try again."
        )
    if os.geteuid() != 0:
        sys.exit(
            f"System packages that Coterie needs are missing here. Please run\n"
            f"  sudo apt-get install {names}\nand try again."
        )
    print(f"Installing system packages: {names}", flush=True)
    apt = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    # One unreachable source fails the update, yet the packages may well come from the others.
    subprocess.run([*apt, "update"], check=False, env=quiet)
    install = [*apt, "install", "--yes", "--no-install-recommends", *packages]
    subprocess.run(install, check=True, env=quiet, stdout=subprocess.DEVNULL)
