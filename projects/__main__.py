"""`python -m coterie.projects` is the `coterie` program."""

import sys

from coterie.projects.command import main

if __name__ == "__main__":
    sys.exit(main())
