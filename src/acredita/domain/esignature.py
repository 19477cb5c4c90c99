"""Electronic signatures: how much is known of a signer, and whether the evidence suffices.

These are simple signatures in the sense of the Código de Comercio, art. 89, with evidence that
grows with the tier; the seal on the PDF is the service's, not the signer's.
"""

from collections.abc import Mapping, Set
from enum import StrEnum

from acredita.domain.names import PersonName, same_words
from acredita.domain.steps import DOCUMENT_OCR, FACE_MATCH
from acredita.domain.verification import StepStatus, StepType, VerificationStatus


class Tier(StrEnum):
    NAME_ONLY = "name_only"
    ID_AND_NAME = "id_and_name"
    FACE_ID_AND_NAME = "face_id_and_name"


class PackageStatus(StrEnum):
    # Being made, or waiting to be.
    PENDING = "PENDING"
    SIGNED = "SIGNED"
    FAILED = "FAILED"


# A tier is defined by the steps that it needs.
NEEDED: Mapping[Tier, tuple[StepType, ...]] = {
    Tier.NAME_ONLY: (),
    Tier.ID_AND_NAME: (DOCUMENT_OCR,),
    Tier.FACE_ID_AND_NAME: (DOCUMENT_OCR, FACE_MATCH),
}


def missing_evidence(
    tier: Tier,
    signer: str,
    *,
    status: VerificationStatus,
    steps: Set[tuple[StepType, StepStatus]],
    name: PersonName | None,
) -> list[str]:
    """Return one sentence for each requirement of the tier that is not met.

    `name` is the name on the documents. A rejected verification proves nothing, even if some of
    its steps passed.
    """
    if not NEEDED[tier]:
        return []
    faults = [
        f"The tier {tier} needs a passed {needed} step."
        for needed in NEEDED[tier]
        if (needed, StepStatus.PASSED) not in steps
    ]
    if status is VerificationStatus.REJECTED:
        faults.append("The verification was rejected.")
    if name is None:
        faults.append("No name was read from the documents.")
    elif not same_words(signer, name.full):
        faults.append("The signer's name is not the one that the documents show.")
    return faults
