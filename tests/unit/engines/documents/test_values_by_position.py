"""A line is captions and values by position: a value ends where the next caption begins."""

from dataclasses import replace

import pytest

from acredita.engines.documents import ine_front
from acredita.engines.documents.kind import PageText
from acredita.engines.documents.layout import Layout
from tests.unit.engines.documents.test_layout import line
from tests.unit.engines.documents.test_lost_captions import taken

OF_INE = line("INSTITUTO NACIONAL ELECTORAL", top=0)
OF_IFE = line("INSTITUTO FEDERAL ELECTORAL", top=0)


def values(*lines):
    page = PageText(Layout(lines))
    spots = ine_front.spots(page)
    found = {spot.field: (spot, taken([spot], spot.field)) for spot in spots}
    read = {field: spot.write(texts[0]) for field, (spot, texts) in found.items() if texts}
    return read, ine_front.model(page)


@pytest.mark.parametrize(
    "lines",
    [
        [line("EMISIÓN 2014 VIGENCIA 2024", top=400)],
        [line("EMISIÓN", top=400), line("2014 VIGENCIA 2024", left=120, top=400)],
        [line("EMISIÓN 2014", top=400), line("VIGENCIA 2024", left=300, top=400)],
        [line("LOCALIDAD 0001 EMISIÓN 2014VIGENCIA 2024", top=400)],
        [line("VIGENCIA", top=400), line("2014 - 2024", top=424)],
        [line("SECCIÓN VIGENCIA", top=400), line("0747 2014 - 2024", top=424)],
        [line("EVISION 2014 vANS 2024", top=400)],
    ],
)
def test_each_year_belongs_to_the_caption_before_it(lines):
    read, _ = values(OF_INE, *lines)
    assert (read.get("emissionYear"), read.get("expiryYear")) == ("2014", "2024")


def test_the_number_of_an_emission_is_not_taken_from_another_captions_value():
    row = line("CLAVE DE ELECTOR GMVLMR80070501M100", top=30)
    read, _ = values(OF_INE, line("AÑO DE REGISTRO", top=0), row)
    assert "emission" not in read
    read, _ = values(OF_INE, line("ANODEREGSTRO 2001 01", top=0), row)
    assert (read["registrationYear"], read["emission"]) == ("2001", "01")


def test_a_clave_that_lacks_a_character_takes_none_from_its_caption():
    read, _ = values(OF_INE, line("CLAVE DE ELECTOR GMVLMR8007501M100"))
    assert read["clave"] == "GMVLMR8007501M100"


def test_a_neighbourhood_named_after_a_caption_is_none():
    texts = ("NOMBRE", "RUIZ", "VEGA", "ANA", "DOMICILIO", "C SOL 5", "COL TERCERA SECCION 04800")
    lines = [line(text, top=30 * at) for at, text in enumerate(texts)]
    lines.append(line("CLAVE DE ELECTOR RZVGAN80070501M100", top=210))
    read, _ = values(OF_INE, *lines, line("MUNICIPIO 004 SECCIÓN 0747", top=240))
    assert read["section"] == "0747"
    assert read["address2"] == "COL TERCERA SECCION 04800"


def test_a_card_of_the_former_institute_that_prints_an_age_is_model_c_and_has_no_birth_date():
    rows = "EDAD 33", "SEXO M", "FOLIO 08070519", "EXPEDIDA 2010 VALIDAHASTA 2020", "u"
    lines = [line(text, top=40 + 30 * at) for at, text in enumerate(rows)]
    municipality = line("ESTADO 09 MUNICIPIO 012 LOCALIDAD 0001", top=300)
    read, model = values(OF_IFE, *lines, municipality)
    assert model == "C"
    assert (read["emissionYear"], read["expiryYear"], read["sex"]) == ("2010", "2020", "M")
    assert "dateOfBirth" not in read


def test_a_card_is_model_c_also_if_the_caption_of_its_expiry_is_lost():
    rows = "EDAD 18", "FOLIO 08745987", "EXPEDIDA 2010 YALIDAHASTA 2020"
    lines = [line(text, top=40 + 30 * at) for at, text in enumerate(rows)]
    assert values(OF_IFE, *lines)[1] == "C"
    assert values(OF_IFE, *lines[:2])[1] is None


@pytest.mark.parametrize(
    "row", ["MUNCPIO 004 SECCÓN-0747", "ESTADO 09 MUNICIPIO 004 SECCIONN 0747"]
)
def test_a_misread_caption_is_found_behind_another_ones_value(row):
    assert values(OF_INE, line(row, top=400))[0]["section"] == "0747"
    assert "section" not in values(OF_INE, line(row.replace("SECC", "DI"), top=400))[0]


def test_the_section_stands_behind_the_municipality_whatever_is_left_of_its_caption():
    assert values(OF_INE, line("MUNCPIO 004 SECOÓN 0747", top=400))[0]["section"] == "0747"
    assert "section" not in values(OF_INE, line("MUNICIPIO 004 LOCALIDAD 0001", top=400))[0]


def test_abbreviations_of_an_address_end_in_a_stop():
    texts = ("DOMICILIO", "C SOL 5 INT, 4", "COL, CENTRO 42899", "CUAJIMALPA DE MORELOS, D.F")
    lines = [line(text, top=30 * at) for at, text in enumerate(texts)]
    read, _ = values(OF_INE, *lines, line("CLAVE DE ELECTOR RZVGAN80070501M100", top=120))
    assert [read[f"address{at}"] for at in (1, 2, 3)] == [
        "C SOL 5 INT. 4",
        "COL. CENTRO 42899",
        "CUAJIMALPA DE MORELOS, D.F.",
    ]


def test_a_comma_that_lost_its_tail_stands_before_the_states_abbreviation():
    texts = ("DOMICILIO", "AV. SUR 12", "COL. CENTRO 42899", "CUAJIMALPA DE MORELOS. D.F.")
    lines = [line(text, top=30 * at) for at, text in enumerate(texts)]
    read, _ = values(OF_INE, *lines, line("CLAVE DE ELECTOR RZVGAN80070501M100", top=120))
    assert read["address1"] == "AV. SUR 12"
    assert read["address3"] == "CUAJIMALPA DE MORELOS, D.F."


@pytest.mark.parametrize(
    ("row", "surname"),
    [
        ("X00L", "XOOL"),
        ("IBARRA", "IBARRA"),
        ("RUIZ 05/01/1980", "RUIZ"),
        ("RUIZ05/01/1980", "RUIZ"),
    ],
)
def test_a_digit_inside_of_a_name_is_a_misread_letter_and_a_date_ends_the_name(row, surname):
    texts = ("NOMBRE", row, "VEGA", "ANA", "DOMICILIO", "C SOL 5", "COL CENTRO 04800")
    lines = [line(text, top=30 * at) for at, text in enumerate(texts)]
    read, _ = values(OF_INE, *lines)
    assert read["paternalSurname"] == surname
    assert read["maternalSurname"] == "VEGA"


@pytest.mark.parametrize(
    ("last", "is_certain"),
    [("JUÁREZ, CHIH.", True), ("LAGOS, S.L.P.", True), ("LA LUZ, X.", False)],
)
def test_the_stops_and_blanks_of_a_states_abbreviation_are_in_no_doubt(last, is_certain):
    def address3(row):
        texts = ("DOMICILIO", "AV. SUR 12", "COL. CENTRO 42899")
        lines = [line(text, top=30 * at) for at, text in enumerate(texts)]
        clave = line("CLAVE DE ELECTOR RZVGAN80070501M100", top=120)
        spots = ine_front.spots(PageText(Layout([OF_INE, *lines, row, clave])))
        spot = next(spot for spot in spots if spot.field == "address3")
        return spot.take(spot.line)

    def doubting(characters):
        row = line(last, top=90)
        doubtful = (
            replace(g, probability=0.6) if g.character in characters else g for g in row.glyphs
        )
        return address3(replace(row, glyphs=tuple(doubtful)))

    assert (doubting(", .").weakest > 0.95) is is_certain
    assert doubting("L").weakest <= 0.6 or "L" not in last


def test_a_zero_between_letters_of_an_address_is_an_o_and_a_comma_does_not_end_a_state():
    texts = ("NOMBRE", "RUIZ", "VEGA", "ANA", "DOMICILIO")
    address = ("C 5 DE MAYO 10B INT A2", "EJIDO L0S PINOS 62764", "TEPIC, NAY,")
    lines = [line(text, top=30 * at) for at, text in enumerate((*texts, *address))]
    lines.append(line("CLAVE DE ELECTOR RZVGAN80070501M100", top=240))
    read, _ = values(OF_INE, *lines)
    assert [read[f"address{at}"] for at in (1, 2, 3)] == [
        "C 5 DE MAYO 10B INT A2",
        "EJIDO LOS PINOS 62764",
        "TEPIC, NAY.",
    ]
