"""The Embedding view."""

from __future__ import annotations

from coterie.gui.views.view import View


class EmbeddingView(View):
    """The Embedding view."""

    title = "Embedding"
