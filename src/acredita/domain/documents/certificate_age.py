"""Warn of old certificates. Their age is a warning, never a reason to fail."""

from datetime import date, timedelta
from typing import Final

from acredita.domain.documents.birth_dates import iso_date
from acredita.domain.documents.kind_interface import Findings

FRESH_FOR: Final = timedelta(days=92)
"""Three months, the limit of most banks and employers."""
OLD: Final = "CERTIFICATE_OLDER_THAN_THREE_MONTHS"


def age_warning(findings: Findings, today: date) -> str | None:
    """Return OLD if the certificate was issued more than FRESH_FOR ago."""
    issued = findings.get("issueDate")
    day = iso_date(issued.value) if issued and issued.accepted else None
    return OLD if day is not None and today - day > FRESH_FOR else None
