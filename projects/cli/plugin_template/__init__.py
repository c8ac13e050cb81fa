"""Starts plugins: a package, or one file, of any kind, complete and ready to be edited.

==============  ===========================================================
`names`         what a plugin, its module, class and method are called
`writing`       fills in the templates and writes them, over nothing
`templates/`    the texts, `$` before what is filled in
==============  ===========================================================
"""
