"""The commands of the `coterie` program, one module each."""

COMMANDS = (
    "run",
    "compare",
    "certify",
    "sweep",
    "cross-validate",
    "info",
    "show",
    "export",
    "classify",
    "finish",
    "assess",
    "report",
    "methods",
    "describe",
    "sample",
    "validate",
    "relink",
    "attach",
    "doctor",
    "plugin",
)
# Names of 0.1 that still work, and are left out of the help.
ALIASES = {"embed": "attach", "repeat": "cross-validate"}
