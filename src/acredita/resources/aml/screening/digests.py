"""The digest of a record, which the audit log keeps."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import Any

import orjson
from sqlalchemy import RowMapping

from acredita.kit.clock import timestamp


def digest_of(
    row: Mapping[Any, Any] | RowMapping, question: dict[str, Any], answer: dict[str, Any]
) -> bytes:
    """SHA-256 over all columns of a record and its unsealed values.

    The sealed salt keeps a name from being guessed from the digest, which stays in the audit log.
    """
    return _digest(row, _digested_of_request(row), question, answer)


def digests_of(rows: Sequence[Mapping[str, Any]]) -> list[bytes]:
    """`digest_of` each row of one request."""
    shared = _digested_of_request(rows[0])
    return [_digest(row, shared, row["question"], row["answer"]) for row in rows]


def _digested_of_request(row: Mapping[Any, Any] | RowMapping) -> dict[str, Any]:
    moment = row["created_at"].astimezone(UTC).isoformat(timespec="microseconds")
    return _content_of_request(row) | {"screenedAt": moment}


def _digest(
    row: Mapping[Any, Any] | RowMapping,
    shared: Mapping[str, Any],
    question: dict[str, Any],
    answer: dict[str, Any],
) -> bytes:
    content = {**_own_content(row), **shared, "question": question, "answer": answer}
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).digest()


def content_of(row: Mapping[Any, Any] | RowMapping) -> dict[str, Any]:
    """What never changes of a record."""
    return _own_content(row) | _content_of_request(row)


def _own_content(row: Mapping[Any, Any] | RowMapping) -> dict[str, Any]:
    verification_id = row["verification_id"]
    return {
        "id": str(row["id"]),
        "verificationId": None if verification_id is None else str(verification_id),
        "totalMatches": row["matches"],
        "complete": row["is_complete"],
    }


def _content_of_request(row: Mapping[Any, Any] | RowMapping) -> dict[str, Any]:
    """What the records of one request have in common."""
    return {
        "screenedAt": timestamp(row["created_at"]),
        "caller": {"type": row["caller_type"], "id": str(row["caller_id"])},
        "lists": row["lists"],
        "threshold": row["threshold"],
        "engineVersion": row["engine_version"],
        "indexVersion": row["index_version"],
        "sandbox": row["is_sandbox"],
    }
