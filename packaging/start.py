"""What the frozen program runs first: the same `main` that `coterie` has everywhere."""

import sys
from multiprocessing import freeze_support

from coterie.projects.cli.main import main

if __name__ == "__main__":
    freeze_support()  # a library that starts workers starts this program again
    sys.exit(main())
