"""The codes of all errors, each with what it means. A code is a promise: it never changes.

The same code is used wherever the same thing is wrong, whatever the words of the message.
`docs/errors.md` is written from this table.
"""

from __future__ import annotations

SECTIONS = {
    "When nothing more specific is known": {
        "data": "The data cannot be used in the way requested.",
        "engine": "The engine did not do what it was asked to do.",
        "error": "Something else went wrong.",
        "internal": "An unexpected error: a fault in Coterie.",
        "parameter": "A parameter has a wrong name, type or value.",
        "plugin": "A plugin broke the contract.",
        "project-file": "A project file cannot be read or written.",
        "recipe": "A recipe is not valid.",
        "workspace": "The folder of computed results cannot be used.",
    },
    "Running": {
        "cancelled": "The user stopped the work.",
        "engine-lost": "The engine process ended while it worked.",
        "engine-start": "The engine process does not start.",
        "invalid-message": "The window and the engine did not understand each other.",
        "method-failed": "A method raised an error of its own.",
        "out-of-memory": "The work needs more memory than is available.",
        "unknown-method": "No installed plugin provides the method.",
    },
    "Files": {
        "file-access": "The operating system refused to read or write a file.",
        "file-not-found": "There is no such file or folder.",
    },
}
CODES = {code: meaning for codes in SECTIONS.values() for code, meaning in codes.items()}
