"""How the details of an entry are written."""

from uuid import UUID

from acredita.domain.audit import canonical
from acredita.resources.audit.service import details_of


def test_details_are_canonical_json():
    details = details_of(
        resource_id=UUID(int=7), digest=b"\x00\xff", a_count=3, is_open=True, reasons=["A_B", None]
    )
    assert details == canonical({
        "resourceId": str(UUID(int=7)),
        "digest": "00ff",
        "aCount": 3,
        "isOpen": True,
        "reasons": ["A_B", None],
    })  # fmt: skip
