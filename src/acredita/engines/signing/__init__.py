"""Compose a package of documents into one PDF and sign it with PAdES.

`composition` makes the PDF in separate processes, because the contents are untrusted. `pades` signs
that PDF in the process that holds the key.
"""
