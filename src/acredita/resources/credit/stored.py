"""What a credit check stores of its question and its report, as plain data."""

from dataclasses import asdict
from typing import Any

from acredita.domain.credit.person import Prepared, Question
from acredita.domain.credit.report import Report, summarize_accounts, summarize_inquiries


def question_of(prepared: Prepared, question: Question) -> dict[str, Any]:
    """The person and the consent reference, as plain data: the evidence of the consultation."""
    name, address = question.name, question.address
    return {
        "person": {
            "full_name": question.full_name,
            "names": name
            and {"given": name.given, "paterno": name.paterno, "materno": name.materno or None},
            "date_of_birth": question.birth_date,
            "rfc": question.rfc and question.rfc.text,
            "curp": question.curp and question.curp.text,
        },
        "address": address and asdict(address),
        "consentReference": question.consent_reference,
        "warnings": [asdict(remark) for remark in prepared.warnings],
    }


def result_of(report: Report | None, today: Any) -> dict[str, Any]:
    """The stored part of a report, as plain data.

    The rest (lenders, addresses, employers) is discarded, because no caller needs it.
    """
    if report is None:
        return {"found": False}
    return {
        "found": True,
        "folio": report.folio,
        "scores": [asdict(score) for score in report.scores],
        "accounts": asdict(summarize_accounts(report.accounts)),
        "inquiries": asdict(summarize_inquiries(report.inquiries, today)),
        "alerts": [asdict(alert) for alert in report.alerts],
    }
