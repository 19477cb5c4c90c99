"""A sandbox bureau: everyone with an RFC or a CURP has a file, generated from it.

RFC and CURP of one person give the same file, because it depends only on the letters and the date
that both share. Magic numbers select a behaviour, as in the registries' sandbox:

| magic | written as |
|---|---|
| RFC | XUXX9002nn and any three characters: the Behaviour |
| CURP | Xux Xux Xux, a man born abroad in February 1990; the day: number of the Behaviour |

No real name gives the letters XUXX and XXX. docs/integrators/credit.md lists the numbers.
"""

import asyncio
import hashlib
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from enum import IntEnum

from acredita.domain.credit.person import Question, Remark
from acredita.domain.credit.report import (
    Account,
    Alert,
    AlertCode,
    Report,
    Score,
    alerts_of_accounts,
)
from acredita.kit.clock import Clock
from acredita.providers.credit.circulo import circulo_problems
from acredita.providers.credit.protocol import Failure, NotConsulted, OutcomeUnknown

MAGIC = re.compile("XUXX9002([0-9]{2})")
# Seconds: longer than people like to wait, shorter than the callers' time-outs.
SLOWNESS = 5.0
SCORE = "FICO"
LOWEST_SCORE, HIGHEST_SCORE = 300, 850
MOST_ACCOUNTS = 8
SMALLEST_LIMIT, LARGEST_LIMIT = 2, 120  # thousands of pesos


class Behaviour(IntEnum):
    NO_FILE = 1
    UNAVAILABLE = 2
    NO_ANSWER = 3  # the outcome stays unknown
    REFUSED = 4
    SLOW = 5
    BLOCKED = 6
    LIST_MATCH = 7
    PAST_DUE = 8  # with an account that a lender has marked as a fraud
    NO_SCORE = 9  # a file without accounts
    ANOTHER_PERSON = 10


class SandboxBureau:
    name = "sandbox"
    is_sandbox = True

    def __init__(self, clock: Clock, *, slowness: float = SLOWNESS) -> None:
        self._clock = clock
        self._slowness = slowness

    @property
    def timeout(self) -> float:
        return self._slowness + 1

    def problems(self, question: Question) -> Sequence[Remark]:  # noqa: ARG002 (it accepts all)
        return ()

    def production_problems(self, question: Question) -> Sequence[Remark]:
        return circulo_problems(question)

    async def consult(self, question: Question) -> Report | None:
        person = _person(question)
        if person is None:  # a name alone finds no file
            return None
        magic = MAGIC.fullmatch(person)
        number = int(magic[1]) if magic else 0
        behaviour = Behaviour(number) if number in tuple(Behaviour) else None
        match behaviour:
            case Behaviour.NO_FILE:
                return None
            case Behaviour.UNAVAILABLE:
                raise NotConsulted(Failure.UNAVAILABLE, "sandbox")
            case Behaviour.REFUSED:
                raise NotConsulted(Failure.REFUSED, "sandbox")
            case Behaviour.NO_ANSWER:
                raise OutcomeUnknown(Failure.NO_ANSWER, "sandbox")
            case Behaviour.SLOW:
                await asyncio.sleep(self._slowness)
        return _behave(_file_of(person, self._clock.now().date()), behaviour)


def _person(question: Question) -> str | None:
    """The letters and date that RFC and CURP share. For a company, its RFC without homoclave."""
    if question.rfc is not None:
        return question.rfc.text[:-3]
    return question.curp.text[:10] if question.curp is not None else None


def _file_of(person: str, today: date) -> Report:
    digest = hashlib.sha256(f"credit:{person}".encode()).hexdigest()
    # Seeded, so that a person's file stays the same.
    dice = random.Random(digest)
    accounts = tuple(_account(dice, today) for _ in range(dice.randint(1, MOST_ACCOUNTS)))
    return Report(
        folio=f"sandbox-{digest[:16]}",
        scores=(Score(SCORE, dice.randint(LOWEST_SCORE, HIGHEST_SCORE), ("D8", "K0")),),
        accounts=accounts,
        inquiries=tuple(
            today - timedelta(days=dice.randint(1, 700)) for _ in range(dice.randint(0, 6))
        ),
    )


def _account(dice: random.Random, today: date) -> Account:
    # Relative to the calendar year, so that a file does not change from day to day.
    opened = date(today.year - dice.randint(1, 12), dice.randint(1, 12), dice.randint(1, 28))
    is_closed = dice.random() < 0.3
    limit = Decimal(dice.randint(SMALLEST_LIMIT, LARGEST_LIMIT) * 1000)
    balance = Decimal(0) if is_closed else (limit * dice.randint(0, 100) / 100)
    return Account(
        currency="MX",
        opened=opened,
        closed=min(opened + timedelta(days=dice.randint(30, 360)), today) if is_closed else None,
        balance=balance,
        credit_limit=limit,
    )


def _behave(report: Report, behaviour: Behaviour | None) -> Report:
    match behaviour:
        case Behaviour.BLOCKED:
            return replace(report, alerts=(Alert(AlertCode.FILE_BLOCKED, "The file is blocked."),))
        case Behaviour.LIST_MATCH:
            found = Alert(AlertCode.LIST_MATCH, "The person was found on a list.", "OFAC")
            return replace(report, alerts=(found,))
        case Behaviour.PAST_DUE:
            return _past_due(report)
        case Behaviour.NO_SCORE:
            return replace(report, scores=(Score(SCORE, None),), accounts=(), inquiries=())
        case Behaviour.ANOTHER_PERSON:
            message = "The file found has a different value than the request."
            return replace(report, alerts=(Alert(AlertCode.ANOTHER_PERSON, message, "rfc"),))
        case _:
            return report


def _past_due(report: Report) -> Report:
    first = replace(
        report.accounts[0],
        closed=None,
        balance=Decimal(12_000),
        past_due=Decimal(4_500),
        payments_missed=3,
        prevention_key="FD",
    )
    accounts = (first, *report.accounts[1:])
    return replace(report, accounts=accounts, alerts=alerts_of_accounts(accounts))
