"""All sets of a game: searches that find one after another, or many at the same time."""
