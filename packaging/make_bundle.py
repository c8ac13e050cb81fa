"""Freezes Coterie into one folder, checks it in a place without Python, and packs it for Debian.

`./dev bundle` runs this. Everything is made below build/bundle/; the checkout is not touched.
"""

from __future__ import annotations

import argparse
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The packages, and the guides that are installed beside them.
PACKED = ("core", "plugins", "projects", "gui", "docs")
BUILD = ROOT / "build" / "bundle"


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev bundle", description=__doc__)
    parser.add_argument("--no-deb", action="store_true", help="leave the Debian package out")
    parser.add_argument("--no-test", action="store_true", help="do not run its self-test")
    asked = parser.parse_args()
    site = unpack_wheel()
    icons = draw_icons()
    folder = freeze(site, icons)
    if sys.platform == "linux":
        trim(folder)
    tell_size(folder)
    if not asked.no_test and (code := test(folder)):
        return code
    if not asked.no_deb and sys.platform == "linux" and shutil.which("dpkg-deb"):
        from make_deb import make_deb

        print(f"Wrote {make_deb(folder, icons, BUILD)}", flush=True)
    return 0


def unpack_wheel() -> Path:
    """Build the wheel from a copy of the sources and install it into a folder of its own."""
    source, site = BUILD / "source", BUILD / "site"
    for made in (source, site):
        shutil.rmtree(made, ignore_errors=True)
    source.mkdir(parents=True)
    for folder in PACKED:
        without = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, source / folder, ignore=without)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    hook = "from setuptools import build_meta; build_meta.build_wheel('dist')"
    built = subprocess.run([sys.executable, "-c", hook], cwd=source, capture_output=True, text=True)
    if built.returncode:
        sys.exit(f"The wheel could not be built:\n{built.stdout[-2000:]}{built.stderr[-2000:]}")
    [wheel] = (source / "dist").glob("*.whl")
    pip = [sys.executable, "-m", "pip", "install", "-qq", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", str(site), str(wheel)], check=True)
    return site


def draw_icons() -> Path:
    """Draw the icon in the sizes that desktops ask for."""
    icons = BUILD / "icons"
    command = [sys.executable, str(ROOT / "packaging" / "make_icons.py"), str(icons)]
    subprocess.run(command, check=True, env=os.environ | {"QT_QPA_PLATFORM": "offscreen"})
    return icons


def freeze(site: Path, icons: Path) -> Path:
    """Run PyInstaller; return the folder that it made."""
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(BUILD / "dist"), "--workpath", str(BUILD / "work")]
    places = {"COTERIE_SITE": str(site), "COTERIE_ICONS": str(icons), "PYTHONPATH": str(site)}
    subprocess.run(
        [*command, str(ROOT / "packaging" / "coterie.spec")],
        check=True,
        env=os.environ | places | {"QT_QPA_PLATFORM": "offscreen"},
    )
    return BUILD / "dist" / "coterie"


def trim(folder: Path) -> None:
    """Leave out what only a debugger reads, of each library that stays loadable without it.

    Libraries whose paths a wheel had patched are spoilt by `strip`: their parts no longer lie at
    the places in the file that the loader asks for. Those are left as they are.
    """
    if shutil.which("strip") is None:
        return
    for path in sorted(folder.rglob("*.so*")):
        if path.is_symlink() or not path.is_file():
            continue
        stripped = path.with_name(f"{path.name}.stripped")
        command = ["strip", "--strip-unneeded", "-o", str(stripped), str(path)]
        done = subprocess.run(command, check=False, capture_output=True)
        if done.returncode == 0 and loads_by_page(stripped.read_bytes()):
            shutil.copymode(path, stripped)
            stripped.replace(path)
        stripped.unlink(missing_ok=True)


def loads_by_page(library: bytes) -> bool:
    """Return whether all loadable parts of a 64-bit ELF file lie where the loader accepts them."""
    if library[:6] != b"\x7fELF\x02\x01":
        return False
    [offset] = struct.unpack_from("<Q", library, 0x20)
    size, count = struct.unpack_from("<HH", library, 0x36)
    for at in range(offset, offset + size * count, size):
        kind, _, start, address, _, _, _, alignment = struct.unpack_from("<IIQQQQQQ", library, at)
        if kind == 1 and alignment > 1 and (address - start) % alignment:
            return False
    return True


def tell_size(folder: Path) -> None:
    """Say how large the folder is, and what takes the most of it."""
    parts: dict[str, int] = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            inside = path.relative_to(folder).parts
            name = inside[1] if len(inside) > 2 else inside[0]
            parts[name] = parts.get(name, 0) + path.stat().st_size
    print(f"{folder.relative_to(ROOT)}: {sum(parts.values()) / 1e6:.0f} MB", flush=True)
    for name, size in sorted(parts.items(), key=lambda item: -item[1])[:12]:
        print(f"  {size / 1e6:6.1f} MB  {name}", flush=True)


def test(folder: Path) -> int:
    """Run the self-test of a copy, in an environment that knows nothing of Python or of us."""
    with tempfile.TemporaryDirectory(prefix="bundle-") as place:
        copy = Path(place) / "program"
        shutil.copytree(folder, copy, symlinks=True)
        home = Path(place) / "home"
        home.mkdir()
        bare = {"HOME": str(home), "PATH": "/usr/bin:/bin", "TMPDIR": place}
        command = [str(copy / "coterie"), "--self-test"]
        return subprocess.run(command, cwd=home, env=bare, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
