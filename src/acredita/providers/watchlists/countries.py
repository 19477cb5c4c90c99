"""Country codes by the names in lists: English, Spanish and the publishers' variants."""

import re
import unicodedata

# A code and its names, which may continue on the next line.
NAMES = """
AD Andorra
AE United Arab Emirates | UAE | Emiratos Árabes Unidos
AF Afghanistan | Afganistán
AG Antigua & Barbuda | Antigua and Barbuda
AI Anguilla
AL Albania
AM Armenia
AO Angola
AQ Antarctica
AR Argentina
AS Samoa (American)
AT Austria
AU Australia
AW Aruba
AX Åland Islands
AZ Azerbaijan
BA Bosnia & Herzegovina | Bosnia and Herzegovina | Bosnia-Herzegovina
BB Barbados
BD Bangladesh
BE Belgium | Bélgica
BF Burkina Faso
BG Bulgaria
BH Bahrain
BI Burundi
BJ Benin
BL St Barthelemy
BM Bermuda
BN Brunei | Brunei Darussalam
BO Bolivia | Bolivia, Plurinational State of | Bolivia (Plurinational State of)
BQ Caribbean NL
BR Brazil | Brasil
BS Bahamas | Bahamas, The | The Bahamas
BT Bhutan
BV Bouvet Island
BW Botswana
BY Belarus | Byelorussia | Bielorrusia
BZ Belize | Belice
CA Canada | Canadá
CC Cocos (Keeling) Islands
CD Congo, Democratic Republic of the | Democratic Republic of the Congo | DR Congo | Congo
   (Kinshasa) | Congo (Democratic Republic)
CF Central African Rep.
CG Congo, Republic of the | Congo | Republic of the Congo | Congo (Brazzaville)
CH Switzerland | Suiza
CI Côte d'Ivoire | Cote d Ivoire | Ivory Coast
CK Cook Islands
CL Chile
CM Cameroon | Camerún
CN China | People's Republic of China
CO Colombia
CR Costa Rica
CU Cuba
CV Cape Verde | Cabo Verde
CW Curaçao
CX Christmas Island
CY Cyprus
CZ Czech Republic | Czechia
DE Germany | Federal Republic of Germany | Alemania
DJ Djibouti
DK Denmark | Dinamarca
DM Dominica
DO Dominican Republic | República Dominicana
DZ Algeria | Argelia
EC Ecuador
EE Estonia
EG Egypt | Egipto
EH Western Sahara
ER Eritrea
ES Spain | España
ET Ethiopia
FI Finland | Finlandia
FJ Fiji
FK Falkland Islands
FM Micronesia | Micronesia, Federated States of
FO Faroe Islands
FR France | Francia
GA Gabon
GB United Kingdom | Great Britain | UK | United Kingdom of Great Britain and Northern Ireland |
   Reino Unido
GD Grenada
GE Georgia
GF French Guiana
GG Guernsey
GH Ghana
GI Gibraltar
GL Greenland
GM Gambia | The Gambia | Gambia, The
GN Guinea
GP Guadeloupe
GQ Equatorial Guinea
GR Greece | Grecia
GS South Georgia & the South Sandwich Islands
GT Guatemala
GU Guam
GW Guinea-Bissau
GY Guyana
HK Hong Kong | China, Hong Kong Special Administrative Region | Hong Kong SAR
HM Heard Island & McDonald Islands
HN Honduras
HR Croatia | Croacia
HT Haiti | Haití
HU Hungary | Hungría
ID Indonesia
IE Ireland | Irlanda
IL Israel
IM Isle of Man | Man, Isle of
IN India
IO British Indian Ocean Territory
IQ Iraq | Irak
IR Iran | Iran (Islamic Republic of) | Islamic Republic of Iran | Iran, Islamic Republic of | Irán
IS Iceland
IT Italy | Italia
JE Jersey
JM Jamaica
JO Jordan | Jordania
JP Japan | Japón
KE Kenya | Kenia
KG Kyrgyzstan | Kyrgyz Republic
KH Cambodia
KI Kiribati
KM Comoros
KN St Kitts & Nevis | Saint Kitts and Nevis
KP Korea, North | Democratic People's Republic of Korea | North Korea | DPRK | Corea del Norte
KR Korea, South | Republic of Korea | South Korea | Corea del Sur
KW Kuwait
KY Cayman Islands
KZ Kazakhstan
LA Laos | Lao People's Democratic Republic
LB Lebanon | Líbano
LC St Lucia | Saint Lucia
LI Liechtenstein
LK Sri Lanka
LR Liberia
LS Lesotho
LT Lithuania
LU Luxembourg
LV Latvia
LY Libya | Libyan Arab Jamahiriya | State of Libya | Libia
MA Morocco | Marruecos
MC Monaco
MD Moldova | Republic of Moldova | Moldova, Republic of
ME Montenegro
MF St Martin (French)
MG Madagascar
MH Marshall Islands
MK North Macedonia | North Macedonia, The Republic of | Macedonia
ML Mali | Malí
MM Burma | Myanmar | Birmania
MN Mongolia
MO Macau | Macao
MP Northern Mariana Islands
MQ Martinique
MR Mauritania
MS Montserrat
MT Malta
MU Mauritius
MV Maldives
MW Malawi
MX Mexico | México
MY Malaysia
MZ Mozambique
NA Namibia
NC New Caledonia
NE Niger
NF Norfolk Island
NG Nigeria
NI Nicaragua
NL Netherlands | The Netherlands | Países Bajos
NO Norway | Noruega
NP Nepal
NR Nauru
NU Niue
NZ New Zealand | Nueva Zelanda
OM Oman
PA Panama | Panamá
PE Peru | Perú
PF French Polynesia
PG Papua New Guinea
PH Philippines | Filipinas
PK Pakistan | Pakistán
PL Poland | Polonia
PM St Pierre & Miquelon
PN Pitcairn
PR Puerto Rico
PS Palestine | Palestinian | State of Palestine | West Bank | Gaza | Palestinian Territory |
   Palestina
PT Portugal
PW Palau
PY Paraguay
QA Qatar
RE Réunion
RO Romania | Rumania
RS Serbia
RU Russia | Russian Federation | Rusia
RW Rwanda
SA Saudi Arabia | Arabia Saudita
SB Solomon Islands
SC Seychelles
SD Sudan | Sudán
SE Sweden | Suecia
SG Singapore
SH St Helena
SI Slovenia
SJ Svalbard & Jan Mayen
SK Slovakia
SL Sierra Leone
SM San Marino
SN Senegal
SO Somalia
SR Suriname
SS South Sudan | Sudán del Sur
ST Sao Tome & Principe | Sao Tome and Principe
SV El Salvador | Salvador
SX St Maarten (Dutch)
SY Syria | Syrian Arab Republic | Siria
SZ Eswatini (Swaziland) | Swaziland
TC Turks & Caicos Is
TD Chad
TF French S. Terr.
TG Togo
TH Thailand | Tailandia
TJ Tajikistan
TK Tokelau
TL East Timor
TM Turkmenistan
TN Tunisia | Túnez
TO Tonga
TR Turkey | Türkiye | Turquía
TT Trinidad & Tobago | Trinidad and Tobago
TV Tuvalu
TW Taiwan | Taiwan, Province of China
TZ Tanzania | United Republic of Tanzania | Tanzania, United Republic of
UA Ukraine | Ucrania
UG Uganda
UM US minor outlying islands
US United States | United States of America | USA | Estados Unidos | Estados Unidos de América
UY Uruguay
UZ Uzbekistan
VA Vatican City | Holy See
VC St Vincent | Saint Vincent and the Grenadines
VE Venezuela | Venezuela (Bolivarian Republic of) | Venezuela, Bolivarian Republic of
VG Virgin Islands (UK) | British Virgin Islands | Virgin Islands, British
VI Virgin Islands (US) | Virgin Islands, U.S.
VN Vietnam | Viet Nam
VU Vanuatu
WF Wallis & Futuna
WS Samoa (western)
XK Kosovo
YE Yemen | Republic of Yemen
YT Mayotte
ZA South Africa | Republic of South Africa | Sudáfrica
ZM Zambia
ZW Zimbabwe
"""


def alpha2(text: str) -> str | None:
    """The ISO 3166-1 alpha-2 code for a country's name or code (in capitals). None if unknown."""
    return text if text in CODES else _BY_NAME.get(_folded(text))


def codes(*names: str) -> tuple[str, ...]:
    """The distinct codes of the known countries, in order."""
    found = (alpha2(name) for name in names)
    return tuple(dict.fromkeys(code for code in found if code is not None))


def _folded(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    return "".join(re.findall("[a-z]", decomposed))


_LINES = [line.partition(" ") for line in re.sub(r"\n +", " ", NAMES).strip().splitlines()]
CODES = frozenset(code for code, _, _ in _LINES)
_BY_NAME = {_folded(name): code for code, _, names in _LINES for name in names.split("|")}
