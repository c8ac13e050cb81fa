"""How the window looks: colours, light and dark, icons and marks."""
