"""The estimate before decoding: what costs too much is refused, what people send is not."""

import contextlib
import io
import random
import time
import zlib
from functools import cache

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from acredita.engines.documents.accepted_types import CannotOpen
from acredita.engines.documents.cost import MOST_SCANS, estimated_seconds
from tests.unit.engines.documents.test_decode import ONE_PAGE, stream, written_pdf

SIZE = 4_000_000


@cache
def jpeg(width=640, height=480, **options):
    target = io.BytesIO()
    Image.effect_noise((width, height), 30).convert("RGB").save(target, "JPEG", **options)
    return target.getvalue()


def with_repeated_scan(data, times):
    last_scan = data[data.rindex(b"\xff\xda") : -2]
    return data[:-2] + last_scan * times + b"\xff\xd9"


def with_size(data, width, height):
    """The same JPEG with other sides in its frame header."""
    at = data.index(b"\xff\xc2") + 5
    return data[:at] + height.to_bytes(2, "big") + width.to_bytes(2, "big") + data[at + 4 :]


def code(data):
    with pytest.raises(CannotOpen) as caught:
        estimated_seconds(data)
    return caught.value.code


@pytest.mark.parametrize("subsampling", [0, 2])
@pytest.mark.parametrize("progressive", [False, True])
def test_a_jpeg_as_encoders_write_it_passes(progressive, subsampling):
    estimated_seconds(jpeg(progressive=progressive, subsampling=subsampling))


def test_a_progressive_jpeg_of_fifty_megapixels_passes():
    estimated_seconds(with_size(jpeg(progressive=True, subsampling=0), 7_071, 7_071))


def test_a_progressive_jpeg_of_440_scans_is_refused():
    assert code(with_repeated_scan(jpeg(progressive=True), 440)) == "TOO_MANY_SCANS"


def test_fewer_scans_are_refused_if_each_visits_many_samples():
    bomb = with_repeated_scan(jpeg(progressive=True), MOST_SCANS - 20)
    estimated_seconds(bomb)
    assert code(with_size(bomb, 7_000, 7_000)) == "TOO_MANY_SCANS"


def test_a_jpeg_of_many_pixels_is_refused():
    assert code(with_size(jpeg(progressive=True), 60_000, 60_000)) == "TOO_MANY_PIXELS"


def test_a_webp_of_many_pixels_is_refused():
    header = b"RIFF\0\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0" + b"\x10\x27\0" * 2
    assert code(header) == "TOO_MANY_PIXELS"


def nested_forms(depth, draws, *, wrap=stream):
    forms = []
    for level in range(depth):
        is_last = level == depth - 1
        inner = b"" if is_last else b"/Resources<</XObject<</A %d 0 R>>>>" % (6 + level)
        content = b"0 0 400 400 re f " * 50 if is_last else b"/A Do " * draws
        forms.append(wrap(b"/Type/XObject/Subtype/Form/BBox[0 0 500 500]" + inner, content))
    return written_pdf([*ONE_PAGE, stream(b"", b"/A Do"), *forms])


def deflated(dictionary, content):
    return stream(dictionary + b"/Filter/FlateDecode", zlib.compress(content))


@pytest.mark.parametrize("wrap", [stream, deflated])
def test_a_small_pdf_of_forms_that_nest_into_billions_is_refused(wrap):
    bomb = nested_forms(14, 20, wrap=wrap)
    assert len(bomb) < 12_000
    assert code(bomb) == "TOO_MANY_FORMS"


def test_forms_with_escaped_names_in_indirect_resources_are_counted():
    bomb = (
        nested_forms(14, 20).replace(b"/A Do", b"/#41 Do").replace(b"/XObject<<", b"/#58Object<<")
    )
    assert code(bomb) == "TOO_MANY_FORMS"


def test_forms_that_nest_deeper_than_programs_write_are_refused():
    assert code(nested_forms(40, 1)) == "TOO_MANY_FORMS"


def test_a_pdf_that_draws_a_form_a_hundred_times_passes():
    estimated_seconds(nested_forms(2, 100))


def test_a_form_that_draws_itself_passes():
    own = stream(b"/Subtype/Form/Resources<</XObject<</A 5 0 R>>>>", b"/A Do " * 20)
    estimated_seconds(written_pdf([*ONE_PAGE, stream(b"", b"/A Do"), own]))


def test_a_pdf_with_a_jpeg_of_440_scans_is_refused():
    picture = stream(
        b"/Subtype/Image/Width 640/Height 480/Filter/DCTDecode",
        with_repeated_scan(jpeg(progressive=True), 440),
    )
    data = written_pdf([*ONE_PAGE, stream(b"", b"/A Do"), picture])
    assert code(data) == "TOO_MANY_SCANS"


def test_a_pdf_of_pages_with_text_and_a_picture_passes():
    target = io.BytesIO()
    canvas = Canvas(target)
    for page in range(8):
        canvas.drawInlineImage(Image.effect_noise((600, 400), 30), 50, 400)
        for line in range(60):
            canvas.drawString(50, 800 - 12 * line, f"line {line} of page {page}")
        canvas.showPage()
    canvas.save()
    estimated_seconds(target.getvalue())


def test_a_pdf_of_thousands_of_pages_is_refused():
    pages = b"".join(b"%d 0 obj <</Type/Page>> endobj " % number for number in range(3_000))
    assert code(b"%PDF-1.7 " + pages) == "TOO_MANY_PAGES"


def repeated(start, part, end=b""):
    return start + part * ((SIZE - len(start)) // len(part)) + end


ONE_CONTENT = b"%PDF-1.7 1 0 obj /Type/Page /Contents 2 0 R endobj 2 0 obj "
# Made when they are needed: each process of a run imports this file.
ATTACKS = {
    "empty comments": lambda: repeated(b"\xff\xd8\xff\xe0\0\2", b"\xff\xfe\0\2"),
    "padding": lambda: repeated(b"\xff\xd8\xff", b"\xff"),
    "noise as JPEG": lambda: b"\xff\xd8\xff" + random.Random(1).randbytes(SIZE),
    "noise as PDF": lambda: b"%PDF-1.7" + random.Random(1).randbytes(SIZE),
    "objects": lambda: repeated(b"%PDF-1.7 ", b"1 0 obj "),
    "objects that begin otherwise": lambda: repeated(b"%PDF-1.7 ", b"1 0 objx"),
    "streams without end": lambda: repeated(b"%PDF-1.7 ", b"1 0 obj stream\n"),
    "pictures without end": lambda: repeated(b"%PDF-1.7 ", b"1 0 obj /Filter/DCTDecode stream\n"),
    "open resources": lambda: repeated(
        b"%PDF-1.7 ",
        b"1 0 obj /Type/Page/Parent 1 0 R /Contents 1 0 R"
        + b"/Resources 1 0 R/XObject<<" * 4_000
        + b"endobj ",
    ),
    "open contents": lambda: repeated(
        b"%PDF-1.7 ", b"1 0 obj /Type/Page" + b"/Contents [" * 11_000 + b"endobj "
    ),
    "drawings": lambda: repeated(ONE_CONTENT + b"stream\n", b"/A Do "),
    "contents in many pages": lambda: repeated(
        b"%PDF-1.7 2 0 obj <<>>stream\nendstream ",
        b"1 0 obj /Type/Page/Contents [" + b"2 0 R " * 15_000 + b"] endobj ",
    ),
    "a name of many forms": lambda: (
        b"%PDF-1.7 1 0 obj /Type/Page/Contents ["
        + b"2 0 R " * 9_000
        + b"]/XObject <<"
        + b"/A 7 0 R " * 7_000
        + b">> endobj 2 0 obj <<>>stream\n/A Do\nendstream"
    ),
    "escapes": lambda: repeated(b"%PDF-1.7 1 0 obj ", b"#41"),
    "a content of a gigabyte": lambda: (
        ONE_CONTENT
        + b"<</Filter/FlateDecode>>stream\n"
        + zlib.compress(bytes(50_000_000), 9)
        + b"endstream"
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_estimate_of_a_file_that_attacks_it_is_cheap(attack):
    data = ATTACKS[attack]()
    started = time.thread_time()
    with contextlib.suppress(CannotOpen):
        estimated_seconds(data)
    # Half of it is enough on a machine without other load.
    assert time.thread_time() - started < 1.0
