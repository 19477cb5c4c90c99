"""Uploads that lie, break or try to exhaust the reader: pixels or one typed error, soon."""

import io
import os
import pickle
import resource
import time
import zlib
from functools import cache

import numpy as np
import pytest
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from acredita.engines.documents import Undecodable
from acredita.engines.documents.decode import WORKING_SIDE, decode_image
from acredita.engines.documents.pdf import _CHILD, decode_pdf
from tests.factories.zeros import compressed_zeros


@pytest.fixture(autouse=True)
def soon_and_small():
    """No upload may take 10 seconds of the processor, or memory beyond what 50 megapixels need."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.process_time()
    yield
    assert time.process_time() - started < 10
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 600_000


def encoded(image, file_format, **options):
    target = io.BytesIO()
    image.save(target, file_format, **options)
    return target.getvalue()


def blank(mode, side, file_format):
    return encoded(Image.new(mode, (side, side)), file_format)


def code(decode, *arguments):
    with pytest.raises(Undecodable) as caught:
        decode(*arguments)
    return caught.value.code


@cache
def noise(file_format):
    size = (1200, 800) if file_format == "JPEG" else (600, 400)
    return encoded(Image.effect_noise(size, 60).convert("RGB"), file_format)


def half(file_format):
    return noise(file_format)[: len(noise(file_format)) // 2]


# Made when they are needed: each process of a run imports this file.
@pytest.mark.parametrize(
    ("make", "mime_type", "expected"),
    [
        (lambda: b"", "image/jpeg", "EMPTY_FILE"),
        (lambda: b"\x00" * 100, "image/png", "BROKEN_FILE"),
        (lambda: os.urandom(5000), "image/webp", "BROKEN_FILE"),
        (lambda: half("JPEG"), "image/jpeg", "BROKEN_FILE"),
        (lambda: half("PNG"), "image/png", "BROKEN_FILE"),
        (lambda: noise("JPEG"), "image/png", "BROKEN_FILE"),
        (lambda: blank("RGB", 9, "GIF"), "image/gif", "UNSUPPORTED_FILE_TYPE"),
        (lambda: blank("RGB", 9, "TIFF"), "image/jpeg", "BROKEN_FILE"),
        (lambda: blank("1", 13_300, "PNG"), "image/png", "TOO_MANY_PIXELS"),
        (lambda: blank("1", 7_100, "PNG"), "image/png", "TOO_MANY_PIXELS"),
    ],
)
def test_what_is_no_picture_has_a_code(make, mime_type, expected):
    assert code(decode_image, make(), mime_type) == expected


def test_the_error_crosses_processes_with_its_code():
    assert pickle.loads(pickle.dumps(Undecodable("BROKEN_FILE"))).code == "BROKEN_FILE"  # noqa: S301


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "LA", "I;16"])
def test_every_mode_of_png_becomes_bgr_of_bounded_size(mode):
    pixels = decode_image(encoded(Image.new(mode, (5200, 1300)), "PNG"), "image/png")
    assert pixels.shape == (WORKING_SIDE // 4, WORKING_SIDE, 3)
    assert pixels.dtype == np.uint8


def test_colours_are_bgr_and_transparency_is_white():
    red = decode_image(encoded(Image.new("RGB", (8, 8), "red"), "PNG"), "image/png")
    assert red[0, 0].tolist() == [0, 0, 255]
    clear = decode_image(encoded(Image.new("RGBA", (8, 8), (0, 0, 0, 0)), "PNG"), "image/png")
    assert clear[0, 0].tolist() == [255, 255, 255]


@pytest.mark.parametrize("size", [(64, 32), (5400, 2700)])
def test_a_picture_is_turned_upright_by_its_exif_tag(size):
    image = Image.new("RGB", size, "white")
    image.paste("black", (0, 0, size[0] // 2, size[1]))  # the left half, which tag 6 turns up
    exif = Image.Exif()
    exif[0x112] = 6
    pixels = decode_image(encoded(image, "JPEG", exif=exif), "image/jpeg")
    height, width = pixels.shape[:2]
    assert height == 2 * width
    assert pixels[height // 4].mean() < 50
    assert pixels[3 * height // 4].mean() > 200


def test_an_animation_of_a_thousand_frames_is_its_first():
    frames = [Image.new("RGB", (32, 32), (i % 255, i // 255, 7)) for i in range(1000)]
    data = encoded(frames[0], "WEBP", save_all=True, append_images=frames[1:], lossless=True)
    pixels = decode_image(data, "image/webp")
    assert pixels.shape == (32, 32, 3)
    assert pixels[0, 0].tolist() == [7, 0, 0]


def pdf(pages=1, **options):
    target = io.BytesIO()
    canvas = Canvas(target, **options)
    for number in range(pages):
        canvas.drawString(100, 700, f"CLAVE DE ELECTOR {number}")
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def test_a_pdf_is_its_first_pages_with_their_text_layer():
    first, *others = decode_pdf(pdf(pages=5))
    assert len(others) == 2
    assert first.image.shape[2] == 3
    assert max(first.image.shape) <= 2400
    (line,) = first.lines
    assert line.text == "CLAVE DE ELECTOR 0"
    inked = first.image[int(line.top) : int(line.bottom), int(line.left) : int(line.right)]
    assert inked.min() < 100  # the layer's place is where the print is


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "EMPTY_FILE"),
        (b"%PDF-1.7 nothing", "BROKEN_FILE"),
        (os.urandom(4000), "BROKEN_FILE"),
        (pdf()[:300], "BROKEN_FILE"),
        (pdf(pages=11), "TOO_MANY_PAGES"),
        (pdf(encrypt=StandardEncryption("secret")), "ENCRYPTED_FILE"),
    ],
)
def test_a_pdf_that_cannot_be_opened_has_a_code(data, expected):
    assert code(decode_pdf, data) == expected


def test_a_pdf_page_of_five_metres_is_rendered_small():
    (page,) = decode_pdf(pdf(pagesize=(14_400, 14_400)))
    assert page.image.shape == (2400, 2400, 3)


def written_pdf(objects):
    body, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, start=1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return body + b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\n" % (
        size, table, size
    ) + b"startxref\n%d\n%%%%EOF" % len(body)  # fmt: skip


def stream(dictionary, content):
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (dictionary, len(content), content)


ONE_PAGE = [
    b"<</Type/Catalog/Pages 2 0 R>>",
    b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
    (
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 500]/Contents 4 0 R"
        b"/Resources<</XObject<</A 5 0 R>>>>>>"
    ),
]


def test_what_is_compressed_once_and_repeated_is_a_valid_stream():
    assert zlib.decompress(compressed_zeros(megabytes=3)) == bytes(3_000_000)


@pytest.mark.slow
def test_a_pdf_whose_image_is_a_gigabyte_stays_within_its_own_process():
    zeros = compressed_zeros(megabytes=1_200)
    picture = stream(
        b"/Type/XObject/Subtype/Image/Width 20000/Height 20000/ColorSpace/DeviceRGB"
        b"/BitsPerComponent 8/Filter/FlateDecode",
        zeros,
    )
    data = written_pdf([*ONE_PAGE, stream(b"", b"500 0 0 500 0 0 cm /A Do"), picture])
    try:
        (page,) = decode_pdf(data)
        assert max(page.image.shape) <= 2400
    except Undecodable as error:
        assert error.code == "TOO_COMPLEX"  # noqa: PT017 - either outcome is right


def test_a_pdf_of_forms_that_nest_into_billions_ends_by_its_limits(tmp_path, monkeypatch):
    """By a limit of one second of the processor instead of eight."""
    source = _CHILD.read_text()
    (tmp_path / "child.py").write_text(source.replace("CPU_SECONDS = 8", "CPU_SECONDS = 1"))
    assert source.count("CPU_SECONDS = 8") == 1
    monkeypatch.setattr("acredita.engines.documents.pdf._CHILD", tmp_path / "child.py")
    forms, depth = [], 14
    for level in range(depth):
        last = level == depth - 1
        inner = b"" if last else b"/Resources<</XObject<</A %d 0 R>>>>" % (6 + level)
        content = b"0 0 400 400 re f " * 50 if last else b"/A Do " * 20
        forms.append(stream(b"/Type/XObject/Subtype/Form/BBox[0 0 500 500]" + inner, content))
    data = written_pdf([*ONE_PAGE, stream(b"", b"/A Do"), *forms])
    assert code(decode_pdf, data) == "TOO_COMPLEX"
