"""Parameter sweeps in the window: what varies, and the scores."""
