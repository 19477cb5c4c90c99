"""The PDF of a package: every word on its pages, the certificate at the end, hostile or not."""

import io
import time
from uuid import uuid4

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from acredita.engines.signing import composition as composing
from acredita.engines.signing import markup
from acredita.engines.signing.blocks import Paragraph, Run
from acredita.engines.signing.composition import CannotCompose, Composition, compose
from acredita.engines.signing.line_breaks import lines_of
from acredita.engines.signing.markup import format_of
from acredita.engines.signing.package import (
    Certificate,
    ContentFormat,
    Package,
    PackageDocument,
)
from acredita.engines.signing.typefaces import Spelling, face

DIGEST = "0f" * 32
SPANISH = "El pingüino Ñandú cantó: «¿dónde está mi corazón?» — ¡aquí! 1.ª, 2.º, 50 %, $1,000.00 €"


def package(*contents: str, drawing: bytes = b"", signer: str = "Ana María Ñúñez") -> Package:
    return Package(
        id="3f0c5a52-6c1c-4a3e-9a39-0d6d6a9e8a11",
        documents=tuple(
            PackageDocument(f"Documento {place}", content, format_of(content), DIGEST)
            for place, content in enumerate(contents, start=1)
        ),
        signer=signer,
        drawing=drawing,
        certificate=Certificate(
            sections=(("Firmante", (("Nombre", signer), ("Dirección IP", "203.0.113.7"))),),
            statements=("Una declaración.",),
        ),
    )


def pages_of(pdf: bytes) -> list[str]:
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf)]


def words(text: str) -> list[str]:
    return text.split()


def test_each_document_begins_a_page_and_the_certificate_ends_the_package():
    made = compose(package(SPANISH, "# Anexo\n\nSegundo"))
    pages = pages_of(made.pdf)
    assert made.pages == len(pages) == 3
    assert SPANISH in pages[0].replace("\r\n", " ")
    assert "Anexo" in pages[1]
    assert f"SHA-256 {DIGEST}" in pages[1]
    assert "Certificado de evidencia" in pages[2]
    assert "Ana María Ñúñez" in pages[2]
    for number, page in enumerate(pages, start=1):
        assert f"Página {number} de 3" in page
        assert "Paquete 3f0c5a52" in page


def test_all_words_of_a_long_text_are_there_in_their_order():
    text = "\n\n".join(f"Cláusula {number}: {SPANISH}" for number in range(400))
    pages = pages_of(compose(package(text)).pdf)[:-1]
    read = []
    for page in pages:
        lines = [line for line in page.splitlines() if "Página" not in line]
        read += words(" ".join(lines))
    heading = words(f"Documento 1 Documento 1 de 1 · SHA-256 {DIGEST}")
    assert read == heading + words(text)


def test_fonts_are_embedded_and_nothing_of_the_pdf_runs_or_fetches():
    pdf = compose(package(SPANISH, "<h1 onclick=x>a</h1><script>app.alert(1)</script>")).pdf
    assert pdf.count(b"/FontFile2") >= 2
    assert b"/Type1" not in pdf
    for active in (
        b"/JavaScript",
        b"/JS",
        b"/OpenAction",
        b"/AA<",
        b"/AA ",
        b"/Launch",
        b"/URI",
        b"/GoToR",
    ):
        assert active not in pdf


def test_the_drawn_signature_stands_on_the_certificate():
    drawn = io.BytesIO()
    Image.new("RGB", (300, 100), (10, 20, 200)).save(drawn, "JPEG")
    document = pypdfium2.PdfDocument(compose(package("a", drawing=drawn.getvalue())).pdf)
    picture = document[1].render(scale=0.5).to_pil().convert("RGB")
    colours = {picture.getpixel((x, y)) for x in range(30, 140, 5) for y in range(30, 150, 5)}
    assert any(blue > 150 and red < 60 for red, _, blue in colours)


def test_what_the_typefaces_have_not_is_replaced_counted_and_said():
    made = compose(package("Emoji 😀, 漢字, עברית y ☐ ☑ ✓"))
    pages = pages_of(made.pdf)
    assert made.replaced == 1 + 2 + 5
    assert "[ ] [x] √" in pages[0]
    assert ": 8. El texto exacto" in pages[-1].replace("\r\n", " ")


def test_marks_of_direction_and_controls_show_nothing_and_turn_nothing_around():
    page = pages_of(compose(package("Paga \u202e001\u202c pe\u200bsos\x07\x1b[31m")).pdf)[0]
    assert "Paga 001 pesos[31m" in page


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=400))
def test_no_line_is_wider_than_the_page_and_none_loses_a_letter(text):
    spelling = Spelling([text])
    lines = list(lines_of([Run(text)], spelling, size=10, width=120))
    assert "".join(span.text for line in lines for span in line) == spelling.spell(text)
    for line in lines:
        if line:
            last = line[-1]
            end = last.x + face(last.face).width(last.text.rstrip(" ")) / 100
            assert end <= 120 + 0.01 or len(last.text.strip()) <= 1


# Of a quarter of its length, in a quarter of the time; `make thorough` has the whole.
@pytest.mark.parametrize("share", [4, pytest.param(1, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(
    "content",
    [
        "x" * 500_000,
        "\n" * 100_000,
        "a\n" * 20_000,
        "".join(map(chr, range(1, 0x3000))),
        "😀" * 100_000,
        "a" + "\u0301\u0323" * 100_000,
        "# a\n\n" + "> " * 50_000 + "b",
        "# a\n\n" + "[" * 50_000,
        "<p>" + "<b>" * 20_000,
        "<div>" * 3_000 + "a",
        "<ul><li>" * 12_000,
        '<ul a="<"></x>' * 12_000 + "a",
        "<table>" + "<tr><td>a<td>b" * 5_000,
        "<table><tr>" + "<td>x" * 20_000,
        "<p>" + "<" * 100_000,
    ],
    ids=lambda content: f"{content[:8]!r}x{len(content)}",
)
def test_hostile_contents_make_a_pdf_in_a_few_seconds(content, share):
    began = time.process_time()
    made = compose(package(content[: len(content) // share]))
    assert made.pages >= 2
    assert len(pages_of(made.pdf)) == made.pages
    assert time.process_time() - began < 15 / share


def test_html_nested_beyond_all_reason_is_shown_as_its_source():
    depth = 2 * markup.DEEPEST_ELEMENT
    nested = "".join(f"<div>uno{place}" for place in range(depth)) + "<s>dos</s>"
    source = f"<p>antes</p>{nested}{'</div>' * depth}<p>final</p>"
    (shown,) = markup.blocks_of(source, ContentFormat.HTML)
    assert shown == Paragraph([Run(source)], keeps_blanks=True)


def test_tags_in_comments_and_in_pictures_do_not_count_as_nesting():
    head = "<!--" + "<w:LsdException/><w:a>" * 300 + "--><script>" + "'<b>';" * 300 + "</script>"
    picture = "<svg>" + '<path d="M0 0"/>' * 300 + "</svg>"
    contract = "<table><tr><td>Renta</td><td><s>1000</s> 10<sup>3</sup></td></tr></table>"
    blocks = [
        list(markup.blocks_of(f"<p>{each}</p>{contract}", ContentFormat.HTML))[-1]
        for each in ("", head + picture)
    ]
    assert blocks[0] == blocks[1]
    assert "tachado" in str(blocks[1])


async def test_a_package_that_takes_too_long_is_ended_and_the_next_one_is_made():
    composition = Composition()
    try:
        with pytest.raises(CannotCompose) as refusal:
            await composition.compose(package("a\n" * 240_000), uuid4(), seconds=0.3)
        assert refusal.value.code == "TOO_COMPLEX"
        assert (await composition.compose(package("corto"), uuid4(), seconds=20)).pages == 2
    finally:
        await composition.close()


def test_a_package_of_more_pages_than_are_made_is_refused(monkeypatch):
    monkeypatch.setattr(composing, "MOST_PAGES", 4)
    assert compose(package("a\n" * 20)).pages <= 4
    with pytest.raises(CannotCompose) as refusal:
        compose(package("a\n" * 1_000))
    assert refusal.value.code == "TOO_LONG"


@pytest.mark.thorough
async def test_a_package_of_more_than_ten_thousand_pages_is_refused_in_time():
    composition = Composition()
    try:
        with pytest.raises(CannotCompose) as refusal:
            await composition.compose(package(*["a\n" * 250_000] * 3), uuid4(), seconds=60)
        assert refusal.value.code == "TOO_LONG"
    finally:
        await composition.close()


def test_the_format_that_was_given_wins_over_what_the_content_seems_to_be():
    document = PackageDocument("t", "# no es título", ContentFormat.TEXT, DIGEST)
    plain = package("x")
    made = compose(Package(plain.id, (document,), plain.signer, b"", plain.certificate))
    assert "# no es título" in pages_of(made.pdf)[0]
