"""The nouns: data sets, similarities, results, recipes, and how each is encoded."""
