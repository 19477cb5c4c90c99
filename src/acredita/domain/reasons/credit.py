"""The codes of CREDIT. No code fails the step: a credit report is no proof of identity."""

from acredita.domain.reasons.entry import UNAVAILABLE, Entry, ReasonCode, Severity, Text


class CreditReason(ReasonCode):
    CREDIT_CONSENT_MISSING = Entry(
        "CREDIT_CONSENT_MISSING",
        Severity.REVIEW,
        en="There is no reference to the consent that the law requires, so nobody was asked.",
        es="Falta la referencia a la autorización que exige la ley; no se consultó.",
        reviewer=Text(
            "Obtén la autorización de la persona y consulta después.",
            "Obtain the consent of the person, and ask after that.",
        ),
    )
    CREDIT_DATA_INSUFFICIENT = Entry(
        "CREDIT_DATA_INSUFFICIENT",
        Severity.REVIEW,
        en="The known data of the person do not suffice to ask the credit bureau.",
        es="Los datos de la persona no bastan para consultar su historial.",
        reviewer=Text(
            "Completa los datos que nombra el resultado y consulta tú.",
            "Complete the data that the result names, and ask yourself.",
        ),
    )
    CREDIT_NO_FILE = Entry(
        "CREDIT_NO_FILE",
        Severity.REVIEW,
        en="The credit bureau has no file of the person.",
        es="La sociedad de información crediticia no tiene expediente de la persona.",
        reviewer=Text(
            "No es señal de fraude: decide con lo demás.",
            "It is no sign of fraud: decide by the rest.",
        ),
    )
    CREDIT_ALERT = Entry(
        "CREDIT_ALERT",
        Severity.REVIEW,
        en="The credit report has alerts.",
        es="El reporte de crédito tiene alertas.",
        reviewer=Text(
            "Lee las alertas en el resultado antes de decidir.",
            "Read the alerts in the result before you decide.",
        ),
    )
    CREDIT_SCORE_UNKNOWN = Entry(
        "CREDIT_SCORE_UNKNOWN",
        Severity.REVIEW,
        en="The report has no score to compare with the required one.",
        es="El reporte no trae un puntaje que comparar con el mínimo.",
        reviewer=Text(
            "Decide con las cuentas del reporte.",
            "Decide by the accounts in the report.",
        ),
    )
    CREDIT_SCORE_LOW = Entry(
        "CREDIT_SCORE_LOW",
        Severity.REVIEW,
        en="The score is below the required one.",
        es="El puntaje es menor que el mínimo.",
        reviewer=Text(
            "Decide según la política de crédito de la organización.",
            "Decide by the organization's credit policy.",
        ),
    )
    CREDIT_PERSON_DIFFERS = Entry(
        "CREDIT_PERSON_DIFFERS",
        Severity.REVIEW,
        en="The credit bureau was asked about another person than the document shows.",
        es="Se consultó el crédito de otra persona que la del documento.",
        reviewer=Text(
            "Compara los datos enviados con el documento antes de decidir.",
            "Compare the data that were sent with the document before you decide.",
        ),
    )
    CREDIT_NO_ANSWER = Entry(
        "CREDIT_NO_ANSWER",
        Severity.REVIEW,
        en="It is not known whether the bureau was asked: its answer did not arrive.",
        es="No se sabe si se hizo la consulta: no llegó la respuesta.",
        reviewer=Text(
            "Pregunta al proveedor antes de consultar de nuevo: cada consulta queda en el expediente.",
            "Ask the provider before you consult again: each consultation stays in the file.",
        ),
        metamap=UNAVAILABLE,
    )
