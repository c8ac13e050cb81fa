"""`./dev docs`: writes the references and the static site; `--pictures` draws them first."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import api_page
import error_page
import method_pages
import module_map
import site_pages

from coterie.core.catalogue.registry import Registry

DOCS = Path(__file__).resolve().parent.parent


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev docs", description=__doc__)
    parser.add_argument("--pictures", action="store_true", help="draw the methods' pictures again")
    parser.add_argument("--into", type=Path, default=DOCS.parent / "build" / "site")
    asked = parser.parse_args()
    catalogue = Registry.load(safe_mode=True).catalogue
    methods = DOCS / "methods"
    if asked.pictures:
        from method_pictures import draw

        count = sum(1 for _ in draw(catalogue, methods / method_pages.PICTURES))
        print(f"Drew {count} pictures.")
    written = list(method_pages.write(catalogue, methods))
    print(f"Wrote {len(written)} pages of methods.")
    print(f"Wrote {api_page.write(DOCS).name}.")
    print(f"Wrote {error_page.write(DOCS).name}.")
    print(f"Wrote the map in {module_map.write(DOCS).name}.")
    pages = list(site_pages.build(DOCS, asked.into))
    print(f"Wrote {len(pages)} pages into {asked.into}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
