"""What a code's message says: its one run of six digits is the code, whatever the sender's name."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.languages import PersonLanguage
from acredita.resources.otp.message_texts import code_letter, displayed_name, text_message

# 3GPP TS 23.038, the default alphabet.
GSM = set(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "ÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
NAMES = st.text(min_size=2, max_size=100) | st.from_regex(
    r"[A-Za-z0-9 :/.@]{2,100}", fullmatch=True
)
WARNINGS = {
    PersonLanguage.SPANISH: "Nadie te la va a pedir",
    PersonLanguage.ENGLISH: "Nobody will ask you for it",
    PersonLanguage.PORTUGUESE: "Ninguem vai pedi-lo",
    PersonLanguage.FRENCH: "Personne ne vous le demandera",
    PersonLanguage.GERMAN: "Niemand wird Sie danach fragen",
}
CODES = st.from_regex("[0-9]{6}", fullmatch=True)


@given(st.sampled_from(PersonLanguage), NAMES, CODES)
def test_a_text_message_fits_into_one_and_its_only_number_is_the_code(language, name, code):
    text = text_message(language, name, code)
    assert set(text) <= GSM
    assert len(text) <= 160
    assert re.findall(r"\d{6,}", text) == [code]
    assert WARNINGS[language] in text


@given(st.sampled_from(PersonLanguage), NAMES, CODES)
def test_in_a_mail_the_only_number_is_the_code_and_the_subject_has_none(language, name, code):
    email = code_letter(language, name, code).to("ana@correo.example")
    assert re.findall(r"\d{6,}", email.text) == [code]
    assert email.html.count(code) == 1
    assert not re.search(r"\d{6}", email.subject)


@given(NAMES)
def test_no_name_makes_a_link(name):
    shown = displayed_name(name)
    assert not re.search(r"[:/@\\]|\.\w\w", shown)
    assert len(shown) <= 40


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Banco Uno", "Banco Uno"),
        ("Caja Popular, S.A. de C.V.", "Caja Popular, S.A. de C.V."),
        ("Gana en https://premio.example/1234567", "Gana en https premio example"),
        ("1234567", ""),
        ("Caja\r\n  Dos", "Caja Dos"),
    ],
)
def test_names_are_shown_as_far_as_they_are_harmless(name, shown):
    assert displayed_name(name) == shown


def test_letters_that_messages_have_no_room_for_are_written_without_their_marks():
    assert "Peña y Aéreo Logistica S" in text_message(
        PersonLanguage.SPANISH, "Peña y Aéreo Logística Š", "123456"
    )
