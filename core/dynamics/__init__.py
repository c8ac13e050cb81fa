"""Evolutionary game dynamics: how a population of strategies settles on a group."""
