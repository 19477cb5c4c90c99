"""The invented people of the sandboxes in use, and what each of them leads to.

The sandboxes themselves define the numbers; here are only their words.
"""

from collections import defaultdict
from datetime import date

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.errors import NotFound
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.names import PersonName, fold
from acredita.models import Watchlist, WatchlistEntity
from acredita.providers.credit.sandbox import Behaviour as CreditBehaviour
from acredita.providers.government.sandbox import BEHAVIOUR_CURPS, NAME, STATUS_CURPS, Behaviour
from acredita.resources.sandbox import pictures
from acredita.resources.sandbox.pictures import Identity
from acredita.resources.sandbox.schemas import SandboxPerson, SandboxResult, Source
from acredita.settings import Settings

DAY_LENGTH = len("1961-04-17")
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
    roles = list(pictures.ROLES) if pictures.can_draw(settings) else []
    return [
        person if identity is None else person.model_copy(update={"pictures": roles})
        for person, identity in await _known(session, settings)
    ]


async def identity(session: AsyncSession, settings: Settings, person_id: str) -> Identity:
    """Return what a card of the person says. Raise NotFound if nobody can draw it."""
    if pictures.can_draw(settings):
        for person, found in await _known(session, settings):
            if person.id == person_id and found is not None:
                return found
    raise NotFound


Known = tuple[SandboxPerson, Identity | None]


async def _known(session: AsyncSession, settings: Settings) -> list[Known]:
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


def _person(curp: str, results: list[SandboxResult]) -> Known:
    behaviour = BEHAVIOUR_CURPS.get(curp)
    born = date(1900 + int(curp[4:6]), int(curp[6:8]), int(curp[8:10]))
    # The number of a card selects a behaviour. Cards have no date of birth of their own.
    cic = f"{behaviour:09}" if behaviour in INE_BEHAVIOURS else None
    person = SandboxPerson(
        id=curp,
        name=NAME.full.title(),
        curp=curp,
        rfc=f"{curp[:10]}AB1",
        cic=cic,
        date_of_birth=born.isoformat(),
        results=results,
    )
    return person, Identity(NAME, born, Sex.MALE, cic=cic)


async def _listed(session: AsyncSession) -> list[Known]:
    """The people and firms of the sandbox watchlist, until a real list replaces it."""
    query = (
        select(WatchlistEntity)
        .join(Watchlist, Watchlist.id == WatchlistEntity.list_id)
        .where(Watchlist.is_sandbox, WatchlistEntity.removed_version.is_(None))
        .order_by(WatchlistEntity.source_id)
    )
    return [(_entry(entry), _entry_identity(entry)) for entry in await session.scalars(query)]


def _entry(entry: WatchlistEntity) -> SandboxPerson:
    return SandboxPerson(
        id=entry.source_id,
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


def _entry_identity(entry: WatchlistEntity) -> Identity | None:
    """Return what the entry's card says; None without a whole date of birth, as for firms."""
    given, family = entry.names[0].get("given"), entry.names[0].get("family")
    born = next((each for each in entry.dates_of_birth if len(each) == DAY_LENGTH), None)
    if not (given and family and born):
        return None
    paterno, _, materno = fold(family, enye="Ñ").partition(" ")
    return Identity(PersonName(fold(given, enye="Ñ"), paterno, materno), date.fromisoformat(born))


def _identifier(entry: WatchlistEntity, kind: str) -> str | None:
    return next((each["value"] for each in entry.identifiers if each["kind"] == kind), None)
