"""`python -m coterie.projects.cli` is the `coterie` program."""

import sys

from coterie.projects.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
