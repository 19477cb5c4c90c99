"""The role that an endpoint requires, stated in its signature.

    async def delete_workflow(caller: Admin, ...)

An endpoint without a role needs `@public`. Creating the application fails for a route with neither
(api/routing.py).
"""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import params
from starlette.requests import Request

from acredita.domain.caller import Caller
from acredita.domain.errors import Forbidden, Unauthorized
from acredita.domain.roles import Role

CALLER = "acredita.caller"
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


class RoleNeeded:
    """Provides the caller. `check` runs before the body is read (401, then 403, then 422)."""

    def __init__(self, role: Role) -> None:
        self.role = role

    def check(self, caller: Caller) -> None:
        if not caller.role.covers(self.role):
            raise Forbidden

    def of_request(self, request: Request) -> Caller:
        caller: Caller = request.scope[CALLER]
        return caller

    async def __call__(self, request: Request) -> Caller:
        return self.of_request(request)


class Require(params.Depends):
    """The caller, who must hold `role` or a higher one."""

    def __init__(self, role: Role) -> None:
        super().__init__(dependency=RoleNeeded(role))


Owner = Annotated[Caller, Require(Role.OWNER)]
Admin = Annotated[Caller, Require(Role.ADMIN)]
Reviewer = Annotated[Caller, Require(Role.REVIEWER)]
Member = Annotated[Caller, Require(Role.MEMBER)]


def during_setup(endpoint: Endpoint) -> Endpoint:
    """A session without the required second factor may call this endpoint, to set one up."""
    endpoint.is_part_of_setup = True  # type: ignore[attr-defined]
    return endpoint


def is_part_of_setup(endpoint: Callable[..., Any]) -> bool:
    return bool(getattr(endpoint, "is_part_of_setup", False))


def public(endpoint: Endpoint) -> Endpoint:
    """Anyone may call this endpoint."""
    endpoint.is_public = True  # type: ignore[attr-defined]
    return endpoint


def public_or_known(endpoint: Endpoint) -> Endpoint:
    """Anyone may call this endpoint, but credentials that are sent must be valid."""
    endpoint.may_be_known = True  # type: ignore[attr-defined]
    return public(endpoint)


def may_be_known(endpoint: Callable[..., Any]) -> bool:
    return bool(getattr(endpoint, "may_be_known", False))


def caller_or_none(request: Request) -> Caller | None:
    """Return the caller of a request with optional credentials. None without any."""
    caller: Caller | None = request.scope.get(CALLER)
    return caller


def known_caller(request: Request) -> Caller:
    """Return the same. Raise Unauthorized without any."""
    caller = caller_or_none(request)
    if caller is None:
        raise Unauthorized
    return caller


def is_public(endpoint: Callable[..., Any]) -> bool:
    return bool(getattr(endpoint, "is_public", False))
