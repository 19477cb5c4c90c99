"""Endpoints without FastAPI's resolution answer like those with it."""

from typing import Annotated

import httpx
import pytest
from fastapi import APIRouter, Depends, FastAPI, Header, Path, Query, Request
from fastapi.routing import APIRoute
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.direct_handling import direct_app, direct_handler


class Order(BaseModel):
    count: int = Field(ge=1)
    note: str | None = None


async def kept(
    request: Request,
    key: Annotated[str | None, Header(alias="Idempotency-Key", pattern="^[a-z]+$")] = None,
) -> str:
    return f"{request.method} {key}"


async def create(
    data: Order,
    number: Annotated[int, Path(le=99)],
    first: Annotated[str, Depends(kept)],
    limit: Annotated[int, Query(ge=1)] = 20,
    names: Annotated[list[str] | None, Query()] = None,
    trace: Annotated[str, Header()] = "none",
) -> Response:
    return JSONResponse([data.model_dump(), number, first, limit, names, trace], 201)


class DirectRoute(APIRoute):
    def __init__(self, path, endpoint, **options):
        super().__init__(path, endpoint, **options)
        self.app = direct_app(direct_handler(self))


def answering(route_class):
    router = APIRouter(route_class=route_class)
    router.post("/orders/{number}")(create)
    app = FastAPI()
    app.router.routes.extend(router.routes)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test")


@pytest.mark.parametrize(
    ("path", "headers", "body"),
    [
        ("/orders/7", {}, b'{"count": 1}'),
        ("/orders/7?limit=3&names=a&names=b", {"trace": "t"}, b'{"count": 1, "note": "x"}'),
        ("/orders/7", {"idempotency-key": "abc"}, b'{"count": 1}'),
        ("/orders/7?limit=", {}, b'{"count": 1}'),
        ("/orders/7", {}, b"{}"),
        ("/orders/7", {}, b"null"),
        ("/orders/7", {}, b"[1]"),
        ("/orders/x?limit=0", {"idempotency-key": "A1"}, b'{"count": 0, "note": 1}'),
    ],
)
async def test_a_direct_endpoint_answers_like_fastapi(path, headers, body):
    headers = {"content-type": "application/json", **headers}
    answers = []
    for route_class in (APIRoute, DirectRoute):
        async with answering(route_class) as client:
            answers.append(await client.post(path, headers=headers, content=body))
    usual, direct = answers
    assert (direct.status_code, direct.json()) == (usual.status_code, usual.json())


async def opened():
    yield "resource"


async def with_session(session: Db) -> Response: ...
async def with_generator(resource: Annotated[str, Depends(opened)]) -> Response: ...
async def with_two_bodies(first: Order, second: Order) -> Response: ...
async def with_a_model() -> Order: ...
async def with_an_answer(response: Response) -> Response: ...
def in_a_thread() -> Response: ...


@pytest.mark.parametrize(
    "endpoint",
    [with_session, with_generator, with_two_bodies, with_a_model, with_an_answer, in_a_thread],
)
def test_what_needs_more_than_values_of_the_request_is_left_to_fastapi(endpoint):
    assert direct_handler(APIRoute("/", endpoint, response_model=None)) is None


def test_an_endpoint_with_the_services_is_direct():
    async def endpoint(services: ServicesDep) -> Response: ...

    assert direct_handler(APIRoute("/", endpoint)) is not None
