"""Decode QR and PDF417 codes. Their text is untrusted: compare it with the print, never open it."""

from acredita.engines.barcodes.decode import MOST_CHARACTERS, read_codes
