"""Whether there is a screen to show a window on."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def has_screen(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether Qt would find somewhere to show a window; macOS and Windows have it always."""
    return sys.platform != "linux" or any(environment.get(name) for name in SCREENS)
