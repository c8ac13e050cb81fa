"""The Ranking view: what is typical of each group."""
