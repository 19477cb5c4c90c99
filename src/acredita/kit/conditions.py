"""Conditions of a statement that are built step by step, and leases of the selected rows."""

from typing import Any

# `{}` is the present time.
FREE = "(lease_until IS NULL OR lease_until <= {})"


class Conditions:
    """Conditions and the arguments of their placeholders."""

    def __init__(self) -> None:
        self.arguments: list[Any] = []
        self.conditions: list[str] = []

    def add(self, condition: str, *values: Any) -> None:
        """Add a condition. Each `{}` in it refers to a value."""
        self.conditions.append(condition.format(*(self.place(value) for value in values)))

    def place(self, value: Any) -> str:
        """Return the placeholder of a value."""
        self.arguments.append(value)
        return f"${len(self.arguments)}"

    @property
    def where(self) -> str:
        return " AND ".join(self.conditions)


def lease_first(
    table: str,
    key: str,
    conditions: Conditions,
    *,
    order: str,
    owner: object,
    now: object,
    until: object,
    returning: str,
) -> str:
    """Return the statement that leases the first free row to `owner`.

    SKIP LOCKED skips rows that a concurrent request is leasing. PostgreSQL checks a row again when
    it locks it, so a row that was leased meanwhile is not leased twice.
    """
    conditions.add(FREE, now)
    return (
        f"WITH drawn AS (SELECT {key} AS id FROM {table} WHERE {conditions.where}"  # noqa: S608
        f" {order} LIMIT 1 FOR UPDATE OF {table} SKIP LOCKED)"
        f" UPDATE {table} SET lease_owner = {conditions.place(owner)},"
        f" lease_until = {conditions.place(until)}"
        f" FROM drawn WHERE {table}.{key} = drawn.id RETURNING {returning}"
    )
