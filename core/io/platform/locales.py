"""Upper and lower case that do not depend on the user's language."""

from __future__ import annotations

import locale
import sys

# Each has UTF-8, so the names of files stay what they are.
_NEUTRAL = ("C.UTF-8", "C.utf8", "en_US.UTF-8", "UTF-8")


def use_neutral_case() -> None:
    """Let libraries in C spell the upper case of 'i' as 'I', in Turkish and Azerbaijani too.

    PySide finds the setter of `interval` by C's `toupper`, and GDAL compares names by C's
    `strcasecmp`. In a Turkish locale neither takes 'i' and 'I' for the same letter. Python does not
    depend on this, and neither do dates, numbers and sorting. Windows has no such case.
    """
    if sys.platform == "win32":
        return
    if not locale.setlocale(locale.LC_CTYPE).lower().startswith(("tr", "az")):
        return
    for name in _NEUTRAL:
        try:
            locale.setlocale(locale.LC_CTYPE, name)
        except locale.Error:  # it is not installed
            continue
        return
