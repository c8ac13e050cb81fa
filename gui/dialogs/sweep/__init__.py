"""Parameter sweeps in the window: what is varied, and what came of it."""
