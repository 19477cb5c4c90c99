"""Driver's licences and the models of voter cards, from pictures to readings."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from acredita.domain.documents import DocumentOutcome, PageKind, judge
from acredita.domain.documents.licence_templates import LicenceTemplate
from acredita.domain.reasons import DocumentReason
from acredita.engines.documents import ine_front, read_pages, warm_up
from acredita.engines.documents.captions import day_first
from acredita.engines.documents.kind import Clue, PageText
from acredita.engines.documents.layout import Layout
from acredita.engines.documents.licences.labels import Labels
from acredita.engines.documents.licences.reading import licence_reader
from acredita.engines.documents.licences.templates import (
    dump_template,
    generic_fields,
    known_templates,
    parse_template,
)
from acredita.engines.documents.licences.values import blood_group, dated
from acredita.engines.text import Glyph, Line
from acredita_synthetic import driver_licence_designs, driver_licences
from acredita_synthetic.people import REFERENCE_DATE, CardModel, make_person
from acredita_synthetic.specimens import Difficulty, SpecimenKind, make_specimen
from tests.factories.pages import block
from tests.unit.engines.documents.test_layout import line

SONORA = """{
  "id": "mx-sr-2024", "state": "SR", "issuers": ["GOBIERNO DEL ESTADO DE SONORA"],
  "fields": {
    "fullName": {"captions": ["NOMBRE"]},
    "documentNumber": {"captions": ["No. DE LICENCIA"], "shapes": ["A99999999"]},
    "licenceClass": {"captions": ["TIPO DE LICENCIA"], "values": ["A", "B", "E1"]},
    "curp": {"captions": ["CURP"]},
    "issueDate": {"captions": ["FECHA DE EXPEDICIÓN"]},
    "expiryDate": {"captions": ["VÁLIDA HASTA"]}
  },
  "permanent": ["PERMANENTE"]
}"""

BLANK = np.full((400, 300, 3), 190, np.uint8)  # faces take longer to draw than cards to read


def values(page):
    return {sighting.field: sighting.value for sighting in page.sightings}


def test_templates_are_plain_data_and_anything_else_in_them_is_refused():
    for template in known_templates():
        assert parse_template(dump_template(template)) == template
        # A caption that the template alone knows would leave the card unrecognized.
        assert template.fields.keys() <= generic_fields().keys()
    assert parse_template(SONORA).state == "SR"
    for wrong in ("[]", "{}", SONORA.replace('"id"', '"name"'), SONORA.replace('"SR"', '"ZZ"')):
        with pytest.raises(ValueError, match="validation error"):
            parse_template(wrong)


def test_the_templates_on_the_pages_are_read():
    shown = block("docs/integrators/documents.md", "a template")
    assert parse_template(shown).id == "mx-sr-2024"
    body = json.loads(block("docs/engineers/ground-truth.md", "a template"))
    assert parse_template(json.dumps(body["template"])).id == "JC-2026"


def test_captions_that_resemble_or_contain_each_other_are_told_apart():
    page = Layout(
        [
            line("FECHA DE VENCIMIENTO", top=0),
            line("05/06/2028", top=26),
            line("FECHA DE NACIMIENT0", top=80),
            line("07/03/1988", top=106),
            line("TIPO DE LICENCIA", left=600, top=0),
            line("GRUPO SANGUINEO", left=600, top=80),
        ]
    )
    labels = Labels(page, generic_fields())
    assert labels.by_field["expiryDate"].caption.whole.text == "FECHA DE VENCIMIENTO"
    assert labels.by_field["dateOfBirth"].caption.whole.text == "FECHA DE NACIMIENT0"
    assert labels.by_field["licenceClass"].caption.whole.text == "TIPO DE LICENCIA"
    assert "issueDate" not in labels.by_field


def sonora(top_line="GOBIERNO DEL ESTADO DE SONORA"):
    return Layout(
        [
            line(top_line, top=0),
            line("LICENCIA DE CONDUCIR", top=40),
            line("CALLE GOBIERNO DEL ESTADO 12, PUEBLA", top=500),
            line("NOMBRE", top=100),
            line("PEÑA RUIZ ANA", top=126),
            line("VÁLIDA HASTA", top=200),
            line("03/05/2029", top=226),
        ]
    )


def test_a_state_is_known_by_its_whole_phrase_nearly_to_the_letter():
    reader = licence_reader([parse_template(SONORA)])
    assert reader.model(PageText(sonora())) == "mx-sr-2024"
    assert reader.model(PageText(sonora("G0BIERNO DEL ESTADO DE SON0RA"))) == "mx-sr-2024"
    for other in ("GOBIERNO DEL ESTADO DE SINALOA", "GOBIERNO DEL ESTADO DE TABASCO", "SONORA"):
        assert reader.model(PageText(sonora(other))) is None
    assert licence_reader().model(PageText(sonora())) is None
    assert reader.clue(sonora()) is Clue.TITLES
    assert reader.clue(Layout([line("NOMBRE"), line("DOMICILIO", top=60)])) is Clue.NONE


def test_other_papers_of_a_state_are_no_licences():
    captions = ("PRIMER APELLIDO", "SEGUNDO APELLIDO", "NOMBRE(S)", "CURP", "DOMICILIO", "FOLIO")
    issuer = "GOBIERNO DEL ESTADO DE PUEBLA"

    def clue(*texts):
        lines = [line(text, top=60.0 * number) for number, text in enumerate(texts)]
        return licence_reader().clue(Layout(lines))

    assert clue(issuer, "LICENCIA PARA CONDUCIR", *captions) is Clue.TITLES
    assert clue(issuer, "No. DE LICENCIA", *captions) is Clue.TITLES
    assert clue(issuer, "ACTA DE NACIMIENTO", *captions) is Clue.NONE
    assert clue(issuer, "LICENCIA DE CONSTRUCCIÓN", *captions) is Clue.NONE
    assert clue("GOBIERNO DEL ESTADO DE SONORA", "No. DE LICENCIA", *captions) is Clue.NONE


def test_a_value_without_a_caption_is_found_in_its_box():
    template = parse_template(SONORA.replace('{"captions": ["VÁLIDA HASTA"]}',
                                             '{"box": [0.0, 0.4, 0.5, 0.6]}'))  # fmt: skip
    page = PageText(sonora(), size=(1000.0, 500.0))
    spots = {spot.field: spot for spot in licence_reader([template]).spots(page)}
    assert spots["expiryDate"].take(spots["expiryDate"].line).text == "03052029"
    assert spots["fullName"].line.text == "PEÑA RUIZ ANA"


NUEVO_LEON = {
    "APELLIDOS": "MC KELLIGAN FLORES",
    "NOMBRES": "SANDRA LUZ",
    "CURP": "KEFS920327MCLLLN05",
    "FECHA DE NACIMIENTO": "27/MAR/1992",
    "DOMICILIO": "CJON JESÚS GARCÍA 220 INT 4B",
    "LICENCIA No.": "39776475",
    "TIPO DE LICENCIA": "CHOFER",
    "EXPEDICIÓN": "29/JUN/2025",
    "VENCIMIENTO": "29/JUN/2029",
}
ADDRESS = ("EJIDO PEÑASCO 26032", "PIEDRAS NEGRAS, COAH.")


def of_nuevo_leon(*lost, also=(), **changed):
    """Its fields by their names on the wire, where those captions were not read."""
    lines = [
        *also,
        line("GOBIERNO DEL ESTADO DE NUEVO LEÓN", left=180, top=30, height=34),
        line("LICENCIA DE CONDUCIR", left=180, top=110, height=34),
        line("MUESTRA", left=36, top=610, height=58),
    ]
    for number, (caption, value) in enumerate(NUEVO_LEON.items()):
        left, top = (370, 180 + 78 * number) if number < 5 else (845, 180 + 78 * (number - 5))
        if caption not in lost:
            lines.append(line(caption, left=left, top=top, height=25))
        lines.append(line(changed.get(caption, value), left=left, top=top + 29, height=30))
    lines += [line(t, left=370, top=553 + 31 * n, height=29) for n, t in enumerate(ADDRESS)]
    spots = licence_reader().spots(PageText(Layout(lines), size=(1050.0, 740.0)))
    return {spot.field: spot.write(spot.take(spot.line).text) for spot in spots}


@pytest.mark.parametrize(
    "lost",
    [
        ("NOMBRES", "DOMICILIO", "LICENCIA No."),
        ("APELLIDOS", "TIPO DE LICENCIA", "EXPEDICIÓN"),
        ("FECHA DE NACIMIENTO", "EXPEDICIÓN", "VENCIMIENTO"),
        ("DOMICILIO", "FECHA DE NACIMIENTO", "VENCIMIENTO"),
        ("NOMBRES", "APELLIDOS", "CURP"),
    ],
)
def test_a_field_whose_caption_was_lost_is_what_is_left_over(lost):
    everything = of_nuevo_leon()
    assert set(everything) >= {"givenNames", "dateOfBirth", "address3", "documentNumber", "state"}
    assert of_nuevo_leon(*lost) == everything


def test_what_is_left_over_is_nothing_where_it_may_be_two_things():
    def missed(*lost, **changed):
        return set(of_nuevo_leon()) - set(of_nuevo_leon(*lost, **changed))

    one = {"NOMBRES": "SANDRA 7"}
    assert missed("NOMBRES", "APELLIDOS", **one) == {"givenNames", "surnames"}
    # Of two dates one is the birth that the CURP says; the other's caption is not told.
    two = {"VENCIMIENTO": "ILEGIBLE", "FECHA DE NACIMIENTO": "27/MAR/1992"}
    assert missed("FECHA DE NACIMIENTO", "EXPEDICIÓN", "VENCIMIENTO", **two) == {
        "issueDate",
        "expiryDate",
    }
    backwards = {"EXPEDICIÓN": "29/JUN/2035"}
    assert missed("VENCIMIENTO", **backwards) == {"expiryDate"}
    assert missed("LICENCIA No.", **{"LICENCIA No.": "3977647O"}) == {"documentNumber"}


def test_a_blood_group_keeps_what_a_reflection_leaves_of_its_minus():
    assert [blood_group(text) for text in ("O.", "0-", "AB RH NEG", "A+")] == [
        "O-",
        "O-",
        "AB-",
        "A+",
    ]
    assert [blood_group(text) for text in ("A", "A. B", "O.K", "C.")] == [""] * 4


def test_a_tax_id_needs_no_caption():
    issuer, *others = "GOBIERNO DEL ESTADO DE YUCATÁN", "NOMBRES", "ANA", "CHIS930302GQ8"
    lines = [line(text, top=40 * at) for at, text in enumerate((issuer, *others))]
    spots = licence_reader().spots(PageText(Layout(lines)))
    assert [spot.take(spot.line).text for spot in spots if spot.field == "rfc"] == [others[-1]]


def test_on_an_unknown_layout_the_expiry_is_the_only_date_whole_years_after_the_issue():
    def expiry(*dates):
        texts = "LICENCIA PARA CONDUCIR", "RFC", "EXPEDICIÓN 17/02/2012", *dates
        lines = [line(text, top=40 * at) for at, text in enumerate(texts)]
        spots = licence_reader().spots(PageText(Layout(lines)))
        return [s.write(s.take(s.line).text) for s in spots if s.field == "expiryDate"]

    assert expiry("17/02/2012", "17/02/2015", "12/09/1985") == ["2015-02-17"]
    assert expiry("16/02/2015") == ["2015-02-16"]
    assert expiry("17/02/2015", "17/02/2017") == expiry("05/06/2015") == []
    assert expiry("17/02/2012") == expiry() == []


def test_what_is_left_of_a_caption_is_no_name():
    stump = line("MBRES", left=370, top=260, height=25)
    assert of_nuevo_leon("NOMBRES", also=[stump]) == of_nuevo_leon()


def test_a_stroke_that_was_read_as_a_number_is_a_stroke_where_it_must_be():
    def read(text):
        page = Layout([*sonora().lines[:-1], line(text, top=226)])
        reader = licence_reader([parse_template(SONORA)])
        spots = reader.spots(PageText(page))
        spot = next(spot for spot in spots if spot.field == "expiryDate")
        return spot.write(spot.take(spot.line).text)

    assert [read(text) for text in ("03/05/2029", "03105/2029", "03/0512029")] == ["2029-05-03"] * 3
    # 11/07 is a date, too, but it needs a seven to be a one.
    seven = replace(line("17107/2029"), glyphs=tuple(
        replace(glyph, runner_up="1") for glyph in line("17107/2029").glyphs))  # fmt: skip
    assert dated("d9m9c999", day_first)(seven).text == "17072029"


@pytest.fixture(scope="module")
def models():
    warm_up(2)


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize(
    ("seed", "difficulty"),
    [(64, Difficulty.PHOTO), pytest.param(71, Difficulty.MILD, marks=pytest.mark.thorough)],
)
def test_a_licence_of_a_known_state_is_read_whole(seed, difficulty):
    specimen = make_specimen(
        SpecimenKind.DRIVER_LICENCE, seed, difficulty, quarter_turns=seed % 2, portrait=BLANK
    )
    (page,) = read_pages(specimen.image_bytes, specimen.mime_type)
    assert page.kind is PageKind.DRIVER_LICENCE
    assert page.model == f"mx-{specimen.truth['values']['state'].lower()}"
    assert values(page) == specimen.truth["values"]


# tests/pipeline/test_licences.py reads a licence by an organization's own template.
@pytest.mark.thorough
@pytest.mark.usefixtures("models")
def test_a_further_template_makes_a_strangers_licence_known(monkeypatch):
    design = next(design for design in driver_licence_designs.DESIGNS if design.state == "DF")
    heading = ("GOBIERNO DEL ESTADO DE SONORA", *design.heading[1:])
    monkeypatch.setitem(driver_licences._BY_STATE, "DF", replace(design, heading=heading))
    person = make_person(72)
    drawn = driver_licences.draw_licence(person, BLANK, "DF")
    data = cv2.imencode(".png", drawn.pixels)[1].tobytes()
    (page,) = read_pages(data, "image/png")
    verdict = judge([page], REFERENCE_DATE)
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.REVIEW,
        DocumentReason.DOCUMENT_LAYOUT_UNKNOWN,
    )
    assert values(page)["curp"] == str(person.curp)
    template: LicenceTemplate = parse_template(SONORA)
    (page,) = read_pages(data, "image/png", [template])
    assert values(page) == driver_licences.values_on_licence(person, "DF") | {"state": "SR"}
    assert judge([page], REFERENCE_DATE).result["state"] == "SR"


@pytest.mark.usefixtures("models")
def test_a_card_of_ife_is_told_by_both_of_its_sides():
    """Model D; C is in the pipeline's tests."""
    pages = []
    for kind in (SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK):
        specimen = make_specimen(kind, 82, Difficulty.MILD, portrait=BLANK, model=CardModel.D)
        (page,) = read_pages(specimen.image_bytes, specimen.mime_type)
        assert page.kind.value.lower() == kind
        expected = {k: v for k, v in specimen.truth["values"].items() if not k.startswith("mrz")}
        if clave := expected.get("clave"):
            expected["claveEnd"] = clave[-3:]
        assert values(page) == expected
        pages.append(page)
    verdict = judge(pages, REFERENCE_DATE)
    assert verdict.result["model"] == "D"
    assert (verdict.outcome, verdict.code) == (
        DocumentOutcome.FAILED,
        DocumentReason.DOCUMENT_EXPIRED,
    )


def test_models_that_ine_issues_are_told_by_the_captions_of_the_front():
    def model(*texts):
        lines = [line(text, top=60.0 * number) for number, text in enumerate(texts)]
        return ine_front.READER.model(PageText(Layout(lines)))

    ine, ife = "INSTITUTO NACIONAL ELECTORAL", "INSTITUTO FEDERAL ELECTORAL"
    abroad = "CREDENCIAL PARA VOTAR DESDE EL EXTRANJERO"
    before = ("MUNICIPIO 012", "LOCALIDAD 0001", "EMISIÓN 2017")
    assert model(ine, *before) == "E"
    assert model(ine, abroad, *before) == "F"
    assert model(ine, "VIGENCIA 2021-2031") == "G"
    assert model(ine, abroad, "VIGENCIA 2021-2031") == "H"
    assert model(ife, "FECHA DE NACIMIENTO", *before) == "D"
    assert model(ife, "FOLIO 0001", "VIGENCIA 2018", *before) == "C"
    assert model(ife, "EDAD 30", "FOLIO 0001") is None
    assert model(ine) is None


def test_a_line_keeps_its_place_when_a_date_is_cut_off_its_end():
    text = "AV JUÁREZ 12 2026-05-03"
    glyphs = tuple(Glyph(character, 0.99, "?", 0.0) for character in text)
    quad = np.array([[0, 0], [230, 0], [230, 20], [0, 20]], np.float32)
    page = Layout([line("LICENCIA DE CONDUCIR"), line("DOMICILIO", top=60)])
    merged = Line(text, glyphs, quad + np.array([0, 90], np.float32))
    reader = licence_reader()
    spots = reader.spots(PageText(Layout([*page.lines, merged])))
    spot = next(spot for spot in spots if spot.field == "address1")
    assert spot.take(spot.line).text == "AV JUÁREZ 12"
    assert spot.take(spot.line).right < 130


def test_a_folio_is_no_birth_date_on_a_card_that_prints_none():
    texts = ("INSTITUTO FEDERAL ELECTORAL", "FOLIO 010519801", "EMISIÓN 2008", "VIGENCIA 2018")
    page = Layout([line(text, top=60.0 * number) for number, text in enumerate(texts)])
    spots = ine_front.READER.spots(PageText(page))
    assert "dateOfBirth" not in {spot.field for spot in spots}


def test_names_are_read_at_the_other_side_of_captions_if_none_is_at_the_templates_side():
    issuer = line("GOBIERNO DEL ESTADO DE PUEBLA"), line("LICENCIA PARA CONDUCIR", top=30)
    captions = ("PRIMER APELLIDO", "SEGUNDO APELLIDO", "NOMBRE(S)")
    names = ("DE LOS SANTOS", "BRISEÑO", "NAYELI")
    below = [line(text, left=240 * at, top=90) for at, text in enumerate(captions)]
    below += [line(text, left=240 * at, top=116) for at, text in enumerate(names)]
    beside = [
        line(f"{caption} {name}", top=90 + 40 * at)
        for at, (caption, name) in enumerate(zip(captions, names, strict=True))
    ]
    for lines in (below, beside):
        spots = licence_reader().spots(PageText(Layout([*issuer, *lines])))
        read = {s.field: s.write(value.text) for s in spots if (value := s.take(s.line))}
        fields = ("paternalSurname", "maternalSurname", "givenNames")
        assert tuple(read[field] for field in fields) == names
