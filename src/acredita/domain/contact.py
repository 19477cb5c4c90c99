"""Where people turn to with questions: a page, a mailbox or a phone."""

import re
from dataclasses import dataclass

from acredita.domain.phone_and_email import phone_number

# No blanks, quotes or angle brackets: the page links to it.
_PAGE = re.compile(r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[^\s<>\"']*)?")
_MAILBOX = re.compile(r"[A-Za-z0-9.!#$&*+/=?^_{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")


@dataclass(frozen=True, slots=True)
class Contact:
    """`url`: https, mailto or tel. `text`: how people read it."""

    url: str
    text: str


def contact_of(written: str) -> Contact:
    """Raise ValueError for anything but an https URL, an e-mail address or a phone number."""
    text = written.strip()
    if _PAGE.fullmatch(text):
        return Contact(text, text)
    if _MAILBOX.fullmatch(text):
        return Contact(f"mailto:{text}", text)
    try:
        phone = phone_number(text)
    except ValueError:
        raise ValueError(
            "must be an https URL, an e-mail address or a phone number such as +525512345678"
        ) from None
    return Contact(f"tel:{phone}", phone)
