"""Many mixtures, or partitions, of the same items fitted together as stacked arrays."""
