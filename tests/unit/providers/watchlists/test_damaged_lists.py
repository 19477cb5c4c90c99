"""Files that are not what they should be: each is refused with file, line and reason."""

import tracemalloc
from pathlib import Path

import pytest

from acredita.providers.watchlists.formats import BY_NAME, detect
from acredita.providers.watchlists.protocol import Facts, ListFault, ListFile
from acredita.providers.watchlists.xml import Records
from tests.unit.providers.watchlists.conftest import read_paths

LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "haha">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + "]><CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID>"
    "<FIRST_NAME>&j;</FIRST_NAME></INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>"
)
EXTERNAL = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    "<CONSOLIDATED_LIST><INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>&a;</FIRST_NAME></INDIVIDUAL>"
    "</CONSOLIDATED_LIST>"
)
PERSON = "<INDIVIDUAL><DATAID>{}</DATAID><FIRST_NAME>ANA</FIRST_NAME></INDIVIDUAL>"
UN = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    "<CONSOLIDATED_LIST><INDIVIDUALS>{}</INDIVIDUALS></CONSOLIDATED_LIST>"
)
SDN = '36,"AEROCARIBBEAN AIRLINES",-0- ,"CUBA"' + ",-0- " * 8 + "\r\n"
SAT = (
    "No,RFC,Nombre del Contribuyente,Situación del contribuyente,Oficio\n"
    "1,AAA120730823,ASESORES AGRICOLAS,Definitivo,500-05\n"
)


@pytest.mark.parametrize("text", [LAUGHS, EXTERNAL], ids=["billion laughs", "external entity"])
def test_a_document_type_is_refused_before_any_entity_of_it_counts(read, text):
    tracemalloc.start()
    with pytest.raises(ListFault, match="document type declaration"):
        read(un__xml=text)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (UN.format(PERSON.format(1))[:-30], "truncated"),
        (UN.format(PERSON.format(1)).replace("<FIRST_NAME>", "<FIRST_NAME", 1), "damaged"),
        (UN.format(PERSON.format("")), "without DATAID"),
        (UN.format("<a>" * 40 + "</a>" * 40), "too deeply"),
        (UN.format(PERSON.format(1)).encode().replace(b"ANA", b"AN\xc3"), "damaged"),
        (
            '<CONSOLIDATED_LIST><INDIVIDUAL x="' + "y" * 4_100_000 + '"/></CONSOLIDATED_LIST>',
            "too large",
        ),
    ],
    ids=["truncated", "malformed", "no id", "deep", "encoding", "huge"],
)
def test_damaged_xml_is_refused_with_its_line(read, text, why):
    with pytest.raises(ListFault, match=rf"un.xml, line \d+: .*{why}"):
        read(un__xml=text)


def test_xml_in_utf_16_is_read(read):
    text = UN.format(PERSON.format(1)).replace("UTF-8", "UTF-16")
    (person,) = read(un__xml=text.encode("utf-16"))
    assert person.names[0].text == "ANA"


def test_xml_is_read_record_by_record(tmp_path):
    path = tmp_path / "un.xml"
    path.write_text(UN.format("".join(PERSON.format(n) for n in range(12_000))))
    tracemalloc.start()
    count = sum(1 for _ in Records(ListFile(path, "un.xml"), {"INDIVIDUAL"}))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 12_000
    assert peak < 1_200_000, "a file of 1 MB that is read at once takes more"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "is empty"),
        ("\n \r\n\x1a", "is empty"),
        ("<html><body>Not found</body></html>", "none of the formats"),
        ("%PDF-1.7", "none of the formats"),
        ("PK\x03\x04", "none of the formats"),
        (SDN.encode("utf-16"), "none of the formats|UTF-16"),
    ],
    ids=["empty", "blank", "html", "pdf", "zip", "utf-16"],
)
def test_what_is_no_list_is_said_to_be_none(read, content, why):
    with pytest.raises(ListFault, match=f"^list.csv: .*({why})"):
        read(list__csv=content)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (SDN + '37,"CUT SHO', "line 2: the file ends inside a quoted field"),
        (SDN + '37,"CUT SHORT",-0- ,"CU\r\n', "the file ends inside a quoted field"),
        (SDN + "37,CUT SHORT,-0- ,CUBA\r\n", "line 2: has 4 columns instead of 12"),
        (SDN + SDN.replace("36,", "x,"), "line 2: does not begin with an entry number"),
        (SDN.encode() + SDN.replace("AERO", "ÆRO").encode("latin-1"), "is not UTF"),
        (SDN + SDN.replace("36", "37").replace("CUBA", "x" * 2_000_000), "field larger than"),
    ],
    ids=["in a name", "in a quote", "in a row", "no number", "latin-1", "huge field"],
)
def test_a_damaged_file_of_ofac_is_refused_with_its_line(read, content, why):
    with pytest.raises(ListFault, match=f"sdn.csv.*{why}"):
        read(sdn__csv=content)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (SAT + "2,BBB120730823,OTRA", "line 3: has 3 columns instead of 5"),
        (SAT + "2,BBB120730823,OTRA,Quién sabe,x\n", "line 3: has an unknown status"),
        (SAT + SAT.splitlines()[1], "line 3: repeats the row of sat.csv, line 2"),
    ],
    ids=["cut short", "standing", "twice"],
)
def test_a_damaged_file_of_sat_is_refused_with_its_line(read, content, why):
    with pytest.raises(ListFault, match=f"sat.csv, {why}"):
        read(sat__csv=content)


def test_files_that_are_no_list_together_are_refused(read):
    with pytest.raises(ListFault, match="several formats"):
        read(sdn__csv=SDN, sat__csv=SAT)
    with pytest.raises(ListFault, match=r"b.csv: is the same kind of file as a.csv"):
        read(a__csv=SDN, b__csv=SDN)
    with pytest.raises(ListFault, match="needs the main file"):
        read(alt__csv='36,12,"aka","AERO-CARIBBEAN",-0- \r\n')


@pytest.mark.parametrize("name", BY_NAME)
def test_no_reader_fails_otherwise_than_by_saying_why(tmp_path: Path, name):
    """Any bytes give a list or a ListFault."""
    contents = [
        SDN.encode(),
        SAT.encode(),
        UN.format(PERSON.format(1)).encode(),
        b'{"id": 1}\n',
        b'{"id": "x", "schema": "Person", "properties": {"name": [1, null, {}]}}\n',
        b"[1, 2]\n",
        b"id,name\n1,\n",
        b"_id,source,name,alt_names\n",
        b"_id,source,name,alt_names\nx\n",
        b"Entity_LogicalId;NameAlias_WholeName\n1;\n",
        b"Name 6,Name 1\n,\n",
        b"\x00\x01\x02",
        b'"' * 100,
        b"," * 100,
        b"<sdnList/>",
        b'<export xmlns="http://eu.europa.ec/fpi/fsd/export"><sanctionEntity/></export>',
    ]
    for number, content in enumerate(contents):
        path = tmp_path / f"{number}.csv"
        path.write_bytes(content)
        file = ListFile(path, path.name)
        try:
            list(BY_NAME[name].read([file], Facts()))
        except ListFault as fault:
            assert path.name in str(fault)  # noqa: PT017 (a list is as good)


def test_reading_tells_how_far_it_is(tmp_path):
    path = tmp_path / "sdn.csv"
    path.write_text("".join(SDN.replace("36", str(n)) for n in range(10_000)))
    seen = []
    file = ListFile(path, "sdn.csv", seen.append)
    assert len(list(detect([file]).read([file], Facts()))) == 10_000
    assert sum(seen) >= path.stat().st_size
    assert len(seen) > 5


def test_names_lose_what_nobody_sees(read):
    text = 'id,name\n1,"Ana\u200b\u202eMaría \x07 Cruz\tRuiz"\n'
    (person,) = read(own__csv=text)
    assert person.names[0].text == "Ana María Cruz Ruiz"


def test_a_message_quotes_no_name(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("id,name,countries\n1,Ana Secreta,Narnia\n")
    with pytest.raises(ListFault) as fault:
        read_paths(path)
    assert "Ana" not in str(fault.value)
    assert "Narnia" not in str(fault.value)
