"""Steps confirm codes, locate, wait for forms and signatures, and ask for credit reports; a policy
asks for pictures again.

Revision: 0030, after 0029
"""

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

TYPES = ("AML_SCREEN", "DOCUMENT_OCR", "FACE_MATCH", "GOVERNMENT_VERIFY", "LIVENESS")
ADDED_TYPES = ("CREDIT", "ESIGNATURE", "FORM", "LOCATION", "OTP")
KINDS = (
    "verification.step_finished",
    "verification.step_required",
    "verification.decided",
    "verification.overridden",
    "verification.decision_proposed",
    "verification.decision_declined",
    "verification.note_added",
)
ADDED_KIND = "verification.pictures_asked_again"


def admit(table: str, column: str, *values: str) -> None:
    check = f"ck_{table}_{column}_known"
    listed = ", ".join(f"'{value}'" for value in values)
    op.execute(f"ALTER TABLE {table} DROP CONSTRAINT {check}")
    # Every row satisfies the new condition, so the table need not be read under the lock.
    op.execute(
        f"ALTER TABLE {table} ADD CONSTRAINT {check} CHECK ({column} IN ({listed})) NOT VALID"
    )
    op.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {check}")


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('verification_step', 'verification_history')")
    admit("verification_step", "type", *TYPES, *ADDED_TYPES)
    admit("verification_history", "kind", *KINDS, ADDED_KIND)


def downgrade() -> None:
    admit("verification_step", "type", *TYPES)
    admit("verification_history", "kind", *KINDS)
