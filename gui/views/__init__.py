"""Views: the tabs at the centre of the window."""
