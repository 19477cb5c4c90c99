"""The names of document fields in the compatible API."""

# Our field: its name in the compatible API, its label, its format.
FIELD_NAMES = {
    "givenNames": ("firstName", "First Name", None),
    "surnames": ("surname", "Surname", None),
    "address": ("address", "Address", None),
    "cic": ("documentNumber", "Document Number", None),
    "documentNumber": ("documentNumber", "Document Number", None),
    "dateOfBirth": ("dateOfBirth", "Day of Birth", "date"),
    "expiryDate": ("expirationDate", "Date of Expiration", "date"),
    "issueDate": ("emissionDate", "Emission Date", "date"),
    # Of a bill without a date of issue.
    "periodEnd": ("emissionDate", "Emission Date", "date"),
    "sex": ("sex", "Sex", None),
    "curp": ("curp", "CURP", None),
    "clave": ("cde", "Elector Key", None),
    "emission": ("ne", "Numero de Emision", None),
    "ocr": ("ocrNumber", "OCR Number", None),
}
