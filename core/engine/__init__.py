"""The engine: a process that runs methods and imports plugins, so the window need not."""
