"""Sandbox registries: every well-formed question matches, except for the magic numbers below.
They are deterministic, use no network and mark every receipt as `sandbox`.

A sandbox does not know whose CURP it gets. It returns what the CURP encodes (birth date, sex,
state), the nationality of who is born in Mexico, and None, which means undisclosed, for the name.

| magic | written as |
|---|---|
| CURP of a status | Xux Xux Xux, a man born abroad in January 1990; the day: row of STATUSES |
| CURP of a behaviour | the same, born in February 1990; the day: number of the Behaviour |
| INE card | CIC 0000000nn, or on a card without one OCR 00000000000nn: the Behaviour |
| RFC | XUXX9002nn and any three characters: the Behaviour |

No real name gives the letters XUXX and XXX. `Xux Xux Xux` can be drawn as a specimen and tested
through the whole service. docs/operators/government-bridge.md lists all the numbers.
"""

import asyncio
import hashlib
import re
from dataclasses import replace
from datetime import date
from enum import IntEnum

from acredita.domain.government.queries import IneQuestion, Registry
from acredita.domain.government.renapo import STATUSES
from acredita.domain.government.responses import (
    CurpAnswer,
    CurpRecord,
    IneAnswer,
    Outcome,
    Receipt,
    RfcAnswer,
)
from acredita.domain.identifiers import curp as curps
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.ine import VoterKeyInputs
from acredita.domain.identifiers.states import BORN_ABROAD
from acredita.domain.names import PersonName
from acredita.kit.clock import Clock
from acredita.providers.government.protocol import RegistryRefused, RegistryUnavailable

NAME = PersonName("XUX", "XUX", "XUX")
ANOTHER_NAME = PersonName("PERSONA", "OTRA", "DISTINTA")
NEARLY_THE_NAME = PersonName("XUXA", "XUX", "XUX")
ANOTHER_BIRTH_DATE = date(1971, 11, 30)
ANOTHER_CLAVE = "OTDSPR71113009M100"
# Seconds: longer than people like to wait, shorter than the callers' time-outs.
SLOWNESS = 5.0
RETRY_AFTER = 1.0
# Maximum number of requests remembered for UNAVAILABLE_ONCE; the oldest is dropped first.
LONGEST_MEMORY = 1000


class Behaviour(IntEnum):
    NOT_FOUND = 1
    UNAVAILABLE = 2
    UNAVAILABLE_ONCE = 3  # for each request key, in each process
    REFUSED = 4
    SLOW = 5
    ANOTHER_PERSON = 6  # CURP: another name. INE, RFC: mismatch
    NEARLY = 7  # CURP: a letter of the name differs. INE: match, with the clave of another
    ANNULLED = 8  # CURP: deceased, as RENAPO's text instead of its code
    UNDOCUMENTED = 9  # an unknown status
    ANOTHER_BIRTH_DATE = 10  # CURP only


def _magic(born: date) -> str:
    return curps.compose(NAME, born, Sex.MALE, BORN_ABROAD).text


STATUS_CURPS = {_magic(date(1990, 1, day)): it for day, it in enumerate(STATUSES, 1)}
BEHAVIOUR_CURPS = {_magic(date(1990, 2, it)): it for it in Behaviour}
_VERDICTS = {
    Behaviour.NOT_FOUND: (Outcome.NOT_FOUND, None),
    Behaviour.ANOTHER_PERSON: (Outcome.MISMATCH, None),
    Behaviour.ANNULLED: (Outcome.ANNULLED, "CANCELADO"),
    Behaviour.UNDOCUMENTED: (Outcome.UNKNOWN_STATUS, "ZZZ"),
}


class SandboxRegistries:
    name = "sandbox"

    def __init__(self, clock: Clock, *, slowness: float = SLOWNESS) -> None:
        self._clock = clock
        self._slowness = slowness
        self._failed_once: dict[tuple[Registry, str], None] = {}

    async def lookup_curp(self, curp: str, *, request_key: str) -> CurpAnswer:
        behaviour = BEHAVIOUR_CURPS.get(curp)
        receipt = await self._receive(Registry.RENAPO, behaviour, request_key)
        parsed = curps.parse(curp).value
        if parsed is None or behaviour is Behaviour.NOT_FOUND:
            return CurpAnswer(receipt, None)
        status = STATUS_CURPS.get(curp)
        record = CurpRecord(
            curp=_changed(parsed) if status and status.code in ("RCC", "BCC") else curp,
            source_status=status.code if status else "AN",
            birth_date=parsed.birth_date,
            sex=parsed.sex,
            state=parsed.state,
            # Who is born in Mexico is Mexican (Constitution, art. 30 A I).
            nationality=None if parsed.state == BORN_ABROAD else "MEX",
        )
        return CurpAnswer(receipt, _behave(record, behaviour))

    async def check_ine(self, question: IneQuestion, *, request_key: str) -> IneAnswer:
        number = question.ocr if isinstance(question, VoterKeyInputs) else question.cic
        behaviour = _behaviour(number)
        receipt = await self._receive(Registry.INE, behaviour, request_key)
        outcome, status = _verdict(behaviour)
        clave = ANOTHER_CLAVE if behaviour is Behaviour.NEARLY else None
        return IneAnswer(receipt, outcome, status, clave)

    async def check_rfc(
        self,
        rfc: str,
        *,
        name: str | None,  # noqa: ARG002 (every name matches)
        request_key: str,
    ) -> RfcAnswer:
        magic = re.fullmatch("XUXX9002([0-9]{2})[A-Z0-9]{3}", rfc)
        behaviour = _behaviour(magic[1]) if magic else None
        receipt = await self._receive(Registry.SAT, behaviour, request_key)
        return RfcAnswer(receipt, *_verdict(behaviour))

    async def probe(self) -> None:
        return

    async def _receive(
        self, registry: Registry, behaviour: Behaviour | None, request_key: str
    ) -> Receipt:
        match behaviour:
            case Behaviour.UNAVAILABLE:
                raise RegistryUnavailable("sandbox", retry_after=RETRY_AFTER)
            case Behaviour.UNAVAILABLE_ONCE if (registry, request_key) not in self._failed_once:
                self._failed_once[registry, request_key] = None
                if len(self._failed_once) > LONGEST_MEMORY:
                    del self._failed_once[next(iter(self._failed_once))]
                raise RegistryUnavailable("sandbox", retry_after=RETRY_AFTER)
            case Behaviour.REFUSED:
                raise RegistryRefused("sandbox")
            case Behaviour.SLOW:
                await asyncio.sleep(self._slowness)
        digest = hashlib.sha256(f"{registry}:{request_key}".encode()).hexdigest()
        return Receipt(f"sandbox-{digest[:16]}", self._clock.now(), sandbox=True)


def _behaviour(number: str) -> Behaviour | None:
    return Behaviour(int(number)) if int(number) in tuple(Behaviour) else None


def _verdict(behaviour: Behaviour | None) -> tuple[Outcome, str | None]:
    return _VERDICTS.get(behaviour, (Outcome.MATCH, None)) if behaviour else (Outcome.MATCH, None)


def _changed(curp: curps.Curp) -> str:
    """The CURP that replaced this one: the next differentiator."""
    return curps.compose(NAME, curp.birth_date, curp.sex, curp.state, differentiator="1").text


def _behave(record: CurpRecord, behaviour: Behaviour | None) -> CurpRecord:
    match behaviour:
        case Behaviour.ANOTHER_PERSON:
            return replace(record, name=ANOTHER_NAME)
        case Behaviour.NEARLY:
            return replace(record, name=NEARLY_THE_NAME)
        case Behaviour.ANNULLED:
            return replace(record, source_status="BAJA POR DEFUNCIÓN")
        case Behaviour.UNDOCUMENTED:
            return replace(record, source_status="ZZZ")
        case Behaviour.ANOTHER_BIRTH_DATE:
            return replace(record, birth_date=ANOTHER_BIRTH_DATE)
        case _:
            return record
