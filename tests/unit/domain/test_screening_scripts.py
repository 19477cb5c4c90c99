"""Names in scripts that have many romanisations."""

import pytest

from acredita.domain.screening import arabic_and_hebrew as abjads
from acredita.domain.screening import korean
from acredita.domain.screening.names import readings


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("بشار الأسد", ("bshar", "asd")),
        ("أسامة بن لادن", ("asama", "ladn")),
        ("محمود عبد الرحمن", ("mhmwd", "rhmn")),
        ("محمود عبدالرحمن", ("mhmwd", "rhmn")),
        ("عبد الله", ("bdalh",)),
        ("سهيل", ("s'hyl",)),  # two letters, not the one for sh
        ("مُحَمَّد", ("mhmd",)),  # vowel marks
        ("בנימין נתניהו", ("bnymyn", "ntnyhw")),
        ("Bashar", ()),
    ],
)
def test_a_name_in_arabic_or_hebrew_letters_is_romanised_without_particles(name, words):
    assert abjads.romanised_words(name) == words


@pytest.mark.parametrize(
    ("word", "spellings"),
    [
        ("قذافي", "gaddafi qadhafi kadafi qaddafi"),
        ("حسين", "hussein husayn hossein husain"),
        ("عبدالله", "abdullah abdallah abdalla"),
        ("معمر", "muammar moammar"),
        ("יצחק", "yitzhak yitzchak"),
        ("נסראללה", "nasrallah nasralla"),
        ("شريف", "sharif cherif sherif"),
    ],
)
def test_the_spellings_of_a_name_have_its_consonants(word, spellings):
    (romanised,) = abjads.romanised_words(word)
    keys = abjads.skeletons(romanised, latin=False)
    for spelling in spellings.split():
        assert keys & abjads.skeletons(spelling), spelling


def test_vowels_tell_names_with_the_same_consonants_apart():
    assert abjads.agreement("hsyn", "hussein") > abjads.agreement("hsyn", "hassan")
    assert abjads.agreement("hsn", "hassan") > abjads.agreement("hsn", "hussein")
    assert abjads.agreement("mhmwd", "mahmud") > abjads.agreement("mhmwd", "muhammad")


@pytest.mark.parametrize(
    ("name", "latin"),
    [
        ("김정은", "Kim Jong Un"),
        ("金正恩", "Kim Jong Un"),
        ("박근혜", "Park Geun Hye"),
        ("이명박", "Lee Myung Bak"),
        ("최룡해", "Choe Ryong Hae"),
        ("리설주", "Ri Sol Ju"),
    ],
)
def test_a_korean_name_sounds_like_its_usual_spelling(name, latin):
    syllables = korean.korean_syllables(name)
    keys = [korean.korean_key(syllable) for syllable in syllables]
    assert keys == [korean.korean_key(word) for word in latin.lower().split()]


def test_only_names_of_korean_characters_have_a_korean_reading():
    assert korean.korean_syllables("习近平") == ()
    assert korean.korean_syllables("김") == ()
    assert [each.script for each in readings("习近平")] == [None, None]
    assert [each.script for each in readings("김정은")] == [None, None, "korean"]


def test_the_vowels_of_a_korean_syllable_are_compared():
    assert korean.agreement("jeong", "jung") > korean.agreement("jong", "jung")
    assert korean.agreement("sun", "soon") > korean.agreement("sun", "song")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ΓΕΩΡΓΙΟΣ ΠΑΠΑΔΟΠΟΥΛΟΣ", ("georgios", "papadopoulos")),
        ("Γεώργιος Παπαδόπουλος", ("georgios", "papadopoulos")),
        ("ΜΠΑΚΟΓΙΑΝΝΗΣ ΕΥΑΓΓΕΛΟΣ", ("bakogiannis", "evangelos")),
        ("ΑΛΕΞΗΣ ΤΣΙΠΡΑΣ", ("alexis", "tsipras")),
    ],
)
def test_a_greek_name_is_romanised_as_in_its_passport(name, words):
    assert readings(name)[0].words == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("アサハラ ショウコウ", ("asahara", "shoko")),
        ("たなか きょうこ", ("tanaka", "kyoko")),
        ("コンドウ ユウジ", ("kondo", "yuji")),
    ],
)
def test_a_name_in_kana_is_read_in_words(name, words):
    assert readings(name)[1].words == words
