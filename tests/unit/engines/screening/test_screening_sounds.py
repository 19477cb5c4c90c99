"""The search for words by their sound in other scripts."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from acredita.domain.screening import arabic_and_hebrew, syllabic
from acredita.domain.screening.names import readings
from acredita.engines.screening import Entry, ListedName, ScreeningIndex
from acredita.engines.screening.building import tabulate
from acredita.engines.screening.scripts import alike_in_script
from acredita.engines.screening.tables import write

WORDS = [
    *("muhammad", "mohamed", "ahmad", "assad", "xavier", "qaddafi", "gadafi", "sharif", "cherif"),
    *("haniyeh", "nasrallah", "lee", "park"),
    *map("".join, product(("", "l", "ch", "v"), "aou", "mdx", ("ad", "ei"))),
]
NAMES = ("محمد الأسد", "قذافي", "شريف", "הנייה נסראללה", "アサド・ムハンマド", "ฮานิเย อาเหม็ด")


@pytest.fixture(scope="module")
def tables():
    return tabulate(Entry(word, "own", "person", (ListedName(f"{word} assad"),)) for word in WORDS)


@pytest.mark.parametrize("joined", [False, True])
def test_all_words_are_compared_at_once_as_one_by_one(tables, joined):
    listed = bytes(tables.words_text).decode().split("\n")
    compared = 0
    for reading in (reading for name in NAMES for reading in readings(name) if reading.script):
        script = {"abjad": arabic_and_hebrew, "syllabic": syllabic}[reading.script]
        for word in reading.words:
            ways = [way for way in script.asked(word) if len(way.consonants) >= 4 * joined]
            expected = {}
            for place, other in enumerate(listed):
                sounds = dict(script.listed(other))
                found = [
                    way.agreement(sounds[way.consonants])
                    for way in ways
                    if way.consonants in sounds
                ]
                if max(found, default=0) >= 0.72:
                    expected[place] = max(found)
            alike = alike_in_script(tables, listed, word, reading.script, joined=joined, least=0.72)
            assert alike == expected
            compared += len(alike)
    assert compared > 3


def test_a_file_without_vowels_of_release_0_1_0_answers_the_same(tables, tmp_path):
    none = np.empty(0, np.uint8)
    write(replace(tables, script_vowels=none, script_vowels_start=none), tmp_path / "former")
    former, index = ScreeningIndex.open(tmp_path / "former"), ScreeningIndex(tables)
    for name in NAMES:
        assert former.screen(name, threshold=0.5) == index.screen(name, threshold=0.5)
    assert index.screen(NAMES[0], threshold=0.5).total
