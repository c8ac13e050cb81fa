"""Clusterers of scikit-learn, a plugin for Coterie."""
