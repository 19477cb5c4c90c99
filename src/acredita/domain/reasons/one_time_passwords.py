"""The codes of OTP. A code that was never confirmed has none: the verification expires."""

from acredita.domain.reasons.entry import Entry, ReasonCode, Severity, Text, Translation


class OtpReason(ReasonCode):
    OTP_TOO_MANY_MISTAKES = Entry(
        "OTP_TOO_MANY_MISTAKES",
        Severity.REVIEW,
        en="Too many wrong one-time passwords were entered.",
        es="Se escribieron demasiados códigos incorrectos.",
        reviewer=Text(
            "Confirma el teléfono o el correo por otro medio.",
            "Confirm the phone or the address by other means.",
        ),
    )
    OTP_DESTINATION_UNKNOWN = Entry(
        "OTP_DESTINATION_UNKNOWN",
        Severity.REVIEW,
        en="The metadata name no phone or address that a code could confirm.",
        es="Los metadatos no traen un teléfono o correo que confirmar.",
        reviewer=Text(
            "Pide que envíen phone o email en metadata, o confírmalo por otro medio.",
            "Have phone or email sent in the metadata, or confirm it by other means.",
        ),
        metamap=Translation(
            by_registry={
                "phone-ownership-validation": "phoneOwnership.notEnoughParams",
                "email-ownership-validation": "emailOwnership.notEnoughParams",
            }
        ),
    )
