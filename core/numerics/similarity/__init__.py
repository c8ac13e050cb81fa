"""All pairs of items: distances, inner products, neighbours, and affinities made of affinities."""
