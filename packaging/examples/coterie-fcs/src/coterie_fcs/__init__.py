"""Flow cytometry files, a plugin for Coterie."""
