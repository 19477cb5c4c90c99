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


COLUMNS = {"verification_step": "type", "verification_history": "kind"}


def admit(values: dict[str, tuple[str, ...]]) -> None:
    """Replace each table's condition. The scans run before the locks, and lock nobody out."""
    with op.get_context().autocommit_block():
        op.execute("SET statement_timeout = 0")
        for table, column in COLUMNS.items():
            listed = ", ".join(f"'{value}'" for value in values[table])
            new = f"ck_{table}_{column}_known_new"
            # Left by a run that failed later.
            op.execute(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {new}")
            op.execute(
                f"ALTER TABLE {table} ADD CONSTRAINT {new} CHECK ({column} IN ({listed})) NOT VALID"
            )
            op.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {new}")
        op.execute("SET statement_timeout = '60s'")
    op.execute("SELECT pg_temp.lock_tables('verification_step', 'verification_history')")
    for table, column in COLUMNS.items():
        check = f"ck_{table}_{column}_known"
        op.execute(f"ALTER TABLE {table} DROP CONSTRAINT {check}")
        op.execute(f"ALTER TABLE {table} RENAME CONSTRAINT {check}_new TO {check}")


def upgrade() -> None:
    admit(
        {
            "verification_step": (*TYPES, *ADDED_TYPES),
            "verification_history": (*KINDS, ADDED_KIND),
        }
    )


def downgrade() -> None:
    admit({"verification_step": TYPES, "verification_history": KINDS})
