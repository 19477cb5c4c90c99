"""Documents from bytes to readings, as the worker's pool reads them."""

import io
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import cv2
import numpy as np
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from acredita.domain.documents import Decision, DocumentOutcome, PageKind, Reason, judge
from acredita.domain.reasons import DocumentReason
from acredita.engines.documents import Undecodable, read_pages, warm_up
from acredita_synthetic.people import REFERENCE_DATE
from acredita_synthetic.specimens import (
    Difficulty,
    SpecimenFormat,
    SpecimenKind,
    make_pdf,
    make_specimen,
)
from benchmarks.recognition import zones
from benchmarks.recognition.conditions import make_upload
from benchmarks.recognition.documents import orders, read_and_judge, report
from tests.conftest import test_data as shared_data


@pytest.fixture(scope="module", autouse=True)
def models():
    warm_up(2)


def png(pixels):
    return cv2.imencode(".png", pixels)[1].tobytes()


THOROUGH = pytest.mark.thorough


# A turned photograph, in `make test`, needs the same turns.
@pytest.mark.thorough
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_card_is_read(turns):
    specimen = make_specimen(SpecimenKind.INE_FRONT, 41, quarter_turns=turns)
    (page,) = read_pages(specimen.image_bytes, specimen.mime_type)
    assert page.kind is PageKind.INE_FRONT
    assert page.sighting("curp").value == specimen.truth["person"]["curp"]


@pytest.mark.parametrize(
    "kind",
    [
        SpecimenKind.INE_FRONT,
        *(pytest.param(k, marks=THOROUGH) for k in SpecimenKind if k != SpecimenKind.INE_FRONT),
    ],
)
def test_a_turned_photograph_is_read_and_its_page_laid_flat(kind):
    specimen = make_specimen(kind, 42, Difficulty.PHOTO, quarter_turns=3)
    (page,) = read_pages(specimen.image_bytes, specimen.mime_type)
    assert page.kind.value.lower() == kind
    if curp := specimen.truth["values"].get("curp"):
        assert page.sighting("curp").value == curp
    flat = cv2.imdecode(np.frombuffer(page.picture, np.uint8), cv2.IMREAD_COLOR)
    assert flat.shape[1] > flat.shape[0]
    assert flat.shape[1] / flat.shape[0] == pytest.approx(
        specimen.truth["document_size"][0] / specimen.truth["document_size"][1], rel=0.02
    )


def test_a_pdf_with_both_sides_is_a_page_each():
    data = make_pdf([SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK], 43)
    pages = read_pages(data, SpecimenFormat.PDF.value)
    assert [page.kind for page in pages] == [PageKind.INE_FRONT, PageKind.INE_BACK]
    assert judge(pages, REFERENCE_DATE).code in (None, DocumentReason.FIELDS_UNCERTAIN)


def pdf_with_layer(specimen, changed=lambda name, text: text):
    """The picture with its text as an invisible layer, as scanning programs write it."""
    target = io.BytesIO()
    picture = Image.open(io.BytesIO(specimen.image_bytes))
    canvas = Canvas(target, pagesize=picture.size)
    canvas.drawImage(ImageReader(picture), 0, 0, *picture.size)
    captions = {"paternalSurname": "NOMBRE", "address1": "DOMICILIO", "clave": "CLAVE DE ELECTOR"}
    for name, field in specimen.truth["fields"].items():
        left, top, width, height = field["box"]
        text, size = changed(name, field["text"]), 0.8 * height
        words = canvas.beginText(left, picture.size[1] - top - 0.8 * height)
        words.setTextRenderMode(3)
        words.setFont("Helvetica-Bold", size)
        words.setHorizScale(100 * width / stringWidth(text, "Helvetica-Bold", size))
        words.textLine(text)
        canvas.drawText(words)
        caption = canvas.beginText(left, picture.size[1] - top + 6)
        caption.setTextRenderMode(3)
        caption.setFont("Helvetica", 12)
        caption.textLine(captions.get(name, ""))
        canvas.drawText(caption)
    title = canvas.beginText(300, picture.size[1] - 40)
    title.setTextRenderMode(3)
    title.textLine("INSTITUTO NACIONAL ELECTORAL")
    canvas.drawText(title)
    canvas.save()
    return target.getvalue()


def test_a_text_layer_is_confirmed_by_the_page_and_believed_by_nobody_where_it_says_other():
    specimen = make_specimen(SpecimenKind.INE_FRONT, 44)
    truth = specimen.truth["person"]
    forged = truth["clave_elector"][:15] + "999"
    data = pdf_with_layer(specimen, lambda name, text: forged if name == "clave" else text)
    (page,) = read_pages(data, "application/pdf")
    assert page.kind is PageKind.INE_FRONT
    for name in ("curp", "paternalSurname", "givenNames"):
        sighting = page.sighting(name)
        assert sighting.agreed
        assert sighting.value == specimen.truth["fields"][name]["text"]
        assert sighting.confidence > 0.5
    clave = page.sighting("clave")
    assert clave.readings == (forged, truth["clave_elector"])
    assert clave.confidence == 0
    verdict = judge([page], REFERENCE_DATE)
    assert verdict.outcome is DocumentOutcome.REVIEW
    found = next(f for f in verdict.fields if f.field == "clave")
    assert found.decision is Decision.REVIEW
    assert Reason.READINGS_DIFFER in found.reasons


@pytest.mark.parametrize("shape", [(1, 1), (1, 5000), (5000, 1), (31, 31), (200, 200)])
def test_a_picture_without_a_document_is_not_recognized(shape):
    (page,) = read_pages(png(np.full((*shape, 3), 190, np.uint8)), "image/png")
    assert page.kind is PageKind.UNKNOWN
    assert page.code in (DocumentReason.DOCUMENT_NOT_RECOGNIZED, DocumentReason.DOCUMENT_UNREADABLE)
    assert judge([page], REFERENCE_DATE).outcome is DocumentOutcome.REVIEW


def test_a_blurred_card_is_unreadable_or_reviewed_never_failed():
    specimen = make_specimen(SpecimenKind.INE_FRONT, 45)
    pixels = cv2.imdecode(np.frombuffer(specimen.image_bytes, np.uint8), cv2.IMREAD_COLOR)
    (page,) = read_pages(png(cv2.GaussianBlur(pixels, (0, 0), 7)), "image/png")
    assert page.quality.sharpness < 25
    verdict = judge([page], REFERENCE_DATE)
    assert verdict.outcome is DocumentOutcome.REVIEW
    assert verdict.code is DocumentReason.IMAGE_BLURRED


def test_noise_and_faces_are_no_documents():
    noise = np.random.default_rng(1).integers(0, 255, (700, 1100, 3), np.uint8)
    (page,) = read_pages(png(noise), "image/png")
    assert page.kind is PageKind.UNKNOWN


# In tests/pipeline, all readings do.
@pytest.mark.thorough
def test_readings_and_errors_cross_the_worker_pool():
    specimen = make_specimen(SpecimenKind.INE_BACK, 46)
    context = get_context("spawn")
    with ProcessPoolExecutor(1, context, warm_up, (1,)) as pool:
        (page,) = pool.submit(read_pages, specimen.image_bytes, specimen.mime_type).result(100)
        assert page.kind is PageKind.INE_BACK
        with pytest.raises(Undecodable) as caught:
            pool.submit(read_pages, b"nonsense", "image/png").result(100)
    assert caught.value.code == "BROKEN_FILE"
    assert pickle.loads(pickle.dumps(page)) == page  # noqa: S301 - our own bytes


def test_a_name_that_runs_out_of_the_picture_is_accepted_of_no_reading():
    specimen = make_upload("cut off", 631_000, Difficulty.PHOTO)
    (page,) = read_pages(specimen.image_bytes, specimen.mime_type)
    surname = page.sighting("maternalSurname")
    assert surname.agreed
    assert specimen.truth["values"]["maternalSurname"].startswith(surname.value)
    assert specimen.truth["values"]["maternalSurname"] != surname.value
    verdict = judge([page], REFERENCE_DATE)
    assert verdict.outcome is DocumentOutcome.REVIEW
    assert not any(f.accepted for f in verdict.fields if f.field == "maternalSurname")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("people", "tried"),
    [
        (1, [Difficulty.PHOTO]),
        pytest.param(2, [Difficulty.PHOTO, Difficulty.HARD], marks=THOROUGH),
    ],
    ids=["photographs", "hard ones as well"],
)
def test_the_bars_of_recognition_hold_on_a_small_sample(people, tried):
    """`make bench-recognition` measures hundreds; here is one person's photographs."""
    part = report(read_and_judge(draw() for draw in orders(people, 910_003, tried)), quiet=False)
    assert all(page.right for page in part.pages)
    assert [str(bar) for bar in part.bars if not bar.met] == []


# What some of the official specimens print, as read by eye.
SPECIMENS = {
    "100_pass-cze2.jpg": {
        "documentNumber": "99009054",
        "surnames": "SPECIMEN",
        "givenNames": "VZOR",
        "dateOfBirth": "1969-06-22",
        "sex": "M",
        "expiryDate": "2016-07-29",
        "issueDate": "2006-07-29",
        "issuingState": "CZE",
    },
}


# Sloping, of 275 pixels, of two lines with digits in a code of letters, with wrong check digits.
# `make bench-recognition` reads them all.
TRIED = ("62_pass-aus.png", "25_pass-uto.jpg", "100_id-rou.jpg", "0_id-esp.png")


SOON = TRIED[:2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "file",
    [file if file in SOON else pytest.param(file, marks=THOROUGH) for file in (*TRIED, *SPECIMENS)],
)
def test_an_official_specimen_is_read_as_it_is_printed_and_passes_nothing(file):
    page = zones.read(shared_data("images", "mrz", file))
    (printed,) = (each for each in zones.specimens() if each.file == file)
    assert zones.lines_of(page) == (None if printed.wrong_digits else printed.lines)
    assert list(zones.accepted_wrong(page, printed)) == []
    verdict = judge([page], REFERENCE_DATE)
    assert verdict.outcome is DocumentOutcome.REVIEW
    if truth := SPECIMENS.get(file):
        assert page.kind is PageKind.PASSPORT
        accepted = {f.field: f.value for f in verdict.fields if f.accepted}
        accepted.pop("mrz", None)
        assert accepted.items() <= truth.items()
