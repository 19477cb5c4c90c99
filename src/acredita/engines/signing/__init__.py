"""Packages of documents as one PDF, and its PAdES signature.

`composition` makes the PDF, in processes of its own: contents are strangers'. `pades` signs it, in
the process that holds the key; what it is given comes from those processes.
"""
