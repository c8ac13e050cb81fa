"""Views: the tabs at the centre of the window.

Importing this is cheap: the plotting library is imported when a view is first shown.
"""

from coterie.gui.views.affinity import AffinityView
from coterie.gui.views.compare import CompareView
from coterie.gui.views.convergence import ConvergenceView
from coterie.gui.views.data import DataView
from coterie.gui.views.embedding import EmbeddingView
from coterie.gui.views.memberships import MembershipsView
from coterie.gui.views.profile import ProfileView
from coterie.gui.views.ranking import RankingView
from coterie.gui.views.spectrum import SpectrumView
from coterie.gui.views.view import View

VIEWS: tuple[type[View], ...] = (
    DataView,
    AffinityView,
    SpectrumView,
    MembershipsView,
    RankingView,
    ProfileView,
    CompareView,
    ConvergenceView,
    EmbeddingView,
)

__all__ = [
    "VIEWS",
    "AffinityView",
    "CompareView",
    "ConvergenceView",
    "DataView",
    "EmbeddingView",
    "MembershipsView",
    "ProfileView",
    "RankingView",
    "SpectrumView",
    "View",
]
