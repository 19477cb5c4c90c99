import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.screening.names import normalised, readings


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Lic. José Ángel DE LA CRUZ y Muñoz", "jose angel cruz munoz"),
        ("O'Brien, Séan", "obrien sean"),
        ("AL-ASSAD, Bashar", "assad bashar"),
        ("Владимир Путин", "vladimir putin"),
        ("Straße Ørsted Łukasz", "strasse orsted lukasz"),
        ("ＦＵＬＬＷＩＤＴＨ　Ｎａｍｅ", "fullwidth name"),
        ("11420 CORP.", "11420 corp"),
        ("de la", "de la"),  # nothing else there
        ("Don Johnson", "don johnson"),  # a title, were there two names more
        ("", ""),
        (" ,.-'\u200b\u0301 ", ""),
        ("🙂 ♥", ""),
        ("Ju\u200ban Pe\u0489rez", "juan perez"),
        ("O’Brien ʿAbd", "obrien"),
    ],
)
def test_a_name_is_brought_to_the_words_it_is_compared_by(name, words):
    assert normalised(name) == words


@pytest.mark.parametrize(
    "form",
    [
        "S.A. de C.V.",
        "SA DE CV",
        "S.A.",
        "S.A.P.I. de C.V.",
        "SAPI DE CV",
        "S.A.B. de C.V.",
        "S. de R.L. de C.V.",
        "S DE RL MI",
        "S.P.R. de R.L. de C.V.",
        "S.C.",
        "A.C.",
        "S.C. de R.L.",
        "SOFOM ENR",
        "Sociedad Anónima de Capital Variable",
        "LLC",
        "L.L.C.",
        "Ltd.",
        "Limited Liability Company",
        "GmbH",
    ],
)
def test_a_company_is_read_without_its_legal_form(form):
    bare = readings("Pemex", company=True)
    assert readings(f"Pemex, {form}", company=True) == bare
    assert bare[0] in readings(f"Pemex {form}")


def test_a_person_keeps_what_is_a_legal_form_in_companies_alone():
    assert readings("Estácio de Sá", company=False)[0].words == ("estacio", "sa")
    assert [each.words for each in readings("Estácio de Sá")] == [("estacio", "sa"), ("estacio",)]


def test_a_name_in_characters_is_read_as_characters_and_by_sound():
    characters, sound = readings("习近平")
    assert characters.words == ("习", "近", "平")
    assert not characters.by_sound
    assert sound.words == ("xi", "jinping")
    assert sound.by_sound


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C.J.N.G.", "CJNG"),
        ("P.D.V.S.A.", "PDVSA"),
        ("P. D. V. S. A.", "PDVSA"),
        ("J.R. Smith", "JR Smith"),
        ("First Bank", "1st Bank"),
        ("Forty-Four Trading", "44 Trading"),
        ("Twenty-First Bank", "21st Bank"),
        ("Deutsche Beispiel Aktiengesellschaft", "Deutsche Beispiel AG"),
        ("Example p.l.c.", "Example plc"),
        ("Example Public Limited Company", "Example PLC"),
        ("Beispiel Gesellschaft mit beschränkter Haftung", "Beispiel GmbH"),
    ],
)
def test_another_spelling_has_a_reading_in_common(one, other):
    assert set(readings(one, company=True)) & set(readings(other, company=True))
    assert set(readings(one)) & set(readings(other))


def test_initials_are_also_read_one_by_one():
    assert readings("J.R. Smith")[0].words == ("j", "r", "smith")


@given(st.text())
def test_what_was_normalised_is_in_small_letters_with_single_blanks(text):
    found = normalised(text)
    assert found == found.lower() == " ".join(found.split())


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_normalising_twice_changes_nothing_but_titles_and_forms(text):
    once = normalised(text)
    assert set(normalised(once).split()) <= set(once.split())
