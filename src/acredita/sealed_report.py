"""Compose a report as PDF, and seal it with the installation's certificate (PAdES)."""

from collections.abc import Callable, Sequence
from uuid import UUID

from acredita.domain.errors import ServiceUnavailable
from acredita.engines.signing.composition import CannotCompose
from acredita.engines.signing.package import Attachment, Package
from acredita.engines.signing.seal import SealName
from acredita.kit.processes import PoolError
from acredita.ports import PackageMaking
from acredita.providers.timestamps import TimestampError

# Seconds. A report has some pages.
SLOWEST = 20.0
UNSIGNED = (
    "ARCHIVO SIN FIRMA: la instalación no tiene certificado. Nada demuestra quién hizo este"
    " documento ni que no se haya sustituido."
)
DEVELOPMENT = (
    "SELLO DE DESARROLLO: el certificado o el sello de tiempo son de una autoridad de pruebas en la"
    " que nadie confía. Este archivo no sirve como prueba ante terceros."
)
PackageOf = Callable[[SealName | None, bool], Package]
"""The report, by the name of the seal (None without a certificate) and whether the seal or its
time-stamp is one of development."""


async def sealed_report(
    services: PackageMaking,
    organization_id: UUID,
    forms: Sequence[PackageOf],
    attachments: Sequence[Attachment],
    reason: str,
) -> bytes:
    """The PDF with the attachments, which the seal covers; unsigned without a certificate.

    `forms`: the report with less and less detail. The first one of a single page is taken, else the
    last one.

    Hold no database connection: a time-stamping authority answers. Raise ServiceUnavailable if the
    report cannot be composed or stamped.
    """
    try:
        return await _sealed(services, organization_id, forms, attachments, reason)
    except (CannotCompose, PoolError, TimestampError) as fault:
        raise ServiceUnavailable from fault


async def _sealed(
    services: PackageMaking,
    organization_id: UUID,
    forms: Sequence[PackageOf],
    attachments: Sequence[Attachment],
    reason: str,
) -> bytes:
    seal = services.seal
    name = None if seal is None else await seal.name()
    is_development = services.timestamps.is_sandbox or (name is not None and name.is_development)
    for form in forms:
        composed = await services.composition.compose(
            form(name, is_development), organization_id, seconds=SLOWEST
        )
        if composed.pages == 1:
            break
    if seal is None:
        return composed.pdf

    async def stamp(digest: bytes) -> bytes:
        return (await services.timestamps.stamp(digest)).token

    signed = await seal.sign(composed.pdf, list(attachments), reason=reason, stamp=stamp)
    return signed.content
