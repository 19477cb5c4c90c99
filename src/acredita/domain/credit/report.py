"""A credit report, independent of the bureau, and the alerts that follow from it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum

A_YEAR = timedelta(days=365)


class AlertCode(StrEnum):
    FILE_BLOCKED = "FILE_BLOCKED"  # The person or the bureau has closed the file.
    LIST_MATCH = "LIST_MATCH"  # On a list of sanctioned, wanted or exposed persons.
    PREVENTION_KEY = "PREVENTION_KEY"  # A lender marked an account: fraud, write-off, lawsuit.
    DECEASED = "DECEASED"
    ANOTHER_PERSON = (
        "ANOTHER_PERSON"  # The identifiers of the file differ from those of the question.
    )
    MESSAGE = "MESSAGE"  # Other messages of the bureau.


@dataclass(frozen=True, slots=True)
class Alert:
    """`source` names the list, the key, or the field concerned, in the bureau's own words."""

    code: AlertCode
    message: str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """`value` is None if the bureau computes no score. `reasons` are the codes of the model."""

    name: str
    value: int | None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Amounts in `currency`. `payments_missed` is the number of payments past due now."""

    currency: str
    opened: date | None = None
    closed: date | None = None
    balance: Decimal = Decimal(0)
    past_due: Decimal = Decimal(0)
    credit_limit: Decimal = Decimal(0)
    payments_missed: int = 0
    disputed: bool = False
    prevention_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """`folio` is the bureau's number of this consultation, for its bill and for disputes."""

    folio: str
    scores: tuple[Score, ...] = ()
    accounts: tuple[Account, ...] = ()
    inquiries: tuple[date | None, ...] = ()
    alerts: tuple[Alert, ...] = ()


@dataclass(frozen=True, slots=True)
class Amounts:
    currency: str
    balance: Decimal
    past_due: Decimal
    credit_limit: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountsSummary:
    total: int
    open: int
    closed: int
    past_due: int
    disputed: int
    most_payments_missed: int
    oldest_opened: date | None
    amounts: tuple[Amounts, ...]


@dataclass(frozen=True, slots=True)
class InquiriesSummary:
    """Earlier consultations about this person, without this one."""

    total: int
    last_year: int


def summarize_accounts(accounts: Iterable[Account]) -> AccountsSummary:
    accounts = tuple(accounts)
    is_open = [account for account in accounts if account.closed is None]
    return AccountsSummary(
        total=len(accounts),
        open=len(is_open),
        closed=len(accounts) - len(is_open),
        past_due=sum(account.past_due > 0 for account in accounts),
        disputed=sum(account.disputed for account in accounts),
        most_payments_missed=max((account.payments_missed for account in accounts), default=0),
        oldest_opened=min((each.opened for each in accounts if each.opened), default=None),
        amounts=tuple(
            _amounts(currency, accounts)
            for currency in sorted({account.currency for account in accounts})
        ),
    )


def _amounts(currency: str, accounts: Iterable[Account]) -> Amounts:
    """Sum by currency: amounts of different currencies are never added."""
    of_currency = [account for account in accounts if account.currency == currency]
    return Amounts(
        currency,
        balance=sum((each.balance for each in of_currency), Decimal(0)),
        past_due=sum((each.past_due for each in of_currency), Decimal(0)),
        credit_limit=sum((each.credit_limit for each in of_currency), Decimal(0)),
    )


def summarize_inquiries(inquiries: Iterable[date | None], today: date) -> InquiriesSummary:
    inquiries = tuple(inquiries)
    recent = sum(day is not None and today - day <= A_YEAR for day in inquiries)
    return InquiriesSummary(len(inquiries), recent)


def alerts_of_accounts(accounts: Iterable[Account]) -> tuple[Alert, ...]:
    """One alert for each prevention key of the lenders, for any number of accounts."""
    keys = sorted({account.prevention_key for account in accounts if account.prevention_key})
    return tuple(
        Alert(AlertCode.PREVENTION_KEY, "A lender has marked an account.", key) for key in keys
    )
