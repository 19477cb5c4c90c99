"""Portraits cut out of documents are kept beside the pages laid flat.

Revision: 0010, after 0009
"""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_constraint("ck_media_kind_known", "media")
    op.create_check_constraint(op.f("ck_media_kind_known"), "media", "kind IN ('page', 'portrait')")


def downgrade() -> None:
    op.execute("DELETE FROM media WHERE kind = 'portrait'")
    op.drop_constraint("ck_media_kind_known", "media")
    op.create_check_constraint(op.f("ck_media_kind_known"), "media", "kind IN ('page')")
