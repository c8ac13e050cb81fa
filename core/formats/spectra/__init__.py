"""Spectra of known materials, and what they are at the bands of a scene."""
