"""What a person can do when a step could not use their picture: in Spanish and in English.

Written for whoever holds the phone: one thing to do, no blame, no word of how it is measured.
A code has no advice where no other picture would change anything.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from acredita.domain.documents import Code as Document
from acredita.domain.faces import Code as Face
from acredita.domain.liveness import Code as Liveness


@dataclass(frozen=True, slots=True)
class Advice:
    """The same advice in each language that the service speaks to people."""

    es: str
    en: str


def advice(code: str | None) -> Advice | None:
    """What the person may do about a step's code; None where nothing is for them to do."""
    return None if code is None else _ADVICE.get(code)


_ADVICE: Final[Mapping[str, Advice]] = {
    Document.BLACK_AND_WHITE_COPY: Advice(
        "Toma la foto de tu documento original, a color. Una copia en blanco y negro no sirve.",
        "Photograph your original document, in colour. A black-and-white copy will not do.",
    ),
    Document.DOCUMENT_CUT_OFF: Advice(
        "Aleja un poco la cámara: tienen que verse las cuatro esquinas.",
        "Move the camera back a little: all four corners have to be in the picture.",
    ),
    Document.DOCUMENT_EXPIRED: Advice(
        "Este documento ya venció. Usa uno vigente.",
        "This document has expired. Please use one that is still valid.",
    ),
    Document.DOCUMENT_LAYOUT_UNKNOWN: Advice(
        "No conocemos este modelo de licencia. Usa tu credencial del INE o tu pasaporte mexicano.",
        "We do not know this kind of licence. Please use your INE card or your Mexican passport.",
    ),
    Document.DOCUMENT_NOT_RECOGNIZED: Advice(
        "No encontramos tu documento en la foto. Ponlo sobre una mesa lisa y que llene la imagen.",
        "We could not find your document. Lay it on a plain table and let it fill the picture.",
    ),
    Document.DOCUMENT_NOT_SUPPORTED: Advice(
        "No podemos leer este documento. Usa tu credencial del INE o tu pasaporte mexicano.",
        "We cannot read this document. Please use your INE card or your Mexican passport.",
    ),
    Document.DOCUMENT_UNREADABLE: Advice(
        "No pudimos leer todos los datos. Toma otra foto, con buena luz y sin moverte.",
        "We could not read all of it. Take another picture, in good light and without moving.",
    ),
    Document.FIELDS_UNCERTAIN: Advice(
        "Algunos datos no se leen bien. Acerca la cámara y busca una luz pareja.",
        "Some details are hard to read. Bring the camera closer, in even light.",
    ),
    Document.IMAGE_BLURRED: Advice(
        "La foto salió borrosa. Sostén firme el teléfono y espera a que enfoque.",
        "The picture is blurred. Hold your phone still and wait until it focuses.",
    ),
    Document.IMAGE_GLARE: Advice(
        "Evita el reflejo: inclina un poco el documento o aléjate de la lámpara.",
        "Avoid the reflection: tilt the document a little, or move away from the lamp.",
    ),
    Document.IMAGE_OVEREXPOSED: Advice(
        "Hay demasiada luz. Apaga el flash y busca un poco de sombra.",
        "There is too much light. Turn off the flash and find a little shade.",
    ),
    Document.IMAGE_TOO_DARK: Advice(
        "Falta luz. Acércate a una ventana o enciende una lámpara.",
        "There is too little light. Go near a window or turn on a lamp.",
    ),
    Document.IMAGE_TOO_SMALL: Advice(
        "Acerca la cámara al documento hasta que llene la imagen.",
        "Bring the camera closer, until the document fills the picture.",
    ),
    Document.PAGE_NOT_CONFIRMED: Advice(
        "No pudimos comprobar que esta página sea tuya. Toma otra foto, nítida y completa.",
        "We could not confirm that this page is yours. Take another picture, sharp and complete.",
    ),
    Document.PAGE_NOT_RECOGNIZED: Advice(
        "Una de las fotos no muestra un documento que conozcamos. Tómala de nuevo.",
        "One of the pictures shows no document that we know. Please take it again.",
    ),
    Document.SCREEN_PHOTOGRAPHED: Advice(
        "Toma la foto del documento mismo, no de una pantalla.",
        "Photograph the document itself, not a screen.",
    ),
    Document.SEVERAL_DOCUMENTS: Advice(
        "Deja un solo documento en la imagen y toma la foto de cada lado por separado.",
        "Leave one document only in the picture, and photograph each side by itself.",
    ),
    Document.WRONG_DOCUMENT: Advice(
        "Este no es el documento que pedimos. Revisa cuál es y toma la foto de nuevo.",
        "This is not the document we asked for. Check which one it is and try again.",
    ),
    Document.WRONG_SIDE: Advice(
        "Es el otro lado. Voltea tu documento y toma la foto de nuevo.",
        "This is the other side. Turn your document over and take the picture again.",
    ),
    Face.PORTRAIT_NOT_FOUND: Advice(
        "No vemos la foto de tu documento. Fotografía el lado que tiene tu retrato, sin taparlo.",
        "We cannot see the photo on your document. Show the side with your portrait, uncovered.",
    ),
    Face.PORTRAIT_TOO_SMALL: Advice(
        "Acerca la cámara al documento: tu retrato se ve muy pequeño.",
        "Bring the camera closer to the document: your portrait is too small.",
    ),
    Face.PORTRAIT_BLURRED: Advice(
        "El retrato del documento salió borroso. Sostén firme el teléfono y toma otra foto.",
        "The portrait on the document is blurred. Hold your phone still and try again.",
    ),
    Face.SELFIE_SHOWS_DOCUMENT: Advice(
        "Tómate la foto a ti, sin tu documento en la imagen.",
        "Take the picture of yourself, without your document in it.",
    ),
    Face.FACE_NOT_FOUND: Advice(
        "No vemos tu cara. Mira de frente a la cámara, sin lentes oscuros ni cubrebocas.",
        "We cannot see your face. Look at the camera, without dark glasses or a mask.",
    ),
    Face.SEVERAL_FACES: Advice(
        "Solo tú puedes salir en la foto. Busca un fondo sin otras personas.",
        "Only you may be in the picture. Find a place with nobody behind you.",
    ),
    Face.FACE_TOO_SMALL: Advice(
        "Acércate: tu cara se ve muy pequeña.",
        "Come closer: your face is too small in the picture.",
    ),
    Face.FACE_BLURRED: Advice(
        "La foto salió borrosa. Sostén firme el teléfono y busca mejor luz.",
        "The picture is blurred. Hold your phone still, in better light.",
    ),
    Liveness.LIVENESS_NOT_PROVEN: Advice(
        "Necesitamos verte en vivo: abre la cámara y sigue los movimientos.",
        "We need to see you live: open the camera and follow the movements.",
    ),
    Liveness.LIVENESS_FACE_NOT_FOUND: Advice(
        "Mantén toda tu cara dentro del marco hasta el final, con buena luz.",
        "Keep your whole face in the frame until the end, in good light.",
    ),
    Liveness.LIVENESS_SEVERAL_FACES: Advice(
        "Solo tú puedes salir en la imagen. Busca un lugar donde estés a solas.",
        "Only you may be in the picture. Find a place where you are alone.",
    ),
    Liveness.LIVENESS_FRAMES_DISORDERED: Advice(
        "Haz cada movimiento una sola vez, despacio, y vuelve a mirar de frente.",
        "Make each movement once, slowly, and look straight ahead again.",
    ),
    Liveness.LIVENESS_TOO_FAST: Advice(
        "Ve con calma: lee cada indicación y luego muévete.",
        "Take your time: read each instruction, then move.",
    ),
    Liveness.LIVENESS_MOVE_NOT_SEEN: Advice(
        "Haz cada movimiento más claro, con la cara bien iluminada.",
        "Make each movement clearer, with your face well lit.",
    ),
    Liveness.LIVENESS_LIGHT_NOT_SEEN: Advice(
        "Sube el brillo de la pantalla, acércate y busca un lugar con menos luz.",
        "Turn up your screen's brightness, come closer, and find a place with less light.",
    ),
}

UNADVISED: Final = frozenset(
    {
        # What the document says, and who is in the pictures, no better picture changes; nor is a
        # forger to be told what gave the forgery away.
        Document.DOCUMENTS_OF_DIFFERENT_PEOPLE,
        Document.FIELDS_CONTRADICT,
        Document.TAMPERING_SUSPECTED,
        Face.FACE_MISMATCH,
        Face.FACE_UNCERTAIN,
        Face.PORTRAITS_DIFFER,
        Face.SELFIE_COPIES_PORTRAIT,
        Liveness.LIVENESS_FACE_CHANGED,
        Liveness.LIVENESS_SELFIE_MISMATCH,
        Liveness.LIVENESS_FRAMES_REPEATED,
        Liveness.LIVENESS_SPOOF_SUSPECTED,
        Liveness.LIVENESS_LIGHT_DIFFERS,
    }
)

# What fails its step: no retake follows.
_FAILING: Final = frozenset(
    {
        Document.DOCUMENT_EXPIRED,
        Liveness.LIVENESS_SEVERAL_FACES,
        Liveness.LIVENESS_FRAMES_DISORDERED,
        Liveness.LIVENESS_TOO_FAST,
        Liveness.LIVENESS_MOVE_NOT_SEEN,
    }
)
RETAKES: Final = frozenset(_ADVICE) - _FAILING
"""The codes of a step in REVIEW that another picture may help: what could not be read or used.

None of them is a doubt about the person. A doubt is for a reviewer, not for another try.
"""
