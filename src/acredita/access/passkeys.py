"""Passkeys: WebAuthn level 2, with discoverable credentials and user verification.

A passkey proves possession and, by PIN or biometrics, the person: it replaces the password and the
second factor. Only this file imports py_webauthn.
"""

import hashlib
import json
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, parse_client_data_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

NAME = "Acredita"
# What malformed answers of browsers raise in py_webauthn.
MALFORMED = (WebAuthnException, ValueError, KeyError, TypeError, AttributeError)


class InvalidPasskey(Exception):
    """The browser's answer is malformed, of another site, or wrongly signed."""


@dataclass(frozen=True, slots=True)
class NewPasskey:
    credential_id: bytes
    public_key: bytes
    sign_count: int


@dataclass(frozen=True, slots=True)
class Options:
    """What the browser is asked, and the digest of the challenge, which is used once."""

    public_key: dict[str, Any]
    challenge_digest: bytes


class RelyingParty:
    """This installation, as browsers know it: the host and the origin of its public URL."""

    def __init__(self, public_url: str) -> None:
        parts = urlsplit(public_url)
        self.id = parts.hostname or ""
        self._origin = f"{parts.scheme}://{parts.netloc}"

    @property
    def is_possible(self) -> bool:
        """Whether browsers accept passkeys here: not for an IP address."""
        try:
            ip_address(self.id)
        except ValueError:
            return True
        return False

    def registration_options(self, user_id: UUID, email: str, known: list[bytes]) -> Options:
        """Ask the browser for a new passkey. `known`: ids of the user's passkeys."""
        options = generate_registration_options(
            rp_id=self.id,
            rp_name=NAME,
            user_id=user_id.bytes,
            user_name=email,
            user_display_name=email,
            exclude_credentials=[PublicKeyCredentialDescriptor(id=each) for each in known],
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
        )
        return Options(json.loads(options_to_json(options)), digest_of(options.challenge))

    def sign_in_options(self) -> Options:
        """Ask the browser for any passkey of this site: nobody learns who has one."""
        options = generate_authentication_options(
            rp_id=self.id, user_verification=UserVerificationRequirement.REQUIRED
        )
        return Options(json.loads(options_to_json(options)), digest_of(options.challenge))

    def verify_registration(self, credential: dict[str, Any]) -> NewPasskey:
        """Return the passkey. Raise InvalidPasskey. The caller has checked the challenge."""
        try:
            found = verify_registration_response(
                credential=credential,
                expected_challenge=challenge_in(credential),
                expected_rp_id=self.id,
                expected_origin=self._origin,
                require_user_verification=True,
            )
        except MALFORMED as fault:
            raise InvalidPasskey from fault
        return NewPasskey(found.credential_id, found.credential_public_key, found.sign_count)

    def verify_sign_in(
        self, credential: dict[str, Any], *, public_key: bytes, sign_count: int
    ) -> int:
        """Return the new count of signatures. Raise InvalidPasskey, also for a cloned key.

        The caller has checked the challenge.
        """
        try:
            found = verify_authentication_response(
                credential=credential,
                expected_challenge=challenge_in(credential),
                expected_rp_id=self.id,
                expected_origin=self._origin,
                credential_public_key=public_key,
                credential_current_sign_count=sign_count,
                require_user_verification=True,
            )
        except MALFORMED as fault:
            raise InvalidPasskey from fault
        return found.new_sign_count


def challenge_in(credential: dict[str, Any]) -> bytes:
    """Return the challenge that a browser's answer names. Raise InvalidPasskey."""
    try:
        data = base64url_to_bytes(credential["response"]["clientDataJSON"])
        return parse_client_data_json(data).challenge
    except MALFORMED as fault:
        raise InvalidPasskey from fault


def credential_id_in(credential: dict[str, Any]) -> bytes:
    """Return the id of the passkey that a browser's answer names. Raise InvalidPasskey."""
    try:
        return base64url_to_bytes(credential["rawId"])
    except MALFORMED as fault:
        raise InvalidPasskey from fault


def digest_of(challenge: bytes) -> bytes:
    return hashlib.sha256(challenge).digest()
