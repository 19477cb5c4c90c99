"""Pictures of invented people, for trials in development: acredita-synthetic draws them."""

from datetime import date
from functools import lru_cache

import cv2

from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.states import State
from acredita.domain.names import PersonName
from acredita.domain.verification import DocumentRole
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.faces.pictures import draw_selfie
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import known_person
from acredita_synthetic.specimens import document_picture

SIDES = {DocumentRole.FRONT: SpecimenKind.INE_FRONT, DocumentRole.BACK: SpecimenKind.INE_BACK}


@lru_cache(maxsize=24)
def draw(
    role: DocumentRole,
    name: PersonName,
    birth_date: date,
    sex: Sex,
    birth_state: State,
    cic: str | None,
    on: date,
) -> bytes:
    """Return a JPEG: a side of the person's voter card, valid on the day `on`, or a selfie.

    Takes about a second of the processor.
    """
    person = known_person(name, birth_date, sex, birth_state, cic=cic, on=on)
    if role in SIDES:
        return document_picture(SIDES[role], person)
    _, data = cv2.imencode(".jpg", draw_selfie(face_of(person), 1))
    return data.tobytes()
