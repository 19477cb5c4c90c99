"""The steps of other modules in MetaMap's API: their data and their errors."""

import pytest

from acredita.domain.reasons import LocationStepReason, OtpReason, RegistryReason
from acredita.domain.steps import (
    AML_SCREEN,
    GOVERNMENT_VERIFY,
    LOCATION,
    OTP,
    PROOF_OF_ADDRESS,
)
from acredita.resources.metamap import translation
from acredita.resources.verifications.step_table import entry_of
from acredita.resources.verifications.step_translation import Place, TranslationInput
from acredita.resources.verifications.steps.registries import person_view


def part_of(step_type, result, config=None):
    given = TranslationInput(result, config or {}, None, {}, None, None, None, None)
    (part,) = entry_of(step_type).translation.parts(given)
    return part


def error_of(part, code):
    return translation.step_error(code, code.message.en, part.id, part.registry)["code"]


@pytest.mark.parametrize(
    ("config", "result", "step_id"),
    [
        ({}, {}, "phone-ownership-validation"),
        ({"channel": "email"}, {}, "email-ownership-validation"),
        ({}, {"channel": "email"}, "email-ownership-validation"),
        ({"channel": "sms"}, {"channel": "sms"}, "phone-ownership-validation"),
    ],
    ids=["unknown", "asked", "confirmed", "phone"],
)
def test_a_confirmed_code_is_the_ownership_of_its_channel(config, result, step_id):
    part = part_of(OTP, result, config)
    assert (part.id, part.data) == (step_id, None)
    prefix = {"p": "phoneOwnership", "e": "emailOwnership"}[step_id[0]]
    assert error_of(part, OtpReason.OTP_DESTINATION_UNKNOWN) == f"{prefix}.notEnoughParams"
    assert error_of(part, OtpReason.OTP_TOO_MANY_MISTAKES) == f"{prefix}.otpTooManyMistakes"


def test_a_card_that_matches_has_the_fields_of_ine_whether_they_are_known_or_not():
    told = {"outcome": "match", "registrationYear": "1998"}
    result = {"registries": {"renapo": {"outcome": "not_found"}, "ine": told}}
    fields = {"cde": {"value": "GMVLMR80070506M100", "label": "Elector Key"}}
    given = TranslationInput(result, {}, None, fields, None, None, None, None)
    curp, card = entry_of(GOVERNMENT_VERIFY).translation.parts(given)
    assert (curp.id, curp.data) == ("mexican-curp-validation", None)
    assert card.data == {
        "documentNumber": None,
        "cde": "GMVLMR80070506M100",
        "ne": None,
        "ocrNumber": None,
        "registrationYear": "1998",
        "emissionYear": None,
    }


def test_a_location_has_the_fields_of_ip_validation():
    known = {"country": "MX", "city": "Puebla", "vpn": False, "proxy": None, "tor": False}
    part = part_of(LOCATION, known)
    assert part.id == "ip-validation"
    assert part.data == {
        "country": "MX",
        "countryCode": "MX",
        "region": None,
        "regionCode": None,
        "city": "Puebla",
        "zip": None,
        "latitude": None,
        "longitude": None,
        "safe": True,
    }
    assert part_of(LOCATION, known | {"vpn": True}).data["safe"] is False
    assert part_of(LOCATION, {}).data is None
    assert error_of(part, LocationStepReason.LOCATION_HIDDEN) == "ipValidation.locationHidden"


def test_a_registry_that_is_away_is_a_fault_of_the_system():
    away = RegistryReason.REGISTRY_UNAVAILABLE
    assert translation.step_error(away, away.message.en, "mexican-curp-validation", "renapo") == {
        "type": "SystemError",
        "code": "system.serviceUnavailable",
        "message": away.message.en,
    }
    assert translation.system_error(away)["type"] == "systemError"


def test_a_proof_of_address_has_data_before_it_is_read():
    given = TranslationInput({}, {}, None, {}, None, None, None, None)
    reading = entry_of(PROOF_OF_ADDRESS).translation.parts(given)[0]
    assert (reading.id, reading.data) == ("document-reading", {})


def test_a_screening_is_in_the_document():
    given = TranslationInput({"totalMatches": 0}, {}, None, {}, None, None, None, None)
    parts = entry_of(AML_SCREEN).translation.parts(given)
    assert [part.id for part in parts] == [
        "watchlists",
        "premium-aml-watchlists-search-validation",
    ]
    assert {part.place for part in parts} == {Place.DOCUMENT_IF_ANY}


def test_the_full_name_of_a_curp_begins_with_the_surnames():
    registered = {"given": "ANA INES", "paterno": "PAZ", "materno": "LUNA"}
    assert person_view(registered)["fullName"] == "PAZ LUNA ANA INES"
    assert person_view({"given": "EVA", "paterno": "RIO"})["fullName"] == "RIO EVA"
    assert person_view({})["fullName"] is None
