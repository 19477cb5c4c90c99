"""LOCATION: check the place of the person's IP address."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from acredita.domain.location.ip_addresses import Read, read
from acredita.domain.location.places import Coordinates
from acredita.domain.location.places import Place as Found
from acredita.domain.location.rules import LocationReason, reasons_against
from acredita.domain.reasons import LocationStepReason
from acredita.domain.steps import kind_of
from acredita.domain.steps.location import (
    DEVICE,
    LOCATION,
    Device,
    DeviceAnswer,
    device,
    rules,
)
from acredita.domain.verification import StepStatus
from acredita.jobs import JobContext, Queue
from acredita.kit import ids
from acredita.kit.clock import timestamp
from acredita.models import Verification
from acredita.providers.geolocation.protocol import Source
from acredita.resources.audit.service import Actor
from acredita.resources.location import service as location
from acredita.resources.verifications import pipeline
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.registry_claims import METADATA
from acredita.resources.verifications.step_table import StepEntry, register
from acredita.resources.verifications.step_translation import (
    Part,
    Place,
    StepTranslation,
    TranslationInput,
)
from acredita.resources.verifications.steps import running

RULES = "location/1"
BROWSER = "browser"
HIDDEN = {LocationReason.VPN, LocationReason.PROXY, LocationReason.TOR}
OUTSIDE = {LocationReason.COUNTRY_NOT_ALLOWED, LocationReason.CITY_NOT_ALLOWED}


@running.step_job("verification.locate", queue=Queue.LIGHT, timeout=30)
async def locate(context: JobContext, step_id: UUID) -> None:
    services = context.services
    async with services.database.transaction() as session:
        found = await running.load(session, step_id)
    if found is None:
        return
    given, source = _address(found.verification)
    geolocation = services.geolocation
    if given is None:
        outcome = StepOutcome(StepStatus.REVIEW, code=LocationStepReason.LOCATION_ADDRESS_UNKNOWN)
        await running.finish(context, step_id, outcome)
        return
    if geolocation is None:
        await running.finish(context, step_id, running.CHECK_UNAVAILABLE)
        return
    kind, place, databases = await location.look_up(geolocation, given)
    reasons = reasons_against(place, rules(found.step.config))
    check_id = ids.sortable()
    result = {
        "checkId": str(check_id),
        "allowed": not reasons,
        "reasons": [reason.value for reason in reasons],
        "addressKind": kind.value,
        **_shown(place),
        "source": source,
        "provider": geolocation.name,
        "sandbox": geolocation.is_sandbox,
    }
    async with context.finish() as session:
        current = await running.load(session, step_id, lock=True)
        if current is None:
            return
        answer = (current.step.result.open(services.keys) or {}).get(DEVICE)
        asked = device(current.step.config)
        # Without a browser, nobody can be asked.
        if asked is not Device.OFF and answer is None and current.verification.is_in_browser:
            await pipeline.await_act(session, current.verification, current.step)
            return
        if asked is not Device.OFF:
            result[DEVICE] = _with_distance(answer, place)
        is_missing = asked is Device.REQUIRE and not _is_given(answer)
        judged_by = {"provider": geolocation.name, "rules": RULES, "databases": _dated(databases)}
        outcome = _outcome(reasons, result, judged_by, is_device_missing=is_missing)
        actor = Actor(current.verification.organization_id)
        location.record(session, services.signer, actor, check_id, given, reasons)
        await pipeline.finish_step(session, services, current.verification, current.step, outcome)


def _address(verification: Verification) -> tuple[Read | None, str]:
    """Return the address of the person, and its source: the browser that opened the verification
    or its link, or else the metadata of the caller, whose own address says nothing.
    """
    if verification.is_in_browser:
        return read(verification.ip_address or ""), BROWSER
    stated = (verification.verification_metadata or {}).get("ipAddress")
    return read(stated) if isinstance(stated, str) else None, METADATA


def _shown(place: Found) -> dict[str, object]:
    return {
        "country": place.country,
        "city": place.city,
        "vpn": place.hidden.vpn,
        "proxy": place.hidden.proxy,
        "tor": place.hidden.tor,
        "hosting": place.hidden.hosting,
    }


def _dated(databases: Sequence[Source]) -> list[list[str | None]]:
    """The role, the name and the date of each database in use."""
    return [
        [each.role, each.name, None if each.built_at is None else timestamp(each.built_at)]
        for each in databases
    ]


def _is_given(answer: Mapping[str, Any] | None) -> bool:
    return answer is not None and answer["state"] == DeviceAnswer.GIVEN


def _with_distance(answer: Mapping[str, Any] | None, place: Found) -> dict[str, object]:
    """The device's answer, with the distance in kilometres from the place of the address: it is
    null where either is unknown."""
    if answer is None:
        return {"state": None}
    if not _is_given(answer):
        return dict(answer)
    distance = None
    if place.coordinates is not None:
        position = Coordinates(answer["latitude"], answer["longitude"])
        distance = round(position.distance_to(place.coordinates))
    return {**answer, "distanceKm": distance}


def _outcome(
    reasons: Sequence[LocationReason],
    result: dict[str, object],
    judged_by: dict[str, Any],
    *,
    is_device_missing: bool,
) -> StepOutcome:
    code = None
    if OUTSIDE.intersection(reasons):
        code = LocationStepReason.LOCATION_NOT_ALLOWED
    elif HIDDEN.intersection(reasons):
        code = LocationStepReason.LOCATION_HIDDEN
    elif is_device_missing:
        code = LocationStepReason.LOCATION_NOT_SHARED
    elif reasons:
        code = LocationStepReason.LOCATION_UNCERTAIN
    return StepOutcome(
        StepStatus.PASSED if code is None else StepStatus.REVIEW,
        code=code,
        result=result,
        judged_by=judged_by,
    )


def _translation_parts(step: TranslationInput) -> list[Part]:
    """The result keeps no more of the place than the country and the city."""
    known = step.result
    data = None
    if "country" in known:
        data = {
            "country": known["country"],
            "countryCode": known["country"],
            "region": None,
            "regionCode": None,
            "city": known["city"],
            "zip": None,
            "latitude": None,
            "longitude": None,
            "safe": not (known["vpn"] or known["proxy"] or known["tor"]),
        }
    return [Part("ip-validation", data, Place.PERSON)]


register(
    StepEntry(
        kind=kind_of(LOCATION),
        job=locate,
        translation=StepTranslation(parts=_translation_parts),
    )
)
