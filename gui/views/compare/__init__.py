"""The Compare view: two groupings of the same items."""
