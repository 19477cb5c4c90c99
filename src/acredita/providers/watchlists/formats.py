"""The formats of lists, and their detection from a file's content."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from acredita.providers.watchlists import (
    csl,
    eu,
    ftm,
    ofac_csv,
    ofac_xml,
    own_csv,
    pep_mx,
    sat69b,
    uk,
    un,
)
from acredita.providers.watchlists.protocol import ListFault, ListFile, Reader

HEAD = 1 << 14


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    read: Reader
    # Receives the file's first bytes in lower case.
    recognises: Callable[[bytes], bool]


def _looks_like_ofac_csv(head: bytes) -> bool:
    """Begins with an entry number and has the number of columns of one of OFAC's four files."""
    line = head.lstrip(b"\xef\xbb\xbf \r\n").partition(b"\n")[0].rstrip()
    columns = len(re.findall(rb'(?:"(?:[^"]|"")*"|[^",])*(?:,|$)', line)) - (
        not line.endswith(b",")
    )
    number = re.match(rb'"?\d+"?,', line)
    return number is not None and columns in {12, 5, 6, 2}


FORMATS = (
    Format("ofac-xml", ofac_xml.read, lambda head: b"<sdnlist" in head),
    Format("un-xml", un.read, lambda head: b"<consolidated_list" in head),
    Format("eu-xml", eu.read_xml, lambda head: b"europa.ec/fpi/fsd" in head),
    Format("eu-csv", eu.read_csv, lambda head: b"entity_logicalid" in head),
    Format("uk-csv", uk.read, lambda head: b"name 6" in head and b"name 1" in head),
    Format("us-csl-csv", csl.read, lambda head: b"alt_names" in head and b"_id" in head),
    Format("ftm", ftm.read, lambda head: head.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"{")),
    Format("sat-69b", sat69b.read, lambda head: b"rfc" in head and b"contribuyente" in head),
    Format("pep-mx-csv", pep_mx.read, pep_mx.is_header),
    Format("csv", own_csv.read, lambda head: bool(own_csv.header_of(head))),
    Format("ofac-csv", ofac_csv.read, _looks_like_ofac_csv),
)
BY_NAME = {each.name: each for each in FORMATS}


def detect(files: Sequence[ListFile]) -> Format:
    """Detect the format of the files, which must be the same. Raise ListFault."""
    found = {file: _detect_format(file) for file in files}
    for file, each in found.items():
        if each is None:
            raise file.fault(f"has none of the formats {', '.join(BY_NAME)}")
    if len(formats := {each for each in found.values() if each}) != 1:
        raise ListFault(f"the files have several formats: {', '.join(f.name for f in formats)}")
    return formats.pop()


def _detect_format(file: ListFile) -> Format | None:
    with file.path.open("rb") as raw:
        head = raw.read(HEAD)
    if not head.strip(b"\xef\xbb\xbf \t\r\n\x1a"):
        raise file.fault("is empty")
    lowered = head.lower()
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        # XML may be UTF-16, and its reader handles that.
        lowered = head.decode("utf-16", "ignore").lower().encode()
    return next((each for each in FORMATS if each.recognises(lowered)), None)
