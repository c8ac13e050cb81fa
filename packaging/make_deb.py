"""Packs the frozen folder as a Debian package: /opt/coterie, and what desktops look for.

Also usable alone: `python packaging/make_deb.py BUNDLE ICONS FOLDER`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
NAME = "coterie"
# What Qt loads from the system and the bundle leaves to it, where it has drivers and settings.
DEPENDS = "libc6 (>= 2.31), libgl1, libegl1, libfontconfig1, libxkbcommon-x11-0, libxcb-cursor0"
RECOMMENDS = "fonts-dejavu-core, shared-mime-info, desktop-file-utils, libwayland-cursor0"


def main() -> int:
    bundle, icons, into = (Path(argument) for argument in sys.argv[1:4])
    print(make_deb(bundle, icons, into))
    return 0


def make_deb(bundle: Path, icons: Path, into: Path) -> Path:
    """Lay the files out as they will lie on the disk and pack them; return the package."""
    tree = into / "deb"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(bundle, tree / "opt" / NAME, symlinks=True)
    start = tree / "usr" / "bin" / NAME
    start.parent.mkdir(parents=True)
    start.symlink_to(f"/opt/{NAME}/{NAME}")
    share = tree / "usr" / "share"
    _copy(HERE / "deb" / "coterie.desktop", share / "applications")
    _copy(HERE / "deb" / "coterie-mime.xml", share / "mime" / "packages", "coterie.xml")
    _copy(HERE / "deb" / "org.coterie.Coterie.metainfo.xml", share / "metainfo")
    _copy(ROOT / "LICENSE", share / "doc" / NAME, "copyright")
    lay_out_icons(icons, share / "icons" / "hicolor")
    write_control(tree)
    architecture = _architecture()
    package = into / f"{NAME}_{version()}_{architecture}.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", str(tree), str(package)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return package


def lay_out_icons(icons: Path, theme: Path) -> None:
    """Put the drawing and its rendered sizes where the icon theme has them."""
    drawing = ROOT / "gui" / "toolkit" / "styling" / "pictures" / "coterie.svg"
    _copy(drawing, theme / "scalable" / "apps")
    _copy(drawing, theme / "scalable" / "mimetypes", "application-x-coterie.svg")
    for picture in sorted(icons.glob("*.png")):
        size = f"{picture.stem}x{picture.stem}"
        _copy(picture, theme / size / "apps", "coterie.png")
        _copy(picture, theme / size / "mimetypes", "application-x-coterie.png")


def write_control(tree: Path) -> None:
    """Write what dpkg wants to know, and what it is to do once the files are there."""
    size = sum(
        path.lstat().st_size for path in tree.rglob("*") if path.is_file() and not path.is_symlink()
    )
    fields = {
        "Package": NAME,
        "Version": version(),
        "Architecture": _architecture(),
        "Maintainer": "the Coterie authors <authors@coterie.invalid>",
        "Installed-Size": str(size // 1024),
        "Section": "science",
        "Priority": "optional",
        "Depends": DEPENDS,
        "Recommends": RECOMMENDS,
        "Description": (
            "workbench that finds the groups in a data set\n"
            " Coterie finds the groups in a data set, shows what matters in each of them, and\n"
            " lets you watch it happen: in a window, or from the command line, without network."
        ),
    }
    folder = tree / "DEBIAN"
    folder.mkdir()
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    (folder / "control").write_text(text, encoding="utf-8")
    for script in ("postinst", "postrm"):
        target = _copy(HERE / "deb" / script, folder)
        target.chmod(0o755)


def version() -> str:
    """Return the version, from the one place where it is written."""
    text = (ROOT / "core" / "version.py").read_text(encoding="utf-8")
    [found] = re.findall(r'VERSION = "([^"]+)"', text)
    return str(found)


def _architecture() -> str:
    command = ["dpkg", "--print-architecture"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _copy(source: Path, folder: Path, name: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / (name or source.name)
    shutil.copyfile(source, target)
    os.chmod(target, 0o644)  # noqa: PTH101
    return target


if __name__ == "__main__":
    sys.exit(main())
