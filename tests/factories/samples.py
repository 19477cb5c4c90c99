"""Ground truth, made over HTTP with small pictures."""

import io
import json
from typing import Any

from PIL import Image

from tests.factories.organizations import Member

LICENCES, SELFIES = "/v1/dl-groundtruth", "/v1/selfie-groundtruth"
STATES = "/v1/dl-state-groundtruth"
KNOWN = {"documentNumber": "R0012345", "dateOfBirth": "1990-05-17"}
TEMPLATE = {
    "id": "JC-propia",
    "state": "JC",
    "issuers": ["GOBIERNO DEL ESTADO DE JALISCO"],
    "fields": {"documentNumber": {"captions": ["FOLIO"], "shapes": ["A9999999"]}},
}
LICENCE = {"state": "JC", "fields": KNOWN, "notes": "Lote uno"}
SELFIE = {"isSamePerson": True, "notes": "Lote uno"}


def picture() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (64, 40)).save(file, "PNG")
    return file.getvalue()


async def add_licence(member: Member, content: bytes | None = None, **truth: Any) -> dict[str, Any]:
    answer = await member.post(
        f"{LICENCES}/upload",
        files={"document": ("a.png", content or picture())},
        data={"truth": json.dumps(LICENCE | truth)},
    )
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


async def add_selfie(
    member: Member, selfie: bytes | None = None, document: bytes | None = None, **truth: Any
) -> dict[str, Any]:
    answer = await member.post(
        f"{SELFIES}/upload",
        files={
            "selfie": ("a.png", selfie or picture()),
            "document": ("b.png", document or picture()),
        },
        data={"truth": json.dumps(SELFIE | truth)},
    )
    assert answer.status_code == 201, answer.text
    return dict(answer.json())
