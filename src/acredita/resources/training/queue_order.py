"""Filters and orders of the documents in the labelling queue."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self
from uuid import UUID

from acredita.domain.documents import PageKind
from acredita.domain.errors import NotFound, ValidationFailed
from acredita.kit import ids
from acredita.resources.training.items import MetamapStatus


class Strategy(StrEnum):
    UNCERTAIN = "uncertain"  # lowest confidence first
    DISAGREEMENT = "disagreement"  # most fields with contradictory sources first
    RANDOM = "random"  # a random order, the same for all reviewers
    OLDEST = "oldest"
    NEWEST = "newest"

    @property
    def column(self) -> str:
        return _ORDERS[self][0]

    @property
    def descends(self) -> bool:
        return _ORDERS[self][1]


_ORDERS: Final = {
    Strategy.UNCERTAIN: ("lowest_confidence", False),
    Strategy.DISAGREEMENT: ("disagreements", True),
    Strategy.RANDOM: ("random_order", False),
    Strategy.OLDEST: ("created_at", False),
    Strategy.NEWEST: ("created_at", True),
}
# Shares are stored with four digits, so that bounds can be inclusive.
HIT_RATES: Final = {"low": (0.0, 0.4999), "medium": (0.5, 0.8999), "high": (0.9, 1.0)}
_SHARE: Final = r"0(?:\.[0-9]{1,4})?|1(?:\.0{1,4})?"
_RANGE: Final = re.compile(rf"({_SHARE})-({_SHARE})")


@dataclass(frozen=True, slots=True)
class Filters:
    doc_type: str | None = None
    metamap_status: str | None = None
    batch_id: UUID | None = None
    hit_rate: tuple[float, float] | None = None

    @classmethod
    def parse(
        cls,
        doc_type: str | None,
        metamap_status: str | None,
        batch_id: str | None,
        hit_rate: str | None,
    ) -> Self:
        """Raise ValidationFailed for unknown values, NotFound for a malformed batch id."""
        faults = []
        if doc_type is not None and doc_type not in set(PageKind):
            faults.append(f"query.docType: is one of {', '.join(PageKind)}")
        if metamap_status is not None and metamap_status not in set(MetamapStatus):
            faults.append(f"query.metamapStatus: is one of {', '.join(MetamapStatus)}")
        shares = None if hit_rate is None else _shares(hit_rate)
        if hit_rate is not None and shares is None:
            faults.append("query.hitRate: is low, medium, high, or two shares such as 0.25-0.5")
        if faults:
            raise ValidationFailed(details=faults)
        batch = None
        if batch_id is not None:
            batch = ids.parse(batch_id)
            if batch is None:
                raise NotFound
        return cls(doc_type, metamap_status, batch, shares)


def _shares(text: str) -> tuple[float, float] | None:
    if text in HIT_RATES:
        return HIT_RATES[text]
    found = _RANGE.fullmatch(text)
    if found is None:
        return None
    low, high = float(found[1]), float(found[2])
    return (low, high) if low <= high else None
