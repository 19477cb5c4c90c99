"""From a session to approval through /v1/sdk alone, by the real engines, watched all the way."""

import asyncio
from datetime import timedelta
from functools import partial

import pytest

from acredita.domain.liveness.challenge import Move
from acredita.domain.reasons import REASONS, Severity
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from tests.api.documents.live import served
from tests.api.documents.pictures import picture as blank
from tests.api.sdk.streams import watching
from tests.factories.challenges import making, moves_of, named, send, start
from tests.factories.clocks import StoppedClock
from tests.factories.organizations import make_workflow
from tests.pipeline.conftest import picture, until

SEED = 20
FACE = face_of(make_person(SEED))
STEPS = ("DOCUMENT_OCR", "FACE_MATCH", "LIVENESS", "GOVERNMENT_VERIFY")
CONSENT = {"version": "2026-01", "locale": "es-MX", "acceptedAt": "2026-01-31T18:05:09.120Z"}
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("worker")]


@pytest.fixture
def later(app, services):
    """Lets the clock stand still, so many seconds from now."""

    def move(seconds):
        moment = services.clock.now() + timedelta(seconds=seconds)
        for each in (services, app.state.services):
            object.__setattr__(each, "clock", StoppedClock(moment))

    return move


# tests/browser/test_whole_flow.py leads a person through the page.
@pytest.mark.thorough
async def test_a_person_is_led_from_the_first_picture_to_the_last(app, client, banco, later):
    flow_id = await make_workflow(banco, *STEPS)
    asked = {"clientId": banco.organization_id, "flowId": flow_id}
    opened = (await client.post("/v1/sdk/session", json=asked)).json()
    client.headers["Authorization"] = f"Bearer {opened['token']}"
    where = f"/v1/sdk/verifications/{opened['verificationId']}"

    async def view():
        return (await client.get(where)).json()

    async def upload(**files):
        sent = {role: (f"{role}.jpg", content, "image/jpeg") for role, content in files.items()}
        answer = await client.post(f"{where}/inputs", files=sent)
        assert answer.status_code == 202, answer.text

    async def asks_again(place):
        step = (await view())["steps"][place]
        return step if step["code"] is not None else None

    async def answer_challenge(film_of):
        challenge = await start(client, opened["verificationId"])
        later(10)
        film = await asyncio.to_thread(film_of, moves_of(challenge))
        await send(client, opened["verificationId"], challenge, named(challenge, film))

    async with (
        served(app) as port,
        watching(f"http://127.0.0.1:{port}", opened["verificationId"]) as stream,
    ):
        told = asyncio.create_task(stream.rest())
        assert opened["verification"]["next"]["action"] == "consent"
        await client.post(f"{where}/consent", json=CONSENT)
        assert (await view())["next"]["roles"] == ["front"]
        await upload(front=blank("JPEG", size=(800, 500)))
        step = await until(partial(asks_again, 0))
        assert (step["status"], step["retakesLeft"]) == ("WAITING_INPUT", 2)
        assert REASONS[step["code"]].severity is Severity.RETAKE
        assert step["advice"]["es"]
        assert (await view())["next"]["roles"] == ["front"]
        await upload(
            front=picture(SpecimenKind.INE_FRONT, SEED), back=picture(SpecimenKind.INE_BACK, SEED)
        )
        assert (await view())["next"]["action"] == "liveness"
        # Drawing the film may take a busy machine longer than a challenge lasts.
        later(300)
        await answer_challenge(lambda moves: making(FACE, *(Move.LOOK_STRAIGHT for _ in moves)))
        step = await until(partial(asks_again, 2))
        assert (step["status"], step["code"]) == ("WAITING_INPUT", "LIVENESS_MOVE_NOT_SEEN")
        assert (await view())["next"]["action"] == "liveness"
        await answer_challenge(lambda moves: [making(FACE, move)[0] for move in moves])
        messages = await asyncio.wait_for(told, 100)
    last = messages[-1]
    assert (last.event, last.view["status"]) == ("verification.approved", "APPROVED")
    assert [step["status"] for step in last.view["steps"]] == ["PASSED"] * 4
    assert last.view["next"]["action"] == "done"
    assert [message.event for message in messages].count("step.completed") == 4
    assert any(message.view["steps"][0]["code"] for message in messages)
