"""Certificates say how things stood on a day. An old one is worth a warning, never a refusal."""

from datetime import date, timedelta
from typing import Final

from acredita.domain.documents.birth import iso_date
from acredita.domain.documents.rules import Findings

FRESH_FOR: Final = timedelta(days=92)
"""Three months: what banks and employers commonly ask for."""
OLD: Final = "CERTIFICATE_OLDER_THAN_THREE_MONTHS"


def warning_of_age(findings: Findings, today: date) -> str | None:
    issued = findings.get("issueDate")
    day = iso_date(issued.value) if issued and issued.accepted else None
    return OLD if day is not None and today - day > FRESH_FOR else None
