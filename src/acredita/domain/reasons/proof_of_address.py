"""The codes of PROOF_OF_ADDRESS. No code fails the step: people move, and bills are in the name of
landlords and relatives.

The gravest first: of several codes, the step carries the first one in this order.
"""

from acredita.domain.reasons.entry import Entry, ReasonCode, Severity, Text, Translation


class ProofReason(ReasonCode):
    PROOF_NOT_RECOGNIZED = Entry(
        "PROOF_NOT_RECOGNIZED",
        Severity.RETAKE,
        en="The file shows no bill and no bank statement.",
        es="El archivo no muestra un recibo ni un estado de cuenta.",
        reviewer=Text(
            "Mira si el papel te sirve como comprobante. Si no, pide una verificación nueva.",
            "Check whether you accept this paper as a proof. If not, request a new verification.",
        ),
        advice_en="Please use a bill of electricity, water, gas or telephone, or a bank statement.",
        advice_es="Usa un recibo de luz, agua, gas o teléfono, o un estado de cuenta del banco.",
        metamap=Translation("templateMatching.noMatchFound", step="template-matching"),
    )
    PROOF_UNREADABLE = Entry(
        "PROOF_UNREADABLE",
        Severity.RETAKE,
        en="The name, the address or the date could not be read.",
        es="No se pudo leer el nombre, la dirección o la fecha.",
        reviewer=Text(
            "Lee tú el comprobante en la imagen. Si no se puede, pide una verificación nueva.",
            "Read the proof in the image yourself. If you cannot, request a new verification.",
        ),
        advice_en="We could not read the name, the address or the date. Take a sharper picture of the whole page.",
        advice_es="No pudimos leer el nombre, la dirección o la fecha. Toma una foto más nítida de toda la hoja.",
        metamap=Translation("document.noRequiredFields"),
    )
    PROOF_ISSUER_UNKNOWN = Entry(
        "PROOF_ISSUER_UNKNOWN",
        Severity.RETAKE,
        en="The issuer of the proof of address is not known.",
        es="No se conoce a quien emitió el comprobante.",
        reviewer=Text(
            "Decide si aceptas comprobantes de este emisor.",
            "Decide whether you accept proofs of this issuer.",
        ),
        advice_en="We do not know who issued this paper. Please use another bill or a bank statement.",
        advice_es="No conocemos a quien emitió este papel. Usa otro recibo o un estado de cuenta del banco.",
    )
    PROOF_TOO_OLD = Entry(
        "PROOF_TOO_OLD",
        Severity.RETAKE,
        en="The proof of address is too old.",
        es="El comprobante de domicilio es demasiado antiguo.",
        reviewer=Text(
            "Pide un comprobante más reciente.",
            "Ask for a more recent proof.",
        ),
        advice_en="This paper is too old. Please use your newest one.",
        advice_es="Este papel es demasiado antiguo. Usa el más reciente.",
    )
    PROOF_NAME_DIFFERS = Entry(
        "PROOF_NAME_DIFFERS",
        Severity.RETAKE,
        en="The proof of address is in the name of another person.",
        es="El comprobante de domicilio está a nombre de otra persona.",
        reviewer=Text(
            "Compara los nombres. Decide si aceptas un comprobante de un familiar o del arrendador.",
            "Compare the names. Decide whether you accept a proof of a relative or of the landlord.",
        ),
        advice_en="This paper is in another name. Please use one in yours.",
        advice_es="Este papel está a nombre de otra persona. Usa uno a tu nombre.",
    )
    PROOF_ADDRESS_DIFFERS = Entry(
        "PROOF_ADDRESS_DIFFERS",
        Severity.REVIEW,
        en="The proof shows another address than the identity document.",
        es="El comprobante muestra otra dirección que la identificación.",
        reviewer=Text(
            "Compara las direcciones. La persona pudo mudarse después de obtener su identificación.",
            "Compare the addresses. The person may have moved since the identity document was issued.",
        ),
    )
    PROOF_ADDRESS_INCONSISTENT = Entry(
        "PROOF_ADDRESS_INCONSISTENT",
        Severity.REVIEW,
        en="The postal code of the proof is not one of the printed state.",
        es="El código postal del comprobante no es del estado impreso.",
        reviewer=Text(
            "Lee la dirección en la imagen y busca señales de alteración.",
            "Read the address in the image, and look for signs of alteration.",
        ),
    )
    PROOF_NOT_COMPARED = Entry(
        "PROOF_NOT_COMPARED",
        Severity.REVIEW,
        en="The proof could not be compared with the identity document with certainty.",
        es="No se pudo comparar con certeza el comprobante con la identificación.",
        reviewer=Text(
            "Compara tú el nombre y la dirección de los dos documentos.",
            "Compare the name and the address of both documents yourself.",
        ),
    )
    PROOF_UNCERTAIN = Entry(
        "PROOF_UNCERTAIN",
        Severity.RETAKE,
        en="What was read on the proof of address is not certain.",
        es="Lo que se leyó en el comprobante no es seguro.",
        reviewer=Text(
            "Compara con la imagen los datos que el resultado marca.",
            "Compare the fields that the result marks with the image.",
        ),
        advice_en="We could not read all of it well. Take another picture, in good light and without moving.",
        advice_es="No pudimos leer bien todos los datos. Toma otra foto, con buena luz y sin moverte.",
    )
