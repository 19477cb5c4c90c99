"""Parses untrusted XML as a stream.

A document type declaration is refused, which rules out entities (billion laughs, local files).
Records are built one at a time, with limits on depth and size.
"""

from collections.abc import Collection, Iterator, Mapping
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from acredita.providers.watchlists.protocol import ListFault, ListFile
from acredita.providers.watchlists.text import CHUNK, clean, open_bytes

DEEPEST = 32
# Elements plus characters of one record.
LARGEST_RECORD = 4_000_000


class Records:
    """Iterates over complete elements with the wanted names, without namespaces.

    `root` has the attributes of the outermost element after the first record.
    """

    def __init__(self, file: ListFile, wanted: Collection[str]) -> None:
        self._file = file
        self._wanted = frozenset(wanted)
        self.root_name = ""
        self.root: Mapping[str, str] = {}
        self._depth = 0
        self._record: TreeBuilder | None = None
        self._record_depth = 0
        self._size = 0
        self._done: list[tuple[int, Element]] = []
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._reject_doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters

    def __iter__(self) -> Iterator[tuple[int, Element]]:
        """Yield (line, element). Raise ListFault for invalid or truncated XML."""
        try:
            with open_bytes(self._file) as raw:
                while piece := raw.read(CHUNK):
                    self._parser.Parse(piece, False)
                    yield from self._taken()
            self._parser.Parse(b"", True)
        except expat.ExpatError as fault:
            what = expat.ErrorString(fault.code)
            raise self._file.fault(f"is damaged or truncated: {what}", fault.lineno) from None
        yield from self._taken()

    def _taken(self) -> list[tuple[int, Element]]:
        done, self._done = self._done, []
        return done

    def _reject_doctype(self, *_: object) -> None:
        raise self._fault("has a document type declaration, which lists do not have")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(" ")[2]
        self._depth += 1
        if self._depth == 1:
            self.root_name, self.root = name, attributes
        if self._depth > DEEPEST:
            raise self._fault("is nested too deeply")
        if self._record is None and name in self._wanted:
            self._record, self._record_depth, self._size = TreeBuilder(), self._depth, 0
        if self._record is not None:
            self._grow(1 + sum(map(len, attributes.values())))
            self._record.start(name, attributes)

    def _end(self, name: str) -> None:
        if self._record is not None:
            self._record.end(name.rpartition(" ")[2])
            if self._depth == self._record_depth:
                self._done.append((self._parser.CurrentLineNumber, self._record.close()))
                self._record = None
        self._depth -= 1

    def _characters(self, text: str) -> None:
        if self._record is not None:
            self._grow(len(text))
            self._record.data(text)

    def _grow(self, by: int) -> None:
        self._size += by
        if self._size > LARGEST_RECORD:
            raise self._fault("has an entry that is too large")

    def _fault(self, what: str) -> ListFault:
        return self._file.fault(what, self._parser.CurrentLineNumber)


def text_of(element: Element, path: str) -> str:
    return clean(element.findtext(path) or "")


def texts_of(element: Element, path: str) -> list[str]:
    """The distinct texts of all elements at the path."""
    found = (clean(each.text or "") for each in element.iterfind(path))
    return list(dict.fromkeys(text for text in found if text))


def attribute(element: Element, name: str) -> str:
    return clean(element.get(name, ""))
