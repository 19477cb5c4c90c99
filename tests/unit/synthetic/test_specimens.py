import csv
import json
from datetime import date, timedelta

import cv2
import numpy as np
import pypdfium2
import pytest

from acredita.domain.names import fold
from acredita.resources.aml.lists.sandbox import SAMPLE
from acredita_synthetic import (
    Difficulty,
    SpecimenFormat,
    SpecimenKind,
    make_pdf,
    make_specimen,
    write_specimens,
)
from acredita_synthetic.bills import BillKind, write_bills
from acredita_synthetic.cases import LISTED_BIRTH, LISTED_NAME, Case
from acredita_synthetic.faces.samples import write_selfies


def sooner(chosen):
    """All difficulties, or kinds; `make test` tries the one alone."""
    thorough = pytest.mark.thorough
    return [pytest.param(one, marks=() if one is chosen else thorough) for one in type(chosen)]


def pixels_of(specimen):
    return cv2.imdecode(np.frombuffer(specimen.image_bytes, np.uint8), cv2.IMREAD_COLOR)


def flattened(specimen):
    """The document cut out of the picture by its true corners, in its own size."""
    width, height = specimen.truth["document_size"]
    sheet = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    corners = np.array(specimen.truth["corners"], np.float32)
    to_sheet = cv2.getPerspectiveTransform(corners, sheet)
    return cv2.warpPerspective(pixels_of(specimen), to_sheet, (width, height))


@pytest.mark.parametrize("kind", sooner(SpecimenKind.INE_FRONT))
@pytest.mark.parametrize("difficulty", sooner(Difficulty.HARD))
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(kind, difficulty):
    first = make_specimen(kind, 5, difficulty)
    assert make_specimen(kind, 5, difficulty) == first
    assert make_specimen(kind, 6, difficulty).image_bytes != first.image_bytes


def test_a_child_is_drawn_on_a_passport_alone_and_a_listed_person_on_all(tmp_path):
    (drawn,) = write_specimens(tmp_path, 1, 8, [SpecimenKind.PASSPORT], case=Case.CHILD)
    assert drawn.name == "000008-child-passport-clean.jpg"
    child = json.loads(drawn.with_suffix(".json").read_text())["values"]
    assert child["dateOfBirth"] == "2016-06-01"
    assert "160601" in child["curp"]
    with pytest.raises(ValueError, match="a child has no ine_front"):
        make_specimen(SpecimenKind.INE_FRONT, 8, case=Case.CHILD)
    listed = [
        make_specimen(kind, 8, case=Case.LISTED).truth["person"]
        for kind in (SpecimenKind.INE_FRONT, SpecimenKind.PASSPORT)
    ]
    assert listed[0] == listed[1]
    # As on the list that a sandbox loads.
    entries = csv.DictReader(SAMPLE.read_text().splitlines())
    (entry,) = [each for each in entries if each["dates_of_birth"] == str(LISTED_BIRTH)]
    spelt = fold(f"{LISTED_NAME.given} {LISTED_NAME.paterno} {LISTED_NAME.materno}")
    assert fold(f"{entry['given_names']} {entry['family_names']}") == spelt


def test_all_kinds_of_one_seed_belong_to_one_person():
    people = [make_specimen(kind, 8).truth["person"] for kind in SpecimenKind]
    assert people[0] == people[1] == people[2]


@pytest.mark.parametrize("difficulty", sooner(Difficulty.PHOTO))
@pytest.mark.parametrize(
    "quarter_turns", [1, *(pytest.param(each, marks=pytest.mark.thorough) for each in (0, 2, 3))]
)
def test_the_true_corners_cut_the_document_out_of_its_picture(difficulty, quarter_turns):
    clean = pixels_of(make_specimen(SpecimenKind.INE_FRONT, 4))
    taken = make_specimen(SpecimenKind.INE_FRONT, 4, difficulty, quarter_turns=quarter_turns)
    assert taken.truth["image_size"] == list(pixels_of(taken).shape[1::-1])
    cut = flattened(taken)
    found, expected = (
        cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32) for image in (cut, clean)
    )
    # Without the scene's light and the finest print: a shift by 12 pixels leaves 0.7 of it.
    drawn = [
        cv2.GaussianBlur(image, (0, 0), 3) - cv2.GaussianBlur(image, (0, 0), 40)
        for image in (found, expected)
    ]
    # The upper left part, which neither glare nor a wrong turn leaves correlated by chance.
    assert np.corrcoef(*(image[100:560, 30:600].ravel() for image in drawn))[0, 1] > 0.9


def test_difficulty_makes_a_document_harder_to_see():
    def sharpness(difficulty):
        grey = cv2.cvtColor(
            flattened(make_specimen(SpecimenKind.INE_BACK, 9, difficulty)), cv2.COLOR_BGR2GRAY
        )
        return cv2.Laplacian(cv2.GaussianBlur(grey, (0, 0), 1), cv2.CV_32F).var()

    assert sharpness(Difficulty.CLEAN) > sharpness(Difficulty.PHOTO) > sharpness(Difficulty.HARD)
    low = make_specimen(SpecimenKind.INE_BACK, 9, Difficulty.LOWRES)
    assert low.truth["image_size"][0] == 700


def test_formats_are_what_they_say():
    signatures = {
        SpecimenFormat.JPEG: b"\xff\xd8\xff",
        SpecimenFormat.PNG: b"\x89PNG",
        SpecimenFormat.PDF: b"%PDF",
    }
    for file_format, signature in signatures.items():
        specimen = make_specimen(SpecimenKind.PASSPORT, 2, file_format=file_format)
        assert specimen.mime_type == file_format.value
        assert specimen.image_bytes.startswith(signature)


def test_a_pdf_has_a_page_for_each_document_and_the_same_bytes_each_time():
    kinds = (SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK)
    data = make_pdf(kinds, 3)
    assert make_pdf(kinds, 3) == data
    pdf = pypdfium2.PdfDocument(data)
    try:
        assert len(pdf) == 2
        page = pdf[0]
        assert page.get_width() / page.get_height() == pytest.approx(1012 / 638, rel=0.01)
    finally:
        pdf.close()


def test_written_specimens_have_their_truth_beside_them(tmp_path):
    folder = tmp_path / "specimens"
    written = write_specimens(
        folder,
        count=2,
        seed=40,
        kinds=(SpecimenKind.INE_BACK, SpecimenKind.PASSPORT),
        difficulties=(Difficulty.LOWRES,),
    )
    assert len(written) == 4
    assert len(list(folder.iterdir())) == 8
    for image in written:
        truth = json.loads(image.with_suffix(".json").read_text(encoding="utf-8"))
        remade = make_specimen(
            SpecimenKind(truth["kind"]), truth["seed"], Difficulty(truth["difficulty"])
        )
        assert remade.truth == truth
        assert remade.image_bytes == image.read_bytes()
        assert truth["specimen"] is True


def test_written_bills_are_recent_and_selfies_have_the_persons_face(tmp_path):
    on = date(2031, 2, 28)
    written = write_bills(tmp_path, 2, 20, (BillKind.ELECTRICITY,), (), on=on)
    assert written
    for file in written:
        values = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))["values"]
        assert timedelta(0) < on - date.fromisoformat(values["issueDate"]) < timedelta(days=50)
    first, second = write_selfies(tmp_path, 2, 20)
    assert first.name == "000020-selfie.jpg"
    assert cv2.imread(str(first)).shape == (500, 400, 3)
    assert first.read_bytes() != second.read_bytes()
    again = write_selfies(tmp_path / "again", 1, 20)
    assert again[0].read_bytes() == first.read_bytes()


def test_values_are_those_of_the_person():
    truth = make_specimen(SpecimenKind.INE_FRONT, 12).truth
    person, values = truth["person"], truth["values"]
    assert values["curp"] == person["curp"] == truth["fields"]["curp"]["text"]
    assert values["dateOfBirth"] == person["birth_date"]
    assert values["expiryYear"] == str(person["voter_card"]["expires_year"])
    back = make_specimen(SpecimenKind.INE_BACK, 12).truth
    assert [back["values"][f"mrz{n}"] for n in (1, 2, 3)] == person["voter_card"]["mrz"]
