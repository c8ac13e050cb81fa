"""Views: the tabs at the centre of the window.

Importing this is cheap: the plotting library is imported when a view is first shown.
"""

from coterie.gui.views.affinity import AffinityView
from coterie.gui.views.compare import CompareView
from coterie.gui.views.convergence import ConvergenceView
from coterie.gui.views.data import DataView
from coterie.gui.views.embedding import EmbeddingView
from coterie.gui.views.map.view import MapView
from coterie.gui.views.memberships import MembershipsView
from coterie.gui.views.profile import ProfileView
from coterie.gui.views.ranking import RankingView
from coterie.gui.views.report import ReportView
from coterie.gui.views.spectrum import SpectrumView
from coterie.gui.views.view import View

# The most used at the front: in a narrow window the others are reached by the menu of the tabs.
VIEWS: tuple[type[View], ...] = (
    EmbeddingView,
    ConvergenceView,
    DataView,
    MapView,
    RankingView,
    AffinityView,
    CompareView,
    ProfileView,
    SpectrumView,
    MembershipsView,
    ReportView,
)

__all__ = [
    "VIEWS",
    "AffinityView",
    "CompareView",
    "ConvergenceView",
    "DataView",
    "EmbeddingView",
    "MapView",
    "MembershipsView",
    "ProfileView",
    "RankingView",
    "ReportView",
    "SpectrumView",
    "View",
]
