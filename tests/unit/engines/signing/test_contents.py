"""What becomes of plain text, Markdown and HTML, and of what is hostile in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.engines.signing.blocks import Paragraph, Rule, Style, Table
from acredita.engines.signing.markup import blocks_of, format_of
from acredita.engines.signing.package import ContentFormat

MARKDOWN, HTML, TEXT = ContentFormat.MARKDOWN, ContentFormat.HTML, ContentFormat.TEXT


def shown(content: str, content_format: ContentFormat | None = None) -> str:
    """All that a reader of the page sees, in its order."""
    lines = []
    for block in blocks_of(content, content_format or format_of(content)):
        match block:
            case Paragraph():
                lines.append(f"{block.mark} {''.join(run.text for run in block.runs)}".strip())
            case Table():
                lines += [
                    " | ".join("".join(r.text for r in cell) for cell in row) for row in block.rows
                ]
            case Rule():
                lines.append("---")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Cláusula 1. #1 de 3\n2 * 3 = 6 * 1", TEXT),
        ("<3 te quiero", TEXT),
        ("a < b y b > c", TEXT),
        ("# Contrato\n\ntexto", MARKDOWN),
        ("El **precio** es", MARKDOWN),
        ("| a | b |\n|---|---|\n| 1 | 2 |", MARKDOWN),
        ("<!DOCTYPE html><p>x", HTML),
        ("\n  <div class='a'>x</div>", HTML),
        ("<!-- aviso --><h1>x</h1>", HTML),
    ],
)
def test_the_format_is_what_the_content_seems_to_be(content, expected):
    assert format_of(content) is expected


def test_plain_text_is_shown_as_it_is_whatever_it_looks_like():
    content = "# no\n  <b>sí</b> **no**\n\n|x|"
    assert shown(content, TEXT) == "# no\n<b>sí</b> **no**\n\n|x|"


def test_markdown_keeps_its_structure_and_its_lines():
    content = (
        "# Uno\ndos\ntres\n\n1. a\n2. b\n\n- c\n\n| x | y |\n|---|---|\n| 1 | **2** |\n\n---\n"
    )
    assert shown(content) == "Uno\ndos\ntres\n1. a\n2. b\n• c\nx | y\n1 | 2\n---"
    headings = [
        block.heading for block in blocks_of(content, MARKDOWN) if isinstance(block, Paragraph)
    ]
    assert headings == [1, 0, 0, 0, 0]
    styles = [run.style for block in blocks_of("a **b *c***", MARKDOWN) for run in block.runs]
    assert styles == [Style.REGULAR, Style.BOLD, Style.BOLD_ITALIC]


def test_nothing_of_markdown_is_hidden_from_the_reader():
    assert "cláusula oculta" in shown("# a\n\n[//]: # (cláusula oculta)")
    assert "<b>x</b>" in shown("# a\n\n<b>x</b>")
    assert shown("> " * 200 + "al fondo", MARKDOWN).endswith("al fondo")
    assert "https://example.mx" in shown("[aquí](https://example.mx)")


def test_html_is_taken_apart_without_running_or_fetching_anything():
    content = """<!doctype html><html><head><title>t</title><style>p{color:red}</style>
      <script>alert(1)</script></head><body onload="alert(2)">
      <h2>Aviso</h2><p style="display:none" onclick="x()">Hola <b>mundo</b> &amp; más<br>línea</p>
      <iframe src="file:///etc/passwd">marco</iframe><object data="x">objeto</object>
      <img src="https://evil.example/x.png" alt="logotipo"><svg><script>alert(3)</script></svg>
      <a href="javascript:alert(4)">mal</a> <a href="https://bien.example/">bien</a></body></html>"""
    seen = shown(content)
    assert seen.split("\n")[:3] == ["Aviso", "Hola mundo & más", "línea"]
    assert "[logotipo]" in seen
    assert "bien <https://bien.example/>" in seen
    for hidden in ("alert", "color", "passwd", "evil", "javascript", "onclick"):
        assert hidden not in seen


def test_what_html_says_by_its_looks_is_written_out():
    content = (
        "<p>Paga <s>100</s> 200 m<sup>2</sup></p><p><input type=checkbox checked> Sí"
        " <input type=checkbox> No <input value='Ana'><input type=hidden value=no></p>"
    )
    assert shown(content) == "Paga [tachado: 100] 200 m^2\n[x] Sí [ ] No Ana"


def test_a_table_too_wide_for_the_page_becomes_lines():
    row = "".join(f"<td>{number}</td>" for number in range(12))
    assert shown(f"<table><tr>{row}</tr></table>") == " | ".join(map(str, range(12)))


def test_lists_and_tables_within_each_other_keep_their_words():
    content = (
        "<ul><li>a<ol start=3><li>b</ol><li><table><tr><td>c<table><tr><td>d</table></table></ul>"
    )
    seen = shown(content)
    assert [word for word in "abcd" if word not in seen] == []
    assert "3. b" in seen


@given(st.text(max_size=300), st.sampled_from(ContentFormat))
def test_any_text_in_any_format_becomes_blocks(content, content_format):
    list(blocks_of(content, content_format))


@given(
    st.lists(
        st.sampled_from(
            [
                "<b>",
                "</b>",
                "<table>",
                "<td>",
                "<tr>",
                "</table>",
                "<ul>",
                "<li>",
                "</ul>",
                "<pre>",
                "x",
                " ",
                "<a href='https://x.y'>",
                "</a>",
                "<p>",
            ]
        )
    )
)
def test_no_word_of_html_is_lost_however_its_elements_are_closed(parts):
    seen = shown("<div>" + "".join(parts), HTML)
    assert seen.count("x") - seen.count("x.y") == parts.count("x")
