"""Autoencoder, a plugin for Coterie."""
