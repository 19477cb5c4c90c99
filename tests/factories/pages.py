"""The pages of the documentation and their blocks of code.

A comment on the line before a block says how a test checks it (CONTRIBUTING.md lists the kinds).
"""

import re
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[2]
# What a release changed has names of former releases.
PAGES = [
    page
    for pattern in (
        "*.md",
        "docs/**/*.md",
        "clients/*/README.md",
        "synthetic/*.md",
        "verifier/*.md",
        "web/**/*.md",
    )
    for page in sorted(PROJECT.glob(pattern))
    if page.name != "CHANGELOG.md" and "node_modules" not in page.parts
]
FENCED = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.DOTALL | re.MULTILINE)
_MARKED = re.compile(
    r"(?:^ *<!-- (?P<kind>\w+)(?:: (?P<about>[^\n]*?))? -->\n)?"
    r"^(?P<indent> *)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Block:
    page: str  # its path in the repository
    number: int
    kind: str | None
    about: str
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}-{self.number}"


def blocks_of(page: Path) -> list[Block]:
    """The blocks between fences, in their order."""
    path = page.relative_to(PROJECT).as_posix()
    return [
        Block(path, number, found["kind"], found["about"] or "", found["language"], found["text"])
        for number, found in enumerate(_MARKED.finditer(page.read_text()))
    ]


def block(page: str, about: str) -> str:
    """The text of the only block of a page, by its path in the repository, that a comment names."""
    [text] = [one.text for one in blocks_of(PROJECT / page) if one.about == about]
    return text
