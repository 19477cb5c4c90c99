"""Who may call an endpoint, stated in the endpoint's own signature.

    async def delete_workflow(caller: Annotated[Caller, Require(Role.ADMIN)], ...)

An endpoint that anyone may call says so with `@public`. A route with neither is refused when the
application is put together (api/routing.py).
"""

from collections.abc import Callable
from typing import Any, TypeVar

from fastapi import params
from starlette.requests import Request

from acredita.domain.caller import Caller
from acredita.domain.errors import Forbidden, Unauthorized
from acredita.domain.roles import Role

CALLER = "acredita.caller"
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


class RoleNeeded:
    """Hands the caller over; `check` has run before the body was read (401, then 403, then 422)."""

    def __init__(self, role: Role) -> None:
        self.role = role

    def check(self, caller: Caller) -> None:
        if not caller.role.covers(self.role):
            raise Forbidden

    async def __call__(self, request: Request) -> Caller:
        caller: Caller = request.scope[CALLER]
        return caller


class Require(params.Depends):
    """The caller, who must hold `role` or a higher one."""

    def __init__(self, role: Role) -> None:
        super().__init__(dependency=RoleNeeded(role))


def public(endpoint: Endpoint) -> Endpoint:
    """Anyone may call this endpoint."""
    endpoint.is_public = True  # type: ignore[attr-defined]
    return endpoint


def public_or_known(endpoint: Endpoint) -> Endpoint:
    """Anyone may call this endpoint; credentials that are sent must be valid all the same."""
    endpoint.may_be_known = True  # type: ignore[attr-defined]
    return public(endpoint)


def may_be_known(endpoint: Callable[..., Any]) -> bool:
    return bool(getattr(endpoint, "may_be_known", False))


def known_caller(request: Request) -> Caller:
    """Whose credentials were sent. Raise Unauthorized where none were."""
    caller: Caller | None = request.scope.get(CALLER)
    if caller is None:
        raise Unauthorized
    return caller


def is_public(endpoint: Callable[..., Any]) -> bool:
    return bool(getattr(endpoint, "is_public", False))
