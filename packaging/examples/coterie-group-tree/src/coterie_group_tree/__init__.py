"""Tree of groups, a plugin for Coterie."""
