"""The identifiers of Mexican documents: reading, composing and comparing them.

Every module has the same shape. `parse` takes any text and never raises: it gives a `Reading`, the
typed value with every fault named. `compose` builds the identifier of a person and raises
`ValueError` on what cannot have one. `contradictions` names where an identifier disagrees with what
else is known of the person.
"""
