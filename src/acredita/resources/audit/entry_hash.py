"""The hash of an entry in its chain: an HMAC over the previous hash and the entry's content.

The key is derived from the service's secret, which is not in the database. So an editor of the
database cannot compute the hashes of a changed chain. Entries of
former releases have SHA-256 without a key; a head that the migration signed covers them.
"""

from sqlalchemy import RowMapping

from acredita.domain.audit import Entry, chained_content, hash_of
from acredita.kit.crypto import Signer

PURPOSE = "audit-chain"


def keyed_hash(signer: Signer, previous: bytes, row: RowMapping) -> bytes:
    """Return 32 bytes. `previous`: the hash of the entry before it, START for the first."""
    return signer.digest(PURPOSE, chained_content(previous, _entry(row)))


def is_keyed(signer: Signer, previous: bytes, row: RowMapping) -> bool:
    """Whether the row's hash is the keyed one of its content."""
    return signer.matches(PURPOSE, chained_content(previous, _entry(row)), row["hash"])


def is_plain(previous: bytes, row: RowMapping) -> bool:
    """Whether the row's hash is the former one, without a key, of its content."""
    return bool(hash_of(previous, _entry(row)) == row["hash"])


def _entry(row: RowMapping) -> Entry:
    return Entry(
        id=row["id"],
        organization_id=row["organization_id"],
        actor_type=row["actor_type"],
        actor_id=row["actor_id"],
        action=row["action"],
        resource_type=row["resource_type"],
        resource_id=row["resource_id"],
        details=row["details"],
        created_at=row["created_at"],
    )
