"""Checks of the settings, before a process starts and by `acredita check-config`.

`check_all.examine` finds everything that is wrong at once. The types in `acredita.settings` check
each value alone.
"""
