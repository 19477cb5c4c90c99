"""QR and PDF417 codes on a picture, decoded. What they say is a stranger's text: it is compared
with what is printed and never followed."""

from acredita.engines.barcodes.decode import MOST_CHARACTERS, MOST_CODES, read_codes

__all__ = ["MOST_CHARACTERS", "MOST_CODES", "read_codes"]
