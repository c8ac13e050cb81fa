"""What a plugin author uses: the kinds of components, their parameters, context and hooks."""
