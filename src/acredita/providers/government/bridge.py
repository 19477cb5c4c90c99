"""The registries through a bridge: a small HTTP service that the operator runs or buys.

docs/operators/government-bridge.md defines its protocol. The operator chooses the bridge, and it
usually has a private address, so private addresses and plain http are allowed.
"""

import json
from typing import TypeVar

from pydantic import ValidationError

from acredita.domain.government.queries import IneQuestion
from acredita.domain.government.responses import CurpAnswer, IneAnswer, Outcome, RfcAnswer
from acredita.domain.identifiers.ine import CardInputs, CitizenInputs, VoterKeyInputs
from acredita.kit.http import HttpClient, HttpError, Response
from acredita.providers.government.bridge_responses import (
    BridgeResponse,
    CurpResponse,
    IneResponse,
    NotFoundResponse,
    RfcResponse,
)
from acredita.providers.government.protocol import RegistryRefused, RegistryUnavailable

Answered = TypeVar("Answered", bound=BridgeResponse)

# Statuses that a retry cannot change.
REFUSALS = {
    400: "question_refused",
    401: "credentials",
    402: "quota",
    403: "credentials",
    422: "question_refused",
}
LONGEST_RETRY_AFTER = 86_400.0


class BridgeRegistries:
    """`http` must have `allow_private`. Its time-out limits each whole exchange."""

    name = "bridge"

    def __init__(self, http: HttpClient, *, base_url: str, token: str) -> None:
        self._http = http
        self._base_url = base_url.rstrip("/")
        self._authorization = f"Bearer {token}"

    async def lookup_curp(self, curp: str, *, request_key: str) -> CurpAnswer:
        found = await self._ask("curp", {"curp": curp}, request_key, CurpResponse)
        return (
            CurpAnswer(found.receipt, None)
            if isinstance(found, NotFoundResponse)
            else found.answer()
        )

    async def check_ine(self, question: IneQuestion, *, request_key: str) -> IneAnswer:
        found = await self._ask("ine", _card(question), request_key, IneResponse)
        if isinstance(found, NotFoundResponse):
            return IneAnswer(found.receipt, Outcome.NOT_FOUND)
        return found.answer()

    async def check_rfc(self, rfc: str, *, name: str | None, request_key: str) -> RfcAnswer:
        found = await self._ask("rfc", {"rfc": rfc, "name": name}, request_key, RfcResponse)
        if isinstance(found, NotFoundResponse):
            return RfcAnswer(found.receipt, Outcome.NOT_FOUND)
        return found.answer()

    async def probe(self) -> None:
        response = await self._exchange("GET", "health")
        if not response.is_success:
            raise _failure(response)

    async def _ask(
        self, path: str, question: dict[str, str | None], request_key: str, shape: type[Answered]
    ) -> Answered | NotFoundResponse:
        response = await self._exchange("POST", path, json.dumps(question).encode(), request_key)
        if response.status not in (200, 404):
            raise _failure(response)
        if response.truncated:
            raise RegistryUnavailable("answer_too_large")
        # A 404 needs the body of a not-found answer, because any proxy may return 404.
        if response.status == 404:
            return _read(NotFoundResponse, response.body)
        return _read(shape, response.body)

    async def _exchange(
        self, method: str, path: str, body: bytes | None = None, request_key: str | None = None
    ) -> Response:
        headers = {"Authorization": self._authorization, "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if request_key is not None:
            headers["Idempotency-Key"] = request_key
        try:
            return await self._http.request(
                method, f"{self._base_url}/v1/{path}", headers=headers, body=body
            )
        except HttpError as fault:
            word = fault.word
        # Raised outside `except`: the exception chain must not contain the request's token.
        raise RegistryUnavailable(word)


def _card(question: IneQuestion) -> dict[str, str | None]:
    match question:
        case VoterKeyInputs(clave, emission, ocr):
            return {"model": "C", "clave": clave, "emission": emission, "ocr": ocr}
        case CardInputs(cic, ocr):
            return {"model": "D", "cic": cic, "ocr": ocr}
        case CitizenInputs(cic, citizen_id):
            return {"model": "E-H", "cic": cic, "citizenId": citizen_id}


def _failure(response: Response) -> RegistryUnavailable | RegistryRefused:
    if refusal := REFUSALS.get(response.status):
        return RegistryRefused(refusal)
    return RegistryUnavailable(f"status_{response.status}", retry_after=_retry_after(response))


def _retry_after(response: Response) -> float | None:
    """Seconds from Retry-After, capped at a day. The protocol excludes the header's date form."""
    text = response.headers.get("Retry-After", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        return None
    return min(float(text), LONGEST_RETRY_AFTER)


def _read(shape: type[Answered], body: bytes) -> Answered:
    """Raise RegistryUnavailable with the location and type of the first error, without values."""
    try:
        return shape.model_validate_json(body)
    except ValidationError as faults:
        first = faults.errors(include_input=False, include_url=False, include_context=False)[0]
    # The name of an unexpected key is the sender's text, so report only its parent.
    unknown_key = first["type"] == "extra_forbidden"
    place = first["loc"][:-1] if unknown_key else first["loc"]
    fault = f"{'.'.join(map(str, place)) or 'body'} {first['type']}"
    raise RegistryUnavailable(f"invalid_answer: {fault}")
