"""Normalize the phone numbers and email addresses that get messages."""

import re
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


class Channel(StrEnum):
    SMS = "sms"
    EMAIL = "email"


def phone_number(text: str) -> str:
    """Return a phone number in E.164 form: `+52 1 (55) 1234-5678` becomes +525512345678.

    Raise ValueError for other text, and for numbers that cannot receive messages. This does not
    check whether a number is in use: a list of ranges would refuse the newest ones.
    """
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
    if phonenumbers.number_type(number) in _NOT_A_PERSONS:
        raise ValueError("is a number that takes no messages")
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


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
