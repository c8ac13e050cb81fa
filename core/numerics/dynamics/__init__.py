"""Evolutionary game dynamics: how a population of strategies settles on a group.

Each dynamics is a generator of `State`: take one for each iteration, show it, stop when you like.

>>> import numpy as np
>>> from coterie.core import Affinity
>>> from coterie.core.numerics.dynamics.game import Game
>>> from coterie.core.numerics.dynamics.infection import infection_immunisation
>>> from coterie.core.numerics.dynamics.simplex import vertex
>>> A = np.array([[0.0, 0.9, 0.1], [0.9, 0.0, 0.1], [0.1, 0.1, 0.0]])
>>> *_, state = infection_immunisation(Game.of(Affinity(values=A)), vertex(3, 2))
>>> state.converged, state.x.round(3).tolist()
(True, [0.5, 0.5, 0.0])
"""
