"""Values of voter cards and passports whose captions were lost to a reflection."""

from acredita.domain.identifiers import mrz
from acredita.engines.documents import ine_front, passport
from acredita.engines.documents.kind import PageText
from acredita.engines.documents.layout import Layout
from tests.unit.engines.documents.test_layout import line

ZONE = (
    "P<MEXRUIZ<Y<GALINDO<FIGUEROA<<ALVARO<<<<<<<<",
    "B196042548MEX9412310M2804039<<<<<<<<<<<<<<08",
)


def taken(spots, field):
    values = (spot.take(spot.line) for spot in spots if spot.field == field)
    return [value.text for value in values if value]


def test_the_section_stands_on_the_row_of_the_municipality_or_of_the_birth_date():
    def section(*lines):
        return taken(ine_front.spots(PageText(Layout(lines))), "section")

    municipality = line("MUNICIPIO 113", left=520, top=480)
    elsewhere = line("0259", left=400, top=520)
    assert section(municipality, line("4556", left=900, top=480), elsewhere) == ["4556"]
    assert section(municipality, line("CIÓN 4556", left=780, top=480)) == ["4556"]
    assert section(municipality, line("VIGENCIA 2029", left=780, top=480), elsewhere) == []
    assert section(municipality, *(line("4556", left=left, top=480) for left in (700, 900))) == []
    birth = line("FECHA DE NACIMIENTO", top=480), line("03/05/1990", top=506)
    row = line("5368", left=600, top=506), line("2024-2034", left=800, top=506)
    assert section(*birth, *row) == ["5368"]


def test_what_is_left_of_a_caption_is_no_line_of_the_address():
    texts = "NOMBRE", "PEÑA", "RUIZ", "ANA", "DOMIC", "AV SUR 12", "COL CENTRO 42899", "AHOME, SIN."
    lines = [line(text, top=30 * at) for at, text in enumerate(texts)]
    lines.append(line("CLAVE DE ELECTOR PTCRIX80062603H100", top=30 * len(texts)))
    spots = ine_front.spots(PageText(Layout(lines)))
    assert [value for at in (1, 2, 3) for value in taken(spots, f"address{at}")] == list(texts[5:])
    assert taken(spots, "givenNames") == ["ANA"]


NAMES, ADDRESS = ("PEÑA", "RUIZ", "ANA"), ("AV SUR 12", "COL CENTRO 42899", "AHOME, SIN.")


def read_without_captions(names=NAMES, address=ADDRESS):
    """The name and the address of a front whose captions NOMBRE and DOMICILIO are lost."""
    lines = [line("CREDENCIAL PARA VOTAR")]
    for block in (names, address, ("CLAVE DE ELECTOR PTCRIX80062603H100",)):
        top = lines[-1].bottom + 30  # the row of the caption
        lines += [line(text, top=top + 22 * at) for at, text in enumerate(block)]
    spots = ine_front.spots(PageText(Layout(lines)))
    fields = "paternalSurname", "maternalSurname", "givenNames", "address1", "address2", "address3"
    return [value for field in fields for value in taken(spots, field)]


def test_name_and_address_stand_above_the_clave_where_both_captions_are_lost():
    assert read_without_captions() == [*NAMES, *ADDRESS]


def test_without_captions_nothing_is_guessed_from_other_lines():
    assert read_without_captions(names=("PEÑA", "ANA")) == []  # a line may be lost, too
    assert read_without_captions(names=("PEÑA", "RUIZ", "ANA 12/03/1980")) == []
    assert read_without_captions(address=("AV SUR 12", "COL CENTRO 42899", "AHOME")) == []
    assert read_without_captions(address=ADDRESS[1:]) == []


def test_a_street_without_a_number_ends_in_its_abbreviation():
    def street(first):
        lines = [
            line(text, top=30 * at) for at, text in enumerate(("DOMICILIO", first, *ADDRESS[1:]))
        ]
        lines.append(line("CLAVE DE ELECTOR PTCRIX80062603H100", top=120))
        spots = ine_front.spots(PageText(Layout(lines)))
        return [spot.write(spot.line.text) for spot in spots if spot.field.startswith("address")]

    assert street("CTO PIÑONEROS SIN") == ["CTO PIÑONEROS S/N", *ADDRESS[1:]]
    assert street("C SIN NOMBRE 4")[0] == "C SIN NOMBRE 4"
    assert street("C BENJAMÍN")[0] == "C BENJAMÍN"


def test_the_year_of_registration_is_the_one_that_two_digits_end():
    def registered(*lines):
        spots = ine_front.spots(PageText(Layout(lines)))
        return taken(spots, "registrationYear"), taken(spots, "emission")

    others = line("2024-2034", top=60), line("COL CENTRO 42899", top=90), line("2019 2029", top=120)
    assert registered(line("OF REGISTRO 2012 02"), *others) == (["201202"], ["201202"])
    assert registered(line("200703"), *others) == (["200703"], ["200703"])
    assert registered(*others) == ([], [])
    assert registered(line("200703"), line("2012 02", top=30)) == ([], [])


def test_the_letter_of_the_sex_is_looked_for_beside_its_caption_and_alone_below_it():
    caption = line("SEXO", left=400, top=60)
    beside, below = ine_front.spots(PageText(Layout([caption])))
    assert (beside.field, below.field) == ("sex", "sex")
    assert beside.line.left > caption.right
    assert below.line.top >= caption.bottom
    assert below.line.left < caption.left
    assert [below.take(line(text)) is not None for text in ("X", "M", "XO", "DOMICILIO", "")] == [
        *(True, True, False, False, False)
    ]


def test_the_end_of_a_clave_is_read_by_itself_too():
    page = PageText(Layout([line("CLAVE DE ELECTOR SLDMRQ40092906M5OO")]))
    spots = [spot for spot in ine_front.spots(page) if spot.field.startswith("clave")]
    assert [(spot.field, spot.take(spot.line).text) for spot in spots] == [
        ("claveEnd", "500"),
        ("clave", "SLDMRQ40092906M500"),
    ]
    assert spots[0].take(line("SLD")) is None


def test_a_passport_was_issued_on_the_day_of_the_year_on_which_it_ends():
    zone = mrz.parse(ZONE).value
    dates = [line(text, top=40 * at) for at, text in enumerate(("31 12 1994", "03 04 2028"))]

    def issued(*texts):
        lines = [*dates, *(line(text, top=200 + 40 * at) for at, text in enumerate(texts))]
        return taken(passport.spots(PageText(Layout(lines), zone)), "dateOfIssue")

    assert issued("03 04 2022") == ["03042022"]
    assert issued("04 03 2022") == []
    assert issued() == []


def test_an_x_may_be_read_as_a_small_one():
    page = PageText(Layout([line("Sexo / Sex"), line("x", top=30), line("Lugar", top=60)]))
    (sex,) = (spot for spot in passport.spots(page) if spot.field == "sex")
    assert sex.write(sex.take(sex.line).text) == "X"


def test_a_place_of_birth_has_its_state_though_blanks_of_it_were_lost():
    def born(text):
        spots = passport.spots(PageText(Layout([line(text)])))
        return {spot.field: spot.write(spot.take(spot.line).text) for spot in spots}

    expected = {"placeOfBirth": "LOS CABOS, BAJA CALIFORNIA SUR", "townOfBirth": "LOS CABOS"}
    assert born("LOS CABOS, BAJA CALIFORNIASUR") == expected
    assert born("LOS CABOS,BAJACALIFORNIASUR") == expected
    assert born("MÉRIDA, YUCATÁN")["placeOfBirth"] == "MÉRIDA, YUCATÁN"
    assert born("LEÓN, ESPAÑA") == {}


def test_a_piece_of_the_zone_is_no_name():
    page = PageText(Layout([line("GALINDO<FIGUEROA<<ALVARO")]), mrz.parse(ZONE).value)
    assert taken(passport.spots(page), "givenNames") == []
    assert taken(passport.spots(page), "surnames") == []
    pieces = PageText(Layout([line("<<ALVARO"), line("ALVARO", top=60)]), mrz.parse(ZONE).value)
    assert taken(passport.spots(pieces), "givenNames") == ["ALVARO"]
