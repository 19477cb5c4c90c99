"""The codes of FORM. A form that was never answered has none: the verification expires."""

from acredita.domain.reasons.entry import Entry, ReasonCode, Severity, Text


class FormReason(ReasonCode):
    FORM_NOT_FOUND = Entry(
        "FORM_NOT_FOUND",
        Severity.REVIEW,
        en="The organization has no form with the id in the step.",
        es="La organización no tiene el formulario que pide el paso.",
        reviewer=Text(
            "Pide que corrijan formId en el flujo.",
            "Have formId corrected in the workflow.",
        ),
    )
