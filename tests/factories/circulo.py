"""Círculo de Crédito's API as its public clients know it: it verifies our signature over the bytes
of the body, checks headers and required fields, and signs its own answers."""

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from aiohttp import web
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.hazmat.primitives.serialization.pkcs12 import serialize_key_and_certificates
from pydantic import SecretStr

from acredita.providers.credit import CirculoAccess
from tests.factories.receiver import Behaviour, Receiver, serve

API_KEY, USERNAME, PASSWORD = "consumer-key", "CDC-USER", "cdc-password"
KEY_PASSWORD = "of the key"
REQUIRED = (
    "apellidoPaterno", "apellidoMaterno", "primerNombre", "fechaNacimiento", "RFC",
    "nacionalidad", "domicilio",
)  # fmt: skip
OF_ADDRESS = ("direccion", "coloniaPoblacion", "delegacionMunicipio", "ciudad", "estado", "CP")
ECDSA = ec.ECDSA(SHA256())
Change = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass
class Keys:
    """Ours and the bureau's, with the files that the settings name."""

    ours: ec.EllipticCurvePrivateKey
    theirs: ec.EllipticCurvePrivateKey
    key_file: Path
    certificate_file: Path

    def sign(self, body: bytes) -> str:
        return self.theirs.sign(body, ECDSA).hex()

    def verify(self, body: bytes, signature: str) -> bool:
        try:
            self.ours.public_key().verify(bytes.fromhex(signature), body, ECDSA)
        except (InvalidSignature, ValueError):
            return False
        return True


def make_keys(folder: Path) -> Keys:
    ours, theirs = (ec.generate_private_key(ec.SECP384R1()) for _ in range(2))
    keys = Keys(ours, theirs, folder / "ours.pem", folder / "circulo.pem")
    encryption = BestAvailableEncryption(KEY_PASSWORD.encode())
    keys.key_file.write_bytes(ours.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption))
    keys.certificate_file.write_bytes(certificate(theirs).public_bytes(Encoding.PEM))
    return keys


def certificate(key: Any) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "CDC")])
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=365))
        .sign(key, SHA256())
    )


def pem(key: Any) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def pkcs12(key: Any, password: str) -> bytes:
    encryption = BestAvailableEncryption(password.encode())
    return serialize_key_and_certificates(b"cdc", key, certificate(key), None, encryption)


def access(keys: Keys, url: str, **changes: Any) -> CirculoAccess:
    given = {
        "url": url,
        "api_key": SecretStr(API_KEY),
        "username": USERNAME,
        "password": SecretStr(PASSWORD),
        "key_file": keys.key_file,
        "key_password": SecretStr(KEY_PASSWORD),
        "certificate_file": keys.certificate_file,
    }
    return CirculoAccess(**given | changes)


def faithful(keys: Keys, change: Change = lambda report: report) -> Behaviour:
    """A bureau that has a file of everybody, changed by `change`."""

    async def respond(receiver: Receiver, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        headers = request.headers
        told = (headers.get("x-api-key"), headers.get("username"), headers.get("password"))
        if (request.method, request.path) != ("POST", "/v1/rcc-ficoscore-pld"):
            return signed(keys, 404, errors("404.1", "Recurso no encontrado."))
        if told != (API_KEY, USERNAME, PASSWORD):
            return signed(keys, 401, errors("401.2", "Acceso no autorizado."))
        if not keys.verify(body, headers.get("x-signature", "")):
            return signed(keys, 403, errors("403.1", "La firma no es válida."))
        asked = json.loads(body)
        if fault := fault_of(asked):
            return signed(keys, 400, errors("400.1", fault))
        if headers.get("x-full-report") != "true":
            return signed(keys, 200, json.dumps({"folioConsulta": "1"}).encode())
        return signed(keys, 200, json.dumps(change(report_of(asked))).encode())

    return respond


def fault_of(asked: dict[str, Any]) -> str | None:
    if lacking := [name for name in REQUIRED if not asked.get(name)]:
        return f'El campo "{lacking[0]}" no puede estar vacío.'
    if lacking := [name for name in OF_ADDRESS if not asked["domicilio"].get(name)]:
        return f'El campo "{lacking[0]}" no puede estar vacío.'
    names = [value for name, value in asked.items() if "ombre" in name or "apellido" in name]
    if not all(re.fullmatch("[A-Z .']+", name) for name in names):
        return "Caracteres no permitidos."
    return None


def errors(code: str, message: str) -> bytes:
    return json.dumps({"errores": [{"codigo": code, "mensaje": message}]}).encode()


def signed(keys: Keys, status: int, body: bytes = b"") -> web.Response:
    headers = {"x-signature": keys.sign(body)}
    return web.Response(
        status=status, body=body or None, headers=headers, content_type="application/json"
    )


def answer_signed(keys: Keys, status: int, body: bytes = b"") -> Behaviour:
    async def respond(receiver: Receiver, request: web.Request) -> web.StreamResponse:
        return signed(keys, status, body)

    return respond


def report_of(asked: dict[str, Any]) -> dict[str, Any]:
    return {
        "folioConsulta": "386636538",
        "folioConsultaOtorgante": "1000001",
        "claveOtorgante": "0000000001",
        "declaracionesConsumidor": "",
        "persona": {
            "apellidoPaterno": asked["apellidoPaterno"],
            "apellidoMaterno": asked["apellidoMaterno"],
            "nombres": asked["primerNombre"],
            "fechaNacimiento": asked["fechaNacimiento"],
            "RFC": asked["RFC"][:10],
            "CURP": asked.get("CURP", ""),
            "nacionalidad": "MX",
        },
        "consultas": [
            {"fechaConsulta": "2026-09-01", "nombreOtorgante": "BANCO", "importeCredito": 0.0},
            {"fechaConsulta": "2019-01-15", "nombreOtorgante": "TIENDA"},
        ],
        "creditos": [
            {
                "claveUnidadMonetaria": "MX",
                "fechaAperturaCuenta": "2014-03-02",
                "saldoActual": 18250.5,
                "saldoVencido": 0.0,
                "limiteCredito": 45000.0,
                "numeroPagosVencidos": 0,
                "registroImpugnado": 0,
                "nombreOtorgante": "BANCO",
                "historicoPagos": " V V V",
            },
            {
                "claveUnidadMonetaria": "MX",
                "fechaAperturaCuenta": "2020-06-30",
                "saldoActual": 1200.25,
                "saldoVencido": 900.1,
                "limiteCredito": 2000,
                "numeroPagosVencidos": 3,
                "registroImpugnado": "0001",
                "clavePrevencion": "FD",
            },
            {
                "claveUnidadMonetaria": "US",
                "fechaAperturaCuenta": "2012-01-01",
                "fechaCierreCuenta": "2013-01-01",
                "saldoActual": 0.0,
                "creditoMaximo": 500.0,
            },
        ],
        "domicilios": [{"direccion": "OTRA CALLE 1", "CP": "07730"}],
        "empleos": [{"nombreEmpresa": "SECRETA SA"}],
        "scores": [{"nombreScore": "FICO", "valor": 674, "razones": ["D8", "K0"]}],
        "mensajes": [
            {"tipoMensaje": 2, "leyenda": "No hit de otras SIC’s"},
            {"tipoMensaje": 3, "leyenda": "OFAC0001331021112026"},
            {"tipoMensaje": 3, "leyenda": "ABCDEF000000000000000001032017"},
        ],
    }


@asynccontextmanager
async def circulo(
    *script: Behaviour, otherwise: Behaviour | None = None
) -> AsyncIterator[Receiver]:
    receiver = Receiver(list(script))
    if otherwise is not None:
        receiver.otherwise = otherwise
    async with serve(receiver, None) as running:
        yield running
