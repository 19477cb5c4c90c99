"""Círculo de Crédito's adapter against a server that speaks the bureau's protocol."""

import json
from datetime import date
from decimal import Decimal

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from pydantic import SecretStr

from acredita.domain.credit.person import PostalAddress, Stated, prepare
from acredita.domain.credit.report import AlertCode, Score, summarize_accounts
from acredita.domain.identifiers.states import BY_CODE, STATES
from acredita.domain.names import PersonName
from acredita.kit.clock import SystemClock
from acredita.providers.credit import Failure, NotConsulted, OutcomeUnknown, open_credit
from acredita.providers.credit import circulo as adapter
from tests.factories.circulo import (
    KEY_PASSWORD,
    access,
    answer_signed,
    certificate,
    circulo,
    errors,
    faithful,
    make_keys,
    pem,
    pkcs12,
)
from tests.factories.receiver import answer, endless_body, hang, reset, slow_body

ADDRESS = PostalAddress(
    "Pasadizo Encontrado 58-B, int. 3",
    "Montevideo",
    "Gustavo A. Madero",
    "Ciudad de México",
    BY_CODE["DF"],
    "07730",
)
STATED = Stated(
    full_name="Juan Carlos Peña García",
    rfc="PEGJ650809JG1",
    names=PersonName("Juan Carlos", "Peña", "García"),
    date_of_birth="1965-08-09",
    address=ADDRESS,
    consent_reference="contrato-4711",
)
QUESTION = prepare(STATED, date(2026, 11, 21)).question


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    return make_keys(tmp_path_factory.mktemp("keys"))


def bureau_at(keys, url, *, timeout=5.0, **changes):
    settings = access(keys, url, **changes)
    return open_credit("circulo", clock=SystemClock(), circulo=settings, timeout=timeout)


async def consult(keys, *script, timeout=5.0, otherwise=None, **changes):
    async with (
        circulo(*script, otherwise=otherwise) as server,
        bureau_at(keys, server.url("", host="127.0.0.1"), timeout=timeout, **changes) as bureau,
    ):
        return await bureau.consult(QUESTION), server.received


async def test_a_faithful_bureau_is_asked_in_its_own_words_and_its_report_is_read(keys):
    report, received = await consult(keys, faithful(keys))
    assert json.loads(received[0].body) == {
        "apellidoPaterno": "PENA",
        "apellidoMaterno": "GARCIA",
        "primerNombre": "JUAN",
        "segundoNombre": "CARLOS",
        "fechaNacimiento": "1965-08-09",
        "RFC": "PEGJ650809JG1",
        "nacionalidad": "MX",
        "domicilio": {
            "direccion": "PASADIZO ENCONTRADO 58 B INT. 3",
            "coloniaPoblacion": "MONTEVIDEO",
            "delegacionMunicipio": "GUSTAVO A. MADERO",
            "ciudad": "CIUDAD DE MEXICO",
            "estado": "CDMX",
            "CP": "07730",
        },
    }
    assert report.folio == "386636538"
    assert report.scores == (Score("FICO", 674, ("D8", "K0")),)
    assert [alert.code for alert in report.alerts] == [
        AlertCode.LIST_MATCH,
        AlertCode.PREVENTION_KEY,
    ]
    assert [alert.source for alert in report.alerts] == ["OFAC", "FD"]
    summary = summarize_accounts(report.accounts)
    assert (summary.total, summary.open, summary.closed) == (3, 2, 1)
    assert (summary.past_due, summary.disputed, summary.most_payments_missed) == (1, 1, 3)
    assert summary.oldest_opened == date(2012, 1, 1)
    pesos, dollars = summary.amounts
    assert (pesos.currency, pesos.balance, pesos.past_due, pesos.credit_limit) == (
        "MX",
        Decimal("19450.75"),
        Decimal("900.1"),
        Decimal(47000),
    )
    assert (dollars.currency, dollars.balance) == ("US", 0)


async def test_the_signature_is_of_the_very_bytes_that_are_sent(keys):
    _, received = await consult(keys, faithful(keys))
    signature = received[0].headers["x-signature"]
    assert keys.verify(received[0].body, signature)
    assert not keys.verify(received[0].body + b" ", signature)
    assert bytes.fromhex(signature)[0] == 0x30, "DER"


async def test_a_person_with_one_surname_is_asked_about_as_the_bureau_prescribes():
    stated = Stated(full_name="Luis Peña", names=PersonName("Luis", "Peña"))
    question = prepare(stated, date(2026, 11, 21)).question
    assert adapter.person_names(question) == {
        "apellidoPaterno": "PENA",
        "apellidoMaterno": "NO PROPORCIONADO",
        "primerNombre": "LUIS",
    }


def test_every_state_has_a_name_at_the_bureau():
    assert set(adapter.STATES) == {state.code for state in STATES}
    assert len(set(adapter.STATES.values())) == len(STATES)


@pytest.mark.parametrize("status", [204, 404])
async def test_that_there_is_no_file_is_believed_from_the_bureau_itself(keys, status):
    body = errors("404.1", "No se encontró información.") if status == 404 else b""
    report, _ = await consult(keys, answer_signed(keys, status, body))
    assert report is None


@pytest.mark.parametrize(
    ("behaviour", "word"),
    [
        (answer(204), "unsigned"),
        (answer(404, b"<html>not found</html>"), "unsigned"),
        (answer(404, errors("404.1", "x"), x_signature="00"), "signature"),
        (answer(200, b'{"folioConsulta": "1"}'), "unsigned"),
        (answer(200, b'{"folioConsulta": "1"}', x_signature="not hexadecimal"), "signature"),
        (answer(200, b'{"folioConsulta": "1"}', x_signature="30" * 4000), "signature"),
    ],
)
async def test_what_the_bureau_did_not_sign_is_not_read(keys, behaviour, word):
    with pytest.raises(OutcomeUnknown) as fault:
        await consult(keys, behaviour)
    assert (fault.value.failure, fault.value.word) == (Failure.NOT_AUTHENTIC, word)


async def test_an_answer_that_was_changed_on_its_way_is_not_read(keys):
    async def tampered(receiver, request):
        response = await faithful(keys)(receiver, request)
        changed = response.body.replace(b"674", b"850")
        response.body = changed
        return response

    with pytest.raises(OutcomeUnknown) as fault:
        await consult(keys, tampered)
    assert fault.value.failure is Failure.NOT_AUTHENTIC


async def test_the_signature_of_another_key_is_not_the_bureaus(keys, tmp_path):
    others = make_keys(tmp_path)
    with pytest.raises(OutcomeUnknown) as fault:
        await consult(keys, answer_signed(others, 200, b'{"folioConsulta": "1"}'))
    assert fault.value.failure is Failure.NOT_AUTHENTIC


@pytest.mark.parametrize(
    ("status", "failure"),
    [
        (400, Failure.REFUSED),
        (401, Failure.CREDENTIALS),
        (403, Failure.CREDENTIALS),
        (422, Failure.REFUSED),
        (429, Failure.BUSY),
        (503, Failure.UNAVAILABLE),
        (302, Failure.REFUSED),
        (402, Failure.REFUSED),
    ],
)
async def test_a_refusal_means_that_nobody_was_consulted(keys, status, failure):
    with pytest.raises(NotConsulted) as fault:
        await consult(keys, answer(status, Location="https://elsewhere.example/"))
    assert (fault.value.failure, fault.value.word) == (failure, f"status_{status}")


async def test_a_key_that_the_bureau_does_not_know_is_refused_by_it(keys, tmp_path):
    stranger = make_keys(tmp_path)
    with pytest.raises(NotConsulted) as fault:
        await consult(keys, faithful(keys), key_file=stranger.key_file)
    assert fault.value.failure is Failure.CREDENTIALS


@pytest.mark.parametrize("status", [500, 502, 504])
async def test_after_an_error_of_the_bureau_nobody_knows(keys, status):
    with pytest.raises(OutcomeUnknown) as fault:
        await consult(keys, answer(status))
    assert fault.value.failure is Failure.NO_ANSWER


@pytest.mark.parametrize("behaviour", [hang, reset, slow_body])
async def test_after_an_exchange_that_broke_off_nobody_knows(keys, behaviour):
    with pytest.raises(OutcomeUnknown) as fault:
        await consult(keys, behaviour, timeout=0.5)
    assert fault.value.failure is Failure.NO_ANSWER


async def test_a_bureau_that_is_not_there_was_not_consulted(keys):
    async with bureau_at(keys, "http://127.0.0.1:9") as bureau:
        with pytest.raises(NotConsulted) as fault:
            await bureau.consult(QUESTION)
    assert fault.value.failure is Failure.UNAVAILABLE


async def test_an_endless_answer_is_read_no_further_than_its_bound(keys):
    with pytest.raises(OutcomeUnknown) as fault:
        await consult(keys, endless_body, timeout=20.0)
    assert (fault.value.failure, fault.value.word) == (Failure.INVALID_ANSWER, "too_large")


async def test_a_long_report_is_read(keys):
    def with_many(report):
        return report | {"creditos": report["creditos"] * 1000}

    report, _ = await consult(keys, faithful(keys, with_many))
    assert len(report.accounts) == 3000


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"[]",
        b"{}",
        b'{"folioConsulta": ""}',
        b'{"folioConsulta": "1", "creditos": [{"saldoActual": "mucho"}]}',
        b'{"folioConsulta": "1", "creditos": [{"saldoActual": NaN}]}',
        b'{"folioConsulta": "1", "creditos": [{"numeroPagosVencidos": -1}]}',
        b'{"folioConsulta": "1", "scores": [{"nombreScore": "FICO", "valor": 99999}]}',
        b'{"folioConsulta": "1", "persona": {"fechaNacimiento": "ayer"}}',
    ],
)
async def test_a_signed_answer_that_makes_no_sense_is_no_report(keys, body):
    with pytest.raises(OutcomeUnknown) as fault:
        await consult(keys, answer_signed(keys, 200, body))
    assert fault.value.failure is Failure.INVALID_ANSWER
    assert "mucho" not in str(fault.value)
    assert "ayer" not in str(fault.value)


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({"fechaNacimiento": "1965-08-10T00:00:00"}, [("ANOTHER_PERSON", "dateOfBirth")]),
        ({"RFC": "PEGJ650810"}, [("ANOTHER_PERSON", "rfc")]),
        ({"fechaDefuncion": "2020-01-01"}, [("DECEASED", None)]),
        ({"RFC": "", "fechaNacimiento": None}, []),
    ],
)
async def test_a_file_of_somebody_else_or_of_the_dead_is_an_alert(keys, changes, codes):
    def changed(report):
        return report | {
            "persona": report["persona"] | changes,
            "mensajes": [],
            "creditos": [],
        }

    report, _ = await consult(keys, faithful(keys, changed))
    assert [(alert.code, alert.source) for alert in report.alerts] == codes


async def test_a_blocked_file_is_an_alert_and_a_score_of_zero_is_none(keys):
    def changed(report):
        return {
            "folioConsulta": "7",
            "scores": [{"nombreScore": "FICO", "valor": 0}],
            "mensajes": [{"tipoMensaje": 1, "leyenda": "Expediente bloqueado"}],
        }

    report, _ = await consult(keys, faithful(keys, changed))
    assert [alert.code for alert in report.alerts] == [AlertCode.FILE_BLOCKED]
    assert report.scores == (Score("FICO", None),)


async def test_keys_are_read_from_pem_and_pkcs12_and_certificates_from_der(keys, tmp_path):
    bag, bare, der = tmp_path / "a.p12", tmp_path / "a.pem", tmp_path / "a.der"
    bag.write_bytes(pkcs12(keys.ours, KEY_PASSWORD))
    bare.write_bytes(pem(keys.ours))
    der.write_bytes(certificate(keys.theirs).public_bytes(Encoding.DER))
    for changes in (
        {"key_file": bag},
        {"key_file": bare, "key_password": SecretStr("")},
        {"certificate_file": der},
    ):
        report, _ = await consult(keys, faithful(keys), **changes)
        assert report.folio == "386636538"


@pytest.mark.parametrize(
    "changes",
    [
        {"url": "not an address"},
        {"url": "https://bureau.example/?key=1"},
        {"api_key": SecretStr("")},
        {"username": ""},
        {"password": SecretStr("line\nbreak")},
        {"key_file": None},
        {"certificate_file": None},
        {"key_password": SecretStr("another")},
        {"key_file": "missing"},
        {"key_file": "rsa"},
        {"key_file": "p256"},
        {"certificate_file": "rsa certificate"},
        {"certificate_file": "rubbish"},
    ],
)
async def test_a_bureau_that_cannot_work_does_not_open(keys, tmp_path, changes):
    rsa_key = rsa.generate_private_key(65537, 2048)
    files = {
        "missing": None,
        "rsa": pem(rsa_key),
        "p256": pem(ec.generate_private_key(ec.SECP256R1())),
        "rsa certificate": certificate(rsa_key).public_bytes(Encoding.PEM),
        "rubbish": b"rubbish",
    }
    for name, given in changes.items():
        if given in files:
            file = tmp_path / "file"
            if files[given] is not None:
                file.write_bytes(files[given])
            no_password = SecretStr("") if name == "key_file" else SecretStr(KEY_PASSWORD)
            changes = {name: file, "key_password": no_password}
    url = changes.pop("url", "https://bureau.example")
    with pytest.raises(ValueError, match=r".") as fault:
        async with bureau_at(keys, url, **changes):
            pass
    assert "line\nbreak" not in str(fault.value)
