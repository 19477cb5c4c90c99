"""The registry of reason codes: why a step did not pass, one entry a code.

From these entries come the messages of results, the advice on pages, retakes, the enum in
openapi.json, docs/reference/reasons.md and MetaMap's errors. To add a code, add an entry to its
step's class, and its advice in the capture page's other languages (web/src/page/texts).
Errors of requests are not here, but in `acredita.domain.errors`.
"""

from collections.abc import Mapping
from typing import Final

from acredita.domain.reasons.any_step import AnyStepReason
from acredita.domain.reasons.credit import CreditReason
from acredita.domain.reasons.documents import DocumentReason
from acredita.domain.reasons.entry import ReasonCode, Severity, Text, Translation
from acredita.domain.reasons.faces import FaceReason
from acredita.domain.reasons.forms import FormReason
from acredita.domain.reasons.liveness import LivenessReason
from acredita.domain.reasons.location import LocationStepReason
from acredita.domain.reasons.one_time_passwords import OtpReason
from acredita.domain.reasons.policies import PolicyReason
from acredita.domain.reasons.proof_of_address import ProofReason
from acredita.domain.reasons.registries import RegistryReason
from acredita.domain.reasons.reviewers import ReviewerReason
from acredita.domain.reasons.watchlists import WatchlistReason

FAMILIES: Final[tuple[type[ReasonCode], ...]] = (
    DocumentReason,
    FaceReason,
    LivenessReason,
    ProofReason,
    RegistryReason,
    WatchlistReason,
    OtpReason,
    LocationStepReason,
    FormReason,
    CreditReason,
    AnyStepReason,
    ReviewerReason,
    PolicyReason,
)
REASONS: Final[Mapping[str, ReasonCode]] = {
    code.value: code for family in FAMILIES for code in family
}


def find(code: str | None) -> ReasonCode | None:
    """The entry of a stored code; None without a code, or for an unknown one."""
    return None if code is None else REASONS.get(code)
