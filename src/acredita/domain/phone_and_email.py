"""Normalize the phone numbers and email addresses that get messages."""

import re
from dataclasses import dataclass
from enum import StrEnum

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumberType

LONGEST_DESTINATION = 320
MEXICO = 52
# Between country code and number; Mexico dropped it in 2019, address books did not.
FORMER_MOBILE_PREFIX = "1"
LENGTH_IN_MEXICO = 10
# As people write numbers: with spaces, dots, hyphens, and parentheses.
_WRITTEN = re.compile(r"\+[0-9](?:[ .()\-\u2010-\u2015\u00a0]*[0-9]){6,24}")
_NOT_A_PERSONS = {
    PhoneNumberType.PREMIUM_RATE,
    PhoneNumberType.SHARED_COST,
    PhoneNumberType.TOLL_FREE,
    PhoneNumberType.UAN,
    PhoneNumberType.VOICEMAIL,
}

_LINES = {
    PhoneNumberType.FIXED_LINE: "Landline",
    PhoneNumberType.MOBILE: "Mobile",
    PhoneNumberType.PAGER: "Pager",
    PhoneNumberType.PERSONAL_NUMBER: "Personal",
    PhoneNumberType.PREMIUM_RATE: "Premium",
    PhoneNumberType.TOLL_FREE: "Toll-free",
    PhoneNumberType.VOICEMAIL: "Voicemail",
    PhoneNumberType.VOIP: "VoIP",
}


class Channel(StrEnum):
    SMS = "sms"
    EMAIL = "email"


def phone_number(text: str) -> str:
    """Return a phone number in E.164 form: `+52 1 (55) 1234-5678` becomes +525512345678.

    Raise ValueError for other text, and for numbers that cannot receive messages. This does not
    check whether a number is in use: a list of ranges would refuse the newest ones.
    """
    number = _parse(text)
    if phonenumbers.number_type(number) in _NOT_A_PERSONS:
        raise ValueError("is a number that takes no messages")
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def _parse(text: str) -> phonenumbers.PhoneNumber:
    wrong = ValueError("is not a phone number in E.164 form, such as +525512345678")
    text = text.strip()
    if not _WRITTEN.fullmatch(text):
        raise wrong
    try:
        number = phonenumbers.parse(text)
    except NumberParseException:
        raise wrong from None
    national = str(number.national_number)
    if (
        number.country_code == MEXICO
        and len(national) == LENGTH_IN_MEXICO + 1
        and national.startswith(FORMER_MOBILE_PREFIX)
    ):
        number.national_number = int(national[1:])
    if not phonenumbers.is_possible_number(number):
        raise wrong
    return number


@dataclass(frozen=True, slots=True)
class PhoneFacts:
    """What the numbering plans say about a number. It need not be in use."""

    number: str
    calling_code: int
    country: str | None
    # None: the plan does not tell, as for mobile and fixed lines of Mexico.
    line: str | None
    is_a_persons: bool
    # To whom the range was first given; the number may have moved. None for Mexico.
    carrier: str | None


def phone_facts(text: str) -> PhoneFacts:
    """Return the facts about a number that is written as for `phone_number`. Raise ValueError."""
    # It reads half a megabyte of ranges, which few processes need.
    from phonenumbers import carrier  # noqa: PLC0415

    number = _parse(text)
    line = phonenumbers.number_type(number)
    written = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    return PhoneFacts(
        written,
        number.country_code or 0,
        country_of(written),
        _LINES.get(line),
        line not in _NOT_A_PERSONS,
        carrier.name_for_number(number, "en") or None,
    )


def country_of(phone: str) -> str | None:
    """Return the ISO 3166-1 code of an E.164 number's country; None if it belongs to none."""
    number = phonenumbers.parse(phone)
    # Some codes are shared: by number, +1 is Canada's, Jamaica's ...; if unknown, its main country.
    region = phonenumbers.region_code_for_number(
        number
    ) or phonenumbers.region_code_for_country_code(number.country_code or 0)
    return None if region in {"ZZ", "001"} else region


def national_digits(phone: str) -> str:
    """Return an E.164 number without its country code."""
    return phonenumbers.national_significant_number(phonenumbers.parse(phone))


def counted_as(channel: Channel, address: str) -> str:
    """Return the key under which messages to an address are counted, without regard to case."""
    return f"{channel}:{address.casefold()}"


def masked(channel: Channel, address: str) -> str:
    """Return enough of an address for its owner to recognize it: `•• 78`, `a•••@correo.example`."""
    if channel is Channel.SMS:
        return f"•• {address[-2:]}"
    name, _, host = address.partition("@")
    return f"{name[:1]}•••@{host}"
