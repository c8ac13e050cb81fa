"""The experiments of the sources, a module each: they return the tables that the pages show."""
