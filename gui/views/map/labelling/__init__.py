"""Labelling a whole scene from the window."""
