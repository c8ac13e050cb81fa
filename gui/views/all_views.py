"""All views, in the order of their tabs.

Importing this is cheap: the plotting library is imported when a view is first shown.
"""

from coterie.gui.views.affinity.view import AffinityView
from coterie.gui.views.base_view import View
from coterie.gui.views.compare.view import CompareView
from coterie.gui.views.convergence.view import ConvergenceView
from coterie.gui.views.data.view import DataView
from coterie.gui.views.embedding.view import EmbeddingView
from coterie.gui.views.figures.view import FiguresView
from coterie.gui.views.map.view import MapView
from coterie.gui.views.memberships.view import MembershipsView
from coterie.gui.views.methods.view import MethodsView
from coterie.gui.views.profile.view import ProfileView
from coterie.gui.views.ranking.view import RankingView
from coterie.gui.views.report.view import ReportView
from coterie.gui.views.spectrum.view import SpectrumView
from coterie.gui.views.summary.view import SummaryView

# The most used at the front: in a narrow window the others are reached by the menu of the tabs.
VIEWS: tuple[type[View], ...] = (
    SummaryView,
    EmbeddingView,
    ConvergenceView,
    DataView,
    FiguresView,
    MapView,
    RankingView,
    AffinityView,
    CompareView,
    MethodsView,
    ProfileView,
    SpectrumView,
    MembershipsView,
    ReportView,
)
