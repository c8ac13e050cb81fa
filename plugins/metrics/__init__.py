"""Metrics: how good a clustering is."""
