"""`python -m coterie.gui` opens the window."""

import time

_BEGAN = time.perf_counter()  # before Qt is imported, so the trace covers everything

if __name__ == "__main__":
    import sys

    from coterie.gui.app.application import run

    sys.exit(run(began=_BEGAN))
