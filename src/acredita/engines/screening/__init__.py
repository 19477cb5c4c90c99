"""Screen names against watchlists: build an index, ask questions, get explain matches."""

from acredita.domain.screening.names import is_comparable, normalised
from acredita.engines.screening.entries import (
    Assessment,
    DamagedIndex,
    EmptyName,
    EntityType,
    Entry,
    Evidence,
    Gender,
    ListedName,
    Match,
    NameKind,
    NameTooLong,
    Question,
    Reason,
    Screening,
    TokenPair,
)
from acredita.engines.screening.index import ScreeningIndex, build_index
from acredita.engines.screening.scoring import DEFAULT_THRESHOLD

__all__ = [
    "DEFAULT_THRESHOLD",
    "Assessment",
    "DamagedIndex",
    "EmptyName",
    "EntityType",
    "Entry",
    "Evidence",
    "Gender",
    "ListedName",
    "Match",
    "NameKind",
    "NameTooLong",
    "Question",
    "Reason",
    "Screening",
    "ScreeningIndex",
    "TokenPair",
    "build_index",
    "is_comparable",
    "normalised",
]
