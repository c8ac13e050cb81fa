"""Tables of numbers and categories: how they are held, encoded, compared and grouped."""
