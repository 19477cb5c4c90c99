"""Why a check at the registries did not pass, and how the person is told."""

from enum import StrEnum


class Code(StrEnum):
    """The gravest first: a judgement carries the first of its worst."""

    CURP_STATUS_ANNULLED = "CURP_STATUS_ANNULLED"
    CURP_NOT_FOUND = "CURP_NOT_FOUND"
    NAME_MISMATCH = "NAME_MISMATCH"
    BIRTH_DATE_MISMATCH = "BIRTH_DATE_MISMATCH"
    INE_NOT_CURRENT = "INE_NOT_CURRENT"
    INE_NOT_FOUND = "INE_NOT_FOUND"
    INE_MISMATCH = "INE_MISMATCH"
    CURP_CHANGED = "CURP_CHANGED"
    CURP_STATUS_UNKNOWN = "CURP_STATUS_UNKNOWN"
    SEX_MISMATCH = "SEX_MISMATCH"
    STATE_MISMATCH = "STATE_MISMATCH"
    NAME_NOT_CONFIRMED = "NAME_NOT_CONFIRMED"
    RFC_NOT_FOUND = "RFC_NOT_FOUND"
    RFC_MISMATCH = "RFC_MISMATCH"
    RFC_NOT_CURRENT = "RFC_NOT_CURRENT"
    INE_STATUS_UNKNOWN = "INE_STATUS_UNKNOWN"
    RFC_STATUS_UNKNOWN = "RFC_STATUS_UNKNOWN"
    REGISTRY_UNAVAILABLE = "REGISTRY_UNAVAILABLE"
    REGISTRY_REFUSED = "REGISTRY_REFUSED"
    INSUFFICIENT_DATA = "INSUFFICIENT_DATA"


# Shown to end users: without personal data, and without what would help to forge the next try.
MESSAGES = {
    Code.CURP_STATUS_ANNULLED: "The population registry has annulled this CURP.",
    Code.CURP_NOT_FOUND: "The population registry does not know this CURP.",
    Code.NAME_MISMATCH: "The name is not the one in the population registry.",
    Code.BIRTH_DATE_MISMATCH: "The date of birth is not the one in the population registry.",
    Code.INE_NOT_CURRENT: "The electoral registry says that this card is no longer in force.",
    Code.INE_NOT_FOUND: "The electoral registry does not know this card.",
    Code.INE_MISMATCH: "The card's numbers do not belong together in the electoral registry.",
    Code.CURP_CHANGED: "The population registry now has another CURP for this person.",
    Code.CURP_STATUS_UNKNOWN: "The population registry gives this CURP an unknown status.",
    Code.SEX_MISMATCH: "The sex is not the one in the population registry.",
    Code.STATE_MISMATCH: "The state of birth is not the one in the population registry.",
    Code.NAME_NOT_CONFIRMED: "The population registry did not say whose CURP this is.",
    Code.RFC_NOT_FOUND: "The tax registry does not know this RFC.",
    Code.RFC_MISMATCH: "The tax registry has this RFC under another name.",
    Code.RFC_NOT_CURRENT: "The tax registry says that this RFC is not active.",
    Code.INE_STATUS_UNKNOWN: "The electoral registry gives this card an unknown status.",
    Code.RFC_STATUS_UNKNOWN: "The tax registry gives this RFC an unknown status.",
    Code.REGISTRY_UNAVAILABLE: "A government registry could not be reached.",
    Code.REGISTRY_REFUSED: "A government registry did not accept the question.",
    Code.INSUFFICIENT_DATA: "There are too few data to ask the government registries.",
}
