"""Estimate what it costs to render a PDF, without rendering: how much content its pages draw.

A form (ISO 32000-1, 8.10) is content that other content draws by name, so a few forms that draw
each other ten times are billions of drawings. This module finds the objects by their keywords,
inflates contents up to a limit, and counts. It ignores the cross-reference table, which may be
broken or false, and takes the costliest of the definitions of an object. It cannot read contents
that are encrypted, or compressed by another filter than Flate. It assumes that these draw each of
their names once.

The estimate itself must stay cheap for a file that attacks it, so it counts every byte that it
looks at again.
"""

import mmap
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from acredita.engines.documents.accepted_types import CannotOpen

Content = bytes | mmap.mmap

MOST_PAGES: Final = 500
"""The renderer refuses more than ten pages; a file with old versions of its pages has more."""
MOST_OBJECTS: Final = 50_000
MOST_KEYWORDS: Final = 4 * MOST_OBJECTS  # each object has two, and its text may have more
MOST_WORK: Final = 24 * 1024 * 1024
"""Bytes of headers and contents, raw and inflated, that the estimate reads."""
MOST_NESTING: Final = 20
MOST_DRAWN: Final = 60_000_000
"""Bytes of content that a page draws, with the forms in it; a form or an image counts DRAWING more,
and an image its pixels, PIXELS_PER_BYTE for one. The content of a dense page is under a million."""
DRAWING: Final = 200
PIXELS_PER_BYTE: Final = 100

_OBJECT: Final = re.compile(rb"(\d{1,10})\s+\d{1,5}\s+$")
_HEADER_END: Final = re.compile(rb"\bstream\r?\n|\bendobj\b|\bobj\b")
_LONGEST_HEADER: Final = 128 * 1024
_NAME_ESCAPE: Final = re.compile(rb"#([0-9A-Fa-f]{2})")
_REFERENCE: Final = re.compile(rb"(\d{1,10})\s+\d{1,5}\s+R\b")
_NAMED_REFERENCE: Final = re.compile(rb"/([^\s/<>\[\](){}%]+)\s*(\d{1,10})\s+\d{1,5}\s+R\b")
_DRAWN: Final = re.compile(rb"/([^\s/<>\[\](){}%]+)\s+Do\b")
_PAGE: Final = re.compile(rb"/Type\s*/Page\b")
_FORM: Final = re.compile(rb"/Subtype\s*/Form\b")
_IMAGE: Final = re.compile(rb"/Subtype\s*/Image\b")
_OBJECT_STREAM: Final = re.compile(rb"/Type\s*/ObjStm\b")
_CONTENTS: Final = re.compile(rb"/Contents\s*(\[[^\]]*|\d{1,10}\s+\d{1,5}\s+R)")
_RESOURCES: Final = re.compile(rb"/Resources\s*(\d{1,10})\s+\d{1,5}\s+R\b")
_PARENT: Final = re.compile(rb"/Parent\s*(\d{1,10})\s+\d{1,5}\s+R\b")
_X_OBJECTS: Final = re.compile(rb"/XObject\s*(?:<<([^>]*)|(\d{1,10})\s+\d{1,5}\s+R\b)")
_SIDES: Final = tuple(re.compile(rb"/%s\s+(\d{1,6})\b" % side) for side in (b"Width", b"Height"))
_FILTER: Final = re.compile(rb"/(?:Filter|F)\s*(?:\[([^\]]*)|(/\w+))")
_STEP: Final = 1 << 18


@dataclass(frozen=True, slots=True)
class _Object:
    header: bytes
    # The bytes of its stream in the file; both zero if it has none.
    start: int = 0
    end: int = 0

    @property
    def filters(self) -> bytes:
        found = _FILTER.search(self.header)
        return b"".join((found[1] or found[2] or b"").split()) if found else b""


def drawn_bytes(content: Content) -> tuple[int, list[tuple[int, int]]]:
    """Return the number of bytes that all pages draw, and where each JPEG in the file is, as
    (start, end). Raise CannotOpen: TOO_MANY_PAGES or TOO_MANY_FORMS.
    """
    file = _File(content)
    definitions = [each for versions in file.objects.values() for each in versions]
    pages = [each for each in definitions if _PAGE.search(each.header)]
    if len(pages) > MOST_PAGES:
        raise CannotOpen("TOO_MANY_PAGES")
    costs = [file.page_cost(page) for page in pages]
    if max(costs, default=0) > MOST_DRAWN:
        raise CannotOpen("TOO_MANY_FORMS")
    pictures = [
        (each.start, each.end) for each in definitions if each.end and each.filters == b"/DCTDecode"
    ]
    if sum(end - start for start, end in pictures) > len(content):  # they overlap
        raise CannotOpen("TOO_MANY_FORMS")
    return sum(costs), pictures


class _File:
    """The objects of a file by number, each with all of its definitions."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._work_left = MOST_WORK
        self._count = 0
        self._costs: dict[int, int] = {}
        self.objects: dict[int, list[_Object]] = defaultdict(list)
        for number, found in self._objects_in_file():
            self._add(number, found)
            if found.end and _OBJECT_STREAM.search(found.header):
                self._add_compressed(found)

    def page_cost(self, page: _Object) -> int:
        """Return the number of bytes that the page draws. Raise CannotOpen."""
        contents = _CONTENTS.search(page.header)
        streams = [
            stream
            for number in (_REFERENCE.findall(contents[1]) if contents else ())
            for stream in self.objects.get(int(number), ())
        ]
        # A page inherits the resources of the nodes above it.
        scopes, above = [page.header], page.header
        for _ in range(MOST_NESTING):
            parent = _PARENT.search(above)
            nodes = self.objects.get(int(parent[1])) if parent else None
            if not nodes:
                break
            above = nodes[-1].header
            self._charge(len(above))
            scopes.append(above)
        return self._cost_of_streams(streams, scopes, 0)

    def _cost(self, number: int, depth: int) -> int:
        """Return the cost of the costliest definition of a form or an image."""
        if depth > MOST_NESTING:
            raise CannotOpen("TOO_MANY_FORMS")
        known = self._costs.get(number)
        if known is not None:
            return known
        self._costs[number] = DRAWING  # for a form that draws itself, which renderers ignore
        cost = 0
        for each in self.objects.get(number, ()):
            if _FORM.search(each.header):
                cost = max(cost, self._cost_of_streams([each], [each.header], depth))
            elif _IMAGE.search(each.header):
                sides = [int(found[1]) for side in _SIDES if (found := side.search(each.header))]
                cost = max(cost, sides[0] * sides[-1] // PIXELS_PER_BYTE if sides else 0)
        self._costs[number] = cost
        return cost

    def _cost_of_streams(self, streams: list[_Object], scopes: list[bytes], depth: int) -> int:
        names = self._x_objects(scopes)
        costs: dict[bytes, int] = {}
        cost = 0
        for each in streams:
            size, drawn = self._drawn_names(each, names)
            cost += size
            for name, times in drawn.items():
                if name not in costs:
                    children = (self._cost(child, depth + 1) for child in names.get(name, ()))
                    costs[name] = DRAWING + max(children, default=0)
                cost += times * costs[name]
        return cost

    def _drawn_names(
        self, stream: _Object, names: dict[bytes, set[int]]
    ) -> tuple[int, Counter[bytes]]:
        """Return the length of a content and how often it draws each name."""
        content = self._inflated(stream)
        if content is None:
            return stream.end - stream.start, Counter(dict.fromkeys(names, 1))
        drawn: Counter[bytes] = Counter()
        for start in range(0, len(content), _STEP):  # short searches, as in `cost`
            found = Counter(_DRAWN.findall(content[start : start + _STEP]))
            for name, times in found.items():
                drawn[_unescaped(name)] += times
            if drawn.total() * DRAWING > MOST_DRAWN:
                raise CannotOpen("TOO_MANY_FORMS")
        return len(content), drawn

    def _x_objects(self, scopes: list[bytes]) -> dict[bytes, set[int]]:
        """Return the objects of each name in the resources that these headers have or refer to."""
        names: dict[bytes, set[int]] = defaultdict(set)
        for scope in scopes:
            resources = self._headers(_RESOURCES.findall(scope))
            for header in [scope, *resources]:
                for inline, reference in _X_OBJECTS.findall(header):
                    for part in self._headers([reference]) if reference else [inline]:
                        for name, number in _NAMED_REFERENCE.findall(part):
                            names[name].add(int(number))
        return names

    def _headers(self, numbers: list[bytes]) -> Iterator[bytes]:
        for number in numbers:
            for each in self.objects.get(int(number), ()):
                self._charge(len(each.header))
                yield each.header

    def _charge(self, size: int) -> None:
        """Count bytes that are read, and something for the call. Raise CannotOpen."""
        self._work_left -= size + DRAWING
        if self._work_left < 0:
            raise CannotOpen("TOO_MANY_FORMS")

    def _add(self, number: int, found: _Object) -> None:
        self._count += 1
        if self._count > MOST_OBJECTS:
            raise CannotOpen("TOO_MANY_FORMS")
        self.objects[number].append(found)

    def _objects_in_file(self) -> Iterator[tuple[int, _Object]]:
        content, place, end, keywords = self._content, 0, 0, 0
        while (place := content.find(b"obj", place)) >= 0:
            keywords += 1
            if keywords > MOST_KEYWORDS:
                raise CannotOpen("TOO_MANY_FORMS")
            before = _OBJECT.search(content[max(0, place - 24) : place])
            place += 3
            if before is None or content[place : place + 1].isalnum():
                continue
            # The next object ends the header, if nothing else does, so no byte is searched twice.
            found = _HEADER_END.search(content, place, place + _LONGEST_HEADER)
            header = _unescaped(content[place : found.start() if found else place + 1024])
            if found is None or not found[0].startswith(b"stream"):
                yield int(before[1]), _Object(header)
                continue
            if end < found.end():
                end = content.find(b"endstream", found.end())
                end = len(content) if end < 0 else end
            yield int(before[1]), _Object(header, found.end(), end)

    def _add_compressed(self, container: _Object) -> None:
        """Add the objects of an object stream (ISO 32000-1, 7.5.7)."""
        content = self._inflated(container)
        first = re.search(rb"/First\s+(\d{1,9})\b", container.header)
        if content is None or first is None:
            return
        start = int(first[1])
        figures = [int(each) for each in re.findall(rb"\d{1,9}", content[:start])]
        places = list(zip(figures[::2], figures[1::2], strict=False))
        ends = [place for _, place in places[1:]] + [len(content) - start]
        for (number, place), end in zip(places, ends, strict=True):
            header = content[start + place : start + min(end, place + _LONGEST_HEADER)]
            self._charge(len(header))
            self._add(number, _Object(_unescaped(header)))

    def _inflated(self, stream: _Object) -> bytes | None:
        """Return the bytes of a stream; None if they are not readable. Raise CannotOpen."""
        filters = stream.filters
        if filters not in (b"", b"/FlateDecode", b"/Fl"):
            return None
        self._charge(stream.end - stream.start)
        raw = self._content[stream.start : stream.end]
        if not filters:
            return raw
        try:
            inflated = zlib.decompressobj().decompress(raw, self._work_left + 1)
        except zlib.error:
            return None
        self._charge(len(inflated))
        return inflated


def _unescaped(written: bytes) -> bytes:
    return _NAME_ESCAPE.sub(lambda found: bytes([int(found[1], 16)]), written)
