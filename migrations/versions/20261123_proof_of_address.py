"""Steps read proofs of address.

Revision: 0044, after 0043
"""

from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

TYPES = (
    "AML_SCREEN", "CREDIT", "DOCUMENT_OCR", "ESIGNATURE", "FACE_MATCH", "FORM",
    "GOVERNMENT_VERIFY", "LIVENESS", "LOCATION", "OTP",
)  # fmt: skip
ADDED = "PROOF_OF_ADDRESS"
TABLE, CHECK = "verification_step", "ck_verification_step_type_known"


def admit(types: tuple[str, ...]) -> None:
    """Replace the condition. The scan runs before the lock, and locks nobody out."""
    listed = ", ".join(f"'{name}'" for name in types)
    with op.get_context().autocommit_block():
        op.execute("SET statement_timeout = 0")
        # Left by a run that failed later.
        op.execute(f"ALTER TABLE {TABLE} DROP CONSTRAINT IF EXISTS {CHECK}_new")
        op.execute(
            f"ALTER TABLE {TABLE} ADD CONSTRAINT {CHECK}_new CHECK (type IN ({listed})) NOT VALID"
        )
        op.execute(f"ALTER TABLE {TABLE} VALIDATE CONSTRAINT {CHECK}_new")
        op.execute("SET statement_timeout = '60s'")
    op.execute(f"SELECT pg_temp.lock_tables('{TABLE}')")
    op.execute(f"ALTER TABLE {TABLE} DROP CONSTRAINT {CHECK}")
    op.execute(f"ALTER TABLE {TABLE} RENAME CONSTRAINT {CHECK}_new TO {CHECK}")


def upgrade() -> None:
    admit((*TYPES, ADDED))


def downgrade() -> None:
    admit(TYPES)
