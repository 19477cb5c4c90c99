"""However a phone or a mailbox is written, it is one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.contact import Contact, contact_of
from acredita.domain.phone_and_email import (
    Channel,
    counted_as,
    country_of,
    masked,
    national_digits,
    phone_number,
)

# Of Mexico City, Guadalajara, Monterrey, Tijuana.
MEXICAN = st.from_regex(r"(55|33|81|664)[1-9][0-9]{6,7}", fullmatch=True).filter(
    lambda digits: len(digits) == 10
)
BETWEEN = st.text(" .-()", max_size=2)


@given(MEXICAN, st.data())
def test_every_way_of_writing_a_mexican_number_is_one_number(digits, data):
    former = data.draw(st.sampled_from(["", "1"]))
    written = "+" + "".join(mark + data.draw(BETWEEN) for mark in "52" + former + digits)
    assert phone_number(f" {written.rstrip('(.-) ')} ") == f"+52{digits}"


@given(st.text(max_size=30) | st.from_regex(r"\+?[0-9 ()+;,#*-]{1,30}", fullmatch=True))
def test_whatever_is_written_is_a_number_in_e164_or_none(text):
    try:
        found = phone_number(text)
    except ValueError:
        return
    assert found.startswith("+")
    assert found[1:].isascii()
    assert found[1:].isdecimal()
    assert 7 <= len(found[1:]) <= 15
    assert phone_number(found) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "+",
        "5512345678",
        "00525512345678",
        "+52551234567",
        "+52 55 1234 5678 ext 5",
        "+５２5512345678",
        "+525512345678\u0000",
        "tel:+525512345678",
        "++525512345678",
        "+999123456789",
    ],
)
def test_what_is_no_number_in_e164_is_refused(text):
    with pytest.raises(ValueError, match="is not a phone number"):
        phone_number(text)


@pytest.mark.parametrize("text", ["+528001234567", "+529001234567", "+18005550123", "+19005550123"])
def test_a_number_that_nobody_reads_at_is_refused(text):
    with pytest.raises(ValueError, match="takes no messages"):
        phone_number(text)


@pytest.mark.parametrize(
    ("phone", "country"),
    [
        ("+525512345678", "MX"),
        ("+12025550143", "US"),
        ("+14165550123", "CA"),
        ("+18765550123", "JM"),
        ("+447400123456", "GB"),
        ("+881612345678", None),
    ],
)
def test_a_number_tells_its_country(phone, country):
    assert country_of(phone_number(phone)) == country


def test_a_number_without_its_country():
    assert national_digits("+525512345678") == "5512345678"


@given(st.emails())
def test_letter_case_makes_no_other_mailbox(address):
    assert counted_as(Channel.EMAIL, address.upper()) == counted_as(Channel.EMAIL, address.lower())


def test_a_phone_and_a_mailbox_are_never_counted_as_one():
    assert counted_as(Channel.SMS, "x") != counted_as(Channel.EMAIL, "x")


@pytest.mark.parametrize(
    ("written", "url", "text"),
    [
        (" https://banco.example/ayuda?x=1 ", "https://banco.example/ayuda?x=1", None),
        ("Ayuda@banco.example", "mailto:Ayuda@banco.example", None),
        ("+52 1 (55) 1234-5678", "tel:+525512345678", "+525512345678"),
    ],
)
def test_a_contact_is_a_page_a_mailbox_or_a_phone(written, url, text):
    assert contact_of(written) == Contact(url, text or written.strip())


@pytest.mark.parametrize(
    "written",
    ["", "banco", "http://banco.example", "javascript:alert(1)", 'https://b.example/"x', "1234"],
)
def test_anything_else_is_no_contact(written):
    with pytest.raises(ValueError, match="https URL"):
        contact_of(written)


@pytest.mark.parametrize(
    ("channel", "address", "shown"),
    [
        (Channel.SMS, "+525512345678", "•• 78"),
        (Channel.EMAIL, "ana@correo.example", "a•••@correo.example"),
    ],
)
def test_a_masked_address_has_what_its_owner_recognizes(channel, address, shown):
    assert masked(channel, address) == shown
