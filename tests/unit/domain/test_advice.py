"""What people are told to do about a picture that could not be used."""

import pytest

from acredita.domain.advice import RETAKES, UNADVISED, advice
from acredita.domain.documents import Code as Document
from acredita.domain.faces import Code as Face
from acredita.domain.liveness import Code as Liveness
from acredita.resources.verifications.steps import documents, faces, liveness

CODES = [*Document, *Face, *Liveness]
LONGEST_ON_A_PHONE = 100


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_advice_in_both_languages_or_is_named_as_having_none(code: str) -> None:
    given = advice(code)
    assert (given is None) == (code in UNADVISED)
    if given is not None:
        assert given.es != given.en
        for text in (given.es, given.en):
            assert 20 <= len(text) <= LONGEST_ON_A_PHONE
            assert text.endswith(".")


def test_a_retake_is_offered_only_where_there_is_advice_for_it() -> None:
    assert set(CODES) >= RETAKES
    assert all(advice(code) for code in RETAKES)


def test_no_retake_follows_a_code_that_fails_its_step() -> None:
    failing = {Document.DOCUMENT_EXPIRED, Face.FACE_MISMATCH, *Liveness} - liveness.REVIEWED
    assert not RETAKES & failing


def test_a_doubt_about_the_person_is_for_a_reviewer_and_not_for_another_try() -> None:
    doubts = {Document.TAMPERING_SUSPECTED, Document.FIELDS_CONTRADICT, Face.FACE_UNCERTAIN}
    assert not RETAKES & doubts


def test_nothing_is_advised_for_an_unknown_code_or_for_none() -> None:
    assert advice(None) is None
    assert advice("SURPRISE") is None


def test_every_code_has_a_message_for_the_integrator() -> None:
    messages = documents.MESSAGES | faces.MESSAGES | liveness.MESSAGES
    assert set(messages) == set(CODES)
