"""Diffusion map, a plugin for Coterie."""
