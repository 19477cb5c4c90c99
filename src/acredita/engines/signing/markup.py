"""Parse plain text, Markdown and HTML into blocks of text.

HTML goes through a sanitizer with a browser-grade parser (ammonia). It keeps an allow-list of
elements without scripts, styles, forms or external resources. Only text and its structure become
blocks; URLs are printed, never followed. Markdown is rendered to HTML first; HTML inside Markdown
is text. Formatting that carries meaning but that the page cannot show is written out:
strikethrough, superscript, form values.
"""

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Final

import nh3
from markdown_it import MarkdownIt

from acredita.engines.signing.blocks import Block, Paragraph, Rule, Run, Style, Table
from acredita.engines.signing.package import ContentFormat

DEEPEST_INDENT: Final = 6
DEEPEST: Final = 50
# Open elements of HTML. The time of its parser grows with the square of the depth: half a million
# characters of nested lists would take a quarter of a minute.
DEEPEST_ELEMENT: Final = 256
# A table with more columns becomes lines of text, because its cells would be too narrow.
MOST_COLUMNS: Final = 8
BULLET: Final = "•"

HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
BLOCKS: Final = frozenset(
    {"p", "div", "section", "article", "header", "footer", "main", "address", "center"}
    | {"figure", "figcaption", "dl", "dt", "summary", "details", "caption", "aside", "nav"}
)
BOLD: Final = frozenset({"b", "strong", "th", "dt"})
ITALIC: Final = frozenset({"i", "em", "cite", "dfn", "var"})
INLINE: Final = frozenset({"u", "ins", "span", "code", "abbr", "small", "mark", "time", "kbd"})
# Element → (text before it, text after it).
WRITTEN_OUT: Final = {
    "s": ("[tachado: ", "]"),
    "strike": ("[tachado: ", "]"),
    "del": ("[tachado: ", "]"),
    "sup": ("^", ""),
    "sub": ("_", ""),
    "q": ("“", "”"),
}
NESTING: Final = frozenset({"ul", "ol", "blockquote", "dd"})
TABLES: Final = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th"})
ELEMENTS: Final = (
    {*HEADINGS, *BLOCKS, *BOLD, *ITALIC, *INLINE, *WRITTEN_OUT, *NESTING, *TABLES}
    | {"br", "hr", "li", "pre", "a", "img", "input"}
)  # fmt: skip
ADDRESSES: Final = {"http", "https", "mailto", "tel"}

HTML_BEGINS: Final = re.compile(
    r"\s*(?:<!--.{0,2000}?-->\s*)?<(?:!doctype\s+html|html|head|body|script|style|table|ul|ol|p|div|"
    r"h[1-6]|section|article|main|header|b|strong|em|i|span|center|br|hr|blockquote|pre|a)"
    r"(?:\s[^<>]{0,2000})?/?>",
    re.IGNORECASE | re.DOTALL,
)
MARKDOWN_SIGNS: Final = re.compile(
    r"^#{1,6} \S"  # a heading
    r"|^ {0,3}(?:```|~~~)"  # a fence
    r"|^ {0,3}\|? {0,8}:?-{3,}:? {0,8}\|"  # the second line of a table
    r"|\*\*[^\s*][^*\n]{0,200}\*\*"  # bold
    r"|\[[^\]\n]{1,200}\]\((?:https?|mailto):",  # a link
    re.MULTILINE,
)


def format_of(content: str) -> ContentFormat:
    """Guess the format. Plain text that is mistaken for Markdown keeps its line breaks."""
    if HTML_BEGINS.match(content):
        return ContentFormat.HTML
    if MARKDOWN_SIGNS.search(content):
        return ContentFormat.MARKDOWN
    return ContentFormat.TEXT


def blocks_of(content: str, content_format: ContentFormat) -> Iterator[Block]:
    """Parse the content into blocks."""
    match content_format:
        case ContentFormat.TEXT:
            return _text(content)
        case ContentFormat.MARKDOWN:
            return _markdown(content)
        case ContentFormat.HTML:
            return _html(content)


def _text(content: str) -> Iterator[Block]:
    for line in content.splitlines():
        yield Paragraph([Run(line)], keeps_blanks=True)


def _markdown(content: str) -> Iterator[Block]:
    # Keep line breaks and show link definitions, so that all of the text is visible.
    markdown = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": DEEPEST})
    markdown.enable("table").disable("reference")
    environment: dict[str, object] = {}
    tokens = markdown.parse(content, environment)
    if any(token.level >= DEEPEST - 1 for token in tokens):
        # The parser drops content that is nested deeper.
        return _text(content)
    return _html(markdown.renderer.render(tokens, markdown.options, environment))


# A comment, an element whose content is not markup, or a tag. Every part matches or ends at the end
# of the text, so the search takes linear time.
_TAG: Final = re.compile(
    r"<!--(?:-?>|.*?(?:--!?>|\Z))"
    r"|<(?P<raw>script|style|title)\b.*?(?:</(?P=raw)|\Z)"
    r"|<(?P<end>/?)(?P<name>[a-z][^\s/>]*)(?P<rest>[^<>]*)",
    re.DOTALL | re.IGNORECASE,
)
# These have no contents, or end where the next one of their kind begins.
_FLAT: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"}
    | {"source", "track", "wbr", "p", "li", "dt", "dd", "tr", "td", "th", "option"}
    | {"thead", "tbody", "tfoot", "colgroup"}
)


def _is_too_deep(markup: str) -> bool:
    """Whether elements are nested more than `DEEPEST_ELEMENT` deep, as far as their tags say."""
    open_elements: Counter[str] = Counter()
    depth = 0
    for tag in _TAG.finditer(markup):
        name = (tag["name"] or "").lower()
        if not name or name in _FLAT:
            continue
        # SVG and MathML close an element in its own tag. HTML ignores the slash.
        is_foreign = name not in ELEMENTS and (open_elements["svg"] or open_elements["math"])
        is_closed = is_foreign and tag["rest"].endswith("/")
        if is_closed:
            continue
        if not tag["end"]:
            open_elements[name] += 1
            depth += 1
        elif open_elements[name]:
            open_elements[name] -= 1
            depth -= 1
        if depth > DEEPEST_ELEMENT:
            return True
    return False


def _html(markup: str) -> Iterator[Block]:
    if _is_too_deep(markup):
        # Rewritten HTML could mean something else than the signer's.
        return _text(markup)
    reader = _Reader()
    clean = nh3.clean(
        markup,
        tags=ELEMENTS,
        clean_content_tags={"script", "style", "title", "noscript", "template", "iframe", "object"},
        attributes={
            "a": {"href"},
            "img": {"alt"},
            "ol": {"start"},
            "input": {"type", "value", "checked"},
        },
        url_schemes=ADDRESSES,
        link_rel=None,
        strip_comments=True,
    )
    reader.feed(clean)
    reader.close()
    return iter(reader.blocks())


class _Reader(HTMLParser):
    """Builds the blocks without recursion, because elements may be nested to any depth."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._blocks: list[Block] = []
        self._runs: list[Run] = []
        self._bold = self._italic = self._pre = 0
        self._heading = 0
        # The next number of each open list; None for bullets.
        self._lists: list[int | None] = []
        self._quotes = 0
        self._mark = ""
        self._links: list[str] = []
        self._table: Table | None = None
        self._tables = 0

    def blocks(self) -> list[Block]:
        self._end_paragraph()
        self._end_table()
        return self._blocks

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in BOLD:
            self._bold += 1
        if tag in ITALIC:
            self._italic += 1
        if tag == "a":
            self._links.append(given.get("href") or "")
        elif tag == "img":
            self._add(f"[{given.get('alt') or 'imagen'}]")
        elif tag == "input":
            self._add(_filled_in(given))
        elif tag in WRITTEN_OUT:
            self._add(WRITTEN_OUT[tag][0])
        elif tag == "br":
            self._add_break()
        elif tag in TABLES:
            self._start_of_table(tag)
        elif self._table is not None:
            self._separate()
        else:
            self._start_block(tag, given)

    def _start_block(self, tag: str, given: dict[str, str | None]) -> None:
        if tag in HEADINGS:
            self._end_paragraph()
            self._heading = HEADINGS[tag]
        elif tag in ("ul", "ol"):
            self._end_paragraph()
            self._lists.append(_number(given.get("start")) if tag == "ol" else None)
        elif tag == "li":
            self._end_paragraph()
            self._mark = self._next_mark()
        elif tag in ("blockquote", "dd"):
            self._end_paragraph()
            self._quotes += 1
        elif tag == "pre":
            self._end_paragraph()
            self._pre += 1
        elif tag == "hr":
            self._end_paragraph()
            self._blocks.append(Rule())
        elif tag in BLOCKS:
            self._end_paragraph()

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._links:
            self._print_address(self._links.pop())
        elif tag in WRITTEN_OUT:
            self._add(WRITTEN_OUT[tag][1])
        elif tag in TABLES:
            self._end_of_table(tag)
        elif self._table is None:
            self._end_block(tag)
        if tag in BOLD:
            self._bold = max(0, self._bold - 1)
        if tag in ITALIC:
            self._italic = max(0, self._italic - 1)

    def _end_block(self, tag: str) -> None:
        if tag in HEADINGS:
            self._end_paragraph()
            self._heading = 0
        elif tag in ("ul", "ol"):
            self._end_paragraph()
            if self._lists:
                self._lists.pop()
        elif tag in ("blockquote", "dd"):
            self._end_paragraph()
            self._quotes = max(0, self._quotes - 1)
        elif tag == "pre":
            self._end_paragraph()
            self._pre = max(0, self._pre - 1)
        elif tag in BLOCKS or tag == "li":
            self._end_paragraph()

    def handle_data(self, data: str) -> None:
        self._add(data if self._pre else re.sub(r"\s+", " ", data))

    def _add(self, text: str) -> None:
        begins_a_line = not self._runs or self._runs[-1].text == "\n"
        if begins_a_line and not self._pre:
            text = text.lstrip()
        if text:
            self._runs.append(Run(text, _style(bold=self._bold > 0, italic=self._italic > 0)))

    def _add_break(self) -> None:
        if self._runs:
            self._runs.append(Run("\n"))

    def _separate(self) -> None:
        """Separate the blocks within a cell by a blank: a cell holds one text."""
        if self._runs and not self._runs[-1].text.endswith((" ", "\n")):
            self._runs.append(Run(" "))

    def _print_address(self, address: str) -> None:
        shown = "".join(run.text for run in self._runs[-8:])
        if address and address not in shown:
            self._add(f" <{address}>")

    def _next_mark(self) -> str:
        if not self._lists or self._lists[-1] is None:
            return BULLET
        number = self._lists[-1]
        self._lists[-1] = number + 1
        return f"{number}."

    def _end_paragraph(self) -> None:
        if self._runs or self._mark:
            self._blocks.append(
                Paragraph(
                    self._runs,
                    indent=min(len(self._lists) + self._quotes, DEEPEST_INDENT),
                    heading=self._heading,
                    mark=self._mark,
                    keeps_blanks=self._pre > 0,
                )
            )
        self._runs, self._mark = [], ""

    def _start_of_table(self, tag: str) -> None:
        """Start a table, row or cell. Nested tables become rows of the outer table."""
        if tag == "table":
            self._tables += 1
            if self._tables == 1:
                self._end_paragraph()
                self._table = Table(indent=min(len(self._lists) + self._quotes, DEEPEST_INDENT))
            return
        if self._table is None:
            return
        self._end_cell()
        if tag == "tr":
            self._table.rows.append([])

    def _end_of_table(self, tag: str) -> None:
        if tag == "table":
            self._tables = max(0, self._tables - 1)
            if self._tables == 0:
                self._end_table()
        elif self._table is not None and tag in ("td", "th", "tr"):
            self._end_cell(closes=tag in ("td", "th"))

    def _end_cell(self, *, closes: bool = False) -> None:
        if self._table is None or not (self._runs or closes):
            return
        if not self._table.rows:
            self._table.rows.append([])
        self._table.rows[-1].append(self._runs)
        self._runs = []

    def _end_table(self) -> None:
        table, self._table = self._table, None
        if table is None:
            return
        if self._runs:
            table.rows.append([self._runs])
            self._runs = []
        rows = [row for row in table.rows if any(row)]
        if max(map(len, rows), default=0) <= MOST_COLUMNS:
            table.rows = rows
            self._blocks.append(table)
        else:
            self._blocks.extend(
                Paragraph(_joined(row), indent=table.indent, keeps_blanks=False) for row in rows
            )


def _joined(cells: list[list[Run]]) -> list[Run]:
    runs: list[Run] = []
    for cell in cells:
        runs += [*cell, Run(" | ")]
    return runs[:-1]


def _filled_in(given: dict[str, str | None]) -> str:
    match (given.get("type") or "text").lower():
        case "checkbox" | "radio":
            return "[x]" if "checked" in given else "[ ]"
        case "hidden" | "password" | "submit" | "button" | "reset" | "image" | "file":
            return ""
        case _:
            return given.get("value") or "____"


def _style(*, bold: bool, italic: bool) -> Style:
    if bold:
        return Style.BOLD_ITALIC if italic else Style.BOLD
    return Style.ITALIC if italic else Style.REGULAR


def _number(text: str | None) -> int:
    return int(text) if text and re.fullmatch(r"\d{1,6}", text) else 1
