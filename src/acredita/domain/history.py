"""The history of a verification: what it keeps of each result, decision and note."""

from enum import StrEnum


class HistoryKind(StrEnum):
    """The kind of an entry. Uploads, retakes, holds and other acts are in the audit log."""

    STEP_FINISHED = "verification.step_finished"
    # A policy asked for a further step before the decision.
    STEP_REQUIRED = "verification.step_required"
    # A policy, or a reviewer, asked the person for other pictures.
    PICTURES_ASKED_AGAIN = "verification.pictures_asked_again"
    # By the rules.
    DECIDED = "verification.decided"
    # By a reviewer, or by two of them: the details then name the one who proposed it.
    OVERRIDDEN = "verification.overridden"
    DECISION_PROPOSED = "verification.decision_proposed"
    DECISION_DECLINED = "verification.decision_declined"
    NOTE_ADDED = "verification.note_added"


ABOUT_DECISIONS = frozenset(
    {
        HistoryKind.DECIDED,
        HistoryKind.OVERRIDDEN,
        HistoryKind.DECISION_PROPOSED,
        HistoryKind.DECISION_DECLINED,
    }
)
# A proposal is pending until an entry of one of these kinds follows it. Other pictures are other
# evidence than the proposer saw.
ENDS_PROPOSAL = ABOUT_DECISIONS | {HistoryKind.PICTURES_ASKED_AGAIN}
