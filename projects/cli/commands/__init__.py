"""The commands of the `coterie` program, a file for each.

=================  ================================================================
`application`      joins them, and turns every error into one line and an exit code
`work`             a session that is started, waited for and closed
`running`          runs a recipe over what an earlier run left, step by step
`tables`           results as files of numbers: CSV and numpy's own
`overviews`        what of a result is printed on the screen
`summaries`        every kind of result as half a line of words
=================  ================================================================
"""

COMMANDS = (
    "run",
    "sweep",
    "repeat",
    "info",
    "show",
    "export",
    "classify",
    "report",
    "methods",
    "describe",
    "sample",
    "validate",
    "relink",
    "embed",
    "doctor",
    "plugin",
)
