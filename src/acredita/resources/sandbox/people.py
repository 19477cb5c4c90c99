"""The invented people of the sandboxes in use, and what each of them leads to.

The sandboxes themselves define the numbers; here are only their words.
"""

from collections import defaultdict

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.models import Watchlist, WatchlistEntity
from acredita.providers.credit.sandbox import Behaviour as CreditBehaviour
from acredita.providers.government.sandbox import BEHAVIOUR_CURPS, STATUS_CURPS, Behaviour
from acredita.resources.sandbox.schemas import SandboxPerson, SandboxResult, Source
from acredita.settings import Settings

NAME = "Xux Xux Xux"
INE_BEHAVIOURS = set(Behaviour) - {Behaviour.ANOTHER_BIRTH_DATE}
GOVERNMENT = {
    Behaviour.NOT_FOUND: "The registries do not find the number.",
    Behaviour.UNAVAILABLE: "The registries are never available.",
    Behaviour.UNAVAILABLE_ONCE: "The registries are not available once, then they answer.",
    Behaviour.REFUSED: "The registries refuse the request.",
    Behaviour.SLOW: "The registries answer after five seconds.",
    Behaviour.ANOTHER_PERSON: "RENAPO has another name; INE and SAT answer a mismatch.",
    Behaviour.NEARLY: "RENAPO has nearly the name; INE has the clave of another person.",
    Behaviour.ANNULLED: "RENAPO has a death; INE and SAT have annulled the number.",
    Behaviour.UNDOCUMENTED: "The registries answer an unknown status.",
    Behaviour.ANOTHER_BIRTH_DATE: "RENAPO has another date of birth.",
}
CREDIT = {
    CreditBehaviour.NO_FILE: "The bureau has no file.",
    CreditBehaviour.UNAVAILABLE: "The bureau is not available.",
    CreditBehaviour.NO_ANSWER: "The bureau does not answer; the result stays unknown.",
    CreditBehaviour.REFUSED: "The bureau refuses the request.",
    CreditBehaviour.SLOW: "The bureau answers after five seconds.",
    CreditBehaviour.BLOCKED: "The file is blocked.",
    CreditBehaviour.LIST_MATCH: "The bureau reports a match with a list.",
    CreditBehaviour.PAST_DUE: "An account is past due, with a prevention key.",
    CreditBehaviour.NO_SCORE: "The file has no account and no score.",
    CreditBehaviour.ANOTHER_PERSON: "The file is another person's.",
}


async def people(session: AsyncSession, settings: Settings) -> list[SandboxPerson]:
    """Return the people of the sandboxes that this installation uses; none if it uses none."""
    results: defaultdict[str, list[SandboxResult]] = defaultdict(list)
    if settings.government_provider == "sandbox":
        for curp, status in STATUS_CURPS.items():
            results[curp].append(
                SandboxResult(source="government", code=status.code, text=status.text)
            )
        for curp, behaviour in BEHAVIOUR_CURPS.items():
            results[curp].append(_result("government", behaviour.name, GOVERNMENT[behaviour]))
    if settings.credit_provider == "sandbox":
        for curp, number in BEHAVIOUR_CURPS.items():
            credit = CreditBehaviour(number)
            results[curp].append(_result("credit", credit.name, CREDIT[credit]))
    xux = [_person(curp, found) for curp, found in results.items()]
    return xux + await _listed(session)


def _result(source: Source, name: str, text: str) -> SandboxResult:
    return SandboxResult(source=source, code=name.lower(), text=text)


def _person(curp: str, results: list[SandboxResult]) -> SandboxPerson:
    behaviour = BEHAVIOUR_CURPS.get(curp)
    year, month, day = curp[4:6], curp[6:8], curp[8:10]
    return SandboxPerson(
        name=NAME,
        curp=curp,
        rfc=f"{curp[:10]}AB1",
        # The number of a card selects a behaviour. Cards have no date of birth of their own.
        cic=f"{behaviour:09}" if behaviour in INE_BEHAVIOURS else None,
        date_of_birth=f"19{year}-{month}-{day}",
        results=results,
    )


async def _listed(session: AsyncSession) -> list[SandboxPerson]:
    """The people and firms of the sandbox watchlist, until a real list replaces it."""
    query = (
        select(WatchlistEntity)
        .join(Watchlist, Watchlist.id == WatchlistEntity.list_id)
        .where(Watchlist.is_sandbox, WatchlistEntity.removed_version.is_(None))
        .order_by(WatchlistEntity.source_id)
    )
    return [
        SandboxPerson(
            name=entry.names[0]["text"],
            curp=_identifier(entry, "curp"),
            rfc=_identifier(entry, "rfc"),
            cic=None,
            date_of_birth=next(iter(entry.dates_of_birth), None),
            results=[
                SandboxResult(source="watchlist", code=program, text="A watchlist has the name.")
                for program in entry.programs
            ],
        )
        for entry in await session.scalars(query)
    ]


def _identifier(entry: WatchlistEntity, kind: str) -> str | None:
    return next((each["value"] for each in entry.identifiers if each["kind"] == kind), None)
