"""Every error class has a status, and its headers follow from what it says."""

import pkgutil
from importlib import import_module

import pytest

from acredita import resources
from acredita.api.errors import ApiError, BasicUnauthorized, InternalError, headers_of, status_of
from acredita.domain import errors
from acredita.domain.errors import DomainError, NotFound, RateLimited, Unauthorized


def kinds(base: type[DomainError]) -> list[type[DomainError]]:
    return [kind for sub in base.__subclasses__() for kind in (sub, *kinds(sub))]


def test_every_error_class_has_a_status_a_code_and_a_message():
    for module in pkgutil.walk_packages(resources.__path__, "acredita.resources."):
        import_module(module.name)
    ours = [kind for kind in kinds(DomainError) if kind.__module__.startswith("acredita.")]
    ours.remove(ApiError)
    assert {kind.__name__ for kind in ours} > {"NotFound", "LinkSpent", "FileTooLarge"}
    for kind in ours:
        assert 400 <= status_of(kind) < 600, kind
        assert kind.code, kind
        assert kind.default_message, kind


def test_a_class_without_a_status_is_named():
    class Nameless(DomainError):
        code = default_message = "NAMELESS"

    with pytest.raises(LookupError, match=r"has no status for .*Nameless"):
        status_of(Nameless)


def test_codes_of_domain_errors_are_unique():
    own = [
        kind for kind in vars(errors).values() if isinstance(kind, type) and "code" in vars(kind)
    ]
    assert len({kind.code for kind in own}) == len(own) > 20


@pytest.mark.parametrize(
    ("fault", "headers"),
    [
        (NotFound(), {}),
        (InternalError(headers={"Allow": "GET"}), {"Allow": "GET"}),
        (RateLimited(retry_after=3), {"Retry-After": "3"}),
        (Unauthorized(), {"WWW-Authenticate": "Bearer"}),
        (BasicUnauthorized(), {"WWW-Authenticate": 'Basic realm="clients"'}),
    ],
)
def test_the_headers_of_an_error_follow_from_it(fault, headers):
    assert headers_of(fault) == headers
