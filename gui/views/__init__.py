"""Views: the tabs at the centre of the window.

Importing this is cheap: the plotting library is imported when a view is first shown.
"""

from coterie.gui.views.convergence import ConvergenceView
from coterie.gui.views.data import DataView
from coterie.gui.views.embedding import EmbeddingView
from coterie.gui.views.view import View

VIEWS: tuple[type[View], ...] = (DataView, ConvergenceView, EmbeddingView)

__all__ = ["VIEWS", "ConvergenceView", "DataView", "EmbeddingView", "View"]
