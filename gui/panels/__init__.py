"""Panels: the docks around the views."""
