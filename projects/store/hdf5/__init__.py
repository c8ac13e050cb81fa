"""Project files: one HDF5 file for each project, readable by any HDF5 tool.

=================  ================================================================
`reading`          `ProjectFile`: what is in a file at once, its arrays when asked for
`saving`           `save_project`: the old or the new file is whole at every instant
`locking`          `ProjectLock`: one window for one project
`validation`       `validate`: everything that is wrong with a file
`inspection`       what is refused before anything in a file is trusted
=================  ================================================================
"""
