"""The Convergence view."""

from __future__ import annotations

from coterie.gui.views.view import View


class ConvergenceView(View):
    """The Convergence view."""

    title = "Convergence"
