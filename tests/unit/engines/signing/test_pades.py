"""The seal on a PDF, judged by pyHanko's validation and by poppler's pdfsig."""

import asyncio
import io
import random
import shutil
import stat
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from asn1crypto import x509 as asn1
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import NameOID
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import DocumentSecurityStore, async_validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

from acredita.engines.signing.composition import compose
from acredita.engines.signing.package import (
    Attachment,
    Certificate,
    ContentFormat,
    Level,
    Package,
    PackageDocument,
)
from acredita.engines.signing.seal import Seal, SealFiles
from acredita.engines.signing.signing_certificate import BadIdentity
from acredita.kit.development_authority import DevelopmentAuthority, development_authority
from acredita.providers.timestamps.sandbox import SandboxTimestamps

CONTENT = "Las partes acuerdan: año, cigüeña."


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("authority") / "keys"


@pytest.fixture(scope="module")
def authority(folder) -> DevelopmentAuthority:
    return development_authority(folder)


@pytest.fixture(scope="module")
def pdf() -> bytes:
    document = PackageDocument("Contrato", CONTENT, ContentFormat.TEXT, "0f" * 32)
    return compose(Package("id", (document,), "Ana", b"", Certificate((), ()))).pdf


async def seal(pdf: bytes, files: SealFiles, **options):
    opened = Seal(files)
    timestamps = SandboxTimestamps(files.development_folder)

    async def stamp(digest: bytes) -> bytes:
        return (await timestamps.stamp(digest)).token

    try:
        return await opened.sign(
            pdf,
            [Attachment("documento-1.txt", "Contrato", CONTENT.encode())],
            reason="Firma electrónica de Ana",
            stamp=options.get("stamp", stamp),
        )
    finally:
        opened.close()


@pytest.fixture(scope="module")
def sealed(pdf, folder, authority) -> bytes:
    signed = asyncio.run(seal(pdf, SealFiles(folder)))
    assert signed.level is Level.B_LT
    return signed.content


def trusting(authority: DevelopmentAuthority, **options) -> ValidationContext:
    root = authority.root.certificate.public_bytes(serialization.Encoding.DER)
    return ValidationContext(trust_roots=[asn1.Certificate.load(root)], **options)


async def judge(content: bytes, context: ValidationContext):
    (signature,) = PdfFileReader(io.BytesIO(content)).embedded_signatures
    return await async_validate_pdf_signature(signature, context, context)


async def test_the_seal_is_valid_stamped_and_over_the_whole_file(sealed, authority):
    status = await judge(sealed, trusting(authority))
    assert status.bottom_line
    assert status.coverage.name == "ENTIRE_FILE"
    assert status.docmdp_ok
    assert status.timestamp_validity.valid
    assert status.timestamp_validity.trusted
    assert datetime.now(UTC) - status.timestamp_validity.timestamp < timedelta(minutes=1)


async def test_revocation_can_be_judged_by_the_file_alone(sealed, authority):
    store = DocumentSecurityStore.read_dss(PdfFileReader(io.BytesIO(sealed)))
    root = authority.root.certificate.public_bytes(serialization.Encoding.DER)
    context = store.as_validation_context(
        {
            "trust_roots": [asn1.Certificate.load(root)],
            "allow_fetching": False,
            "revocation_mode": "require",
        }
    )
    assert (await judge(sealed, context)).bottom_line
    unaided = trusting(authority, crls=[], allow_fetching=False, revocation_mode="require")
    assert not (await judge(sealed, unaided)).bottom_line


async def test_who_does_not_trust_the_authority_sees_that_it_is_not_trusted(sealed):
    status = await judge(sealed, ValidationContext(trust_roots=[]))
    assert status.intact
    assert status.valid
    assert not status.trusted


@pytest.mark.parametrize("tried", [15, pytest.param(60, marks=pytest.mark.thorough)])
async def test_any_flipped_byte_is_detected(sealed, authority, tried):
    """This excludes the place of the signature itself, because nothing covers its padding."""
    begins = sealed.index(b"/Contents <") + len(b"/Contents ")
    ends = sealed.index(b">", begins)
    rng = random.Random(7)
    places = [rng.randrange(len(sealed)) for _ in range(tried)]
    for place in (0, len(sealed) // 2, len(sealed) - 3, *places):
        if begins <= place <= ends:
            continue
        broken = bytearray(sealed)
        broken[place] ^= 0x01
        try:
            status = await judge(bytes(broken), trusting(authority))
        except Exception:  # noqa: S112 (no PDF any more, or no signature)
            continue
        assert not status.bottom_line, place


def test_the_exact_texts_are_attached(sealed):
    reader = PdfFileReader(io.BytesIO(sealed))
    name, reference = reader.root["/Names"]["/EmbeddedFiles"]["/Names"]
    assert name == "documento-1.txt"
    assert reference.get_object()["/EF"]["/F"].data == CONTENT.encode()


def test_poppler_finds_the_seal_valid_and_a_changed_file_not(sealed, tmp_path):
    if shutil.which("pdfsig") is None:
        pytest.skip("pdfsig (poppler-utils) is not installed")

    def verdict(content: bytes) -> str:
        file = tmp_path / "signed.pdf"
        file.write_bytes(content)
        command = ["pdfsig", "-nocert", str(file)]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    said = verdict(sealed)
    assert "Signature Validation: Signature is Valid." in said
    assert "Total document signed" in said
    assert "ETSI.CAdES.detached" in said
    changed = sealed.replace(b"/Pages", b"/Qages", 1)
    assert "Signature is Valid" not in verdict(changed)


async def test_a_stamp_that_fails_leaves_nothing_signed(pdf, folder):
    class Away(Exception):
        pass

    async def stamp(digest: bytes) -> bytes:
        raise Away

    with pytest.raises(Away):
        await seal(pdf, SealFiles(folder), stamp=stamp)


def own_certificate() -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Banco Uno")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(4711)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=9))
        .add_extension(
            x509.KeyUsage(
                digital_signature=True,
                content_commitment=True,
                key_encipherment=False,
                data_encipherment=False,
                key_agreement=False,
                key_cert_sign=False,
                crl_sign=False,
                encipher_only=False,
                decipher_only=False,
            ),
            critical=True,
        )
        .sign(key, hashes.SHA256())
    )
    return key, certificate


@pytest.mark.parametrize("form", ["pem", "pkcs12"])
async def test_the_operators_own_certificate_signs_from_pem_and_from_pkcs12(
    pdf, folder, authority, tmp_path, form
):
    key, certificate = own_certificate()
    secret = serialization.BestAvailableEncryption(b"secreto")
    file, key_file = tmp_path / "own", tmp_path / "own.key"
    if form == "pem":
        file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        key_file.write_bytes(
            key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, secret)
        )
    else:
        file.write_bytes(
            pkcs12.serialize_key_and_certificates(b"x", key, certificate, None, secret)
        )
    files = SealFiles(folder, file, key_file if form == "pem" else None, "secreto", trusted=None)
    signed = await seal(pdf, files)
    # Nothing is known of its revocation.
    assert signed.level is Level.B_T
    own = asn1.Certificate.load(certificate.public_bytes(serialization.Encoding.DER))
    root = asn1.Certificate.load(
        authority.root.certificate.public_bytes(serialization.Encoding.DER)
    )
    status = await judge(signed.content, ValidationContext(trust_roots=[own, root]))
    assert status.bottom_line
    assert status.signing_cert.subject.native["common_name"] == "Banco Uno"


async def test_files_that_do_not_belong_together_are_refused_without_being_quoted(folder, tmp_path):
    key, _ = own_certificate()
    _, other = own_certificate()
    file, key_file = tmp_path / "own.pem", tmp_path / "own.key"
    file.write_bytes(other.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    for files in (
        SealFiles(folder, file, key_file),
        SealFiles(folder, file),
        SealFiles(folder, key_file, file),
        SealFiles(folder, tmp_path / "absent.p12"),
    ):
        with pytest.raises(BadIdentity) as refusal:
            await Seal(files).name()
        assert "PRIVATE" not in str(refusal.value)


def test_the_development_authority_says_what_it_is_and_keeps_its_keys_to_itself(folder, authority):
    for pair in (authority.root, authority.signer, authority.timestamps):
        assert "not trusted" in pair.certificate.subject.rfc4514_string()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}


def test_processes_that_make_it_at_once_agree_on_one(tmp_path):
    code = (
        "import sys; from pathlib import Path;"
        "from acredita.kit.development_authority import development_authority;"
        "print(development_authority(Path(sys.argv[1])).root.certificate.serial_number)"
    )
    import sys

    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / "keys")], stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    answers = {process.communicate(timeout=60)[0] for process in processes}
    assert len(answers) == 1
    assert answers.pop().strip().isdecimal()
    assert [entry.name for entry in tmp_path.iterdir()] == ["keys"]
