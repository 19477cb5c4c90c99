"""Checks the files that settings name, and the addresses that this machine listens on."""

import ssl
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from acredita.domain.documents import RULES_VERSION
from acredita.domain.documents.calibration import BadCalibration, loaded
from acredita.domain.documents.gazetteer import BadGazetteer, parsed
from acredita.engines.face.description import (
    EmbeddingDescription,
    ModelRefused,
    read_description,
)
from acredita.settings import NONE, Environment, Settings
from acredita.settings_check.faults import Fault, variable

# Seconds. A number below it is meant as hours or days.
SHORTEST_VERIFICATION = 60
FILES = (
    "calibration",
    "circulo_certificate_file",
    "circulo_key_file",
    "conservation_trusted",
    "esignature_certificate",
    "esignature_key",
    "esignature_trusted",
    "face_embedding",
    "liveness_model",
    "postal_codes",
    "webhook_resolver",
)
PUBLIC_FORM = "must have the form https://host, as customers reach the API"
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
# They may be downloaded after the start.
LATE_FILES = ("geolocation_city_file", "geolocation_asn_file", "geolocation_anonymous_ip_file")
# PEM files with certificates.
AUTHORITIES = (
    "aml_ca_file",
    "circulo_ca_file",
    "esignature_tsa_ca_file",
    "government_bridge_ca_file",
    "sms_ca_file",
    "smtp_ca_file",
    "storage_ca_file",
    "webhook_ca_file",
)


def check(settings: Settings, *, parses_postal_codes: bool = False) -> Iterator[Fault]:
    """Check that files exist and are readable, and that addresses are usable.

    A worker parses the catalogue of postal codes at its start. To parse it here takes 50 MB.
    """
    for name in (*FILES, *AUTHORITIES):
        path: Path | None = getattr(settings, name)
        if path is None or str(path) == NONE:
            continue
        if problem := _problem(path, is_authority=name in AUTHORITIES):
            yield Fault(variable(name), f"{path} {problem}.")
        elif name == "calibration":
            yield from _check_calibration(path)
        elif name == "face_embedding":
            yield from _check_embedding(path)
        elif name == "postal_codes" and parses_postal_codes:
            yield from _check_postal_codes(path)
    if settings.face_models is not None and not settings.face_models.is_dir():
        yield Fault(
            variable("face_models"),
            f"{settings.face_models} is not a folder. Set it to the output of `make models`.",
        )
    if settings.engine_device != "cpu":
        yield from _check_device(settings.engine_device)
    yield from _check_addresses(settings)


def doubts(settings: Settings) -> Iterator[Fault]:
    """Return what is probably a mistake, but stops nothing."""
    for name in LATE_FILES:
        path: Path | None = getattr(settings, name)
        if path is not None and (problem := _problem(path, is_authority=False)):
            yield Fault(variable(name), f"{path} {problem}; until then, it locates nothing.")
    if settings.verification_ttl < SHORTEST_VERIFICATION:
        yield Fault(
            variable("verification_ttl"),
            "is in seconds: nobody photographs their documents in that time.",
        )
    address = settings.base_url
    is_plain = address.startswith("http://") and is_public_address(address)
    is_public = is_plain and urlsplit(address).hostname not in LOOPBACK
    if is_public and settings.env is Environment.PRODUCTION:
        yield Fault(
            variable("base_url"),
            "has no TLS: browsers then refuse the camera and the console's cookie. Set the https"
            " address of your proxy.",
        )


def is_public_address(text: str) -> bool:
    """Whether the text has the form of BASE_URL."""
    try:
        url = urlsplit(text)
    except ValueError:
        return False
    has_more = url.query or url.fragment or any(character.isspace() for character in text)
    return url.scheme in {"http", "https"} and bool(url.hostname) and not has_more


def _check_device(named: str) -> Iterator[Fault]:
    # It loads ONNX Runtime, which a process with the CPU as its device does without.
    from acredita.engines import device  # noqa: PLC0415

    try:
        device.require(device.Device(named))
    except device.DeviceMissing as fault:
        yield Fault(variable("engine_device"), f"{fault}.")


def _problem(path: Path, *, is_authority: bool) -> str:
    try:
        with path.open("rb") as file:
            file.read(1)
        if is_authority:
            ssl.create_default_context(cafile=path)
    except ssl.SSLError:
        return "has no certificates in PEM form"
    except OSError as fault:
        return f"cannot be read: {fault.strerror}. Correct the path, or the file's permissions"
    return ""


def _check_calibration(path: Path) -> Iterator[Fault]:
    try:
        loaded(path.read_bytes(), rules=RULES_VERSION)
    except BadCalibration as fault:
        yield Fault(variable("calibration"), f"{path}: {fault}. Run `acredita calibrate` again.")


def _check_embedding(path: Path) -> Iterator[Fault]:
    try:
        read_description(path, EmbeddingDescription)
    except ModelRefused as fault:
        yield Fault(
            variable("face_embedding"),
            f"{fault}. docs/compliance/recognition.md describes both files.",
        )


def _check_postal_codes(path: Path) -> Iterator[Fault]:
    try:
        parsed(path.read_bytes())
    except BadGazetteer as fault:
        yield Fault(
            variable("postal_codes"),
            f"{path}: {fault}. Name the text file of Correos de México as it was downloaded.",
        )


def _check_addresses(settings: Settings) -> Iterator[Fault]:
    if settings.base_url and not is_public_address(settings.base_url):
        yield Fault(variable("base_url"), f"{PUBLIC_FORM}.")
    if settings.host.count(":") == 1 or "/" in settings.host:
        yield Fault(
            variable("host"), f"is an address without port. The port is {variable('port')}."
        )
    if settings.metrics_port and settings.metrics_port == settings.port:
        yield Fault(
            variable("metrics_port"),
            f"is the same port as {variable('port')}. Set it to another one, such as 9464.",
        )
