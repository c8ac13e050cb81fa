"""Density peaks, a plugin for Coterie."""
