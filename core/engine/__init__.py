"""The engine: a process that runs methods and imports plugins, so that the window need not."""
