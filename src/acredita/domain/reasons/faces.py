"""The codes of FACE_MATCH: why portrait and selfie did not match."""

from typing import Final

from acredita.domain.reasons.entry import Entry, ReasonCode, Severity, Text, Translation

_COMPARE: Final = Text(
    "Compara tú la selfie con el retrato. Si no se puede, pide una verificación nueva.",
    "Compare selfie and portrait yourself. If you cannot, request a new verification.",
)
_SELFIE: Final = Translation(step="selfie")


class FaceReason(ReasonCode):
    FACE_MISMATCH = Entry(
        "FACE_MISMATCH",
        Severity.FAILS,
        en="The selfie shows another person than the document.",
        es="La selfie muestra a otra persona que el documento.",
        reviewer=Text(
            "Compara tú las caras. Aprueba solo si no tienes duda de que es la misma persona.",
            "Compare the faces yourself. Approve only if you have no doubt that it is one person.",
        ),
    )
    FACE_UNCERTAIN = Entry(
        "FACE_UNCERTAIN",
        Severity.REVIEW,
        en="Selfie and document may show different people.",
        es="La selfie y el documento podrían mostrar a personas distintas.",
        reviewer=Text(
            "Compara tú las caras: ojos, nariz, boca y orejas.",
            "Compare the faces yourself: eyes, nose, mouth and ears.",
        ),
    )
    PORTRAIT_NOT_FOUND = Entry(
        "PORTRAIT_NOT_FOUND",
        Severity.RETAKE,
        en="No portrait was found on the document.",
        es="No se encontró ningún retrato en el documento.",
        reviewer=_COMPARE,
        advice_en="We cannot see the photo on your document. Show the side with your portrait, uncovered.",
        advice_es="No vemos la foto de tu documento. Fotografía el lado que tiene tu retrato, sin taparlo.",
    )
    PORTRAIT_TOO_SMALL = Entry(
        "PORTRAIT_TOO_SMALL",
        Severity.RETAKE,
        en="The portrait on the document is too small. Move closer to it.",
        es="El retrato del documento se ve muy pequeño. Hay que acercarse.",
        reviewer=_COMPARE,
        advice_en="Bring the camera closer to the document: your portrait is too small.",
        advice_es="Acerca la cámara al documento: tu retrato se ve muy pequeño.",
    )
    PORTRAIT_BLURRED = Entry(
        "PORTRAIT_BLURRED",
        Severity.RETAKE,
        en="The portrait on the document is blurred. Hold the camera still.",
        es="El retrato del documento salió borroso. Hay que sostener firme la cámara.",
        reviewer=_COMPARE,
        advice_en="The portrait on the document is blurred. Hold your phone still and try again.",
        advice_es="El retrato del documento salió borroso. Sostén firme el teléfono y toma otra foto.",
    )
    FACE_NOT_FOUND = Entry(
        "FACE_NOT_FOUND",
        Severity.RETAKE,
        en="No face was found in the selfie.",
        es="No se encontró ninguna cara en la selfie.",
        reviewer=_COMPARE,
        advice_en="We cannot see your face. Look at the camera, without dark glasses or a mask.",
        advice_es="No vemos tu cara. Mira de frente a la cámara, sin lentes oscuros ni cubrebocas.",
        metamap=Translation("selfiePhoto.noFace", step="selfie"),
    )
    SEVERAL_FACES = Entry(
        "SEVERAL_FACES",
        Severity.RETAKE,
        en="The selfie shows several people. Only one may be in it.",
        es="La selfie muestra a varias personas. Solo puede salir una.",
        reviewer=_COMPARE,
        advice_en="Only you may be in the picture. Find a place with nobody behind you.",
        advice_es="Solo tú puedes salir en la foto. Busca un fondo sin otras personas.",
        metamap=_SELFIE,
    )
    FACE_TOO_SMALL = Entry(
        "FACE_TOO_SMALL",
        Severity.RETAKE,
        en="The face in the selfie is too small. Come closer.",
        es="La cara se ve muy pequeña en la selfie. Hay que acercarse.",
        reviewer=_COMPARE,
        advice_en="Come closer: your face is too small in the picture.",
        advice_es="Acércate: tu cara se ve muy pequeña.",
        metamap=_SELFIE,
    )
    FACE_BLURRED = Entry(
        "FACE_BLURRED",
        Severity.RETAKE,
        en="The selfie is blurred. Hold the camera still, in better light.",
        es="La selfie salió borrosa. Hay que sostener firme la cámara, con mejor luz.",
        reviewer=_COMPARE,
        advice_en="The picture is blurred. Hold your phone still, in better light.",
        advice_es="La foto salió borrosa. Sostén firme el teléfono y busca mejor luz.",
        metamap=_SELFIE,
    )
    PORTRAITS_DIFFER = Entry(
        "PORTRAITS_DIFFER",
        Severity.REVIEW,
        en="The portraits on the document show different people.",
        es="Los retratos del documento muestran a personas distintas.",
        reviewer=Text(
            "Compara el retrato con su repetición pequeña: pueden haberlo cambiado.",
            "Compare the portrait with its small repetition: it may have been replaced.",
        ),
    )
    SELFIE_COPIES_PORTRAIT = Entry(
        "SELFIE_COPIES_PORTRAIT",
        Severity.REVIEW,
        en="The selfie is a picture of the document's portrait.",
        es="La selfie es una foto del retrato del documento.",
        reviewer=Text(
            "No apruebes con esta selfie. Pide una verificación con prueba de vida.",
            "Do not approve with this selfie. Request a verification with a liveness challenge.",
        ),
        metamap=_SELFIE,
    )
    SELFIE_SHOWS_DOCUMENT = Entry(
        "SELFIE_SHOWS_DOCUMENT",
        Severity.RETAKE,
        en="The selfie shows a document. Only the living face may be in it.",
        es="La selfie muestra un documento. Solo puede salir la cara de la persona.",
        reviewer=Text(
            "Comprueba que se comparó la cara de la persona, no el retrato del documento.",
            "Check that the person's face was compared, not the document's portrait.",
        ),
        advice_en="Take the picture of yourself, without your document in it.",
        advice_es="Tómate la foto a ti, sin tu documento en la imagen.",
        metamap=_SELFIE,
    )
