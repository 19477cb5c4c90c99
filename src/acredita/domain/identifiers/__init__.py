"""The identifiers of Mexican documents: parse, compose and compare them.

All modules have the same functions. `parse` takes any text, never raises, and returns a `Reading`:
the typed value with all faults. `compose` builds a person's identifier and raises `ValueError` if
the person cannot have one; the machine readable zone has none here. `contradictions` compares an
identifier with other data of the person.
"""
