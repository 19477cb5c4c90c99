"""Detect liveness films (the frames of a challenge) that an organization has received before.

A film is stored before the search for similar films. Its number is drawn under the organization's
lock, which is held until the commit, so numbers have the order of the commits. If two challenges
are answered with the same film at the same time, the one with the higher number finds the other.
"""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.liveness.challenge import Examination, Move, Print, Prompt
from acredita.domain.liveness.repeated_recordings import KEPT, moving_frames
from acredita.domain.liveness.repeated_recordings import is_repeated as judge_repetition
from acredita.engines.liveness.process import compare_films
from acredita.kit.crypto import Signer
from acredita.models import LivenessChallenge, LivenessFilm
from acredita.ports import LivenessChecks, Secrets

PURPOSE = "liveness-film"
# Among the films that share a mark, compare those that share the most: a copy shares many.
MAX_SIMILAR_FILMS = 24
# Seconds. 48 frames are compared with 24 films, at 0.02 s each.
COMPARISON_TIMEOUT = 60.0

LOCK_ORGANIZATION = text(
    "SELECT pg_advisory_xact_lock(hashtextextended('liveness_film:' || :organization, 0))"
)
# Inserts no row if the challenge was deleted with its document.
INSERT_FILM = text(
    """
    INSERT INTO liveness_film (challenge_id, organization_id, marks, prints_sealed)
    SELECT id, organization_id, :marks, :prints
    FROM liveness_challenge WHERE id = :challenge FOR KEY SHARE
    ON CONFLICT (challenge_id, organization_id) DO NOTHING
    """
)
# For hundreds of marks PostgreSQL overestimates the hits and scans the whole table: 30 s for
# 300,000 films. The index takes 0.05 s.
DISABLE_SEQSCAN = text("SELECT set_config('enable_seqscan', 'off', true)")
FIND_SIMILAR = text(
    """
    SELECT earlier.challenge_id, earlier.prints_sealed
    FROM liveness_film own JOIN liveness_film earlier
        ON earlier.organization_id = own.organization_id AND earlier.number < own.number
    WHERE own.challenge_id = :challenge AND earlier.marks && CAST(:marks AS bigint[])
    ORDER BY (
        SELECT count(*) FROM unnest(earlier.marks) AS mark
        WHERE mark = ANY(CAST(:marks AS bigint[]))
    ) DESC
    LIMIT :most
    """
)


async def is_repeated(
    services: LivenessChecks, challenge: LivenessChallenge, examined: Examination
) -> bool:
    """Whether an earlier challenge had this film or the clip of one of its moves, or whether one
    clip answers two prompts. Raise TaskTimedOut, ProcessDied.
    """
    prompts = challenge_prompts(challenge)

    def prints_at(places: Iterable[int]) -> list[Print]:
        return [known for known in (examined.prints[at] for at in places) if known is not None]

    by_prompt = {
        prompt: prints_at(places)
        for prompt, places in moving_frames(prompts, examined.frames, KEPT).items()
    }
    prints = [each for clip in by_prompt.values() for each in clip]
    if not prints:
        return False
    await store_film(services, challenge, prints)
    clips = {
        prompt: prints_at(places)
        for prompt, places in moving_frames(prompts, examined.frames).items()
    }
    own = [each for clip in clips.values() for each in clip]
    async with services.database.transaction() as session:
        earlier_films = await similar_films(session, services, challenge, own)
    questions = [
        ([each.levels for each in clip], film)
        for prompt, clip in clips.items()
        for film in [*earlier_films, _levels_of_others(by_prompt, prompt)]
    ]
    answers = await services.faces.run(compare_films, questions, timeout=COMPARISON_TIMEOUT)
    # The answers are grouped by prompt; each group has one answer per film.
    count = len(earlier_films) + 1
    return judge_repetition(
        [dict(zip(clips, answers[at::count], strict=True)) for at in range(count)]
    )


def challenge_prompts(challenge: LivenessChallenge) -> list[Prompt]:
    return [
        Prompt(prompt["id"], Move(prompt["move"]), prompt.get("still_ms", 0))
        for prompt in challenge.prompts
    ]


def _levels_of_others(clips: Mapping[str, Sequence[Print]], prompt: str) -> list[bytes]:
    """Return the levels of the film's clips for other prompts."""
    return [each.levels for other, clip in clips.items() if other != prompt for each in clip]


async def store_film(
    services: LivenessChecks, challenge: LivenessChallenge, prints: Sequence[Print]
) -> None:
    """Store the film's marks and prints. A film that is already stored stays unchanged."""
    marks = compute_marks(
        services.signer,
        challenge.organization_id,
        ((band, codes[0]) for each in prints for band, codes in enumerate(each.codes)),
    )
    sealed = LivenessFilm.prints.seal(services.keys, challenge.id, [each.levels for each in prints])
    async with services.database.transaction() as session:
        await session.execute(LOCK_ORGANIZATION, {"organization": str(challenge.organization_id)})
        values = {"challenge": challenge.id, "marks": marks, "prints": sealed}
        await session.execute(INSERT_FILM, values)


async def similar_films(
    session: AsyncSession, services: Secrets, challenge: LivenessChallenge, prints: Sequence[Print]
) -> list[list[bytes]]:
    """Return the prints of the earlier films that share the most marks with this stored film."""
    marks = compute_marks(
        services.signer,
        challenge.organization_id,
        (
            (band, code)
            for each in prints
            for band, codes in enumerate(each.codes)
            for code in codes
        ),
    )
    values = {"challenge": challenge.id, "marks": marks, "most": MAX_SIMILAR_FILMS}
    await session.execute(DISABLE_SEQSCAN)
    found = await session.execute(FIND_SIMILAR, values)
    return [LivenessFilm.prints.open(services.keys, earlier, sealed) for earlier, sealed in found]


def compute_marks(
    signer: Signer, organization_id: UUID, codes: Iterable[tuple[int, int]]
) -> list[int]:
    """Return keyed hashes of (band, code) pairs. The key differs for each organization."""
    purpose = f"{PURPOSE}:{organization_id}"
    return sorted(
        int.from_bytes(signer.digest(purpose, b"%d:%d" % each)[:8], "big", signed=True)
        for each in set(codes)
    )
