"""Threads that draw, when the program ends before they do."""

import subprocess
import sys

ENDLESS = """
import atexit, io, threading
atexit.register(lambda: print(threading.active_count()))  # the last to be called
from matplotlib.figure import Figure
from coterie.gui.toolkit.background import start_thread

drawing = threading.Event()

def draw():
    while True:
        try:
            figure = Figure()
            figure.text(0.5, 0.5, "a text")
            figure.savefig(io.BytesIO(), format="png")
            drawing.set()
        except Exception:
            pass

start_thread(draw, "picture")
assert drawing.wait(60)
"""


def test_a_program_ends_in_the_midst_of_a_picture() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENDLESS], capture_output=True, text=True, timeout=100, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")
