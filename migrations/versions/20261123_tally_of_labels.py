"""What labels say about the reading counts in the overview.

Revision: 0051, after 0050
"""

from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None

# As `resources/overview/queries.ADD_LABEL` counts new ones.
COUNT = """
    INSERT INTO verification_day_tally (organization_id, day, workflow_id, measure, change)
    SELECT verification.organization_id, (verification.created_at AT TIME ZONE 'UTC')::date,
        verification.workflow_id, counted.measure, sum(counted.number)
    FROM training_label AS label
    JOIN document ON document.id = label.document_id
    JOIN verification ON verification.id = document.verification_id
    CROSS JOIN LATERAL (
        SELECT 'label:documents', 1::bigint
        UNION ALL
        SELECT 'label:fields', count(is_correct) FROM training_field WHERE label_id = label.id
        UNION ALL
        SELECT 'label:correct', count(*) FROM training_field
        WHERE label_id = label.id AND is_correct
    ) AS counted (measure, number)
    WHERE label.is_last
    GROUP BY 1, 2, 3, 4 HAVING sum(counted.number) > 0
"""


def upgrade() -> None:
    op.execute("SELECT pg_temp.lock_tables('training_label')")
    op.execute(COUNT)


def downgrade() -> None:
    op.execute("DELETE FROM verification_day_tally WHERE measure LIKE 'label:%'")
