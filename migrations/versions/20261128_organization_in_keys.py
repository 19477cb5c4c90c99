"""The organization is in the keys: a cluster divides tables by it, and no row refers to another
organization's.

Every primary key, unique index and foreign key of the tables below gets the organization, last. New
indexes are built and new foreign keys are validated while the service runs. Then each table changes
its keys, and the foreign keys that refer to it, in one short transaction. Each step looks at the
catalogue for what is left to do, so a run continues one that failed.

Revision: 0060, after 0059
"""

import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from alembic import op
from alembic.util import CommandError

revision = "0060"
down_revision = "0059"
branch_labels = None
depends_on = None

TABLES = (
    *("aml_hit", "aml_hit_review", "aml_monitor", "aml_monitor_match", "aml_monitor_outcome"),
    *("aml_screening", "audit_log", "consent", "credit_check", "custom_form"),
    *("custom_submission", "delivery", "delivery_attempt", "document", "event", "first_answer"),
    *("licence_template", "licence_truth", "liveness_challenge", "liveness_film", "media"),
    *("metamap_callback", "metamap_identity", "one_time_password", "person_identifier"),
    *("policy", "policy_comparison", "policy_simulation", "policy_version", "recovery_code"),
    *("review_filter", "selfie_truth", "signature_file", "signature_package", "totp_secret"),
    *("training_batch", "training_field", "training_item", "training_label", "training_skip"),
    *("truth_file", "verification", "verification_day_tally", "verification_history"),
    *("verification_review", "verification_search", "verification_step", "verification_tally"),
    *("webhook_endpoint", "webhook_receiver", "workflow"),
)
# The former release groups by the key of this one: until the next release, a constraint beside it has
# the column.
GROUPED = "training_batch"
# The former release upserts by these alone: the indexes `former_…` go with the next release. Each is
# younger than the table's key, so that a row that two transactions add is found in that first.
FORMER = {
    "aml_hit": "id",
    "first_answer": "scope",
    "licence_template": "truth_id",
    "liveness_film": "challenge_id",
    "training_item": "document_id",
    "verification_search": "verification_id",
    "webhook_receiver": "id",
}
COLUMN = "organization_id"
KEYS = """
    SELECT relname, contype::text, pg_get_indexdef(indexrelid)
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    LEFT JOIN pg_constraint ON conindid = indexrelid AND contype IN ('p', 'u')
    WHERE indisunique AND indrelid = to_regclass(:table) AND relname !~ '^former_|_new$'
    ORDER BY relname
"""
REFERENCES = """
    SELECT relname, conname, pg_get_constraintdef(pg_constraint.oid)
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE contype = 'f' AND confrelid = to_regclass(:table) AND NOT relispartition
    ORDER BY relname, conname
"""
PARTITIONS = """
    SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = to_regclass(:table) ORDER BY relname
"""
IS_VALID = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)"
IS_VALIDATED = """
    SELECT convalidated FROM pg_constraint WHERE conrelid = to_regclass(:table) AND conname = :name
"""
# A transaction locks the table that others refer to, and then each of these that is free at once. So no
# statement of the service waits for a second behind a lock, which could be a deadlock then, and each
# transaction gets on. The first lock may take longer, since it holds no other.
CHANGE = """
DO $$ BEGIN
    PERFORM set_config('lock_timeout', '{patience}ms', true);
    LOCK TABLE {table} IN {mode} MODE;
    PERFORM set_config('lock_timeout', '20ms', true);
    {changes}
EXCEPTION WHEN lock_not_available THEN NULL;
END $$
"""
CHANGE_IF_FREE = """
    BEGIN
        LOCK TABLE {table} IN {mode} MODE;
        {changes};
    EXCEPTION WHEN lock_not_available THEN NULL;
    END;
"""
# Milliseconds.
FIRST_PATIENCE, LONGEST_PATIENCE = 500, 4000
# Seconds without a change after which a run gives up.
MOST_SECONDS = 180
FOREIGN_ROWS = """\
rows of {table} refer to a row of another organization. Correct or delete what this finds, and migrate again:
    SELECT child.* FROM {table} AS child JOIN {parent} AS parent ON parent.{target} = child.{column}
    WHERE parent.organization_id <> child.organization_id"""


# The statements by the table that they change.
Changes = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Key:
    """A primary key (p), a unique constraint (u) or a unique index (None)."""

    table: str
    name: str
    kind: str | None
    columns: str
    # NULLS NOT DISTINCT, WHERE …
    rest: str

    def new_index(self, table: str) -> str:
        """The name of the new index, of the table or of a partition."""
        if table == self.table:
            return f"{self.name}_new"
        return f"{table}_{self.columns.replace(', ', '_')}_{COLUMN}_idx"

    def _is_built(self, partition: str) -> bool:
        return bool(_first(IS_VALID, name=self.new_index(partition)))

    def changes(self, partitions: list[str]) -> Iterator[str]:
        """Put the new index in the place of the old key. A parent takes those of its partitions."""
        table, name = self.table, self.name
        columns = f"({self.columns}, {COLUMN}){self.rest}"
        kind = "UNIQUE" if self.kind == "u" else "PRIMARY KEY"
        if self.kind is None:
            yield f"DROP INDEX {name}"
        elif table != GROUPED:
            yield f"ALTER TABLE {table} DROP CONSTRAINT {name}"
        if self.kind is None and partitions:
            yield f"CREATE UNIQUE INDEX {name} ON {table} {columns}"
        elif self.kind is None:
            yield f"ALTER INDEX {self.new_index(table)} RENAME TO {name}"
        elif partitions:
            # A partition of the last minute has no index yet, and no rows to speak of.
            for one in filter(self._is_built, partitions):
                using = f"{kind} USING INDEX {self.new_index(one)}"
                yield f"ALTER TABLE {one} ADD CONSTRAINT {one}_pkey {using}"
            yield f"ALTER TABLE {table} ADD CONSTRAINT {name} {kind} {columns}"
        else:
            new_name = f"{name}_{COLUMN}" if self.kind == "u" else name
            using = f"{kind} USING INDEX {self.new_index(table)}"
            yield f"ALTER TABLE {table} ADD CONSTRAINT {new_name} {using}"


@dataclass(frozen=True, slots=True)
class Reference:
    """A foreign key of one column."""

    table: str
    name: str
    parent: str
    column: str
    target: str
    # ON DELETE …
    rest: str

    @property
    def new_name(self) -> str:
        return f"{self.name}_{COLUMN}"

    @property
    def addition(self) -> str:
        rest = self.rest.replace("SET NULL", f"SET NULL ({self.column})")
        return (
            f"ADD CONSTRAINT {self.new_name} FOREIGN KEY ({self.column}, {COLUMN})"
            f" REFERENCES {self.parent} ({self.target}, {COLUMN}){rest}"
        )


def upgrade() -> None:
    with op.get_context().autocommit_block():
        op.execute("SET statement_timeout = 0")
        # These wait for older transactions, and nothing waits for them.
        op.execute("SET lock_timeout = 0")
        for table in TABLES:
            _build_indexes(table)
        for table in TABLES:
            _add_references(table)
        for table in TABLES:
            _change_keys(table)
        op.execute("SET lock_timeout = '4s'")
        op.execute("SET statement_timeout = '60s'")


def _build_indexes(table: str) -> None:
    wanted = {
        key.new_index(one): f"{one} ({key.columns}, {COLUMN}){key.rest}"
        for key in _keys(table)
        for one in _partitions(table) or [table]
    }
    if column := FORMER.get(table):
        wanted[f"former_{table}"] = f"{table} ({column})"
    for name, definition in wanted.items():
        is_valid = _first(IS_VALID, name=name)
        if is_valid is False:
            # Left by a run that failed.
            op.execute(f"DROP INDEX CONCURRENTLY {name}")
        if not is_valid:
            op.execute(f"CREATE UNIQUE INDEX CONCURRENTLY {name} ON {definition}")


def _add_references(parent: str) -> None:
    """Add the foreign keys that refer to the table, and look whether the rows keep them."""
    wanted = [
        (table, reference)
        for reference in _references(parent)
        for table in _partitions(reference.table) or [reference.table]
    ]

    def missing() -> Changes:
        changes = defaultdict(list)
        for table, reference in wanted:
            if _first(IS_VALIDATED, table=table, name=reference.new_name) is None:
                changes[table].append(f"ALTER TABLE {table} {reference.addition} NOT VALID")
        return changes

    # Others read meanwhile.
    _change(parent, missing, mode="SHARE ROW EXCLUSIVE")
    for table, reference in wanted:
        try:
            op.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {reference.new_name}")
        except sa.exc.IntegrityError as fault:
            names = {"table": table, "parent": parent}
            names |= {"column": reference.column, "target": reference.target}
            raise CommandError(FOREIGN_ROWS.format(**names)) from fault


def _change_keys(table: str) -> None:
    """Drop the former foreign keys that refer to the table. Then the new indexes become its keys."""

    def references() -> Changes:
        changes = defaultdict(list)
        for each in _references(table):
            changes[each.table].append(f"ALTER TABLE {each.table} DROP CONSTRAINT {each.name}")
            if _partitions(each.table):
                # The parent takes those of its partitions, without a look at the rows.
                changes[each.table].append(f"ALTER TABLE {each.table} {each.addition}")
        return changes

    def keys() -> Changes:
        changes = [one for key in _keys(table) for one in key.changes(_partitions(table))]
        return {table: changes} if changes else {}

    _change(table, references)
    _change(table, keys)


def _change(table: str, remaining: Callable[[], Changes], mode: str = "ACCESS EXCLUSIVE") -> None:
    """Make the changes of other tables, in as few transactions as the locks of others allow."""
    patience, before, last = FIRST_PATIENCE, None, time.monotonic()
    while changes := remaining():
        if changes != before:
            before, last = changes, time.monotonic()
        elif time.monotonic() - last > MOST_SECONDS:
            raise CommandError(f"others hold locks of {', '.join(changes)}. Migrate again")
        each = "".join(
            CHANGE_IF_FREE.format(table=other, mode=mode, changes="; ".join(statements))
            for other, statements in changes.items()
        )
        op.execute(CHANGE.format(table=table, mode=mode, patience=patience, changes=each))
        patience = min(2 * patience, LONGEST_PATIENCE)
        if remaining():
            # Those that waited behind the lock go first.
            time.sleep(0.2)


def _keys(table: str) -> list[Key]:
    """The keys that lack the column."""
    if table == GROUPED:
        is_there = _first(IS_VALID, name=f"uq_{GROUPED}_id_{COLUMN}")
        return [] if is_there else [Key(GROUPED, f"uq_{GROUPED}_id", "u", "id", "")]
    return [
        Key(table, name, kind, *re.findall(r" \((.*?)\)(.*)", definition)[0])
        for name, kind, definition in _rows(KEYS, table)
        if COLUMN not in definition
    ]


def _references(parent: str) -> list[Reference]:
    """The foreign keys that refer to the table and lack the column."""
    return [
        Reference(table, name, parent, *re.findall(r"\((.*?)\).*\((.*?)\)(.*)", definition)[0])
        for table, name, definition in _rows(REFERENCES, parent)
        if COLUMN not in definition
    ]


def _partitions(table: str) -> list[str]:
    return [name for (name,) in _rows(PARTITIONS, table)]


def _rows(query: str, table: str) -> list[Any]:
    return list(op.get_bind().execute(sa.text(query), {"table": table}))


def _first(query: str, **names: str) -> bool | None:
    return op.get_bind().scalar(sa.text(query), names)


def downgrade() -> None:
    """Looks at each row, while the tables are locked: only for development."""
    last = f", {COLUMN})"
    later = []
    for table in TABLES:
        op.execute(f"DROP INDEX IF EXISTS former_{table}")
        for child, name, definition in _rows(REFERENCES, table):
            if last in definition:
                single = re.sub(r"SET NULL \(.*\)", "SET NULL", definition.replace(last, ")"))
                op.execute(f"ALTER TABLE {child} DROP CONSTRAINT {name}")
                former = name.removesuffix(f"_{COLUMN}")
                later.append(f"ALTER TABLE {child} ADD CONSTRAINT {former} {single}")
    for table in TABLES:
        for name, kind, definition in _rows(KEYS, table):
            if last not in definition:
                continue
            single = definition.replace(last, ")").replace(" ONLY ", " ")
            if kind is None:
                op.execute(f"DROP INDEX {name}")
                op.execute(single)
                continue
            op.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
            if table != GROUPED:
                key = "PRIMARY KEY" if kind == "p" else "UNIQUE"
                columns = single[single.index(" (") :]
                former = name.removesuffix(f"_{COLUMN}")
                op.execute(f"ALTER TABLE {table} ADD CONSTRAINT {former} {key}{columns}")
    for statement in later:
        op.execute(statement)
