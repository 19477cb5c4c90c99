"""The films of an organization's liveness challenges, and which of them one resembles.

A film is entered before it is looked for. Its number is drawn under the organization's lock, which
is held until the entry is committed: numbers follow commits. Of two challenges that are answered
with one film at the same moment, the one with the higher number therefore finds the other.
"""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.liveness import Examination, Move, Print, Prompt
from acredita.domain.repetition import KEPT, moving_frames
from acredita.domain.repetition import is_repeated as judge_repetition
from acredita.engines.liveness.process import compare_films
from acredita.kit.crypto import Signer
from acredita.models import LivenessChallenge, LivenessFilm
from acredita.services import Services

PURPOSE = "liveness-film"
# Of all that share a mark, those that share most: a film that is repeated shares many.
MOST_RESEMBLING = 24
# Forty-eight frames against two dozen films, each of them a fiftieth of a second.
SLOWEST_COMPARISON = 60.0

TAKE_TURNS = text(
    "SELECT pg_advisory_xact_lock(hashtextextended('liveness_film:' || :organization, 0))"
)
# The challenge may be gone with its document.
ENTER = text(
    """
    INSERT INTO liveness_film (challenge_id, organization_id, marks, prints_sealed)
    SELECT id, organization_id, :marks, :prints
    FROM liveness_challenge WHERE id = :challenge FOR KEY SHARE
    ON CONFLICT (challenge_id) DO NOTHING
    """
)
# Of hundreds of marks PostgreSQL expects so many films that it would read the whole table: half a
# minute among 300,000 films, where the index takes a twentieth of a second.
BY_INDEX = text("SELECT set_config('enable_seqscan', 'off', true)")
RESEMBLING = text(
    """
    SELECT former.challenge_id, former.prints_sealed
    FROM liveness_film own JOIN liveness_film former
        ON former.organization_id = own.organization_id AND former.number < own.number
    WHERE own.challenge_id = :challenge AND former.marks && CAST(:marks AS bigint[])
    ORDER BY (
        SELECT count(*) FROM unnest(former.marks) AS mark
        WHERE mark = ANY(CAST(:marks AS bigint[]))
    ) DESC
    LIMIT :most
    """
)


async def is_repeated(
    services: Services, challenge: LivenessChallenge, examined: Examination
) -> bool:
    """Whether the film, or the clip of one move, was in a former challenge, or serves two prompts.

    Raise TaskTimedOut, ProcessDied.
    """
    prompts = prompts_of(challenge)

    def known_by(places: Iterable[int]) -> list[Print]:
        return [known for known in (examined.prints[at] for at in places) if known is not None]

    kept = {
        prompt: known_by(places)
        for prompt, places in moving_frames(prompts, examined.frames, KEPT).items()
    }
    prints = [each for clip in kept.values() for each in clip]
    if not prints:
        return False
    await enter(services, challenge, prints)
    clips = {
        prompt: known_by(places)
        for prompt, places in moving_frames(prompts, examined.frames).items()
    }
    own = [each for clip in clips.values() for each in clip]
    async with services.database.transaction() as session:
        formers = await resembling(session, services, challenge, own)
    questions = [
        ([each.levels for each in clip], film)
        for prompt, clip in clips.items()
        for film in [*formers, _levels_but(kept, prompt)]
    ]
    answers = await services.faces.run(compare_films, questions, timeout=SLOWEST_COMPARISON)
    # Prompt by prompt, an answer of each film.
    count = len(formers) + 1
    return judge_repetition(
        [dict(zip(clips, answers[at::count], strict=True)) for at in range(count)]
    )


def prompts_of(challenge: LivenessChallenge) -> list[Prompt]:
    return [
        Prompt(prompt["id"], Move(prompt["move"]), prompt.get("still_ms", 0))
        for prompt in challenge.prompts
    ]


def _levels_but(clips: Mapping[str, Sequence[Print]], prompt: str) -> list[bytes]:
    """Of the other prompts of the same film."""
    return [each.levels for other, clip in clips.items() if other != prompt for each in clip]


async def enter(services: Services, challenge: LivenessChallenge, prints: Sequence[Print]) -> None:
    """Keep what the film is known by; a film that was entered before stays as it is."""
    marks = marks_of(
        services.signer,
        challenge.organization_id,
        ((band, codes[0]) for each in prints for band, codes in enumerate(each.codes)),
    )
    sealed = LivenessFilm.prints.seal(services.keys, challenge.id, [each.levels for each in prints])
    async with services.database.transaction() as session:
        await session.execute(TAKE_TURNS, {"organization": str(challenge.organization_id)})
        values = {"challenge": challenge.id, "marks": marks, "prints": sealed}
        await session.execute(ENTER, values)


async def resembling(
    session: AsyncSession,
    services: Services,
    challenge: LivenessChallenge,
    prints: Sequence[Print],
) -> list[list[bytes]]:
    """The prints of the former films that share most with this one, which was entered."""
    marks = marks_of(
        services.signer,
        challenge.organization_id,
        (
            (band, code)
            for each in prints
            for band, codes in enumerate(each.codes)
            for code in codes
        ),
    )
    values = {"challenge": challenge.id, "marks": marks, "most": MOST_RESEMBLING}
    await session.execute(BY_INDEX)
    found = await session.execute(RESEMBLING, values)
    return [LivenessFilm.prints.open(services.keys, former, sealed) for former, sealed in found]


def marks_of(signer: Signer, organization_id: UUID, codes: Iterable[tuple[int, int]]) -> list[int]:
    """Keyed hashes of codes and their bands, which mean nothing in another organization."""
    purpose = f"{PURPOSE}:{organization_id}"
    return sorted(
        int.from_bytes(signer.digest(purpose, b"%d:%d" % each)[:8], "big", signed=True)
        for each in set(codes)
    )
