"""Forms: parameters to fill in, built from JSON Schema."""
