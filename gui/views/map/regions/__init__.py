"""Regions of interest on a map."""
