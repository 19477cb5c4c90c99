"""POST /safety/v1/checks/email/risk and phone/risk: what is known of an address without a source of
reputation. Nothing is scored, so each answer has an error that says so, or names what speaks
against the address.
"""

from typing import Any, Final

from email_validator import validate_email

from acredita.domain.caller import Caller
from acredita.domain.errors import ValidationFailed
from acredita.domain.phone_and_email import PhoneFacts, phone_facts
from acredita.kit import ids
from acredita.ports import ListChecks
from acredita.providers.email import domains
from acredita.resources.auth.schemas import valid_email
from acredita.resources.metamap.jobs import post_response_later
from acredita.resources.metamap.safety_schemas import RiskCheck

# What the documentation lists, and no source here knows.
UNKNOWN_OF_EMAIL: Final = (
    *("riskScore", "smtp_score", "overall_score", "first_name", "generic", "common", "honeypot"),
    *("frequent_complainer", "spam_trap_score", "catch_all", "suspect", "recent_abuse"),
    *("suggested_domain", "leaked", "domain_age", "first_seen", "domain_velocity"),
    "user_activity",
)
UNKNOWN_OF_PHONE: Final = (
    "phoneTypeStatus",
    "riskLevel",
    "riskScore",
    "recommendation",
    "timezone",
)
UNKNOWN_OF_PLACE: Final = ("city", "state", "zip", "metroCode", "county")


async def check_email(services: ListChecks, caller: Caller, asked: RiskCheck) -> dict[str, Any]:
    """Return the response body, which is also posted to the callback URL."""
    given = asked.recipient.strip()
    try:
        address = valid_email(given)
    except ValueError:
        facts: dict[str, Any] = {"valid": False, "sanitized_email": None, "deliverability": "low"}
        data = _email_data(given, facts)
        return await _answer(services, caller, asked, data, "emailRisk.riskyAddress")
    # `address` is written as it is stored, which need not be valid again.
    domain = validate_email(given, check_deliverability=False).ascii_domain
    has_server = await domains.takes_mail(domain)
    disposable = domains.is_disposable(domain)
    data = _email_data(
        given,
        {
            "valid": has_server,
            "sanitized_email": address,
            "dns_valid": has_server,
            "timed_out": has_server is None,
            "disposable": disposable,
            "deliverability": "low" if has_server is False else None,
        },
    )
    is_risky = disposable or has_server is False
    code = "emailRisk.riskyAddress" if is_risky else "emailRisk.notScored"
    return await _answer(services, caller, asked, data, code)


async def check_phone(services: ListChecks, caller: Caller, asked: RiskCheck) -> dict[str, Any]:
    """Return the response body, which is also posted to the callback URL. Raise ValidationFailed
    for text that is no phone number."""
    text = asked.recipient.strip()
    try:
        facts = phone_facts(text if text.startswith("+") else f"+{text}")
    except ValueError as fault:
        raise ValidationFailed(details=[f"body.recipient: {fault}"]) from None
    code = "phoneRisk.notScored" if facts.is_a_persons else "phoneRisk.notAPersons"
    return await _answer(services, caller, asked, _phone_data(facts), code)


def _email_data(given: str, facts: dict[str, Any]) -> dict[str, Any]:
    known = {"disposable": None, "dns_valid": None, "timed_out": False, **facts}
    request = {"email": given, "message": "Success.", "success": True}
    return {
        **request,
        **dict.fromkeys(UNKNOWN_OF_EMAIL),
        **known,
        "request_id": str(ids.sortable()),
    }


def _phone_data(facts: PhoneFacts) -> dict[str, Any]:
    return {
        **dict.fromkeys(UNKNOWN_OF_PHONE),
        "phoneNumber": facts.number.removeprefix("+"),
        "countryCode": str(facts.calling_code),
        "phoneType": facts.line,
        "lineType": facts.line and facts.line.upper(),
        "riskInsights": [],
        "maxPossibleRiskScore": 100,
        "carrier": facts.carrier,
        "location": {**dict.fromkeys(UNKNOWN_OF_PLACE), "country": facts.country},
    }


MESSAGES: Final = {
    "emailRisk.riskyAddress": "The address is not valid, takes no mail or is disposable.",
    "emailRisk.notScored": "Nothing is known against the address, but no risk was scored.",
    "phoneRisk.notAPersons": "The number is that of a service, not of a person.",
    "phoneRisk.notScored": "Nothing is known against the number, but no risk was scored.",
}


async def _answer(
    services: ListChecks, caller: Caller, asked: RiskCheck, data: dict[str, Any], code: str
) -> dict[str, Any]:
    error = {"type": "StepError", "code": code, "message": MESSAGES[code]}
    response = {"error": error, "data": data, "metadata": asked.metadata or {}}
    if asked.callbackUrl:
        await post_response_later(services, caller, asked.callbackUrl, response)
    return response
