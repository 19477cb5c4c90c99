"""Starting a liveness challenge and taking its frames in; judged elsewhere."""

import itertools
import re

import pytest

from acredita.domain.liveness.challenge import Move
from acredita.models import Document, LivenessChallenge, Media
from tests.api.documents.pictures import picture
from tests.factories.organizations import make_verification, make_workflow

PATH = "/v1/sdk/verifications/{}/liveness-challenge/{}"
TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")


@pytest.fixture
async def verification_id(banco):
    return await make_verification(banco, await make_workflow(banco, "LIVENESS"))


async def start(client, verification_id):
    answer = await client.post(PATH.format(verification_id, "start"))
    assert answer.status_code == 200, answer.text
    return answer.json()


_numbers = itertools.count(1)


def frames_of(challenge, each=3):
    """So many frames of each prompt, no two alike."""
    return [
        (f"{prompt['id']}-{n}.jpg", picture("JPEG", size=(64, 48 + next(_numbers) % 4000)))
        for prompt in challenge["prompts"]
        for n in range(1, each + 1)
    ]


async def send(client, verification_id, challenge, frames, **fields):
    form = {"challengeId": challenge["challengeId"], "nonce": challenge["nonce"]} | fields
    return await client.post(
        PATH.format(verification_id, "frames"),
        data=form,
        files=[("frames", (name, content, "image/jpeg")) for name, content in frames],
    )


def code_of(answer):
    return answer.status_code, answer.json()["error"]["code"]


async def rows(services, model):
    async with services.database.transaction() as session:
        return (await session.scalars(model.__table__.select())).all()


async def test_it_asks_for_different_moves_in_an_order_of_chance(client, banco, verification_id):
    seen = set()
    for _ in range(5):
        challenge = await start(client, verification_id)
        moves = [prompt["action"] for prompt in challenge["prompts"]]
        assert moves[0] == Move.LOOK_STRAIGHT
        assert len(set(moves)) == len(moves) == 5
        assert TIMESTAMP.fullmatch(challenge["expiresAt"])
        assert {"turn_left", "turn_right"} & set(moves)
        seen.add(tuple(moves))
    assert len(seen) > 1


async def test_frames_are_stored_and_take_the_selfies_place(
    client, banco, services, verification_id
):
    challenge = await start(client, verification_id)
    answer = await send(client, verification_id, challenge, frames_of(challenge))
    assert answer.status_code == 202, answer.text
    assert answer.json()["frames"] == 15
    shown = (await banco.get(f"/v1/verifications/{verification_id}")).json()
    assert shown["verification"]["status"] == "IN_PROGRESS"
    by_role = {item["type"]: item for item in shown["documents"]}
    assert set(by_role) == {"liveness", "selfie"}
    assert [item["kind"] for item in by_role["liveness"]["media"]] == ["frame"] * 15


async def test_a_selfie_that_was_uploaded_stays(client, banco, verification_id):
    selfie = await banco.post(
        f"/v1/verifications/{verification_id}/inputs",
        files=[("selfie", ("s.jpg", picture("JPEG"), "image/jpeg"))],
    )
    assert selfie.status_code == 202
    challenge = await start(client, verification_id)
    assert (await send(client, verification_id, challenge, frames_of(challenge))).status_code == 202
    shown = (await banco.get(f"/v1/verifications/{verification_id}")).json()
    assert sorted(item["type"] for item in shown["documents"]) == ["liveness", "selfie"]
    assert selfie.json()["uploaded"][0]["id"] in {item["id"] for item in shown["documents"]}


async def test_a_challenge_is_answered_once(client, banco, verification_id):
    challenge = await start(client, verification_id)
    frames = frames_of(challenge)
    assert (await send(client, verification_id, challenge, frames)).status_code == 202
    again = await send(client, verification_id, challenge, frames_of(challenge))
    assert code_of(again) == (409, "CHALLENGE_CLOSED")


async def test_a_later_challenge_replaces_the_former(client, banco, services, verification_id):
    former = await start(client, verification_id)
    await start(client, verification_id)
    answer = await send(client, verification_id, former, frames_of(former))
    assert code_of(answer) == (409, "CHALLENGE_CLOSED")
    assert await rows(services, Document) == await rows(services, Media) == []


async def test_an_expired_challenge_takes_nothing(client, banco, services, verification_id):
    challenge = await start(client, verification_id)
    async with services.database.transaction() as session:
        await session.execute(
            LivenessChallenge.__table__.update().values(
                expires_at=LivenessChallenge.__table__.c.created_at
            )
        )
    answer = await send(client, verification_id, challenge, frames_of(challenge))
    assert code_of(answer) == (409, "CHALLENGE_CLOSED")
    assert await rows(services, Document) == []


@pytest.mark.parametrize("field", ["nonce", "challengeId"])
async def test_another_nonce_or_challenge_is_refused(
    client, banco, rival, services, verification_id, field
):
    other_id = await make_verification(rival, await make_workflow(rival, "LIVENESS"))
    other = await start(client, other_id)
    challenge = await start(client, verification_id)
    wrong = {field: other[field]}
    answer = await send(client, verification_id, challenge, frames_of(challenge), **wrong)
    assert code_of(answer) == (409, "CHALLENGE_CLOSED")
    assert await rows(services, Document) == []


async def test_frames_in_another_order_or_of_other_prompts_are_refused(
    client, banco, services, verification_id
):
    challenge = await start(client, verification_id)
    frames = frames_of(challenge)
    unordered = [frames[1], frames[0], *frames[2:]]
    wrong = {
        "backwards": frames[::-1],
        "swapped": unordered,
        "twice the same name": [frames[0], *frames],
        "too few": frames[1:],
        "a prompt missing": frames[:-3],
        "too many": frames_of(challenge, each=13),
        "a prompt too many": [*frames, *((f"p9-{n}.jpg", frames[0][1]) for n in (1, 2, 3))],
        "without a number": [("p1.jpg", frames[0][1]), *frames],
        "another name": [("../p1-1.jpg", frames[0][1])],
    }
    for what, sent in wrong.items():
        answer = await send(client, verification_id, challenge, sent)
        assert code_of(answer) == (422, "VALIDATION_ERROR"), what
    assert await rows(services, Document) == await rows(services, Media) == []
    stored = services.settings.data_dir
    assert not [path for path in stored.rglob("*") if path.is_file() and "files" in str(path)]
    assert (await send(client, verification_id, challenge, frames)).status_code == 202


async def test_what_is_no_jpeg_is_refused(client, banco, verification_id):
    challenge = await start(client, verification_id)
    frames = frames_of(challenge)
    png = [(frames[0][0], picture("PNG")), *frames[1:]]
    assert code_of(await send(client, verification_id, challenge, png)) == (
        415,
        "UNSUPPORTED_FILE_TYPE",
    )


async def test_fields_must_be_there_once(client, banco, verification_id):
    challenge = await start(client, verification_id)
    files = [("frames", (n, c, "image/jpeg")) for n, c in frames_of(challenge)]
    path = PATH.format(verification_id, "frames")
    for form in ({"nonce": "x"}, {"challengeId": "x", "nonce": ["x", "y"]}, {"nonce": "x" * 2000}):
        assert code_of(await client.post(path, data=form, files=files))[0] == 422


async def test_only_a_verification_that_asks_for_it_has_challenges(client, banco):
    without = await make_verification(banco)
    answer = await client.post(PATH.format(without, "start"))
    assert code_of(answer) == (409, "LIVENESS_NOT_ASKED")
    decided = await make_verification(banco, await make_workflow(banco, "LIVENESS"))
    await banco.patch(f"/v1/verifications/{decided}/status", json={"status": "APPROVED"})
    answer = await client.post(PATH.format(decided, "start"))
    assert code_of(answer) == (409, "VERIFICATION_CLOSED")
    for unknown in ("00000000-0000-4000-8000-000000000000", "x"):
        assert code_of(await client.post(PATH.format(unknown, "start"))) == (404, "NOT_FOUND")


async def test_challenges_come_to_an_end(client, banco, verification_id):
    for _ in range(10):
        await start(client, verification_id)
    answer = await client.post(PATH.format(verification_id, "start"))
    assert code_of(answer) == (409, "TOO_MANY_CHALLENGES")


async def test_frames_of_another_challenge_are_known_again(client, banco, services):
    workflow_id = await make_workflow(banco, "LIVENESS")
    one, other = [await make_verification(banco, workflow_id) for _ in range(2)]
    first = await start(client, one)
    frames = frames_of(first)
    assert (await send(client, one, first, frames)).status_code == 202
    second = await start(client, other)
    fresh = frames_of(second)
    replayed = [(fresh[0][0], frames[0][1]), *fresh[1:]]
    assert (await send(client, other, second, replayed)).status_code == 202
    async with services.database.transaction() as session:
        query = LivenessChallenge.__table__.select().order_by(
            LivenessChallenge.__table__.c.created_at
        )
        found = (await session.execute(query)).all()
    assert [row.repeats_frames for row in found] == [False, True]


async def test_before_each_move_the_face_keeps_still_for_a_while_of_chance(
    client, banco, verification_id
):
    drawn = set()
    for _ in range(6):
        prompts = (await start(client, verification_id))["prompts"]
        stills = [prompt["stillMs"] for prompt in prompts]
        assert stills[0] == 0
        assert set(stills) <= {0, 400, 800, 1200}
        assert any(p["stillMs"] for p in prompts if p["action"] != Move.BLINK)
        assert {prompt["timeoutMs"] for prompt in prompts} == {5000}
        drawn.add(tuple(stills))
    assert len(drawn) > 1


def with_stills(challenge, frames, count=2):
    """The frames, and before those of each prompt that has a time to keep still so many of it."""
    still = {p["id"] for p in challenge["prompts"] if p["stillMs"]}
    mixed = []
    for name, content in frames:
        prompt, _, number = name.partition("-")
        if number == "1.jpg" and prompt in still:
            mixed += [
                (f"{prompt}-{n}s.jpg", picture("JPEG", size=(64, 48 + next(_numbers) % 4000)))
                for n in range(1, count + 1)
            ]
        mixed.append((name, content))
    return mixed


async def test_frames_from_before_a_cue_are_kept_apart_from_the_moves(
    client, banco, services, verification_id
):
    challenge = await start(client, verification_id)
    still = [p["id"] for p in challenge["prompts"] if p["stillMs"]]
    frames = with_stills(challenge, frames_of(challenge))
    answer = await send(client, verification_id, challenge, frames)
    assert answer.status_code == 202, answer.text
    assert answer.json()["frames"] == 15 + 2 * len(still)
    async with services.database.transaction() as session:
        kept = await session.get_one(LivenessChallenge, challenge["challengeId"])
    for prompt in challenge["prompts"]:
        assert kept.frame_prompts.count(prompt["id"]) == 3
        assert kept.frame_prompts.count(f"{prompt['id']}s") == 2 * (prompt["id"] in still)


async def test_frames_from_before_a_cue_are_few_come_first_and_replace_none_of_the_move(
    client, banco, services, verification_id
):
    challenge = await start(client, verification_id)
    asked = next(p["id"] for p in challenge["prompts"] if p["stillMs"])
    frames = frames_of(challenge)
    extra = picture("JPEG", size=(64, 47))
    after = [place for place, (name, _) in enumerate(frames) if name.startswith(asked)][-1] + 1
    wrong = {
        "too many": with_stills(challenge, frames, count=3),
        "after the cue": [*frames[:after], (f"{asked}-1s.jpg", extra), *frames[after:]],
        "at rest": [("p1-1s.jpg", extra), *frames],
        "in place of the move": [
            frame for frame in with_stills(challenge, frames) if frame[0] != f"{asked}-3.jpg"
        ],
    }
    for name, sent in wrong.items():
        answer = await send(client, verification_id, challenge, sent)
        assert code_of(answer) == (422, "VALIDATION_ERROR"), name
    assert await rows(services, Document) == []
    sent = with_stills(challenge, frames, count=1)
    assert (await send(client, verification_id, challenge, sent)).status_code == 202


async def test_frames_from_before_a_cue_are_refused_where_nobody_was_to_keep_still(
    client, banco, services, verification_id
):
    challenge = await start(client, verification_id)
    async with services.database.transaction() as session:
        kept = await session.get_one(LivenessChallenge, challenge["challengeId"])
        # As challenges were before there were moments.
        kept.prompts = [{"id": p["id"], "move": p["move"]} for p in kept.prompts]
    frames = frames_of(challenge)
    answer = await send(client, verification_id, challenge, with_stills(challenge, frames))
    assert code_of(answer) == (422, "VALIDATION_ERROR")
    assert (await send(client, verification_id, challenge, frames)).status_code == 202


def light_of(challenge, count=8):
    return [
        (f"p6-{n}.jpg", picture("JPEG", size=(64, 48 + next(_numbers) % 4000)))
        for n in range(1, count + 1)
    ]


async def test_a_challenge_has_colours_for_the_screen_unless_the_step_wants_none(
    client, banco, verification_id
):
    light = (await start(client, verification_id))["light"]
    assert (light["promptId"], light["eachMs"]) == ("p6", 700)
    assert len(light["colours"]) == 8
    assert set(light["colours"]) <= {"#ffff00", "#00ff00", "#00ffff", "#0000ff", "#ff00ff"}
    assert light["colours"] != (await start(client, verification_id))["light"]["colours"]
    without = await make_workflow(banco, "LIVENESS", config={"light": "off"})
    dark_id = await make_verification(banco, without)
    dark = await start(client, dark_id)
    assert dark["light"] is None
    refused = await send(client, dark_id, dark, [*frames_of(dark), *light_of(dark)])
    assert refused.status_code == 422


async def test_the_light_has_a_frame_of_each_colour_or_none(
    client, banco, services, verification_id
):
    challenge = await start(client, verification_id)
    frames = frames_of(challenge)
    for count in (1, 7, 9):
        answer = await send(
            client, verification_id, challenge, [*frames, *light_of(challenge, count)]
        )
        assert code_of(answer) == (422, "VALIDATION_ERROR"), count
    answer = await send(client, verification_id, challenge, [*frames, *light_of(challenge)])
    assert answer.status_code == 202, answer.text
    assert answer.json()["frames"] == 23
    async with services.database.transaction() as session:
        kept = await session.get_one(LivenessChallenge, challenge["challengeId"])
    assert kept.frame_prompts.count("p6") == 8
    assert kept.light_colours == challenge["light"]["colours"]


async def test_an_unknown_light_is_refused(banco):
    answer = await banco.post(
        "/v1/workflows",
        json={"name": "x", "steps": [{"type": "LIVENESS", "order": 1, "config": {"light": "on"}}]},
    )
    assert answer.status_code == 422
    assert "light must be off, signal or required" in answer.text
