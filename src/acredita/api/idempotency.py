"""`Idempotency-Key`: a request that is sent again is answered as it was, and does nothing.

DECISIONS, Wire conventions, idempotency. An endpoint that takes the header goes

    if (first := await repeatable.first_answer()) is not None:
        return first
    ...                                   # checks that need no transaction
    return await repeatable.answer(work)  # `work` writes with what it is given

With a key, the answer is kept by the transaction that does the work: there is both or neither. From
the claim of the key to the end of that transaction a twin waits. Without one, nothing of this costs
anything. Who may call has been checked before any of it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any
from uuid import UUID

from fastapi import Depends, Header
from sqlalchemy import func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import Request
from starlette.responses import Response

from acredita.api.dependencies import ServicesDep
from acredita.api.json_body import PARSED_ON_THE_LOOP
from acredita.api.permissions import CALLER
from acredita.domain.audit import canonical
from acredita.domain.errors import IdempotencyConflict, ServiceUnavailable, ValidationFailed
from acredita.kit.db import Statements, Within
from acredita.models import FirstAnswer
from acredita.services import Services

KEPT_FOR = "24 hours"
SLOWEST_TWIN = "5s"
LOCK_NOT_AVAILABLE = "55P03"
HEADER = "Idempotency-Key"

FIND = f"""
    SELECT request_digest, answer_sealed FROM first_answer
    WHERE scope = $1 AND created_at > now() - interval '{KEPT_FOR}'
"""  # noqa: S608 (a constant)
WAIT_FOR_TWIN = text(
    f"SELECT set_config('lock_timeout', '{SLOWEST_TWIN}', true), pg_advisory_xact_lock(:number)"
)
WAIT_AS_EVER = text("SELECT set_config('lock_timeout', '0', true)")
# Materialized: a plan may run a subquery once for each row, and find other rows each time.
FORGET = text(
    f"""
    WITH old AS MATERIALIZED (
        SELECT scope FROM first_answer WHERE created_at <= now() - interval '{KEPT_FOR}'
        ORDER BY created_at LIMIT :limit FOR UPDATE SKIP LOCKED
    )
    DELETE FROM first_answer WHERE scope IN (SELECT scope FROM old) RETURNING scope
    """  # noqa: S608 (a constant)
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request that succeeded is answered, and its repetitions."""

    body: str
    status: int
    headers: dict[str, str]


class Repeatable:
    """What a request's key stands for; without a key there is no first answer and none is kept."""

    def __init__(
        self, services: Services, organization_id: UUID, scope: bytes | None, digest: bytes
    ) -> None:
        self._services = services
        self._organization_id = organization_id
        self._scope = scope
        self._digest = digest

    async def first_answer(self) -> Response | None:
        """The first answer, if there is one already. Raise IdempotencyConflict."""
        if self._scope is None:
            return None
        return self._same(await self._services.reads.row(FIND, self._scope))

    async def answer(self, work: Callable[[Statements], Awaitable[Answer]]) -> Response:
        """Do the work, unless it turns out to be done; raise as `_claim` and `work` do.

        All that `work` writes must be one statement: without a key it is a transaction of its own.
        """
        if self._scope is None:
            answer = await work(self._services.writes)
            return _response(answer.body, answer.status, answer.headers)
        return await self.answer_within(lambda session: work(Within(session)))

    async def answer_within(self, work: Callable[[AsyncSession], Awaitable[Answer]]) -> Response:
        """As `answer`, for work that is a transaction with a key and without one."""
        async with self._services.database.transaction() as session:
            if self._scope is not None:
                if (first := await self._claim(session, self._scope)) is not None:
                    return first
                answer = await work(session)
                await self._keep(session, self._scope, answer)
            else:
                answer = await work(session)
        return _response(answer.body, answer.status, answer.headers)

    async def _claim(self, session: AsyncSession, scope: bytes) -> Response | None:
        """Wait for a twin in flight and return its answer, or let twins wait for this request.

        Raise IdempotencyConflict, ServiceUnavailable when the twin takes too long.
        """
        number = int.from_bytes(scope[:8], signed=True)
        try:
            await session.execute(WAIT_FOR_TWIN, {"number": number})
        except DBAPIError as fault:
            if getattr(fault.orig, "sqlstate", None) == LOCK_NOT_AVAILABLE:
                raise ServiceUnavailable(
                    "An earlier request with this Idempotency-Key is still being answered."
                ) from None
            raise
        await session.execute(WAIT_AS_EVER)
        kept = select(FirstAnswer.request_digest, FirstAnswer.answer_sealed).where(
            FirstAnswer.scope == scope,
            FirstAnswer.created_at > func.now() - text(f"interval '{KEPT_FOR}'"),
        )
        return self._same((await session.execute(kept)).one_or_none())

    async def _keep(self, session: AsyncSession, scope: bytes, answer: Answer) -> None:
        values = {
            "request_digest": self._digest,
            "answer_sealed": FirstAnswer.answer.seal(self._services.keys, scope, asdict(answer)),
            "created_at": func.now(),
        }
        adding = insert(FirstAnswer).values(
            scope=scope, organization_id=self._organization_id, **values
        )
        # One that is there is older than a day: `_claim` would have returned any other.
        await session.execute(
            adding.on_conflict_do_update(index_elements=[FirstAnswer.scope], set_=values)
        )

    def _same(self, kept: Any) -> Response | None:
        if kept is None or self._scope is None:
            return None
        digest, sealed = kept
        if digest != self._digest:
            raise IdempotencyConflict
        answer = FirstAnswer.answer.open(self._services.keys, self._scope, sealed)
        return _response(answer["body"], answer["status"], answer["headers"])


async def forget_old(session: AsyncSession, *, limit: int) -> int:
    """Delete up to `limit` answers that are no longer repeated; how many."""
    return len((await session.execute(FORGET, {"limit": limit})).all())


async def _repeatable(
    request: Request,
    services: ServicesDep,
    key: Annotated[
        str | None,
        Header(
            alias=HEADER,
            min_length=1,
            max_length=255,
            # Printable ASCII.
            pattern="^[ -~]+$",
            description=(
                "Makes retries safe. Within 24 hours, a request with the same key and the same "
                "body has no second effect."
            ),
        ),
    ] = None,
) -> Repeatable:
    caller = request.scope[CALLER]
    if key is None:
        return Repeatable(services, caller.organization_id, None, b"")
    if len(request.headers.getlist(HEADER)) > 1:
        raise ValidationFailed(details=[f"header.{HEADER}: is given twice"])
    route = request.scope["route"].path
    # Both are hashed with a key: bodies, and what callers make keys of, hold personal data.
    scope = f"{caller.organization_id} {request.method} {route} {key}".encode()
    body = [dict(request.path_params), await request.json()]
    if len(await request.body()) > PARSED_ON_THE_LOOP:
        digest = await asyncio.to_thread(_digest, services, body)
    else:
        digest = _digest(services, body)
    return Repeatable(
        services, caller.organization_id, services.signer.digest("idempotency-key", scope), digest
    )


def _digest(services: Services, body: object) -> bytes:
    return services.signer.digest("idempotency-body", canonical(body).encode())


RepeatableDep = Annotated[Repeatable, Depends(_repeatable)]


def _response(body: str, status: int, headers: Mapping[str, str] | None) -> Response:
    return Response(body, status, headers, media_type="application/json")
