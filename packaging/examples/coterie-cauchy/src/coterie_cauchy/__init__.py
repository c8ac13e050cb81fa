"""The Cauchy kernel, a plugin for Coterie."""
