"""Names in scripts that have many romanisations."""

import pytest

from acredita.domain.screening import arabic_and_hebrew as abjads
from acredita.domain.screening import korean, syllabic
from acredita.domain.screening.names import readings
from acredita.domain.screening.syllabic_scripts import foreign_words


def agreement(script, word, latin):
    """Of a word in another script with a listed one; 0 if their consonants differ."""
    listed = dict(script.listed(latin))
    ways = [way for way in script.asked(word) if way.consonants in listed]
    return max((way.agreement(listed[way.consonants]) for way in ways), default=0.0)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("بشار الأسد", ("bshar", "Lasd")),
        ("أسامة بن لادن", ("asama", "ladn")),
        ("محمود عبد الرحمن", ("mhmwd", "Lrhmn")),
        ("محمود عبدالرحمن", ("mhmwd", "rhmn")),
        ("عبد الله", ("bdalh",)),
        ("سهيل", ("s'hyl",)),  # two letters, not the one for sh
        ("مُحَمَّد", ("mhmd",)),  # vowel marks
        ("בשאר אל-אסד", ("bshar", "asd")),
        ("איסמעיל הנייה", ("aysmyl", "Hnyyh")),
        ("איימן א-זוואהירי", ("ayymn", "zwwahyry")),
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
        ("الحسن", "hassan alhassan"),
        ("ألكسندر", "aleksandr alexander"),
        ("إلياس", "elias ilyas"),
        ("הנייה", "haniyeh haniya"),
        ("لافروف", "lavrov"),
    ],
)
def test_the_spellings_of_a_name_have_its_consonants(word, spellings):
    (romanised,) = abjads.romanised_words(word)
    keys = {way.consonants for way in abjads.asked(romanised)}
    for spelling in spellings.split():
        assert keys & dict(abjads.listed(spelling)).keys(), spelling


def test_what_may_be_an_article_is_read_with_and_without_it():
    assert agreement(abjads, "Lksndr", "aleksandr") == agreement(abjads, "Lasd", "assad") == 0.93
    assert agreement(abjads, "Lhsn", "hassan") > agreement(abjads, "Lhsn", "hussein")
    assert agreement(abjads, "Hnyyh", "haniyeh") == 0.93
    assert agreement(abjads, "Lksndr", "sandra") == 0.0


def test_vowels_tell_names_with_the_same_consonants_apart():
    assert agreement(abjads, "hsyn", "hussein") > agreement(abjads, "hsyn", "hassan")
    assert agreement(abjads, "hsn", "hassan") > agreement(abjads, "hsn", "hussein")
    assert agreement(abjads, "mhmwd", "mahmud") > agreement(abjads, "mhmwd", "muhammad")


@pytest.mark.parametrize(
    ("name", "latin"),
    [
        ("김정은", "Kim Jong Un"),
        ("金正恩", "Kim Jong Un"),
        ("박근혜", "Park Geun Hye"),
        ("이명박", "Lee Myung Bak"),
        ("최룡해", "Choe Ryong Hae"),
        ("崔龍海", "Choe Ryong Hae"),
        ("金與正", "Kim Yo Jong"),
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


@pytest.mark.parametrize(
    ("name", "latin"),
    [
        ("バッシャール・アル=アサド", "Bashar Assad"),
        ("ウラジーミル・プーチン", "Vladimir Putin"),
        ("サイフ・アルイスラム・カダフィ", "Saif Islam Qadhafi"),
        ("ホアキン・グスマン・ロエラ", "Joaquin Guzman Loera"),
        ("블라디미르 푸틴", "Vladimir Putin"),
        ("바샤르 알아사드", "Bashar Assad"),
        ("วลาดีมีร์ ปูติน", "Vladimir Putin"),
        ("เซอร์เกย์ ลาฟรอฟ", "Sergey Lavrov"),
        ("บัชชาร อัลอะซัด", "Bashar Assad"),
        ("弗拉基米尔·普京", "Vladimir Putin"),
        ("巴沙尔·阿萨德", "Bashar Assad"),
        ("哈桑·纳斯鲁拉", "Hassan Nasrallah"),
    ],
)
def test_a_foreign_name_in_a_syllabic_script_sounds_like_its_latin_spelling(name, latin):
    spellings = latin.lower().split()
    words = foreign_words(name)
    assert len(words) == len(spellings)
    for word, spelling in zip(words, spellings, strict=True):
        assert agreement(syllabic, word, spelling) > 0.75, (word, spelling)


@pytest.mark.parametrize(
    ("written", "latin"),
    [
        ("マリア", "mario"),
        ("カトウ", "kathio"),
        ("ミラー", "mayer"),
        ("バッシャール", "bushra"),
        ("コンドウ", "kathio"),
    ],
)
def test_other_vowels_are_another_name(written, latin):
    (word,) = foreign_words(written)
    assert agreement(syllabic, word, latin) < 0.75


@pytest.mark.parametrize(
    "name", ["王伟", "김정은", "Vladimir プーチン", "Владимир", "", "・", "王・Smith", "ア" * 900]
)
def test_names_of_a_scripts_own_people_and_mixed_ones_have_no_foreign_reading(name):
    assert [each for each in readings(name) if each.script == "syllabic"] == []


def test_a_name_with_few_consonants_has_no_foreign_reading():
    assert [each.script for each in readings("โซ วิน")] == [None]
    assert readings("วลาดีมีร์ ปูติน")[-1].script == "syllabic"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("व्लादिमीर पुतिन", ("vladimir", "putin")),
        ("हाफ़िज़ सईद", ("hafiz", "said")),
        ("मसूद अज़हर", ("masud", "azhar")),
        ("दाऊद इब्राहिम", ("daud", "ibrahim")),
        ("किम जोंग उन", ("kim", "jong", "un")),
        ("ভ্লাদিমির পুতিন", ("bhladimir", "putin")),
        ("ವ್ಲಾಡಿಮಿರ್ ಪುಟಿನ್", ("vladimir", "putin")),
    ],
)
def test_a_name_in_a_script_of_india_is_read_with_its_vowels(name, words):
    assert readings(name)[0].words == words


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ΝΤΜΙΤΡΙ ΜΕΝΤΒΕΝΤΕΦ", ("dmitri", "medvedef")),
        ("Εμπραχίμ Ραΐσι", ("ebrahim", "raisi")),
        ("ΜΠΑΣΑΡ ΑΛ ΑΣΑΝΤ", ("basar", "asad")),
    ],
)
def test_a_foreign_name_in_greek_letters_is_also_read_by_its_sound(name, words):
    assert words in [each.words for each in readings(name)]
