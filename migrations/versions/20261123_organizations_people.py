"""What an organization's people read: its default language and its contact.

Revision: 0041, after 0040
"""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

CHECK = "ck_organization_default_language_known"


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('organization')")
    op.add_column("organization", sa.Column("default_language", sa.Text(), nullable=True))
    op.add_column("organization", sa.Column("support_contact", sa.Text(), nullable=True))
    op.create_check_constraint(
        op.f(CHECK), "organization", "default_language IN ('es', 'en', 'pt', 'fr', 'de')"
    )


def downgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('organization')")
    op.drop_constraint(op.f(CHECK), "organization")
    op.drop_column("organization", "support_contact")
    op.drop_column("organization", "default_language")
