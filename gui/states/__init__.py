"""View-models: what the window shows, without widgets."""
