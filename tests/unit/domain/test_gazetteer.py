"""The catalogue of postal codes, in the form in which Correos de México publishes it."""

from dataclasses import replace
from datetime import date

import pytest

from acredita.domain.documents import PageKind, PageReading, Quality, Sighting, judge
from acredita.domain.documents.findings import Reason
from acredita.domain.documents.gazetteer import BadGazetteer, parsed
from acredita.domain.identifiers import curp
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.states import BY_CODE
from acredita.domain.names import PersonName
from acredita.services import open_services
from acredita.settings import Settings
from acredita.settings_check.files import check

TODAY = date(2026, 6, 1)
NOTICE = (
    "El Catálogo Nacional de Códigos Postales, es elaborado por Correos de México y se proporciona"
    " en forma gratuita para uso particular, no estando permitida su comercialización, total o"
    " parcial, ni su distribución a terceros bajo ningún concepto."
)
HEADER = (
    "d_codigo|d_asenta|d_tipo_asenta|D_mnpio|d_estado|d_ciudad|d_CP|c_estado|c_oficina|c_CP"
    "|c_tipo_asenta|c_mnpio|id_asenta_cpcons|d_zona|c_cve_ciudad"
)
ROWS = (
    "37150|Peñón de los Baños|Colonia|León|Guanajuato|León|37101|11|37101||09|020|0405|Urbano|07",
    "37150|Jardines del Sur|Colonia|León|Guanajuato|Las Joyas|37101|11|37101||9|020|4|Urbano|07",
    "38980|La Cañada|Ejido|Uriangato|Guanajuato||38981|11|38981||15|041|0712|Rural|",
)
FILE = "\r\n".join((NOTICE, HEADER, *ROWS, "")).encode("latin-1")
LINES = ("C PINO 1", "COL PEÑÓN DE LOS BAÑOS 37150", "LEÓN, GTO.")


def judged_address(*lines, gazetteer=None, confidence=0.99, **doubtful):
    sightings = tuple(
        Sighting(name, (line, line), doubtful.get(name, confidence))
        for name, line in zip(("address1", "address2", "address3"), lines, strict=False)
    )
    page = PageReading(
        PageKind.INE_FRONT, Quality(1012, 638, 900.0, 0.0, 200.0, 0.99), sightings, (), 0.0
    )
    verdict = judge([page], TODAY, gazetteer=gazetteer)
    return next(finding for finding in verdict.fields if finding.field == "address")


def test_the_published_file_gives_the_places_of_each_code_and_the_towns_of_each_state():
    gazetteer = parsed(FILE)
    area = gazetteer.areas["37150"]
    assert area.state is BY_CODE["GT"]
    assert area.municipalities == {"LEÓN"}
    assert area.settlements == {"PEÑÓNDELOSBAÑOS", "JARDINESDELSUR"}
    assert gazetteer.towns[BY_CODE["GT"]] == {"LEÓN", "LASJOYAS", "URIANGATO"}
    saved_again = parsed(b"\xef\xbb\xbf" + FILE.decode("latin-1").encode())
    assert saved_again.areas == gazetteer.areas
    assert saved_again.sha256 != gazetteer.sha256


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no row names the columns"),
        (b"code;name\n37150;Centro\n", "no row names the columns"),
        (FILE[:-60], "row 5 has"),
        (FILE.replace(b"|11|", b"|57|"), "row 3 has no postal code"),
        (FILE.replace(b"\r\n38980|", b"\r\n3898|"), "row 5 has no postal code"),
        (f"{NOTICE}\r\n{HEADER}\r\n".encode("latin-1"), "no postal codes"),
    ],
)
def test_another_file_or_a_part_of_it_is_refused(content, said):
    with pytest.raises(BadGazetteer, match=said):
        parsed(content)


def test_a_listed_neighbourhood_and_municipality_need_not_be_certain_but_a_street_must():
    gazetteer = parsed(FILE)
    doubtful = {"address2": 0.7, "address3": 0.8}
    assert judged_address(*LINES, **doubtful).reasons == (Reason.LOW_CONFIDENCE,)
    listed = judged_address(*LINES, gazetteer=gazetteer, **doubtful)
    assert (listed.accepted, listed.confidence) == (True, 0.99)
    for doubt in ({"address1": 0.9}, {"address2": 0.4}):
        address = judged_address(*LINES, gazetteer=gazetteer, **doubt)
        assert address.reasons == (Reason.LOW_CONFIDENCE,)


@pytest.mark.parametrize(
    "at_2_and_3",
    [
        ("COL PENÓN DE LOS BANOS 37150", "LEÓN, GTO."),
        ("COL PEÑON DE LOS BAÑOS 37150", "LEÓN, GTO."),
        ("COL PEÑÓN DE LOS BAÑOS 37150", "LEON, GTO."),
        ("COL EL ROSAL 37150", "LEÓN, GTO."),
    ],
)
def test_a_name_that_differs_by_an_accent_from_the_listed_one_must_be_certain(at_2_and_3):
    address = judged_address(
        LINES[0], *at_2_and_3, gazetteer=parsed(FILE), address2=0.8, address3=0.8
    )
    assert Reason.LOW_CONFIDENCE in address.reasons


@pytest.mark.parametrize(
    "changed",
    [
        ("COL CENTRO 37151", "LEÓN, GTO."),  # no such code
        ("COL PEÑÓN DE LOS BAÑOS 37150", "IRAPUATO, GTO."),
        ("COL PEÑÓN DE LOS BAÑOS 37150", "LEÓN, JAL."),
    ],
)
def test_a_postal_code_of_another_municipality_confirms_no_address(changed):
    address = judged_address(LINES[0], *changed, gazetteer=parsed(FILE))
    assert address.reasons == (Reason.UNCONFIRMED,)
    unlisted = judged_address(LINES[0], "COL EL ROSAL 37150", "LEON, GTO.", gazetteer=parsed(FILE))
    assert unlisted.accepted  # certain letters, in the municipality of the code


@pytest.mark.parametrize(
    ("other", "is_accepted"),
    [
        ("37160|Peñón de los Baños|Colonia|León", False),
        ("37150|Peñón de los Baño|Colonia|León", False),
        ("37160|Peñón de los Baños|Colonia|Silao", True),
        ("37260|Peñón de los Baños|Colonia|León", True),
    ],
)
def test_a_place_that_a_misread_character_makes_of_another_must_be_certain(other, is_accepted):
    row = f"{other}|Guanajuato||38981|11|38981||15|041|0712|Rural|\r\n"
    gazetteer = parsed(FILE + row.encode("latin-1"))
    address = judged_address(*LINES, gazetteer=gazetteer, address2=0.7)
    assert address.accepted is is_accepted


def test_a_listed_town_of_birth_need_not_be_certain():
    name = PersonName("ANA", "LÓPEZ", "RUIZ")
    code = str(curp.compose(name, date(1988, 3, 7), Sex.FEMALE, BY_CODE["GT"]))
    values = {"curp": code, "placeOfBirth": "URIANGATO, GUANAJUATO", "townOfBirth": "URIANGATO"}

    def place(town, *, gazetteer):
        read = values | {"townOfBirth": town, "placeOfBirth": f"{town}, GUANAJUATO"}
        sightings = tuple(Sighting(field, (text, text), 0.8) for field, text in read.items())
        page = replace(EMPTY_PASSPORT, sightings=sightings)
        verdict = judge([page], TODAY, gazetteer=gazetteer)
        return next(each for each in verdict.fields if each.field == "placeOfBirth")

    assert place("URIANGATO", gazetteer=parsed(FILE)).accepted
    assert place("URIANGATO", gazetteer=None).reasons == (Reason.LOW_CONFIDENCE,)
    assert place("URIANGATA", gazetteer=parsed(FILE)).reasons == (Reason.LOW_CONFIDENCE,)
    similar = parsed(FILE.replace(b"|Las Joyas|", b"|Uriangata|"))
    assert place("URIANGATO", gazetteer=similar).reasons == (Reason.LOW_CONFIDENCE,)


EMPTY_PASSPORT = PageReading(
    PageKind.PASSPORT, Quality(1250, 880, 900.0, 0.0, 200.0, 0.99), (), (), 0.0
)


def test_the_check_of_the_settings_names_the_wrong_file_and_the_expected_one(tmp_path):
    path = tmp_path / "CPdescarga.txt"

    def faults(**how):
        found = check(Settings(postal_codes=path), **how)
        return [fault.message for fault in found if "POSTAL" in fault.variable]

    assert "cannot be read" in faults()[0]
    path.write_bytes(FILE)
    assert not faults(parses_postal_codes=True)
    path.write_bytes(FILE[:-60])
    (message,) = faults(parses_postal_codes=True)
    assert "row 5 has" in message
    assert not faults()  # only check-config and workers read 50 MB


async def test_a_worker_does_not_start_with_another_file(tmp_path):
    path = tmp_path / "CPdescarga.txt"
    path.write_bytes(b"code;name\n")
    settings = Settings(postal_codes=path, data_dir=tmp_path)
    with pytest.raises(BadGazetteer, match=r"ACREDITA_POSTAL_CODES .* no row names the columns"):
        async with open_services(settings, purpose="worker 1 engines"):
            pass
