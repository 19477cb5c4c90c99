"""The names of document types in the compatible API, and the roles of their photos."""

from typing import Any

from acredita.domain.verification import DocumentRole

CARD, LICENCE, PASSPORT = "national-id", "driving-license", "passport"
PROOF = "proof-of-residency"
# A front and back may turn out to be a driver's licence.
TYPES = {
    DocumentRole.FRONT: CARD,
    DocumentRole.BACK: CARD,
    DocumentRole.PASSPORT: PASSPORT,
    DocumentRole.PROOF_OF_ADDRESS: PROOF,
}
# The role of a photo of a card by its page.
_PAGES = {"front": DocumentRole.FRONT, "back": DocumentRole.BACK}
# The role of the one photo of other documents by their type.
_SINGLE = {PASSPORT: DocumentRole.PASSPORT, PROOF: DocumentRole.PROOF_OF_ADDRESS}


def role_of_photo(data: dict[str, Any]) -> DocumentRole | None:
    """Return the role of an input's photo by its `type` and `page` (front by default), or None."""
    page = str(data.get("page", "front"))
    if data.get("type") in {CARD, LICENCE}:
        return _PAGES.get(page)
    return _SINGLE.get(str(data.get("type"))) if page == "front" else None
