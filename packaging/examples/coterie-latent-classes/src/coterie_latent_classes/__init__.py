"""Latent classes, a plugin for Coterie."""
