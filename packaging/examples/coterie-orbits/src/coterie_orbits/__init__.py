"""Points on three orbits, and recipes for them: a plugin for Coterie."""
