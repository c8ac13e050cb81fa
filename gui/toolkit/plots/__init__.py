"""Plots: axes, points, brushes and pictures of widgets."""
