"""Writing a result for other programs."""
