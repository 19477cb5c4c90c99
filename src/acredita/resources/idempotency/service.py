"""`Idempotency-Key`: a repeated request gets the first response and has no second effect.

DECISIONS, Wire conventions, idempotency. An endpoint with this header has the form

    if (first := await repeatable.first_answer()) is not None:
        return first
    ...                                   # checks that need no transaction
    return await repeatable.answer(work)  # `work` writes with its argument

With a key, the transaction of the work also stores the answer, so both exist or neither. A
concurrent request with the same key waits from the claim of the key to the end of that transaction.
Without a key, there is no extra cost. The caller's permission is checked before.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from acredita.domain.errors import IdempotencyConflict, ServiceUnavailable
from acredita.kit.db import Statements, Within
from acredita.models import FirstAnswer
from acredita.ports import AnswerStore

LIFETIME = "24 hours"
KEY_LOCK_TIMEOUT = "5s"
LOCK_NOT_AVAILABLE = "55P03"

FIND = f"""
    SELECT request_digest, answer_sealed FROM first_answer
    WHERE scope = $1 AND created_at > now() - interval '{LIFETIME}'
"""  # noqa: S608 (a constant)
LOCK_KEY = text(
    f"SELECT set_config('lock_timeout', '{KEY_LOCK_TIMEOUT}', true), pg_advisory_xact_lock(:number)"
)
RESET_LOCK_TIMEOUT = text("SELECT set_config('lock_timeout', '0', true)")
# Materialized: a plan may run a subquery once for each row, and find other rows each time.
DELETE_EXPIRED = text(
    f"""
    WITH old AS MATERIALIZED (
        SELECT scope FROM first_answer WHERE created_at <= now() - interval '{LIFETIME}'
        ORDER BY created_at LIMIT :limit FOR UPDATE SKIP LOCKED
    )
    DELETE FROM first_answer WHERE scope IN (SELECT scope FROM old) RETURNING scope
    """  # noqa: S608 (a constant)
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a successful request and to its repetitions."""

    body: str
    status: int
    headers: dict[str, str]


class Repeatable:
    """A request with its idempotency key. Without a key, no answer is stored."""

    def __init__(
        self, services: AnswerStore, organization_id: UUID, scope: bytes | None, digest: bytes
    ) -> None:
        self._services = services
        self._organization_id = organization_id
        self._scope = scope
        self._digest = digest

    async def first_answer(self) -> Response | None:
        """Return the first answer, or None. Raise IdempotencyConflict."""
        if self._scope is None:
            return None
        return self._repeated(await self._services.reads.row(FIND, self._scope))

    async def answer(self, work: Callable[[Statements], Awaitable[Answer]]) -> Response:
        """Do the work, unless it is done already. Raise as `_claim` and `work` do.

        `work` must write in a single statement, because without a key there is no transaction.
        """
        if self._scope is None:
            answer = await work(self._services.writes)
            return _response(answer.body, answer.status, answer.headers)
        return await self.answer_within(lambda session: work(Within(session)))

    async def answer_within(self, work: Callable[[AsyncSession], Awaitable[Answer]]) -> Response:
        """`answer` for work that needs a transaction, with or without a key."""
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
        """Wait for a concurrent request with this key and return its answer, or claim the key.

        Raise IdempotencyConflict, ServiceUnavailable if the other request takes too long.
        """
        number = int.from_bytes(scope[:8], signed=True)
        try:
            await session.execute(LOCK_KEY, {"number": number})
        except DBAPIError as fault:
            if getattr(fault.orig, "sqlstate", None) == LOCK_NOT_AVAILABLE:
                raise ServiceUnavailable(
                    "An earlier request with this Idempotency-Key is still being answered."
                ) from None
            raise
        await session.execute(RESET_LOCK_TIMEOUT)
        kept = select(FirstAnswer.request_digest, FirstAnswer.answer_sealed).where(
            FirstAnswer.scope == scope,
            FirstAnswer.created_at > func.now() - text(f"interval '{LIFETIME}'"),
        )
        return self._repeated((await session.execute(kept)).one_or_none())

    async def _keep(self, session: AsyncSession, scope: bytes, answer: Answer) -> None:
        values = {
            "request_digest": self._digest,
            "answer_sealed": FirstAnswer.answer.seal(self._services.keys, scope, asdict(answer)),
            "created_at": func.now(),
        }
        adding = insert(FirstAnswer).values(
            scope=scope, organization_id=self._organization_id, **values
        )
        # An existing answer is older than a day: `_claim` returns any newer one.
        await session.execute(
            adding.on_conflict_do_update(
                index_elements=[FirstAnswer.scope, FirstAnswer.organization_id], set_=values
            )
        )

    def _repeated(self, kept: Any) -> Response | None:
        if kept is None or self._scope is None:
            return None
        digest, sealed = kept
        if digest != self._digest:
            raise IdempotencyConflict
        answer = FirstAnswer.answer.open(self._services.keys, self._scope, sealed)
        return _response(answer["body"], answer["status"], answer["headers"])


async def delete_expired(session: AsyncSession, *, limit: int) -> int:
    """Delete up to `limit` expired answers; return how many."""
    return len((await session.execute(DELETE_EXPIRED, {"limit": limit})).all())


def _response(body: str, status: int, headers: Mapping[str, str] | None) -> Response:
    return Response(body, status, headers, media_type="application/json")
