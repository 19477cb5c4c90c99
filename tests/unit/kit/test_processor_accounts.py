"""CPU seconds that customers have used."""

import pytest

from acredita.kit import processor_accounts
from acredita.kit.processor_accounts import ProcessorAccounts


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_a_debt_shrinks_by_the_cores_that_the_customer_may_use():
    clock = Clock()
    accounts = ProcessorAccounts(0.25, clock=clock)
    accounts.charge("bank", 6)
    clock.now = 4
    accounts.charge("bank", 1)
    assert accounts.debt("bank") == pytest.approx(6)
    assert accounts.debt("other") == 0
    assert accounts.seconds_until("bank", 5) == pytest.approx(4)
    clock.now = 100
    assert accounts.debt("bank") == accounts.seconds_until("bank", 5) == 0


def test_accounts_without_debt_are_forgotten(monkeypatch):
    monkeypatch.setattr(processor_accounts, "PRUNE_ABOVE", 10)
    clock = Clock()
    accounts = ProcessorAccounts(1, clock=clock)
    for customer in range(50):
        accounts.charge(customer, 1)
        clock.now += 1
    assert len(accounts._debts) <= 11
