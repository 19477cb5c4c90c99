# ruff: noqa: E501 (rows as they are published)
"""Formats of which no published file is at hand, by rows in their published form."""

import pytest

from acredita.providers.watchlists.protocol import ListFault, Name

EU_HEADER = (
    "fileGenerationDate;Entity_LogicalId;Entity_EU_ReferenceNumber;"
    "Entity_SubjectType_ClassificationCode;Entity_Regulation_Programme;NameAlias_LastName;"
    "NameAlias_FirstName;NameAlias_MiddleName;NameAlias_WholeName;NameAlias_Strong;"
    "Address_CountryIso2Code;BirthDate_BirthDate;Citizenship_CountryIso2Code;"
    "Identification_Number;Identification_TypeCode"
)
EU_ROWS = [
    "28/10/2026;13;EU.27.28;P;IRQ;Vostrikov;Ivan;Petrovich;Ivan Petrovich Vostrikov;true;;;;;",
    '28/10/2026;13;EU.27.28;P;IRQ;;;;Vanya "el Zar" Vostrikov;false;;;;;',
    "28/10/2026;13;EU.27.28;P;IRQ;;;;;;RU;;;;",
    "28/10/2026;13;EU.27.28;P;IRQ;;;;;;;1961-04-17;;;",
    "28/10/2026;13;EU.27.28;P;UKR;;;;;;;;BY;;",
    "28/10/2026;13;EU.27.28;P;UKR;;;;;;;;;P 12345;passport",
    "28/10/2026;20;EU.27.29;E;UKR;;;;Severnyy Veter LLC;true;RU;;;;",
    "28/10/2026;20;EU.27.29;E;UKR;;;;;;;;;1027700132195;regnumber",
    "28/10/2026;20;EU.27.29;E;UKR;;;;;;;;;7707083893;fiscalcode",
]
EU_XML = """<?xml version="1.0" encoding="UTF-8"?>
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-10-28T16:47:04.449+02:00">
  <sanctionEntity euReferenceNumber="EU.27.28" logicalId="13">
    <remark>REMARK</remark>
    <regulation programme="IRQ" logicalId="348"/><regulation programme="UKR" logicalId="349"/>
    <subjectType code="person" classificationCode="P"/>
    <nameAlias firstName="Ivan" middleName="Petrovich" lastName="Vostrikov"
      wholeName="Ivan Petrovich Vostrikov" strong="true" logicalId="17"/>
    <nameAlias wholeName="Vanya &quot;el Zar&quot; Vostrikov" strong="false" logicalId="19"/>
    <citizenship countryIso2Code="BY" countryDescription="BELARUS"/>
    <birthdate circa="false" birthdate="1961-04-17" year="1961"/>
    <address countryIso2Code="RU"/>
    <identification identificationTypeCode="passport" number="P 12345"/>
  </sanctionEntity>
  <sanctionEntity logicalId="20">
    <regulation programme="UKR"/>
    <subjectType code="enterprise" classificationCode="E"/>
    <nameAlias wholeName="Severnyy Veter LLC" strong="true"/>
    <address countryIso2Code="RU"/>
    <identification identificationTypeCode="regnumber" number="1027700132195"/>
    <identification identificationTypeCode="fiscalcode" number="7707083893"/>
  </sanctionEntity>
</export>
"""


@pytest.mark.parametrize(
    "file",
    [{"eu__csv": "\r\n".join([EU_HEADER, *EU_ROWS])}, {"eu__xml": EU_XML}],
    ids=["csv", "xml"],
)
def test_the_european_unions_list_is_the_same_in_both_forms(read, file):
    person, company = read(**file)
    assert (person.source_id, person.entity_type) == ("13", "person")
    assert person.names == (
        Name("Ivan Petrovich Vostrikov", "primary", "Vostrikov", "Ivan Petrovich"),
        Name('Vanya "el Zar" Vostrikov', "weak"),
    )
    assert person.countries == ("BY", "RU")
    assert person.dates_of_birth == ("1961-04-17",)
    assert person.identifiers == (("passport", "P 12345"),)
    assert person.programs == ("IRQ", "UKR")
    assert (company.entity_type, company.names[0].text) == ("company", "Severnyy Veter LLC")
    assert company.identifiers == (("registration", "1027700132195"), ("tax_id", "7707083893"))


OFSI = """Last Updated,28/10/2026
Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Title,Name Non-Latin Script,DOB,Nationality,Country,Passport Number,Group Type,Alias Type,Alias Quality,Regime,Group ID
VOSTRIKOV,Ivan,Petrovich,,,,Mr,Востриков,17/04/1961,(1) Belarus. (2) Russia.,Russia,(1) P12345,Individual,Primary name,,Russia,8001
VOSTRIKOFF,Vanya,,,,,,,00/00/1962,,,,Individual,AKA,Low Quality,Russia,8001
SEVERNYY VETER LLC,,,,,,,,,,Russia,,Entity,Primary name,,Russia,8002
NORTHERN STAR,,,,,,,,,,,,Ship,Primary name,,Russia,8003
"""
UKSL = """Report Date: 28-Oct-2026
Last Updated,Unique ID,OFSI Group ID,Name 6,Name 1,Name 2,Name 3,Name 4,Name 5,Name type,Alias strength,Name non-latin script,Regime Name,Designation Type,Address Country,D.O.B,Nationality(/ies),Passport number,Business registration number (s)
28/10/2026,RUS0001,8001,VOSTRIKOV,Ivan,Petrovich,,,,Primary Name,,,Russia,Individual,Russia,17/04/1961,Belarus,P12345,
28/10/2026,RUS0001,8001,VOSTRIKOFF,Vanya,,,,,Alias,Good quality,Востриков,Russia,Individual,,,,,
28/10/2026,RUS0002,8002,SEVERNYY VETER LLC,,,,,,Primary Name,,,Russia,Entity,Russia,,,,(1) OGRN 1027700132195. (2) 7707083893
"""


def test_ofsis_list_gathers_the_rows_of_an_entry(read):
    person, company, ship = read(conlist__csv=OFSI)
    assert (person.source_id, person.entity_type) == ("8001", "person")
    assert person.names == (
        Name("Ivan Petrovich VOSTRIKOV", "primary", "VOSTRIKOV", "Ivan Petrovich"),
        Name("Vanya VOSTRIKOFF", "weak", "VOSTRIKOFF", "Vanya"),
        Name("Востриков", "original_script"),
    )
    assert person.dates_of_birth == ("1961-04-17", "1962")
    assert person.countries == ("BY", "RU")
    assert person.identifiers == (("passport", "P12345"),)
    assert (company.entity_type, ship.entity_type) == ("company", "vessel")


def test_the_list_that_replaced_ofsis_is_read_by_its_own_columns(read):
    person, company = read(uk__csv=UKSL)
    assert person.source_id == "RUS0001"
    assert [name.kind for name in person.names] == ["primary", "alias", "original_script"]
    assert (person.countries, person.dates_of_birth) == (("BY", "RU"), ("1961-04-17",))
    numbers = (("registration", "1027700132195"), ("registration", "7707083893"))
    assert company.identifiers == numbers


OFAC_XML = """<?xml version="1.0" standalone="yes"?>
<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation><Publish_Date>10/28/2026</Publish_Date><Record_Count>3</Record_Count></publshInformation>
  <sdnEntry><uid>7173</uid><firstName>Joaquin</firstName><lastName>GUZMAN LOERA</lastName>
    <sdnType>Individual</sdnType><programList><program>SDNTK</program></programList>
    <idList><id><uid>1</uid><idType>R.F.C.</idType><idNumber>GULJ570404AB1</idNumber></id>
      <id><uid>2</uid><idType>Gender</idType><idNumber>Male</idNumber></id></idList>
    <akaList><aka><uid>3</uid><type>a.k.a.</type><category>weak</category><lastName>CHAPO</lastName></aka>
      <aka><uid>4</uid><type>f.k.a.</type><category>strong</category><lastName>GUZMAN</lastName><firstName>Achivaldo</firstName></aka></akaList>
    <addressList><address><uid>5</uid><country>Mexico</country></address></addressList>
    <nationalityList><nationality><uid>6</uid><country>Mexico</country></nationality></nationalityList>
    <dateOfBirthList><dateOfBirthItem><uid>7</uid><dateOfBirth>04 Apr 1957</dateOfBirth></dateOfBirthItem></dateOfBirthList>
  </sdnEntry>
  <sdnEntry><uid>4238</uid><lastName>MAR AZUL</lastName><sdnType>Vessel</sdnType>
    <vesselInfo><vesselFlag>Cuba</vesselFlag></vesselInfo></sdnEntry>
  <sdnEntry><uid>15036</uid><lastName>EP-GOM</lastName><sdnType>Aircraft</sdnType><idList>
    <id><uid>8</uid><idType>Aircraft Construction Number (also called L/N or S/N or F/N)</idType><idNumber>8401</idNumber></id>
    <id><uid>9</uid><idType>Aircraft Tail Number</idType><idNumber>EP-GOM</idNumber></id></idList></sdnEntry>
</sdnList>
"""


def test_ofacs_xml_says_what_its_csv_says(read):
    person, vessel, aircraft = read(sdn__xml=OFAC_XML)
    assert person.names == (
        Name("GUZMAN LOERA, Joaquin", "primary", "GUZMAN LOERA", "Joaquin"),
        Name("CHAPO", "weak"),
        Name("GUZMAN, Achivaldo", "former", "GUZMAN", "Achivaldo"),
    )
    assert person.identifiers == (("rfc", "GULJ570404AB1"),)
    assert (person.countries, person.dates_of_birth) == (("MX",), ("1957-04-04",))
    assert (vessel.entity_type, vessel.countries) == ("vessel", ("CU",))
    numbers = (("aircraft_serial", "8401"), ("aircraft_registration", "EP-GOM"))
    assert (aircraft.entity_type, aircraft.identifiers) == ("aircraft", numbers)


def test_an_xml_list_that_holds_fewer_entries_than_it_announces_is_refused(read):
    with pytest.raises(ListFault, match="announces 4 entries but has 3"):
        read(sdn__xml=OFAC_XML.replace("<Record_Count>3", "<Record_Count>4"))


OWN = """id,type,name,given_names,family_names,aliases,weak_aliases,dates_of_birth,countries,rfc,programs
P-1,person,,Ana María,Cruz Ruiz,Ana Cruz;Ana M. Cruz,La Doña,1990-05-05;1991,México;US,CURA900505AB1,PEP
,company,"Abarrotes Lunario, S.A. de C.V.",,,,,,MX,ALU110315AB1,
"""


@pytest.mark.parametrize("separator", [",", ";"])
def test_a_list_of_ones_own_is_read_with_commas_and_with_semicolons(read, separator):
    text = OWN
    if separator == ";":
        text = (
            OWN.replace(";", "|")
            .replace(",", ";")
            .replace('"Abarrotes Lunario; S.', '"Abarrotes Lunario, S.')
        )
    person, company = read(own__csv="\ufeff" + text)
    assert person.names[0] == Name("Ana María Cruz Ruiz", "primary", "Cruz Ruiz", "Ana María")
    assert [name.text for name in person.names[1:]] == ["Ana Cruz", "Ana M. Cruz", "La Doña"]
    assert person.names[-1].kind == "weak"
    assert person.countries == ("MX", "US")
    assert person.dates_of_birth == ("1990-05-05", "1991")
    assert company.names[0].text == "Abarrotes Lunario, S.A. de C.V."
    assert len(company.source_id) == 32, "a row without an id has one made of it"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("person,,Ana", "robot,,Ana", "unknown type"),
        ("México;US", "Narnia", "unknown country"),
        ("1990-05-05;1991", "yesterday", "invalid date of birth"),
        ("Ana María,Cruz Ruiz", ",", "has no name"),
        (",PEP", ",PEP,extra", "12 columns instead of 11"),
    ],
)
def test_a_row_of_ones_own_that_says_nonsense_is_named(read, old, new, why):
    with pytest.raises(ListFault, match=f"own.csv, line 2: .*{why}"):
        read(own__csv=OWN.replace(old, new))


FTM = (
    '{"id":"Q1","caption":"Ivan Vostrikov","schema":"Person","target":true,"properties":'
    '{"name":["Иван Востриков","Ivan Vostrikov"],"alias":["I. Vostrikov"],"weakAlias":["El Zar"],'
    '"firstName":["Ivan"],"lastName":["Vostrikov"],"birthDate":["1961-04-17"],'
    '"nationality":["by"],"country":["ru"],"passportNumber":["P12345"],'
    '"innCode":["770708389312"],"topics":["sanction"]}}\n'
    '{"id":"a1","schema":"Address","properties":{"full":["Moscow"]}}\n'
    '{"id":"Q2","schema":"Company","target":false,"properties":{"name":["Not listed"]}}\n'
    '{"id":"Q3","schema":"Vessel","properties":{"name":["Northern Star"],"flag":["pa"],'
    '"imoNumber":["9123456"]}}\n'
    '{"id":"Q4","schema":"Airplane","properties":{"name":["EP-GOM"],"registrationNumber":["EP-GOM"],'
    '"serialNumber":["1023409321"]}}\n'
)


def test_follow_the_money_entities_are_read_line_by_line(read):
    person, vessel, aircraft = read(entities__json=FTM)
    numbers = (("aircraft_registration", "EP-GOM"), ("aircraft_serial", "1023409321"))
    assert aircraft.identifiers == numbers
    assert person.names[0] == Name("Ivan Vostrikov", "primary", "Vostrikov", "Ivan")
    assert {name.text: name.kind for name in person.names[1:]} == {
        "Иван Востриков": "alias",
        "I. Vostrikov": "alias",
        "El Zar": "weak",
    }
    assert person.countries == ("BY", "RU")
    assert person.identifiers == (("passport", "P12345"), ("tax_id", "770708389312"))
    assert (vessel.entity_type, vessel.countries) == ("vessel", ("PA",))
