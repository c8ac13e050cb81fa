"""The Methods view: groupings of the same items beside each other."""
