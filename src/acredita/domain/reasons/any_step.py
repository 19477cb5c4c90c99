"""The codes that any step can end with."""

from acredita.domain.reasons.entry import UNAVAILABLE, Entry, ReasonCode, Severity, Text


class AnyStepReason(ReasonCode):
    CHECK_UNAVAILABLE = Entry(
        "CHECK_UNAVAILABLE",
        Severity.REVIEW,
        en="This check could not be carried out; a person needs to look.",
        es="No se pudo hacer esta comprobación; una persona tiene que revisarla.",
        reviewer=Text(
            "Haz la comprobación con las imágenes y los datos, o pide una verificación nueva.",
            "Do the check yourself from the images and data, or request a new verification.",
        ),
        metamap=UNAVAILABLE,
    )
