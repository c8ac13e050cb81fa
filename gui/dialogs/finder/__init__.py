"""The finder: commands, views and methods by a few letters."""
