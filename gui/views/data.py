"""The Data view."""

from __future__ import annotations

from coterie.gui.views.view import View


class DataView(View):
    """The Data view."""

    title = "Data"
