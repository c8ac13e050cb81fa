"""Processes that read strangers' files, so the window need not.

=============  ====================================================================
`process`      `ConfinedProcess`: sends one the files it may touch, asks it, and survives it
`starting`     starts them, and keeps one ready
`wire`         what the two say to each other: JSON and arrays, never pickles
`__main__`     the process itself: confines itself, then answers
=============  ====================================================================

Such a process may read the files that it was started for, fill the folders that it was given, and
nothing else: no network, no programs, bounded memory (`core/io/platform/confinement.py`). What it
answers is checked like a file, as a hostile file may have taken it over.
"""
