"""Customers who create verifications, upload, and retry failures like a correct client."""

import asyncio
import io
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
from PIL import Image, ImageDraw

from acredita.domain.events import EventKind
from tests.chaos import policies
from tests.chaos.installation import Installation
from tests.factories.organizations import Member, register, with_new_key

# The sandbox registry's own (docs/operators/government-bridge.md).
CURPS = {"APPROVED": "XUXX900101HNEXXX02", "REJECTED": "XUXX900106HNEXXX07"}
# Out of twenty verifications: what a customer asks for. The engine's work costs half a second of a
# core, everything else some tens of milliseconds, and it is the machinery that is to be shown.
PLANS = ("upload",) * 13 + ("metadata",) * 6 + ("document",)
# An organization's endpoints, and what each of them hears.
ENDPOINTS = {
    "all": [kind.value for kind in EventKind],
    "ends": [EventKind.VERIFICATION_COMPLETED.value],
}
REGISTRIES: dict[str, Any] = {"type": "GOVERNMENT_VERIFY"}
DOCUMENT: dict[str, Any] = {"type": "DOCUMENT_OCR"}
TIMEOUT = 10.0
PAUSE = 0.25


@dataclass
class Account:
    """What the service promised the customers, and the errors that they received."""

    # For every creation that got 201: its id, by the externalId.
    created: dict[str, str] = field(default_factory=dict)
    # The API key of the organization, by the verification's id.
    keys: dict[str, str] = field(default_factory=dict)
    uploaded: set[str] = field(default_factory=set)
    # The outcomes of the calls that had to be repeated; the responses that no customer should get.
    repeated: Counter[str] = field(default_factory=Counter)
    unexpected: list[str] = field(default_factory=list)


class Customers:
    """Those of two organizations, which have the same workflows and endpoints."""

    def __init__(
        self,
        installation: Installation,
        *,
        seed: int,
        plans: Sequence[str] = PLANS,
        endpoints: Sequence[str] = tuple(ENDPOINTS),
        has_policies: bool = False,
        when_answered: Callable[[int, httpx.Response], None] = lambda _api, _answer: None,
    ) -> None:
        """`has_policies`: the workflows name a policy and a shadow. `when_answered` hears which of
        the API processes gave which answer.
        """
        self.account = Account()
        self._installation = installation
        self._seed, self._chance = seed, random.Random(seed)
        self._plans, self._endpoints, self._when_answered = plans, endpoints, when_answered
        self._has_policies = has_policies
        self._picture = drawn_picture()
        self._clients = [
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=TIMEOUT)
            for port in installation.api_ports
        ]
        self.keys: list[str] = []
        self.workflows: list[dict[str, str]] = []

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()

    async def settle_in(self) -> None:
        for name in ("Banco Uno", "Caja Dos"):
            first = await register(self._clients[0], name)
            member = await with_new_key(first, rateLimit=0)
            self.keys.append(member.api_key)
            named = await policies.publish(member) if self._has_policies else None
            self.workflows.append(await _workflows(member, named))
            for endpoint in self._endpoints:
                url = self._installation.hook(f"{endpoint}-{len(self.keys)}")
                told = {"url": url, "events": ENDPOINTS[endpoint]}
                answer = await member.post("/v1/webhooks", json=told)
                assert answer.status_code == 201, answer.text

    async def come(self, count: int, *, seconds: float) -> None:
        """So many verifications, evenly over the time; return when each is safely in."""
        async with asyncio.TaskGroup() as coming:
            for number in range(count):
                coming.create_task(self._verify(number))
                await asyncio.sleep(seconds / count)

    async def _verify(self, number: int) -> None:
        who = number % len(self.keys)
        # Of each customer, or they would depend on whose turn it is.
        chance = random.Random(f"{self._seed}-{number}")
        plan = chance.choice(self._plans)
        external_id = f"customer-{number}"
        body: dict[str, Any] = {
            "workflowId": self.workflows[who][plan],
            "externalId": external_id,
        }
        if plan != "upload":
            verdict = "REJECTED" if chance.random() < 0.2 else "APPROVED"
            body["metadata"] = {"curp": CURPS[verdict], "ipAddress": policies.ADDRESS}
        if chance.random() < 0.1:
            body["callbackUrl"] = self._installation.hook("callback")
        asks_twice = chance.random() < 0.05
        verification_id = await self._create(who, external_id, body)
        if asks_twice and verification_id != await self._create(who, external_id, body):
            self.account.unexpected.append("the same key was answered with another verification")
        if verification_id is None:
            return
        self.account.created[external_id] = verification_id
        self.account.keys[verification_id] = self.keys[who]
        path = f"/v1/verifications/{verification_id}"
        if plan != "metadata":
            role = "front" if plan == "document" else "selfie"
            files = {role: (f"{role}.png", self._picture, "image/png")}
            # 409: an upload whose answer was lost has led to a decision meanwhile.
            answer = await self._ask(who, "POST", f"{path}/inputs", {202, 409}, files=files)
            if answer is not None:
                self.account.uploaded.add(verification_id)
        await self._ask(who, "GET", path, {200})

    async def _create(self, who: int, external_id: str, body: dict[str, Any]) -> str | None:
        answer = await self._ask(
            who,
            "POST",
            "/v1/verifications",
            {201},
            json=body,
            headers={"Idempotency-Key": external_id},
        )
        return None if answer is None else str(answer.json()["verification"]["id"])

    async def _ask(
        self, who: int, method: str, path: str, expected: set[int], **options: Any
    ) -> httpx.Response | None:
        """Ask until one of the processes answers; None, and noted, if it answers strangely."""
        headers = {"X-Api-Key": self.keys[who], **options.pop("headers", {})}
        turn = self._chance.randrange(len(self._clients))
        while True:
            turn = (turn + 1) % len(self._clients)
            try:
                answer = await self._clients[turn].request(method, path, headers=headers, **options)
            except httpx.TransportError as fault:
                self.account.repeated[type(fault).__name__] += 1
            else:
                self._when_answered(turn, answer)
                if answer.status_code in expected:
                    return answer
                if not _asks_to_repeat(answer):
                    told = f"{method} {path}: {answer.status_code} {answer.text[:200]}"
                    self.account.unexpected.append(told)
                    return None
                self.account.repeated[str(answer.status_code)] += 1
            await asyncio.sleep(PAUSE * self._chance.uniform(0.5, 1.5))


def _asks_to_repeat(answer: httpx.Response) -> bool:
    """Whether it says when: a dependency is away, or too much work of one organization waits."""
    codes = {503: {"SERVICE_UNAVAILABLE"}, 429: {"QUEUE_FULL", "RATE_LIMITED"}}
    return "retry-after" in answer.headers and _code_of(answer) in codes.get(
        answer.status_code, set()
    )


def _code_of(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["error"]["code"])
    except (ValueError, KeyError, TypeError):
        return "not in the envelope"


async def _workflows(member: Member, named: policies.Named | None) -> dict[str, str]:
    """For an upload that begins the registries' step; for what is stated; for OCR first.

    The first has a step that needs an upload, and that is always skipped: it costs nothing.
    With a policy, the steps after the upload have a condition, and the policy requires the further
    step of what is stated.
    """
    steps = {
        "upload": (REGISTRIES, DOCUMENT | {"config": {"when": "false"}}),
        "metadata": (REGISTRIES,),
        "document": (DOCUMENT, REGISTRIES),
    }
    made = {}
    for name, types in steps.items():
        listed = [step | {"order": order} for order, step in enumerate(types)]
        if named is not None and name != "metadata":
            located = policies.LOCATION | {"config": {"when": policies.WAS_CONFIRMED}}
            listed.append(located | {"order": len(types)})
        body = {"name": name, "steps": listed, **({} if named is None else named.workflow())}
        answer = await member.post("/v1/workflows", json=body)
        assert answer.status_code == 201, answer.text
        made[name] = str(answer.json()["workflow"]["id"])
    return made


def drawn_picture() -> bytes:
    """A picture in which there is something to read, and no document."""
    picture = Image.new("RGB", (160, 100), "white")
    ImageDraw.Draw(picture).text((12, 40), "ACREDITA", fill="black")
    content = io.BytesIO()
    picture.save(content, "PNG")
    return content.getvalue()
