"""How the steps that read documents store fields and signals."""

from typing import Any
from uuid import UUID

from acredita.domain.documents import Finding, Signal


def evidence_item(finding: Finding, document_id: UUID | None) -> dict[str, Any]:
    return {
        "field": finding.field,
        "value": finding.value,
        "confidence": round(finding.confidence, 4),
        "decision": finding.decision,
        "source": finding.source,
        "zone": finding.zone,
        "documentId": None if document_id is None else str(document_id),
        "alternatives": list(finding.alternatives),
        "reasons": list(finding.reasons),
        "confirmation": finding.confirmation.name,
    }


def signal_view(signal: Signal, document_id: UUID | None) -> dict[str, Any]:
    """Return a signal for reviewers; `box` is in fractions of the flattened page's size."""
    return {
        "signal": signal.name,
        "raised": signal.raised,
        "measure": signal.measure,
        "threshold": signal.limit,
        "detail": signal.detail or None,
        "box": None if signal.box is None else [round(share, 3) for share in signal.box],
        "version": signal.version,
        "documentId": None if document_id is None else str(document_id),
    }
