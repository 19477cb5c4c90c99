"""The machine readable zone of travel documents and of the INE card's back (ICAO Doc 9303).

`parse` takes clean lines, `read` takes OCR lines, and `contradictions` compares a zone with other
data of the holder. The zone of the INE is a TD1 with Mexican rules: sex
is H or M (M is MUJER, a woman), and the optional data holds section and citizen id.
"""

from acredita.domain.identifiers.mrz.layout import MrzFormat, check_digit
from acredita.domain.identifiers.mrz.parsing import IneZone, Mrz, contradictions, parse
from acredita.domain.identifiers.mrz.reading import MrzReading, RepairReason, read
from acredita.domain.identifiers.mrz.transliteration import same_name
