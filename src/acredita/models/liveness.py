"""Active liveness challenges."""

import zlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Identity,
    Index,
    LargeBinary,
    Text,
    UniqueConstraint,
    func,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from acredita.domain.liveness.challenge import PRINT_BYTES
from acredita.kit.sealed import Codec, Sealed, SealedBytes
from acredita.models.base import Record
from acredita.models.tenancy import Owned, refers_to


class LivenessChallenge(Owned, Record):
    """The requested moves and the frames of the answer. A challenge is answered once."""

    __tablename__ = "liveness_challenge"

    verification_id: Mapped[UUID] = refers_to("verification.id", ondelete="CASCADE")
    nonce_digest: Mapped[bytes]
    # In the order of the prompts: [{"id": "p2", "move": "smile", "still_ms": 800}, ...].
    prompts: Mapped[list[dict[str, Any]]]
    expires_at: Mapped[datetime]
    submitted_at: Mapped[datetime | None]
    # The document of the role `liveness` whose media are the frames; deleted with it.
    document_id: Mapped[UUID | None] = refers_to("document.id", ondelete="CASCADE")
    # The prompt of each frame, in the order of the frames.
    frame_prompts: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    frame_digests: Mapped[list[bytes] | None] = mapped_column(ARRAY(LargeBinary))
    # In the order on the screen, `#rrggbb`; None if the step requests no light.
    light_colours: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    # Whether a frame has the same bytes as an earlier one, of this challenge or of another of the
    # organization.
    repeats_frames: Mapped[bool | None]

    __table_args__ = (
        UniqueConstraint("document_id", "organization_id"),
        Index("ix_liveness_challenge_verification", "verification_id", "created_at"),
        Index(
            "ix_liveness_challenge_frames",
            "frame_digests",
            postgresql_using="gin",
        ),
    )


def _join(prints: Sequence[bytes]) -> bytes:
    return zlib.compress(b"".join(prints))


def _split(content: bytes) -> list[bytes]:
    joined = zlib.decompress(content)
    return [joined[at : at + PRINT_BYTES] for at in range(0, len(joined), PRINT_BYTES)]


FILM_PRINTS: Codec[list[bytes]] = Codec(_join, _split)


class LivenessFilm(Owned):
    """The fingerprint of a challenge's moving frames, deleted with the frames.

    An organization's films are numbered in the order of their commits, under its advisory lock. So
    each film is compared with all films of lower numbers.
    """

    __tablename__ = "liveness_film"

    challenge_id: Mapped[UUID] = refers_to(
        "liveness_challenge.id", ondelete="CASCADE", primary_key=True
    )
    number: Mapped[int] = mapped_column(BigInteger, Identity(always=True))
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    # Keyed hashes of the frames' codes, which identify no face without the key.
    marks: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    prints_sealed: Mapped[SealedBytes]
    prints = Sealed("liveness_film:{challenge_id}", FILM_PRINTS)

    __table_args__ = (
        # Every query would scan a pending list completely.
        Index(
            "ix_liveness_film_marks",
            "marks",
            postgresql_using="gin",
            postgresql_with={"fastupdate": "off"},
        ),
    )
