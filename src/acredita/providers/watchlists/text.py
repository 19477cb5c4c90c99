"""Reads large text files of third parties, which may be damaged."""

import csv
import io
import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from acredita.providers.watchlists.protocol import LONGEST_NAME, ListFile, Name, NameKind

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer

CHUNK = 1 << 16
LONGEST_FIELD = 1 << 20
# The DOS end-of-file mark. OFAC's files end with it.
END_OF_FILE = "\x1a"
NOT_PRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]+")
BLANKS = re.compile(r"\s+")
ASIDE = re.compile(r"\([^)]*\)")
# Also the names of Russian registers.
NUMBER_SIGN = re.compile(r"\b[Nn]o\.|[Nn]°|№|:|\b(?:OGRN|INN|TIN|KPP|OKPO)\b")
DIGIT = re.compile(r"\d")

csv.field_size_limit(LONGEST_FIELD)


class _Counted(io.FileIO):
    """A file that reports how many bytes were read."""

    def __init__(self, file: ListFile) -> None:
        super().__init__(file.path)
        self._on_read = file.on_read

    def readinto(self, buffer: "Buffer", /) -> int:
        count = super().readinto(buffer)
        self._on_read(count)
        return count


def only(files: Sequence[ListFile]) -> ListFile:
    """Return the file of a list that has a single one. Raise ListFault for several."""
    if len(files) > 1:
        raise files[1].fault("is one file too many: this list has a single file")
    return files[0]


def open_bytes(file: ListFile) -> io.BufferedReader:
    return io.BufferedReader(_Counted(file), CHUNK)


def encoding_of(file: ListFile, *, otherwise: str | None = None) -> str:
    """Return `utf-8-sig`, or `otherwise` (if given) for a file that is not valid UTF-8.

    Raise ListFault for an empty file, UTF-16 and binary files.
    """
    with file.path.open("rb") as raw:
        first = raw.read(4)
        if not first.strip(b"\xef\xbb\xbf \t\r\n\x1a"):
            rest = raw.read(CHUNK).strip(b" \t\r\n\x1a")
            if not rest:
                raise file.fault("is empty")
        if first[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\x00" in first:
            raise file.fault("is UTF-16 or binary, not UTF-8")
        if otherwise is None or first.startswith(b"\xef\xbb\xbf"):
            return "utf-8-sig"
        raw.seek(0)
        try:
            with io.TextIOWrapper(raw, "utf-8") as text:
                while text.read(CHUNK):
                    pass
        except UnicodeDecodeError:
            return otherwise
    return "utf-8"


def rows(
    file: ListFile, *, encoding: str = "utf-8-sig", delimiter: str = ",", lazy_quotes: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, fields) of a CSV file without blank rows. `line` is a row's last line.

    `lazy_quotes`: a quotation mark inside an unquoted field is an ordinary character. Raise
    ListFault if the text ends inside a field or has another encoding.
    """
    with io.TextIOWrapper(open_bytes(file), encoding, newline="") as text:
        reader = csv.reader(text, delimiter=delimiter, strict=not lazy_quotes)
        try:
            for row in reader:
                fields = [clean(field) for field in row]
                if any(fields):
                    yield reader.line_num, fields
        except UnicodeDecodeError:
            raise file.fault(f"is not {encoding[:5].upper()} text", reader.line_num + 1) from None
        except csv.Error as fault:
            what = "the file ends inside a quoted field" if "end of data" in str(fault) else fault
            raise file.fault(str(what), reader.line_num) from None


def known_rows(
    file: ListFile, known: Collection[str], needed: Sequence[str] = (), *, delimiter: str
) -> Iterator[tuple[int, "Table", list[str]]]:
    """Yield (line, table, fields) of a CSV file of ours, whose columns are all known.

    Raise ListFault for another column, and for a row of another width.
    """
    table: Table | None = None
    for line, row in rows(file, encoding=encoding_of(file), delimiter=delimiter):
        if table is None:
            if {name.casefold() for name in row} - set(known):
                raise file.fault("has an unknown column (see docs/integrators/aml.md)", line)
            table = Table(file, row, needed)
        elif len(row) != table.width:
            raise file.fault(f"has {len(row)} columns instead of {table.width}", line)
        else:
            yield line, table, row


def clean(text: str) -> str:
    """Remove control characters, direction marks and repeated blanks."""
    # Most fields have neither: the only blank that is printable is the space.
    if text.isprintable() and "  " not in text:
        return text.strip()
    return BLANKS.sub(" ", NOT_PRINTABLE.sub(" ", text)).strip()


class Table:
    """Access to a row's fields by column name. Case is ignored."""

    def __init__(self, file: ListFile, header: Sequence[str], needed: Sequence[str]) -> None:
        self._file = file
        self._places = {name.casefold(): place for place, name in reversed([*enumerate(header)])}
        missing = [name for name in needed if name.casefold() not in self._places]
        if missing:
            raise file.fault(f"has no column {missing[0]!r}")
        self.width = len(header)

    def has(self, name: str) -> bool:
        """Whether there is a column of this name in lower case."""
        return name in self._places

    def get(self, row: Sequence[str], *names: str) -> str:
        """The first non-empty value of these columns, or an empty string."""
        for name in names:
            place = self._places.get(name.casefold())
            if place is not None and place < len(row) and row[place]:
                return row[place]
        return ""


def named(text: str, kind: NameKind = "alias", *, family: str = "", given: str = "") -> Name:
    return Name(text[:LONGEST_NAME], kind, family[:LONGEST_NAME], given[:LONGEST_NAME])


def family_first(text: str, kind: NameKind = "alias", *, person: bool = True) -> Name:
    """Parse `FAMILY, Given`, the form of people's names in American lists."""
    family, comma, given = text.partition(", ")
    if not (person and comma and given):
        return named(text, kind)
    return named(text, kind, family=family, given=given)


def document_number(text: str) -> str:
    """The number in a text like `French passport number 05AT521433 (expired)`."""
    plain = NUMBER_SIGN.sub(" ", ASIDE.sub(" ", text).partition(", ")[0]).split()
    words = [place for place, part in enumerate(plain) if part.isalpha() and not part.isupper()]
    number = " ".join(plain[words[-1] + 1 :] if words else plain)
    return number if DIGIT.search(number) else text


def several(text: str, separator: str = ";") -> list[str]:
    """Split a field into its distinct values."""
    return list(dict.fromkeys(part.strip() for part in text.split(separator) if part.strip()))
