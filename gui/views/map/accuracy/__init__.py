"""How well a map agrees with the reference classes."""
