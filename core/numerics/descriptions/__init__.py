"""Groups in words: rules, typical terms, and why an item is in its group."""
