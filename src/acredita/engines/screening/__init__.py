"""Screen names against watchlists: build an index, ask questions, get explained matches."""

from acredita.domain.screening.names import is_comparable, normalised
from acredita.engines.screening.entries import (
    DamagedIndex,
    EmptyName,
    EntityType,
    Entry,
    Gender,
    ListedName,
    Match,
    NameTooLong,
    Question,
    Screening,
)
from acredita.engines.screening.identifiers import mexican_kind
from acredita.engines.screening.identifiers import plain as plain_identifier
from acredita.engines.screening.index import ScreeningIndex, build_index
from acredita.engines.screening.phonetic import phonetic_key
from acredita.engines.screening.scoring import DEFAULT_THRESHOLD
