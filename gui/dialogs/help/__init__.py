"""Help: method pages and the guide, without a network."""
