"""GET /v1/verifications/{id}/links: other verifications with the same identifiers."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import orjson

from acredita.domain import search_keys
from acredita.domain.caller import Caller
from acredita.domain.phone_and_email import Channel
from acredita.domain.search_identifiers import IdentifierKind, identifiers_of
from acredita.kit.clock import timestamp
from acredita.kit.statement_pool import Reads
from acredita.models import VerificationStep
from acredita.ports import Secrets
from acredita.resources.verifications import queries, search
from acredita.resources.verifications.registry_claims import NAME_FIELDS
from acredita.resources.verifications.search_page import RAREST_GRAMS

MOST_LINKS = 100
EXTERNAL_ID = "EXTERNAL_ID"
OF_CHANNELS = {channel.value: kind for kind, channel in search.CHANNELS.items()}
OWN = (
    "SELECT name_words FROM verification_search WHERE organization_id = $1 AND verification_id = $2"
)
# The first part of the text is the external id, if the verification has one.
LINKED = f"""
    SELECT verification.id, status, external_id, verification.created_at, name_words
    FROM verification_search AS entry JOIN verification ON verification.id = entry.verification_id
    WHERE entry.organization_id = $1 AND entry.verification_id <> $2 AND (
        entry.name_words && $3::bigint[]
        OR (cardinality($5::bigint[]) > 0 AND entry.grams @> {RAREST_GRAMS.format(grams="$5")}
            AND split_part(entry.text, '{search_keys.BETWEEN}', 1) = $4)
    )
    ORDER BY verification.created_at DESC, verification.id LIMIT $6
"""  # noqa: S608 (constants)


async def linked_verifications(
    reads: Reads, services: Secrets, caller: Caller, verification_id: UUID
) -> list[dict[str, Any]]:
    """Return the VerificationLinks, newest first, at most MOST_LINKS. Raise NotFound."""
    row = await queries.get_verification(reads, caller, verification_id)
    own = await reads.row(OWN, caller.organization_id, verification_id)
    kinds = _kinds(services, caller.organization_id, row, set(own[0]) if own else set())
    external_id = row["external_id"]
    folded = search_keys.folded(external_id or "")
    found = await reads.rows(
        LINKED,
        caller.organization_id,
        verification_id,
        sorted(kinds),
        folded,
        sorted(search_keys.grams(folded, caller.organization_id)),
        MOST_LINKS,
    )
    linked = []
    for other_id, status, other_external_id, created_at, words in found:
        via = sorted({kinds[word].value for word in words if word in kinds})
        if external_id is not None and other_external_id == external_id:
            via.append(EXTERNAL_ID)
        if via:
            linked.append(
                {
                    "verificationId": str(other_id),
                    "status": status,
                    "createdAt": timestamp(created_at),
                    "via": via,
                }
            )
    return linked


def _kinds(
    services: Secrets, organization_id: UUID, row: Any, stored: set[int]
) -> dict[int, IdentifierKind]:
    """Return the kinds of the verification's identifiers, by their keyed hashes."""
    evidence: list[dict[str, Any]] = []
    confirmed = set()
    for step_id, _, _, _, _, result_sealed, evidence_sealed, _ in row["steps"]:
        evidence += VerificationStep.evidence.open(services.keys, step_id, evidence_sealed) or []
        result = VerificationStep.result.open(services.keys, step_id, result_sealed) or {}
        if result.get("channel") in OF_CHANNELS:
            confirmed.add(Channel(result["channel"]))
    metadata = orjson.loads(row["metadata"]) if row["metadata"] else {}
    known = search.identifiers_in_evidence(evidence) | set(identifiers_of(metadata))
    kinds = {
        search.hash_identifiers(services.signer, organization_id, [each])[0]: each[0]
        for each in known
    }
    if len(confirmed) == 1:
        # Of a confirmed phone or address, only the hash is kept.
        (channel,) = confirmed
        names = set(search.hash_names(services.signer, organization_id, _names(evidence)))
        kinds |= dict.fromkeys(stored - names - kinds.keys(), OF_CHANNELS[channel])
    return kinds


def _names(evidence: list[dict[str, Any]]) -> Iterator[str]:
    return (item["value"] for item in evidence if item["field"] in NAME_FIELDS)
