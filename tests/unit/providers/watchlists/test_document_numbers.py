"""Publishers write numbers of documents in many ways; each is read as the number that it is."""

import pytest

from acredita.providers.watchlists import remarks
from acredita.providers.watchlists.text import document_number
from tests.unit.providers.watchlists.conftest import Read

UN = """<?xml version="1.0"?><CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL>
<DATAID>1</DATAID><FIRST_NAME>EVARISTO</FIRST_NAME><SECOND_NAME>QUIMBAYA</SECOND_NAME>
<INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Numéro de passeport </TYPE_OF_DOCUMENT>
<NUMBER>Libya B/002210</NUMBER></INDIVIDUAL_DOCUMENT>
<INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>National Identification Number</TYPE_OF_DOCUMENT>
<NUMBER>44103-5251752-5</NUMBER></INDIVIDUAL_DOCUMENT>
</INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>"""


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("381110042 (Expired 25 Jan. 2016)", "381110042"),
        ("Libyan Passport No. 96/184442", "96/184442"),
        ("German travel document (“Reiseausweis”) A 0139243", "A 0139243"),
        ("Russian passport number 8208 No. 555627", "8208 555627"),
        ("Diplomatic Passport: Z30321794", "Z30321794"),
        ("R00012098, South Sudan", "R00012098"),
        ("PS 381420397", "PS 381420397"),
        ("OGRN 1027700132195", "1027700132195"),
        ("A-123.456/B", "A-123.456/B"),
        ("see the remark", "see the remark"),
        ("", ""),
    ],
)
def test_a_number_is_read_without_the_words_around_it(written, number):
    assert document_number(written) == number


def test_an_entry_keeps_what_its_list_wrote_around_a_number(read: Read):
    (person,) = read(un__xml=UN)
    assert person.identifiers == (("passport", "B/002210"), ("national_id", "44103-5251752-5"))
    assert "Libya B/002210" in person.details.remarks


@pytest.mark.parametrize(
    ("remark", "found"),
    [
        ("R.F.C. AIMO-681106-9F7 (Mexico)", ("rfc", "AIMO-681106-9F7")),
        ("C.U.R.P. AIMO681106HSLVRS05 (Mexico)", ("curp", "AIMO681106HSLVRS05")),
        ("RIF # J-30690232-6 (Venezuela)", ("tax_id", "J-30690232-6")),
        ("Diplomatic Passport 008827 (Iran) issued 1999", ("passport", "008827")),
        ("alt. Passport RL 0134567", ("passport", "RL 0134567")),
        ("Registration Number 12/YAKANA(N)006981 (Burma)", ("registration", "12/YAKANA(N)006981")),
        ("I.F.E. 05116040222575 (Mexico)", ("voter_id", "05116040222575")),
        ("C.U.I. 1995739560513 (Guatemala)", ("national_id", "1995739560513")),
        ("C.U.I.T. 30-68074603-2 (Argentina)", ("tax_id", "30-68074603-2")),
        ("Registration ID HRB 26136 (Germany)", ("registration", "HRB 26136")),
        ("Registration ID 14063277", ("registration", "14063277")),
        ("US FEIN 95-4227517", ("tax_id", "95-4227517")),
        (
            "Digital Currency Address - XBT 1Quimbaya9Lunario",
            ("crypto_wallet", "1Quimbaya9Lunario"),
        ),
        ("alt. Digital Currency Address - USDT 0xQ1", ("crypto_wallet", "0xQ1")),
        ("alt. Trade License No. HRA 92501", ("registration", "HRA 92501")),
        ("Unified Social Credit Code (USCC) 9122MA0Y (China)", ("registration", "9122MA0Y")),
        ("Business Registration Document # CUD: A20140 (Mexico)", ("registration", "A20140")),
        ("Driver's License No. 180839 (Mexico)", ("driver_license", "180839")),
        ("Cartilla de Servicio Militar Nacional B4111940 (Mexico)", ("national_id", "B4111940")),
        ("Vessel Registration Identification IMO 9187629", ("imo", "9187629")),
        ("Aircraft Tail Number EP-MMH", ("aircraft_registration", "EP-MMH")),
        ("Previous Aircraft Tail Number G-VSSH", ("aircraft_registration", "G-VSSH")),
        (
            "Aircraft Construction Number (also called L/N or S/N or F/N) 8401",
            ("aircraft_serial", "8401"),
        ),
        (
            "alt. Aircraft Manufacturer's Serial Number (MSN) 208B5071",
            ("aircraft_serial", "208B5071"),
        ),
        ("Aircraft Serial Identification 1023409321", ("aircraft_serial", "1023409321")),
        ("Aircraft Mode S Transponder Code 0D085A", ("aircraft_transponder", "0D085A")),
    ],
)
def test_each_identifier_of_ofacs_remarks_is_read(remark, found):
    said = remarks.read(f"DOB 06 Nov 1968; {remark}; Gender Male.")
    assert said.identifiers == (found,)
