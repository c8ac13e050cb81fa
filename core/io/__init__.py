"""Files and folders of the program itself: the workspace, locks, atomic writes, fingerprints."""
