"""A film of the face, by MetaMap's API: judged by a passive model, and by nothing without one."""

import cv2
import numpy as np
import pytest

from acredita.domain.liveness.challenge import Move
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.people import make_person
from tests.api.metamap.recorded import Integration
from tests.factories.challenges import making
from tests.factories.films import make_film
from tests.factories.passive_models import write_model
from tests.pipeline.conftest import until

FILM = {"inputType": "selfie-video", "data": {"filename": "vida.mp4"}}
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("worker")]


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.thorough)], ids=["none", "one"])
def model(request, tmp_path):
    return write_model(tmp_path, threshold=0.0001) if request.param else None


@pytest.fixture
def settings(settings, model):
    return settings.model_copy(update={"liveness_model": model})


def frames(move=Move.LOOK_STRAIGHT):
    (taken,) = making(face_of(make_person(20)), move)
    pictures = [cv2.imdecode(np.frombuffer(each, np.uint8), cv2.IMREAD_COLOR) for each in taken]
    return [picture for picture in pictures for _ in range(4)]


async def judge(client, banco, film, mode):
    """Return the start, the result and the identity of a verification with one film."""
    steps = [{"type": "LIVENESS", "order": 0, "config": {"mode": mode}}]
    made = await banco.post("/v1/workflows", json={"name": "Vida", "steps": steps})
    flow = made.json()["workflow"]["id"]
    integration = Integration(client, "/v1/metamap", banco.organization_id, banco.api_key)
    await integration.authorize()
    started = await integration.start(flow)
    sent = await integration.send(started["identity"], (FILM, film))
    assert [each.get("result") for each in sent] == [True], sent

    async def decided():
        shown = (await integration.call("GET", f"/v2/verifications/{started['id']}")).json()
        return shown if shown["identity"]["status"] not in ("pending", "running") else None

    result = await until(decided)
    identity = (await integration.call("GET", f"/v2/identities/{started['identity']}")).json()
    return started, result, identity


async def test_a_film_proves_life_by_a_passive_model_alone(client, banco, model, tmp_path):
    film = make_film(tmp_path, frames())
    _, result, identity = await judge(client, banco, film, "passive")
    step = next(step for step in result["steps"] if step["id"] == "liveness")
    if model is None:
        assert result["identity"]["status"] == "reviewNeeded"
        assert step["error"]["code"] == "liveness.livenessNotProven"
        assert identity["alive"] is None
    else:
        assert (result["identity"]["status"], step["error"]) == ("verified", None), step
        assert identity["alive"] is True


async def test_a_film_of_spoken_numbers_goes_to_review_as_nobody_hears_them(
    client, banco, tmp_path
):
    film = make_film(tmp_path, frames(Move.OPEN_MOUTH))
    started, result, identity = await judge(client, banco, film, "voice")
    assert [step["id"] for step in started["steps"]] == ["voice"]
    (step,) = result["steps"]
    assert (step["id"], step["status"]) == ("voice", 200)
    # Not even a passive model that finds a living face hears what it says.
    assert step["error"]["code"] == "voice.livenessSpeechNotJudged"
    assert "speech" in step["error"]["message"]
    assert step["data"]["spriteUrl"]
    assert (result["identity"]["status"], identity["alive"]) == ("reviewNeeded", None)
