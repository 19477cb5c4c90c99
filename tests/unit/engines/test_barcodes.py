"""QR and PDF417 codes, decoded from pictures."""

import cv2
import numpy as np
import pytest
import zxingcpp

from acredita.engines.barcodes import MOST_CHARACTERS, read_codes
from acredita_synthetic.capture import Difficulty, capture

QR, PDF417 = zxingcpp.BarcodeFormat.QRCode, zxingcpp.BarcodeFormat.PDF417
TEXT = "https://siat.sat.gob.mx/app/qr/validadorqr.jsf?D1=10&D2=1&D3=14010212345_ÑAÑA900101AB1"


def card(text, symbology, width, **options):
    """A card with a code of that width on it."""
    made = np.asarray(zxingcpp.create_barcode(text, symbology, **options).to_image(scale=4))
    size = width, round(made.shape[0] * width / made.shape[1])
    code = cv2.resize(made, size, interpolation=cv2.INTER_AREA)
    sheet = np.full((638, 1012, 3), 235, np.uint8)
    sheet[60 : 60 + size[1], 60 : 60 + size[0]] = code[..., None]
    return sheet


def jpeg(taken):
    _, data = cv2.imencode(".jpg", taken.pixels, [cv2.IMWRITE_JPEG_QUALITY, taken.jpeg_quality])
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


@pytest.mark.parametrize("difficulty", list(Difficulty))
def test_a_qr_code_is_read_at_every_difficulty(difficulty):
    for seed in (1, 2):
        picture = jpeg(capture(card(TEXT, QR, 220), difficulty, seed))
        (code,) = read_codes(picture)
        assert (code.symbology, code.text) == ("QR_CODE", TEXT)


@pytest.mark.parametrize("difficulty", [Difficulty.CLEAN, Difficulty.MILD, Difficulty.LOWRES])
def test_a_pdf417_of_a_flat_page_is_read(difficulty):
    picture = jpeg(capture(card(TEXT, PDF417, 620, columns=8), difficulty, 1))
    assert [(code.symbology, code.text) for code in read_codes(picture)] == [("PDF_417", TEXT)]


def test_several_codes_are_told_apart_by_what_they_say_and_where_they_stand():
    page = np.hstack([card("one", QR, 200), card("two", QR, 200), card("two", QR, 200)])
    codes = {code.text: code.box for code in read_codes(page)}
    assert set(codes) == {"one", "two"}
    left, top, right, bottom = codes["one"]
    assert (left, right) == pytest.approx((90 / 3036, 230 / 3036), abs=0.02)
    assert (top, bottom) == pytest.approx((90 / 638, 230 / 638), abs=0.04)


def test_an_endless_text_is_left_out():
    page = card("7" * (MOST_CHARACTERS + 1), QR, 560)
    assert zxingcpp.read_barcodes(page)
    assert read_codes(page) == ()


def test_a_page_of_false_finders_is_given_up_in_time():
    finder = np.full((9, 9), 255, np.uint8)
    finder[1:8, 1:8], finder[2:7, 2:7], finder[3:6, 3:6] = 0, 255, 0
    page = np.tile(np.kron(finder, np.ones((2, 2), np.uint8)), (90, 90))
    assert read_codes(cv2.cvtColor(page, cv2.COLOR_GRAY2BGR)) == ()


def test_a_picture_without_a_code_has_none():
    assert read_codes(np.full((40, 60, 3), 255, np.uint8)) == ()
