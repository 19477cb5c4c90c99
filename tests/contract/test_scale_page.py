"""What the page about scale says of tables, against the models and the database."""

import re

from sqlalchemy import UniqueConstraint, text

from acredita.models import Base
from tests.factories.pages import PROJECT

PAGE = (PROJECT / "docs" / "operators" / "scale.md").read_text().partition("with Citus\n")[2]
# Rows that a value finds before their organization is known.
FOUND_BEFORE = {
    "api_key",
    "capture_link",
    "identity_provider",
    "metamap_alias",
    "passkey",
    "user_account",
    "user_session",
}
TRIGGERED = text(
    "SELECT DISTINCT relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
    " WHERE NOT tgisinternal AND tgparentid = 0 AND NOT relispartition"
)


def names(cell):
    return set(re.findall(r"`([a-z_0-9]+)`", cell))


def keys_of(table):
    """The columns of the primary key and of each unique constraint and index."""
    yield {column.name for column in table.primary_key}
    for constraint in table.constraints:
        if isinstance(constraint, UniqueConstraint):
            yield {column.name for column in constraint.columns}
    for index in table.indexes:
        if index.unique:
            yield {getattr(each, "name", None) for each in index.expressions}


def group_of(table):
    """The number of the page's row that has the table."""
    column = table.columns.get("organization_id")
    if column is None:
        return 4
    if column.nullable:
        return 3
    if all("organization_id" in key for key in keys_of(table)):
        return 0
    return 2 if table.name in FOUND_BEFORE else 1


def test_each_table_is_where_its_keys_put_it():
    rows = [names(row.split("|")[1]) for row in re.findall(r"^\| `.*$", PAGE, re.MULTILINE)]
    groups = [set() for _ in rows]
    for table in Base.metadata.sorted_tables:
        groups[group_of(table)].add(table.name)
    assert rows == groups


async def test_the_tables_with_triggers_are_named(services):
    (paragraph,) = re.findall(r"- \*\*Triggers\*\*(.*?)\n- ", PAGE, re.DOTALL)
    async with services.database.reading() as connection:
        assert names(paragraph) == set(await connection.scalars(TRIGGERED))
