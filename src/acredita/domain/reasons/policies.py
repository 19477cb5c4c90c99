"""The codes that a policy gives for a decision. A rule may also name any step's code."""

from typing import Final

from acredita.domain.reasons.entry import Entry, ReasonCode, Severity, Text
from acredita.domain.verification import VerificationStatus

_RULE = Text(
    "Mira en el historial qué regla decidió y con qué datos.",
    "See in the history which rule decided, and by which data.",
)
# What only the evaluation of a policy can find out.
_NO_PERSON: Final = frozenset[VerificationStatus]()


class PolicyReason(ReasonCode):
    POLICY_NOT_EVALUATED = Entry(
        "POLICY_NOT_EVALUATED",
        Severity.DECISION,
        en="The policy of the workflow could not be evaluated.",
        es="No se pudo evaluar la política del flujo.",
        reviewer=Text(
            "Decide con la evidencia, y pide que corrijan la política.",
            "Decide by the evidence, and have the policy corrected.",
        ),
        outcomes=_NO_PERSON,
    )
    POLICY_APPROVAL_WITHHELD = Entry(
        "POLICY_APPROVAL_WITHHELD",
        Severity.DECISION,
        en="The policy approves, but evidence may be of two people.",
        es="La política aprueba, pero la evidencia puede ser de dos personas.",
        reviewer=Text(
            "Compara las caras y los datos de todos los pasos antes de decidir.",
            "Compare the faces and the data of all steps before you decide.",
        ),
        outcomes=_NO_PERSON,
    )
    POLICY_RETAKE_NOT_POSSIBLE = Entry(
        "POLICY_RETAKE_NOT_POSSIBLE",
        Severity.DECISION,
        en="The policy asks for other pictures, but they can no longer be asked for.",
        es="La política pide otras fotos, pero ya no se pueden pedir.",
        reviewer=Text(
            "Decide con las fotos que hay, o pide una verificación nueva.",
            "Decide by the pictures that exist, or request a new verification.",
        ),
        outcomes=_NO_PERSON,
    )
    PICTURE_ASKED_AGAIN = Entry(
        "PICTURE_ASKED_AGAIN",
        Severity.RETAKE,
        en="Another picture is needed.",
        es="Se necesita otra foto.",
        advice_en="Take the picture again: in good light, sharp and complete.",
        advice_es="Toma la foto otra vez: con buena luz, nítida y completa.",
        reviewer=Text(
            "Mira en el historial qué regla de la política, o quién, la pidió.",
            "See in the history which rule of the policy, or who, asked for it.",
        ),
        outcomes=_NO_PERSON,
    )
    RISK_ABOVE_LIMIT = Entry(
        "RISK_ABOVE_LIMIT",
        Severity.DECISION,
        en="A rule of the organization's policy asks for more certainty.",
        es="Una regla de la política de la organización pide más certeza.",
        reviewer=_RULE,
    )
    PERSON_NOT_ELIGIBLE = Entry(
        "PERSON_NOT_ELIGIBLE",
        Severity.DECISION,
        en="By a rule of the organization's policy, the person is not eligible.",
        es="Por una regla de la política de la organización, la persona no es elegible.",
        reviewer=_RULE,
        outcomes=frozenset({VerificationStatus.REJECTED}),
    )
