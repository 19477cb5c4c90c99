"""Run cases against a service over HTTP, like its customers and their users.

Each case runs in one of two organizations. Cases with the same key run one after another in one
organization; all others run concurrently.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

import httpx

from acredita.domain.liveness.challenge import FASTEST_SECONDS_A_PROMPT, Move
from benchmarks.attack.cases import OCR, Case, Challenge, UntilJudged, Upload

OPEN = ("PENDING", "IN_PROGRESS")
FINAL = ("PASSED", "FAILED", "REVIEW", "SKIPPED")
POLL_SECONDS = 0.25
# After this time, a case is reported as unfinished. No case takes nearly as long.
PATIENCE = 600.0
# A case ends after this time without the missing upload, or without a running step, not counting
# the time that a front waits for its back.
LACKING_SECONDS = 6.0
STILL_SECONDS = 20.0
MOST_RETAKES = 3
RATE_LIMITED = 429
CLOSED = "VERIFICATION_CLOSED"
MEDIA_TYPES = {b"%PDF": "application/pdf", b"\xff\xd8\xff\xe0": "image/jpeg"}


class CourseBroken(Exception):
    """The service gave an unexpected response, so the run has no result."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a case ended.

    `status`: the verification's; or UNFINISHED: an upload is missing; REFUSED: a request was
    refused; TOO_LATE: the decision came before another person's page, which was refused. `codes`:
    the steps' codes. `named`: the person of the case's `people` whose CURP was read, or empty.
    """

    case: Case
    status: str
    codes: tuple[str, ...]
    named: str
    seconds: float

    @property
    def is_approved(self) -> bool:
        return self.status == "APPROVED"


@dataclass
class Office:
    """A client of one organization, with its API key, or as an anonymous browser without one."""

    client: httpx.AsyncClient
    organization_id: str
    key: str
    workflows: dict[tuple[Any, ...], str] = field(default_factory=dict)
    _making: asyncio.Lock = field(default_factory=asyncio.Lock)

    @classmethod
    async def register(cls, client: httpx.AsyncClient, name: str) -> "Office":
        slug = name.lower().replace(" ", "-")
        body = {
            "orgName": name,
            "email": f"owner@{slug}.example",
            "password": "a password of a course of attacks",
        }
        answer = await client.post("/v1/auth/register", json=body)
        if answer.is_error:
            raise CourseBroken(f"no organization could be registered: {answer.text}")
        made = answer.json()
        return cls(client, made["org"]["id"], made["apiKey"]["key"])

    async def call(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request. After a 429, wait as Retry-After says and repeat it."""
        while True:
            answer = await self.client.request(method, path, **options)
            if answer.status_code != RATE_LIMITED:
                return answer
            await asyncio.sleep(float(answer.headers.get("retry-after", 1)))

    async def own(self, method: str, path: str, **options: Any) -> httpx.Response:
        return await self.call(method, path, headers={"X-Api-Key": self.key}, **options)

    async def workflow(self, case: Case) -> str:
        async with self._making:
            asked = (case.steps, case.grace)
            if asked not in self.workflows:
                steps = [
                    {"type": step_type, "order": order, "config": _config(step_type, case)}
                    for order, step_type in enumerate(case.steps)
                ]
                body = {"name": "-".join(case.steps), "steps": steps}
                answer = await self.own("POST", "/v1/workflows", json=body)
                self.workflows[asked] = _made(answer)["workflow"]["id"]
            return self.workflows[asked]


def _config(step_type: str, case: Case) -> dict[str, Any]:
    return {"backGraceSeconds": case.grace} if step_type == OCR else {}


def _made(answer: httpx.Response) -> Any:
    if answer.is_error:
        raise CourseBroken(f"{answer.request.url.path}: {answer.status_code} {answer.text}")
    return answer.json()


class Pause:
    """Measures how long a verification has not changed, to detect that it never will."""

    def __init__(self, grace: float) -> None:
        self._grace = grace
        self._began = self._last_run = self._last_whole = time.monotonic()

    def go_on(self, shown: dict[str, Any], lacking: Sequence[str]) -> None:
        """Record the state of a verification, and the uploads that it waits for."""
        now = time.monotonic()
        if any(step["status"] == "RUNNING" for step in shown["steps"]):
            self._last_run = self._last_whole = now
        if not lacking:
            self._last_whole = now

    @property
    def is_over(self) -> bool:
        now = time.monotonic()
        return (
            now - self._last_whole > LACKING_SECONDS
            or now - self._last_run > STILL_SECONDS + self._grace
            or now - self._began > PATIENCE
        )


class Attempt:
    """A running case."""

    def __init__(self, office: Office, case: Case) -> None:
        self._office, self._case = office, case
        self._headers: dict[str, str] = {"X-Api-Key": office.key}
        self._id = ""
        self._sent: dict[str, list[bytes]] = {}
        self._refusal: str | None = None

    async def run(self) -> Ended:
        began = time.monotonic()
        await self._open()
        await self._perform()
        await self._until_decided()
        shown, extraction = await self._whole()
        status = shown["status"]
        if status in OPEN:
            status = "UNFINISHED" if self._refusal is None else "REFUSED"
        codes = [
            step["result"]["code"]
            for step in shown["steps"]
            if step["result"] and step["result"].get("code") and step["status"] != "PASSED"
        ]
        if self._refusal is not None:
            codes.append(self._refusal)
        if self._case.is_late and self._refusal == CLOSED:
            status = "TOO_LATE"
        curps = {item["value"] for item in extraction if item["field"] == "curp"}
        named = ", ".join(who for curp, who in self._case.people.items() if curp in curps)
        return Ended(self._case, status, tuple(codes), named, time.monotonic() - began)

    async def _perform(self) -> None:
        for act in self._case.acts:
            match act:
                case Upload():
                    await self._upload(act)
                case UntilJudged():
                    await self._until_judged(act.step_type)
                case Challenge():
                    await self._answer(act)
            if self._refusal is not None:
                break

    async def _open(self) -> None:
        case, workflow_id = self._case, await self._office.workflow(self._case)
        if not case.in_browser:
            body = {"workflowId": workflow_id, "metadata": dict(case.metadata)}
            answer = await self._office.own("POST", "/v1/verifications", json=body)
            self._id = _made(answer)["verification"]["id"]
            return
        consent = {"version": "1", "locale": "es-MX", "acceptedAt": "2026-01-31T18:05:09.120Z"}
        body = {
            "clientId": self._office.organization_id,
            "flowId": workflow_id,
            "metadata": dict(case.metadata),
            "consent": consent,
        }
        opened = _made(await self._office.call("POST", "/v1/sdk/session", json=body))
        self._id = opened["verificationId"]
        self._headers = {"Authorization": f"Bearer {opened['token']}"}

    @property
    def _flow(self) -> str:
        return f"/v1/sdk/verifications/{self._id}"

    async def _upload(self, act: Upload) -> None:
        drawn = [(file.role, await asyncio.to_thread(file.content)) for file in act.files]
        for role in {role for role, _ in drawn}:
            self._sent[role] = [content for of, content in drawn if of == role]
        await self._send(drawn)

    async def _send(self, files: Sequence[tuple[str, bytes]]) -> None:
        where = self._flow if self._case.in_browser else f"/v1/verifications/{self._id}"
        parts = [
            (role, (f"{role}-{number}", content, MEDIA_TYPES.get(content[:4], "image/jpeg")))
            for number, (role, content) in enumerate(files)
        ]
        answer = await self._office.call(
            "POST", f"{where}/inputs", files=parts, headers=self._headers
        )
        self._note(answer)

    def _note(self, answer: httpx.Response) -> None:
        """A refused upload ends the case, except after a decision."""
        if answer.is_error:
            self._refusal = str(answer.json()["error"]["code"])

    async def _answer(self, act: Challenge) -> None:
        # Draw first: drawing takes seconds, which count in a challenge.
        await asyncio.to_thread(act.film.develop)
        where = f"{self._flow}/liveness-challenge"
        browser = self._headers if self._case.in_browser else {}
        started = await self._office.call("POST", f"{where}/start", headers=browser)
        began = time.monotonic()
        self._note(started)
        if self._refusal is not None:
            return
        challenge = started.json()
        prompts = challenge["prompts"]
        moves = [Move(prompt["action"]) for prompt in prompts]
        film = await asyncio.to_thread(act.film.of, moves)
        frames = [
            ("frames", (f"{prompt['id']}-{number}.jpg", frame, "image/jpeg"))
            for prompt, of_prompt in zip(prompts, film, strict=True)
            for number, frame in enumerate(of_prompt, start=1)
        ]
        # No person moves faster, and the service would detect it.
        await asyncio.sleep(
            began + len(prompts) * FASTEST_SECONDS_A_PROMPT + 0.5 - time.monotonic()
        )
        said = {"challengeId": challenge["challengeId"], "nonce": challenge["nonce"]}
        self._note(
            await self._office.call(
                "POST", f"{where}/frames", data=said, files=frames, headers=browser
            )
        )

    async def _whole(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return the verification and the fields that were read."""
        answer = await self._office.own("GET", f"/v1/verifications/{self._id}")
        shown = _made(answer)
        return shown["verification"], shown["extraction"]

    async def _shown(self) -> dict[str, Any]:
        return (await self._whole())[0]

    async def _until_judged(self, step_type: str) -> None:
        pause = Pause(self._case.grace)
        while not pause.is_over:
            shown = await self._shown()
            steps = [step for step in shown["steps"] if step["type"] == step_type]
            if shown["status"] not in OPEN or all(step["status"] in FINAL for step in steps):
                return
            pause.go_on(shown, await self._lacks())
            await asyncio.sleep(POLL_SECONDS)

    async def _until_decided(self) -> None:
        """Wait for the decision, or until nothing changes. Answer requests for a retake."""
        for _ in range(1 + MOST_RETAKES):
            pause = Pause(self._case.grace)
            while not pause.is_over:
                shown = await self._shown()
                if shown["status"] not in OPEN:
                    return
                pause.go_on(shown, await self._lacks())
                await asyncio.sleep(POLL_SECONDS)
            again = [(role, c) for role in await self._lacks() for c in self._sent.get(role, [])]
            if not again:
                return
            await self._send(again)

    async def _lacks(self) -> list[str]:
        """Return the roles that the person must upload now; empty while the service works."""
        answer = await self._office.own("GET", self._flow)
        following = _made(answer)["next"]
        match following["action"]:
            case "upload" if following["roles"]:
                return [*following["roles"], *following["alternativeRoles"]]
            case "liveness":
                return ["liveness"]
            case _:
                return []


async def run(
    client: httpx.AsyncClient,
    cases: Sequence[Case],
    *,
    name: str,
    at_once: int = 4,
    on_end: Callable[[Ended], None] = lambda _: None,
) -> list[Ended]:
    """Return the outcomes of the cases in order. Call `on_end` for each. Raise CourseBroken."""
    offices = [await Office.register(client, f"{name} {side}") for side in ("Uno", "Dos")]
    places = asyncio.Semaphore(at_once)
    ended: dict[int, Ended] = {}

    async def go(office: Office, numbers: Sequence[int]) -> None:
        for number in numbers:
            async with places:
                ended[number] = await Attempt(office, cases[number]).run()
                on_end(ended[number])

    turns: dict[str, list[int]] = {}
    for number, case in enumerate(cases):
        turns.setdefault(case.key or str(number), []).append(number)
    async with asyncio.TaskGroup() as group:
        # Start the longest sequences first, so that they do not run alone at the end.
        for office, numbers in zip(
            cycle(offices), sorted(turns.values(), key=len, reverse=True), strict=False
        ):
            group.create_task(go(office, numbers))
    return [ended[number] for number in range(len(cases))]
