"""Decode QR and PDF417 codes. Their text is untrusted: compare it with the print, never open it."""

from acredita.engines.barcodes.decode import MOST_CHARACTERS, MOST_CODES, read_codes

__all__ = ["MOST_CHARACTERS", "MOST_CODES", "read_codes"]
