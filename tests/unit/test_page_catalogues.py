"""The capture page's texts. TypeScript checks that every catalogue has every text of its own."""

import re

import pytest

from acredita.domain import steps
from acredita.domain.reasons import REASONS
from acredita.web.capture import TEXTS
from tests.conftest import PROJECT

FOLDER = PROJECT / "web/src/page/texts"
# The server's own words are in these.
SERVERS = {"es", "en"}


def words_of(language: str, part: str) -> set[str]:
    """The keys of a part of a catalogue."""
    catalogue = (FOLDER / "server" / f"{language}.ts").read_text("utf-8")
    (body,) = re.findall(rf"^  {part}: \{{\n(.*?)^  \}},", catalogue, re.DOTALL | re.MULTILINE)
    return set(re.findall(r"^    (\w+):", body, re.MULTILINE))


def test_every_language_of_the_page_has_a_catalogue():
    assert {path.stem for path in FOLDER.glob("??.ts")} == set(TEXTS)


@pytest.mark.parametrize("language", sorted(set(TEXTS) - SERVERS))
def test_a_catalogue_has_words_for_each_step_and_each_advice_of_the_server(language):
    assert words_of(language, "steps") == set(steps.KINDS)
    advised = {code for code, reason in REASONS.items() if reason.advice}
    assert words_of(language, "advice") == advised
