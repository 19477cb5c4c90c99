"""Checks of the settings, before a process starts and by `acredita check-config`.

`examination.examine` finds everything that is wrong at once. `settings` checks each value alone.
"""
