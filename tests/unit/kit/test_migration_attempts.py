"""Migrations that meet the locks of live traffic are tried again; other faults end at once."""

import pytest
from sqlalchemy.exc import DBAPIError

from acredita.kit import migrations


class Refusal(Exception):
    def __init__(self, sqlstate):
        super().__init__(sqlstate)
        self.sqlstate = sqlstate


@pytest.fixture
def refuse(monkeypatch):
    """Makes alembic's command end with these SQLSTATEs, and then succeed; returns the attempts."""
    monkeypatch.setattr(migrations, "PAUSES", (0, 0))

    def refuse(*states):
        left, attempts = list(states), []

        def run(*_):
            attempts.append(1)
            if left:
                raise DBAPIError("ALTER TABLE", None, Refusal(left.pop(0)))

        monkeypatch.setattr(migrations.command, "upgrade", run)
        return attempts

    return refuse


def test_a_deadlock_a_held_lock_and_a_slow_statement_are_tried_again(refuse, monkeypatch):
    monkeypatch.setattr(migrations, "PAUSES", (0, 0, 0))
    attempts = refuse("40P01", "55P03", "57014")
    migrations.upgrade("postgresql://127.0.0.1/none")
    assert len(attempts) == 4


@pytest.mark.parametrize(
    ("states", "attempts"),
    [(["42P07"], 1), (["55P03"] * 4, 3)],
    ids=["another fault", "too many attempts"],
)
def test_another_fault_and_the_last_attempt_end_the_migration(refuse, states, attempts):
    made = refuse(*states)
    with pytest.raises(DBAPIError):
        migrations.upgrade("postgresql://127.0.0.1/none")
    assert len(made) == attempts
