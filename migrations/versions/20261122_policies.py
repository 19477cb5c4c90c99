"""Steps can screen watchlists.

Revision: 0026, after 0025
"""

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

CHECK = "ck_verification_step_type_known"
BEFORE = ("DOCUMENT_OCR", "FACE_MATCH", "GOVERNMENT_VERIFY", "LIVENESS")


def admit(*types: str) -> None:
    listed = ", ".join(f"'{name}'" for name in types)
    op.execute(f"ALTER TABLE verification_step DROP CONSTRAINT {CHECK}")
    # Every row satisfies the new condition, so the table need not be read under the lock.
    op.execute(
        f"ALTER TABLE verification_step ADD CONSTRAINT {CHECK} CHECK (type IN ({listed})) NOT VALID"
    )
    op.execute(f"ALTER TABLE verification_step VALIDATE CONSTRAINT {CHECK}")


def upgrade() -> None:
    admit(*BEFORE, "AML_SCREEN")


def downgrade() -> None:
    admit(*BEFORE)
