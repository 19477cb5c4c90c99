"""The evidence file of a decision: its container, and checks that need nothing of the service.

`container` writes and reads the ZIP, `report_seal` checks the PDF's signature, `decisions`
evaluates the decision of a record again, and `verification` runs all checks.
"""
