"""AnnData files, a plugin for Coterie."""
