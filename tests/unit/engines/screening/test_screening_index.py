"""What an index answers."""

import pytest

from acredita.engines.screening import (
    DEFAULT_THRESHOLD,
    Entry,
    ListedName,
    build_index,
    normalised,
)


def person(number, name, *others, **known):
    family, _, given = name.partition(",")
    listed = ListedName(name, "primary", family=family, given=given)
    return Entry(str(number), "sdn", "person", (listed, *others), **known)


ENTRIES = (
    person(
        1,
        "GUZMAN LOERA, Joaquin Archivaldo",
        ListedName("EL CHAPO", "weak"),
        ListedName("GUZMAN FERNANDEZ, Joaquin", "alias"),
        dates_of_birth=("1957-04-04",),
        countries=("MX",),
        identifiers=(("rfc", "GULJ570404AB1"), ("curp", "GULJ570404HSLZRQ05")),
    ),
    person(2, "RODRIGUEZ, Antonio"),
    person(3, "KHASHAFI, Muhammad Hasan", dates_of_birth=("1970",), countries=("SY",)),
    person(4, "DE LA CRUZ REYNA, Maria Jose"),
    person(5, "HERNANDEZ SALAZAR, Fernando"),
    Entry("6", "un", "person", (ListedName("习近平", "original_script"),)),
    Entry("7", "sat", "company", (ListedName("COMERCIALIZADORA ZAPALINAME, S.A. DE C.V."),)),
    Entry("8", "sdn", "vessel", (ListedName("JULIA A"),)),
    Entry("9", "sdn", "company", (ListedName("11420 CORP."),)),
    Entry("10", "own", "other", (ListedName("Ibrahim Muhammad Salih"),)),
    person(11, "AL-QADHAFI, Muammar"),
    person(12, "KIM, Jong Un"),
    Entry("13", "sdn", "company", (ListedName("C.J.N.G."), ListedName("FIRST GOODWILL 44"))),
    Entry("14", "sdn", "company", (ListedName("GOOD WILL HOLDING"),)),
    person(15, "AGUILAR TREJO, Jose Guadalupe"),
    person(16, "BIN LADIN, Usama"),
    person(17, "ABDUKADYROV Chinghiz Omurbek Taalaibek Uulu"),
    Entry("18", "un", "person", (ListedName("マリア・クルス", "original_script"),)),
)


@pytest.fixture(scope="module")
def index():
    return build_index(ENTRIES)


def found(index, name, **known):
    return {match.entry_id: match.score for match in index.screen(name, **known).matches}


@pytest.mark.parametrize("name", ["Hezbollah", "Hizbullah", "Hizbollah", "حزب الله", "חיזבאללה"])
def test_one_word_in_another_romanisation_finds_its_entry(name):
    index = build_index([Entry("1", "list", "company", (ListedName("HIZBALLAH"),))])
    assert found(index, name)["1"] >= DEFAULT_THRESHOLD


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("Joaquín Archivaldo Guzmán Loera", "1"),  # in the order of speech, with accents
        ("GUZMÁN LOERA JOAQUÍN ARCHIVALDO", "1"),  # as registries write it
        ("Joaquin Guzman Loera", "1"),  # without the second given name
        ("Joaquin Guzman", "1"),  # without the second surname, too
        ("Juaquin Archibaldo Gusman Loera", "1"),  # by ear
        ("Jaoquin Archivlado Guzmn Loear", "1"),  # a slip in every word
        ("J. Archivaldo Guzman Loera", "1"),
        ("JoaquinArchivaldo Guzman Loera", "1"),
        ("Joaquin Archivaldo Guzman-Loera", "1"),
        ("Lic. Joaquín A. Guzmán Loera", "1"),
        ("Mohamed Hassan Khashafi", "3"),
        ("María José Delacruz Reyna", "4"),
        ("mariajose cruz reyna", "4"),
        ("Fernando Hernandes Zalasar", "5"),
        ("习近平", "6"),
        ("Xi Jinping", "6"),
        ("Comercializadora Zapaliname", "7"),
        ("COMERCIALISADORA ZAPALINAME SA DE CV", "7"),
        ("11420 Corporation", "9"),
        ("Юлия А", "8"),
        ("محمد حسن الخشافي", "3"),
        ("معمر القذافي", "11"),
        ("김정은", "12"),
        ("金正恩", "12"),
        ("CJNG", "13"),
        ("C. J. N. G.", "13"),
        ("1st Good Will Forty-Four", "13"),
        ("Goodwill Holding", "14"),  # although Goodwill is a listed word
        ("Pepe Aguilar Trejo", "15"),
        ("Lupe Aguilar", "15"),
        ("Osama bin Laden", "16"),
        ("Maria Kurusu", "18"),
        ("Presidente Fernando Hernández Salazar", "5"),
        ("Presidente Muamar Kadhafi", "11"),
    ],
)
def test_a_name_written_in_another_way_finds_its_entry(index, name, entry):
    assert entry in found(index, name)


@pytest.mark.parametrize(
    "name",
    [
        "Antonio García Rodríguez",  # shares given name and mother's surname with 2
        "GARCIA RODRIGUEZ ANTONIO",
        "José Antonio Alpízar Rodríguez",
        "习近朋",  # another name, by one character of three
        "El Chappo",  # a weak alias counts only if the words are the same
        "Fernando Fernandez Salinas",
        "Julia Atienza",  # the A of a vessel is not an initial
        "Comercializadora del Norte, S.A. de C.V.",
        "S.A. de C.V.",
        "Maria",
        "Corp",
        "معمر الحسن",  # another family name
        "김정철",
        "Paco Aguilar Trejo",
    ],
)
def test_another_name_is_no_hit(index, name):
    assert found(index, name) == {}


def test_the_same_words_as_a_weak_alias_are_shown_as_weak(index):
    (match,) = index.screen("El Chapo").matches
    assert (match.entry_id, match.score, match.matched_kind) == ("1", 0.9, "weak")


def test_a_name_like_a_weak_alias_stays_below_the_usual_threshold(index):
    assert found(index, "El Chappo", threshold=0.7) == {"1": 0.7}


def test_another_word_lowers_the_score_more_than_one_that_is_left_out(index):
    left_out = found(index, "Abdukadyrov Chinghiz Omurbek Taalaibek")["17"]
    other = "Abdukadyrov Chinghiz Omurbek Taalaibek Zhekshenov"
    assert left_out > 0.9
    assert 0.6 < found(index, other, threshold=0.6)["17"] < 0.75


def test_one_is_kept_for_the_same_words(index):
    assert found(index, "loera guzman, archivaldo JOAQUÍN") == {"1": 1.0}
    assert 0.9 < found(index, "Joaquin Archivaldo Guzman Loerra")["1"] < 1
    # One character's sound, another character.
    assert found(index, "席近萍") == {"6": 0.93}


def test_every_word_of_a_match_is_accounted_for(index):
    (match,) = index.screen("J. Archibaldo Gusman Loear Perez").matches
    assert match.matched_name == "GUZMAN LOERA, Joaquin Archivaldo"
    assert match.matched_kind == "primary"
    assert {(pair.query, pair.listed, pair.reason) for pair in match.tokens} == {
        ("j", "joaquin", "initial"),
        ("archibaldo", "archivaldo", "phonetic"),
        ("gusman", "guzman", "phonetic"),
        ("loear", "loera", "typo"),
    }
    assert match.unmatched_query == ("perez",)
    assert match.unmatched_listed == ()


def test_words_written_together_and_apart_are_explained(index):
    (match,) = index.screen("mariajose cruz rey na").matches
    assert [(pair.query, pair.listed, pair.reason) for pair in match.tokens] == [
        ("mariajose", "maria", "split"),
        ("mariajose", "jose", "split"),
        ("cruz", "cruz", "exact"),
        ("rey", "reyna", "joined"),
        ("na", "reyna", "joined"),
    ]


def test_a_repeated_surname_and_an_initial_find_their_entry():
    index = build_index([person(1, "VALENZUELA VALENZUELA, Juan Francisco")])
    assert found(index, "F. Valenzuela Valenzuela").keys() == {"1"}


def test_a_date_of_birth_confirms_or_contradicts(index):
    name = "Joaquin Guzman Loera"
    without = found(index, name)["1"]
    assert found(index, name, date_of_birth="1957-04-04")["1"] == pytest.approx(without + 0.05)
    assert without < found(index, name, date_of_birth="1957")["1"] < without + 0.05
    against = index.screen(name, date_of_birth="1990-01-01").matches[0]
    assert against.score == pytest.approx(without * 0.85, abs=1e-4)
    assert [(each.kind, each.effect) for each in against.evidence] == [
        ("dateOfBirth", "contradicts")
    ]
    # The list knows a year alone.
    assert found(index, "Muhammad Hasan Khashafi", date_of_birth="1970-06-01") == {"3": 1.0}


@pytest.mark.parametrize(
    "known", [{"rfc": "gulj-570404-ab1"}, {"curp": "GULJ570404HSLZRQ05"}, {"rfc": "GULJ570404AB1"}]
)
def test_an_identifier_finds_its_bearer_under_any_name(index, known):
    (match,) = index.screen("Otro Cualquiera", **known).matches
    assert (match.entry_id, match.score) == ("1", 1.0)
    assert match.matched_name == "GUZMAN LOERA, Joaquin Archivaldo"
    assert [each.effect for each in match.evidence] == ["confirms"]


def evidence_of(index, name, **known):
    (match,) = index.screen(name, **known).matches
    return match.score, [(each.kind, each.effect) for each in match.evidence]


@pytest.mark.parametrize("threshold", [0.75, 0.8, 0.95])
def test_a_contradiction_never_hides_a_match(index, threshold):
    name = "Joaquin Guzmn Loera"
    alone = found(index, name)["1"]
    for known in ({"date_of_birth": "1990-01-01"}, {"curp": "GULJ900101HSLZRQ05"}):
        shown = found(index, name, threshold=threshold, **known)
        if alone < threshold:
            assert shown == {}
        else:
            assert shown == {"1": pytest.approx(max(threshold, alone * 0.85), abs=1e-4)}


def test_an_identifier_without_its_homoclave_matches_whatever_the_name():
    index = build_index(
        [
            person(1, "PEREZ LOPEZ, Juan", identifiers=(("rfc", "PELJ-700102"),)),
            person(2, "GOMEZ RUIZ, Ana", identifiers=(("rfc", "GORA-710203-AB1"),)),
            person(3, "DIAZ SOTO, Eva", identifiers=(("curp", "DISE720304MDFZTV08"),)),
        ]
    )
    name = "Otro Cualquiera"
    assert evidence_of(index, name, rfc="PELJ700102XY7") == (0.95, [("rfc", "confirms")])
    assert evidence_of(index, name, rfc="GORA710203") == (0.95, [("rfc", "confirms")])
    assert evidence_of(index, name, rfc="GORA710203AB1") == (1.0, [("rfc", "confirms")])
    assert evidence_of(index, name, curp="DISE720304MDFZTV") == (0.95, [("curp", "confirms")])
    # Another homoclave is another person.
    assert found(index, name, rfc="GORA710203XY7") == {}


def test_identifiers_contain_a_date_of_birth_that_is_evidence(index):
    name = "Muhammad Hasan Khashafi"  # born in 1970
    same, contradicted = [("dateOfBirth", "confirms")], [("dateOfBirth", "contradicts")]
    assert evidence_of(index, name, curp="KAMM700506HNEXXX01") == (1.0, same)
    assert evidence_of(index, name, curp="KAMM850506HNEXXX01") == (0.85, contradicted)
    # An RFC has no century.
    assert evidence_of(index, name, rfc="KAMM700506AB1")[1] == same
    assert evidence_of(index, name, rfc="KAMM710506AB1")[1] == contradicted
    # The entry has another CURP, of the same day and sex.
    _, other = evidence_of(index, "Joaquin Archivaldo Guzman Loera", curp="GULJ570404HSLZRR09")
    assert ("curp", "contradicts") in other
    assert ("dateOfBirth", "confirms") in other


def test_an_entry_without_a_date_of_birth_has_that_of_its_curp():
    listed = person(1, "PEREZ LOPEZ, Juan", identifiers=(("curp", "PELJ700102HDFRPN03"),))
    index = build_index([listed])
    name = "Juan Perez Lopez"
    assert evidence_of(index, name, date_of_birth="1970-01-02")[1] == [("dateOfBirth", "confirms")]
    assert evidence_of(index, name, date_of_birth="1980-03-02") == (
        0.85,
        [("dateOfBirth", "contradicts")],
    )


def test_lists_types_and_countries_narrow_the_answer(index):
    assert found(index, "Joaquin Guzman Loera", lists=frozenset({"un", "sat"})) == {}
    assert found(index, "Joaquin Guzman Loera", lists=frozenset({"sdn"}))
    assert found(index, "Joaquin Guzman Loera", entity_type="company") == {}
    assert found(index, "Joaquin Guzman Loera", country="US") == {}
    assert found(index, "Joaquin Guzman Loera", country="mx")
    # What a list does not say excludes nobody.
    assert found(index, "Antonio Rodriguez", country="MX")
    assert found(index, "Ibrahim Muhammad Salih", entity_type="person")
    assert found(index, "Otro", rfc="GULJ570404AB1", lists=frozenset({"un"})) == {}


def test_the_total_counts_what_the_limit_leaves_out():
    index = build_index(person(number, "PEREZ LOPEZ, Juan") for number in range(60))
    answer = index.screen("Juan Perez Lopez", limit=7)
    assert (answer.total, len(answer.matches)) == (60, 7)


def test_an_empty_index_answers():
    assert build_index(()).screen("Juan Perez Lopez").total == 0


def test_entries_without_a_readable_name_are_found_by_identifier_alone():
    index = build_index(
        [Entry("1", "own", "person", (ListedName("..."),), identifiers=(("rfc", "X1"),))]
    )
    assert index.screen("Juan Perez").total == 0
    assert index.screen("Juan Perez", rfc="X-1").matches[0].matched_name == ""


def test_progress_is_told():
    told = []
    build_index((person(n, f"PEREZ, Juan {n}") for n in range(2500)), progress=told.append)
    assert told == [1000, 2000]


def test_an_empty_name_can_be_known_beforehand():
    assert normalised(" .,- ") == ""
