"""Numbers that describe an item: of texts, pictures, pixels and rows of a table."""
