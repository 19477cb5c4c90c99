"""The codes of GOVERNMENT_VERIFY: why a check at the registries did not pass.

The gravest first: a judgement carries the first of its worst. No code asks the person for another
picture: no picture changes what a registry says.
"""

from typing import Final

from acredita.domain.reasons.entry import (
    FAILED,
    UNAVAILABLE,
    Entry,
    ReasonCode,
    Severity,
    Text,
    Translation,
)

_READING: Final = Text(
    "Comprueba que los datos se leyeron bien. Si es así, consulta el registro con la persona.",
    "Check that the fields were read correctly. If they were, clear it up with the person.",
)
_REPLACED: Final = Text(
    "Pide a la persona su documento o su constancia actual.",
    "Ask the person for the current document or certificate.",
)
_TAXES: Final = Text(
    "Pide la constancia de situación fiscal si tu trámite la necesita; no es una falta de identidad.",
    "Ask for the tax certificate if your process needs one; it does not speak against the identity.",
)
_ASK_LATER: Final = Text(
    "Consulta tú el registro, o pide una verificación nueva más tarde.",
    "Consult the registry yourself, or request a new verification later.",
)
_CURP_INVALID: Final = Translation("curp.invalid")
_INE_INVALID: Final = Translation("mexicanIne.notValidParams")


class RegistryReason(ReasonCode):
    CURP_STATUS_ANNULLED = Entry(
        "CURP_STATUS_ANNULLED",
        Severity.FAILS_IF_SURE,
        en="The population registry has annulled this CURP.",
        es="El registro de población dio de baja esta CURP.",
        reviewer=_REPLACED,
        metamap=_CURP_INVALID,
    )
    CURP_NOT_FOUND = Entry(
        "CURP_NOT_FOUND",
        Severity.FAILS_IF_SURE,
        en="The population registry does not know this CURP.",
        es="El registro de población no conoce esta CURP.",
        reviewer=_READING,
        metamap=_CURP_INVALID,
    )
    NAME_MISMATCH = Entry(
        "NAME_MISMATCH",
        Severity.FAILS_IF_SURE,
        en="The name is not the one in the population registry.",
        es="El nombre no es el del registro de población.",
        reviewer=_READING,
    )
    BIRTH_DATE_MISMATCH = Entry(
        "BIRTH_DATE_MISMATCH",
        Severity.FAILS_IF_SURE,
        en="The date of birth is not the one in the population registry.",
        es="La fecha de nacimiento no es la del registro de población.",
        reviewer=_READING,
    )
    INE_NOT_CURRENT = Entry(
        "INE_NOT_CURRENT",
        Severity.FAILS_IF_SURE,
        en="The electoral registry says that this card is no longer in force.",
        es="El registro de electores dice que esta credencial ya no está vigente.",
        reviewer=_REPLACED,
    )
    INE_NOT_FOUND = Entry(
        "INE_NOT_FOUND",
        Severity.FAILS_IF_SURE,
        en="The electoral registry does not know this card.",
        es="El registro de electores no conoce esta credencial.",
        reviewer=_READING,
        metamap=_INE_INVALID,
    )
    INE_MISMATCH = Entry(
        "INE_MISMATCH",
        Severity.FAILS_IF_SURE,
        en="The card's numbers do not belong together in the electoral registry.",
        es="Los números de la credencial no van juntos en el registro de electores.",
        reviewer=_READING,
        metamap=_INE_INVALID,
    )
    CURP_CHANGED = Entry(
        "CURP_CHANGED",
        Severity.REVIEW,
        en="The population registry now has another CURP for this person.",
        es="El registro de población tiene ahora otra CURP para esta persona.",
        reviewer=_REPLACED,
    )
    CURP_STATUS_UNKNOWN = Entry(
        "CURP_STATUS_UNKNOWN",
        Severity.REVIEW,
        en="The population registry gives this CURP an unknown status.",
        es="El registro de población da a esta CURP un estado desconocido.",
        reviewer=_ASK_LATER,
    )
    SEX_MISMATCH = Entry(
        "SEX_MISMATCH",
        Severity.REVIEW,
        en="The sex is not the one in the population registry.",
        es="El sexo no es el del registro de población.",
        reviewer=_READING,
    )
    STATE_MISMATCH = Entry(
        "STATE_MISMATCH",
        Severity.REVIEW,
        en="The state of birth is not the one in the population registry.",
        es="El estado de nacimiento no es el del registro de población.",
        reviewer=_READING,
    )
    NAME_NOT_CONFIRMED = Entry(
        "NAME_NOT_CONFIRMED",
        Severity.REVIEW,
        en="The population registry did not say whose CURP this is.",
        es="El registro de población no dijo de quién es esta CURP.",
        reviewer=_ASK_LATER,
    )
    RFC_NOT_FOUND = Entry(
        "RFC_NOT_FOUND",
        Severity.REVIEW,
        en="The tax registry does not know this RFC.",
        es="El registro de contribuyentes no conoce este RFC.",
        reviewer=_TAXES,
        metamap=Translation("mexicanRfcStatus.noResults"),
    )
    RFC_MISMATCH = Entry(
        "RFC_MISMATCH",
        Severity.REVIEW,
        en="The tax registry has this RFC under another name.",
        es="El registro de contribuyentes tiene este RFC con otro nombre.",
        reviewer=_READING,
    )
    RFC_NOT_CURRENT = Entry(
        "RFC_NOT_CURRENT",
        Severity.REVIEW,
        en="The tax registry says that this RFC is not active.",
        es="El registro de contribuyentes dice que este RFC no está activo.",
        reviewer=_TAXES,
        metamap=Translation("mexicanRfcStatus.inactive"),
    )
    INE_STATUS_UNKNOWN = Entry(
        "INE_STATUS_UNKNOWN",
        Severity.REVIEW,
        en="The electoral registry gives this card an unknown status.",
        es="El registro de electores da a esta credencial un estado desconocido.",
        reviewer=_ASK_LATER,
    )
    RFC_STATUS_UNKNOWN = Entry(
        "RFC_STATUS_UNKNOWN",
        Severity.REVIEW,
        en="The tax registry gives this RFC an unknown status.",
        es="El registro de contribuyentes da a este RFC un estado desconocido.",
        reviewer=_ASK_LATER,
    )
    REGISTRY_UNAVAILABLE = Entry(
        "REGISTRY_UNAVAILABLE",
        Severity.REVIEW,
        en="A government registry could not be reached.",
        es="No se pudo consultar un registro oficial.",
        reviewer=_ASK_LATER,
        metamap=UNAVAILABLE,
    )
    REGISTRY_REFUSED = Entry(
        "REGISTRY_REFUSED",
        Severity.REVIEW,
        en="A government registry did not accept the question.",
        es="Un registro oficial no aceptó la consulta.",
        reviewer=_READING,
        metamap=FAILED,
    )
    INSUFFICIENT_DATA = Entry(
        "INSUFFICIENT_DATA",
        Severity.REVIEW,
        en="There is too little data to ask the government registries.",
        es="Faltan datos para consultar los registros oficiales.",
        reviewer=Text(
            "Lee en el documento los datos que faltan y consulta tú el registro.",
            "Read the missing fields on the document and consult the registry yourself.",
        ),
        metamap=Translation(by_registry={"renapo": "curp.invalid", "ine": "ine.notEnoughParams"}),
    )
    # Found when all steps have ended, by comparing their evidence.
    REGISTRY_PERSON_DIFFERS = Entry(
        "REGISTRY_PERSON_DIFFERS",
        Severity.REVIEW,
        en="The registries were asked about someone who may not be the document's holder.",
        es="Se consultó a los registros por alguien que podría no ser el titular del documento.",
        reviewer=Text(
            "Compara con el documento los datos con los que se creó la verificación.",
            "Compare the data that the verification was created with to the document.",
        ),
    )
