"""Plots: figures as data, whose marks are selected with the items they stand for."""
