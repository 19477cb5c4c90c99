"""Verifies one synthetic person end to end over HTTP, as a customer does.

Only the person and the registries are synthetic (the sandbox says so in its answers). The images
are rendered, read and judged by the real engines, and a real webhook receiver gets the events.
"""

import asyncio
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import cv2
import httpx
from aiohttp import web
from rich.console import Console
from rich.table import Column, Table

from acredita.domain.liveness.challenge import FASTEST_SECONDS_A_PROMPT, Move
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.faces.pictures import draw_frames
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from acredita_synthetic.specimens import Specimen, make_specimen

EVENTS = [
    "verification.created",
    "verification.updated",
    "verification.completed",
    "verification.approved",
    "verification.rejected",
    "verification.manual_review",
    "step.completed",
    "step.failed",
]
EXPECTED_EVENTS = {
    "verification.created",
    "step.completed",
    "verification.completed",
    "verification.approved",
}
STEPS = ("DOCUMENT_OCR", "FACE_MATCH", "LIVENESS", "GOVERNMENT_VERIFY")
OPEN = ("PENDING", "IN_PROGRESS")
PATIENCE = 60.0
# The default rate limit is ten requests per second per organization.
POLL_SECONDS = 0.25
NAMES = ("givenNames", "paternalSurname", "maternalSurname")
COMPARED = (*NAMES, "curp", "clave", "dateOfBirth", "section", "cic")


class DemoFailed(Exception):
    """The demonstration had an unexpected result; the message says which."""


@dataclass
class Receiver:
    """A customer's webhook receiver: it checks the signature of each body."""

    secret: str = ""
    port: int = 0
    received: list[dict[str, Any]] = field(default_factory=list)
    forged: int = 0
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle(self, request: web.Request) -> web.Response:
        body = await request.read()
        digest = hmac.new(self.secret.encode(), body, hashlib.sha256).hexdigest()
        given = request.headers.get("X-Service-Signature", "")
        if not hmac.compare_digest(given, f"sha256={digest}"):
            self.forged += 1
            return web.Response(status=401)
        self.received.append(json.loads(body) | {"at": time.monotonic()})
        if self.kinds() >= EXPECTED_EVENTS:
            self.arrived.set()
        return web.Response(status=204)

    def kinds(self) -> set[str]:
        return {event["event"] for event in self.received}


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    application = web.Application()
    application.router.add_post("/hooks", receiver.handle)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        receiver.port = runner.addresses[0][1]
        yield receiver
    finally:
        await runner.cleanup()


class Customer:
    """A customer's back end, which has only the base URL and its API key."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def call(self, method: str, path: str, **options: Any) -> Any:
        answer = await self._client.request(method, path, **options)
        if answer.is_error:
            raise DemoFailed(f"{method} {path} answered {answer.status_code}: {answer.text}")
        return answer.json() if answer.content else None

    async def register(self) -> str:
        """Register an organization and get a token for it; return the organization's name."""
        name = f"Demo {secrets.token_hex(4)}"
        registered = await self.call(
            "POST",
            "/v1/auth/register",
            json={
                "orgName": name,
                "email": f"owner@{name.lower().replace(' ', '-')}.example",
                "password": secrets.token_urlsafe(24),
            },
        )
        token = await self.call(
            "POST",
            "/v1/auth/token",
            json={
                "grant_type": "client_credentials",
                "client_id": registered["org"]["id"],
                "client_secret": registered["apiKey"]["key"],
            },
        )
        self._client.headers["Authorization"] = f"Bearer {token['access_token']}"
        return name

    async def make_workflow(self) -> str:
        steps = [{"type": step, "order": order} for order, step in enumerate(STEPS)]
        created = await self.call(
            "POST", "/v1/workflows", json={"name": "Account opening", "steps": steps}
        )
        return str(created["workflow"]["id"])

    async def until_decided(self, verification_id: str) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            answer = await self.call("GET", f"/v1/verifications/{verification_id}")
            if answer["verification"]["status"] not in OPEN:
                return dict(answer)
            await asyncio.sleep(POLL_SECONDS)
        raise DemoFailed(f"no decision within {PATIENCE:.0f} s")


async def run(base_url: str, *, seed: int, console: Console) -> None:
    """Verify the person of `seed`. Raise DemoFailed for an unexpected result."""
    async with (
        receiving() as receiver,
        httpx.AsyncClient(base_url=base_url, timeout=30, trust_env=False) as client,
    ):
        drawing = asyncio.create_task(asyncio.to_thread(_pictures, seed))
        customer = Customer(client)
        await _engines_ready(customer)
        console.print(f"[bold]1[/]  Organization registered: {await customer.register()}")
        workflow_id = await customer.make_workflow()
        console.print(f"[bold]2[/]  Workflow {' → '.join(STEPS)}")
        hook = await customer.call(
            "POST",
            "/v1/webhooks",
            json={"url": f"http://127.0.0.1:{receiver.port}/hooks", "events": EVENTS},
        )
        receiver.secret = hook["webhook"]["secret"]
        console.print(f"[bold]3[/]  Webhook receiver listening on port {receiver.port}")
        created = await customer.call(
            "POST", "/v1/verifications", json={"workflowId": workflow_id, "externalId": "demo"}
        )
        verification_id = created["verification"]["id"]
        console.print(f"[bold]4[/]  Verification {verification_id}: PENDING")
        front, back, film = await drawing
        began = time.monotonic()
        await customer.call(
            "POST",
            f"/v1/verifications/{verification_id}/inputs",
            files={
                "front": ("front.jpg", front.image_bytes, front.mime_type),
                "back": ("back.jpg", back.image_bytes, back.mime_type),
            },
        )
        name = " ".join(filter(None, (front.truth["values"].get(part) for part in NAMES)))
        console.print(
            f"[bold]5[/]  INE of {name} uploaded"
            f" ({(len(front.image_bytes) + len(back.image_bytes)) // 1024} KiB)"
        )
        moves = await _answer_challenge(base_url, verification_id, film)
        console.print(f"[bold]6[/]  Before the camera: {', '.join(moves)}; frames uploaded")
        answer = await customer.until_decided(verification_id)
        seconds = time.monotonic() - began
        _show(console, answer, front.truth["values"] | back.truth["values"], seconds)
        await _check_deliveries(receiver)
        _show_events(console, receiver, began)
        _check(answer, front.truth["values"] | back.truth["values"])


async def _engines_ready(customer: Customer) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        health = await customer.call("GET", "/health/services")
        if health["textRecognition"]["status"] == "up":
            return
        await asyncio.sleep(0.2)
    raise DemoFailed("no worker started to read documents")


Film = dict[str, list[bytes]]
"""By move: JPEG frames of a person who makes it."""


def _pictures(seed: int) -> tuple[Specimen, Specimen, Film]:
    moves = list(Move)
    frames = draw_frames(face_of(make_person(seed)), moves)
    return (
        make_specimen(SpecimenKind.INE_FRONT, seed, Difficulty.PHOTO),
        make_specimen(SpecimenKind.INE_BACK, seed, Difficulty.PHOTO),
        {
            move.value: [cv2.imencode(".jpg", frame)[1].tobytes() for frame in of_move]
            for move, of_move in zip(moves, frames, strict=True)
        },
    )


async def _answer_challenge(base_url: str, verification_id: str, film: Film) -> list[str]:
    """Start the challenge, make its moves and upload the frames, as the browser does without a key.
    Return the moves."""
    path = f"/v1/sdk/verifications/{verification_id}/liveness-challenge"
    async with httpx.AsyncClient(base_url=base_url, timeout=30, trust_env=False) as client:
        browser = Customer(client)
        challenge = await browser.call("POST", f"{path}/start")
        prompts = challenge["prompts"]
        # Frames that arrive faster than a person moves are rejected.
        await asyncio.sleep(FASTEST_SECONDS_A_PROMPT * len(prompts))
        await browser.call(
            "POST",
            f"{path}/frames",
            data={"challengeId": challenge["challengeId"], "nonce": challenge["nonce"]},
            files=[
                ("frames", (f"{prompt['id']}-{number}.jpg", frame, "image/jpeg"))
                for prompt in prompts
                for number, frame in enumerate(film[prompt["action"]], start=1)
            ],
        )
    return [prompt["action"] for prompt in prompts]


async def _check_deliveries(receiver: Receiver) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(15):
            await receiver.arrived.wait()
    if receiver.forged:
        raise DemoFailed(f"{receiver.forged} deliveries had a wrong signature")
    if missing := EXPECTED_EVENTS - receiver.kinds():
        raise DemoFailed(f"events not received: {', '.join(sorted(missing))}")


def _show(console: Console, answer: dict[str, Any], truth: dict[str, Any], seconds: float) -> None:
    for step in answer["verification"]["steps"]:
        code = (step["result"] or {}).get("code")
        console.print(f"   {step['type']:<18} {step['status']}{f' ({code})' if code else ''}")
    columns = ("field", "read", "truth", "confidence", "decision", "source")
    table = Table(*(Column(name, overflow="fold") for name in columns), box=None)
    for item in answer["extraction"]:
        table.add_row(
            item["field"],
            item["value"],
            str(truth.get(item["field"], "")),
            f"{item['confidence']:.3f}",
            item["decision"],
            item["source"],
        )
    console.print(table)
    status = answer["verification"]["status"]
    console.print(
        f"[bold]7[/]  Decision: [bold]{status}[/], {seconds:.1f} s after the upload began"
    )


def _show_events(console: Console, receiver: Receiver, began: float) -> None:
    console.print(f"[bold]8[/]  {len(receiver.received)} webhooks received, each signature checked")
    for event in sorted(receiver.received, key=lambda event: event["createdAt"]):
        console.print(f"   {event['at'] - began:+6.2f} s  {event['event']}")


def _check(answer: dict[str, Any], truth: dict[str, Any]) -> None:
    status = answer["verification"]["status"]
    if status != "APPROVED":
        raise DemoFailed(f"the verification ended {status}")
    read = {item["field"]: item["value"] for item in answer["extraction"]}
    wrong = [name for name in COMPARED if name in truth and read.get(name) != truth[name]]
    if wrong:
        raise DemoFailed(f"fields with wrong readings: {', '.join(wrong)}")
