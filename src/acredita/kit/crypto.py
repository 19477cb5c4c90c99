"""Encryption of data at rest (sealing) and keyed hashes.

A sealed value is `0x01 | length of key id | key id | nonce (12) | AES-256-GCM ciphertext and tag`.
The context (for example `verification_step:<id>`) is authenticated data, so that a sealed value
copied to another row does not open there.
"""

import base64
import binascii
import hashlib
import hmac
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.ciphers.modes import GCM

VERSION = 1
KEY_BYTES = 32
NONCE_BYTES = 12
TAG_BYTES = 16
# Of a file that may exceed the memory.
CHUNK_BYTES = 1 << 20


class CannotUnseal(Exception):
    """The key is not in the ring, the context differs, or the value was modified."""


@dataclass(frozen=True, slots=True)
class _Key:
    id: str
    cipher: AESGCM


def new_key(today: date) -> str:
    """Return a new key as `KeyRing.from_text` parses it. Its id says when it was made."""
    tail = os.urandom(2).hex()
    return f"k{today:%Y%m%d}{tail}:{base64.b64encode(os.urandom(KEY_BYTES)).decode()}"


class KeyRing:
    """Encryption keys, newest first. The first one seals, and each of them unseals."""

    def __init__(self, keys: dict[str, bytes]) -> None:
        if not keys:
            raise ValueError("at least one encryption key is required")
        for key_id, key in keys.items():
            if not key_id or len(key_id.encode()) > 255 or len(key) != KEY_BYTES:
                raise ValueError(f"encryption key {key_id!r} is not {KEY_BYTES} bytes long")
        self._keys = {key_id: AESGCM(key) for key_id, key in keys.items()}
        newest = next(iter(keys))
        self._newest = _Key(newest, self._keys[newest])
        self._mark = bytes((VERSION, len(newest.encode()))) + newest.encode()

    @property
    def newest(self) -> str:
        """The id of the key that seals new values."""
        return self._newest.id

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all keys, newest first."""
        return tuple(self._keys)

    @property
    def mark(self) -> bytes:
        """The first bytes of every value that the newest key sealed."""
        return self._mark

    @classmethod
    def from_text(cls, text: str) -> "KeyRing":
        """Parse `id:base64,id:base64`, newest first. Raise ValueError for any other form."""
        keys: dict[str, bytes] = {}
        for part in text.split(","):
            key_id, separator, encoded = part.strip().partition(":")
            try:
                key = base64.b64decode(encoded, validate=True)
            except binascii.Error:
                key = b""
            if not separator or key_id in keys or len(key) != KEY_BYTES:
                raise ValueError(
                    "encryption keys have the form `id:base64 of 32 bytes`, comma-separated"
                )
            keys[key_id] = key
        return cls(keys)

    def seal(self, plain: bytes, *, context: str) -> bytes:
        return self.seal_many([(plain, context)])[0]

    def seal_many(self, values: Sequence[tuple[bytes, str]]) -> list[bytes]:
        """Seal values, each with its context. One system call draws all nonces."""
        nonces, encrypt = os.urandom(NONCE_BYTES * len(values)), self._newest.cipher.encrypt
        sealed = []
        for place, (plain, context) in enumerate(values):
            nonce = nonces[place * NONCE_BYTES : (place + 1) * NONCE_BYTES]
            sealed.append(self._mark + nonce + encrypt(nonce, plain, context.encode()))
        return sealed

    def unseal(self, sealed: bytes, *, context: str) -> bytes:
        """Raise CannotUnseal unless the value was sealed by a key of this ring in this context."""
        try:
            version, length = sealed[0], sealed[1]
            cipher = self._keys[sealed[2 : 2 + length].decode()]
            start = 2 + length
            nonce, body = sealed[start : start + NONCE_BYTES], sealed[start + NONCE_BYTES :]
            if version != VERSION:
                raise CannotUnseal(f"unknown sealing version {version}")
            return cipher.decrypt(nonce, body, context.encode())
        except (IndexError, KeyError, ValueError, InvalidTag) as fault:
            raise CannotUnseal("a sealed value does not open") from fault


def encrypt_file(content: bytes, *, context: str) -> tuple[bytes, bytes]:
    """Encrypt with a new random data key. Return (data key, nonce | ciphertext)."""
    key, nonce = os.urandom(KEY_BYTES), os.urandom(NONCE_BYTES)
    return key, nonce + AESGCM(key).encrypt(nonce, content, context.encode())


def decrypt_file(key: bytes, encrypted: bytes, *, context: str) -> bytes:
    """Decrypt the result of `encrypt_file`. Raise CannotUnseal."""
    try:
        return AESGCM(key).decrypt(
            encrypted[:NONCE_BYTES], encrypted[NONCE_BYTES:], context.encode()
        )
    except (InvalidTag, ValueError) as fault:
        raise CannotUnseal("an encrypted file does not open") from fault


def encrypt_stream(source: BinaryIO, target: BinaryIO, *, context: str) -> bytes:
    """As `encrypt_file`, for content of any size. Return the data key."""
    key, nonce = os.urandom(KEY_BYTES), os.urandom(NONCE_BYTES)
    encryptor = Cipher(AES256(key), GCM(nonce)).encryptor()
    encryptor.authenticate_additional_data(context.encode())
    target.write(nonce)
    while chunk := source.read(CHUNK_BYTES):
        target.write(encryptor.update(chunk))
    target.write(encryptor.finalize() + encryptor.tag)
    return key


def decrypt_stream(key: bytes, source: BinaryIO, target: BinaryIO, *, context: str) -> None:
    """As `decrypt_file`, for content of any size. `source` is seekable.

    Raise CannotUnseal. What was written to `target` is then not authentic: delete it.
    """
    left = source.seek(0, os.SEEK_END) - NONCE_BYTES - TAG_BYTES
    source.seek(0)
    try:
        decryptor = Cipher(AES256(key), GCM(source.read(NONCE_BYTES))).decryptor()
        decryptor.authenticate_additional_data(context.encode())
        while left > 0:
            chunk = source.read(min(left, CHUNK_BYTES))
            target.write(decryptor.update(chunk))
            left -= len(chunk)
        target.write(decryptor.finalize_with_tag(source.read(TAG_BYTES)))
    except (InvalidTag, ValueError) as fault:
        raise CannotUnseal("an encrypted file does not open") from fault


def token_digest(token: str) -> bytes:
    """Return the form in which a random token is stored: its bits need no key and no salt."""
    return hashlib.sha256(token.encode()).digest()


class Signer:
    """HMAC-SHA256 with a key per purpose, derived from a secret (expand step of RFC 5869).

    The first secret makes digests; `matches` accepts digests of all secrets, for rotation.
    """

    def __init__(self, *secrets: str) -> None:
        if not secrets:
            raise ValueError("at least one secret is needed")
        self._secrets = tuple(secret.encode() for secret in secrets)

    def digest(self, purpose: str, message: bytes) -> bytes:
        return _keyed_hash(self._secrets[0], purpose, message)

    def matches(self, purpose: str, message: bytes, digest: bytes) -> bool:
        return any(
            hmac.compare_digest(_keyed_hash(secret, purpose, message), digest)
            for secret in self._secrets
        )


def _keyed_hash(secret: bytes, purpose: str, message: bytes) -> bytes:
    return hmac.digest(_key_for(secret, purpose), message, hashlib.sha256)


@lru_cache(maxsize=64)
def _key_for(secret: bytes, purpose: str) -> bytes:
    return hmac.digest(secret, b"acredita:" + purpose.encode() + b"\x01", hashlib.sha256)
