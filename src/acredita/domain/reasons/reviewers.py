"""The codes that only a reviewer gives for a decision.

A reviewer may also give any step's code, for a rejection or a review.
"""

from typing import Final

from acredita.domain.reasons.entry import AGAINST, Entry, ReasonCode, Severity, Text
from acredita.domain.verification import VerificationStatus

_APPROVAL: Final = frozenset({VerificationStatus.APPROVED})
_REJECTION: Final = frozenset({VerificationStatus.REJECTED})
_DOCUMENTED = Text(
    "Anota en la decisión qué comprobaste y cómo.",
    "Say in the note of the decision what you checked, and how.",
)


class ReviewerReason(ReasonCode):
    IDENTITY_CONFIRMED_IN_PERSON = Entry(
        "IDENTITY_CONFIRMED_IN_PERSON",
        Severity.DECISION,
        en="A reviewer confirmed the identity in person or by video.",
        es="Quien revisa confirmó la identidad en persona o por video.",
        reviewer=_DOCUMENTED,
        outcomes=_APPROVAL,
    )
    EVIDENCE_CONFIRMED = Entry(
        "EVIDENCE_CONFIRMED",
        Severity.DECISION,
        en="A reviewer examined the images and data and found them genuine.",
        es="Quien revisa examinó las imágenes y los datos y los encontró auténticos.",
        reviewer=_DOCUMENTED,
        outcomes=_APPROVAL,
    )
    WATCHLIST_MATCH_DISMISSED = Entry(
        "WATCHLIST_MATCH_DISMISSED",
        Severity.DECISION,
        en="A reviewer found that the watchlist match is another person.",
        es="Quien revisa comprobó que la coincidencia en la lista es otra persona.",
        reviewer=_DOCUMENTED,
        outcomes=_APPROVAL,
    )
    WATCHLIST_MATCH_CONFIRMED = Entry(
        "WATCHLIST_MATCH_CONFIRMED",
        Severity.DECISION,
        en="A reviewer found that the watchlist match is this person.",
        es="Quien revisa comprobó que la coincidencia en la lista es esta persona.",
        reviewer=_DOCUMENTED,
        outcomes=AGAINST,
    )
    FRAUD_CONFIRMED = Entry(
        "FRAUD_CONFIRMED",
        Severity.DECISION,
        en="A reviewer found that the evidence is forged or is another person's.",
        es="Quien revisa comprobó que la evidencia es falsa o de otra persona.",
        reviewer=_DOCUMENTED,
        outcomes=_REJECTION,
    )
    PERSON_WITHDREW = Entry(
        "PERSON_WITHDREW",
        Severity.DECISION,
        en="The person does not want to continue.",
        es="La persona ya no quiere continuar.",
        reviewer=_DOCUMENTED,
        outcomes=_REJECTION,
    )
