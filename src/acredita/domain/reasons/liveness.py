"""The codes of LIVENESS: why no living person, or another one, was seen."""

from typing import Final

from acredita.domain.reasons.entry import Entry, ReasonCode, Severity, Text

_LOOK: Final = Text(
    "Mira las imágenes de la prueba. Si la persona parece real, pide una verificación nueva.",
    "Look at the frames. If the person seems real, request a new verification.",
)
_REJECT: Final = Text(
    "Trátalo como un intento de engaño. Aprueba solo si conoces otra prueba de la persona.",
    "Treat it as an attempt to deceive. Approve only on other proof of the person.",
)
_COMPARE: Final = Text(
    "Compara la cara de la prueba con la selfie y con el retrato del documento.",
    "Compare the face in the frames with the selfie and with the document's portrait.",
)


class LivenessReason(ReasonCode):
    LIVENESS_NOT_PROVEN = Entry(
        "LIVENESS_NOT_PROVEN",
        Severity.RETAKE,
        en="Pictures prove no living person: no challenge was answered.",
        es="Las fotos no prueban que la persona esté viva: no se hizo la prueba de movimientos.",
        reviewer=Text(
            "Pide una verificación en el navegador, donde se hace la prueba de movimientos.",
            "Request a verification in the browser, which includes the challenge.",
        ),
        advice_en="We need to see you live: open the camera and follow the movements.",
        advice_es="Necesitamos verte en vivo: abre la cámara y sigue los movimientos.",
    )
    LIVENESS_SPEECH_NOT_JUDGED = Entry(
        "LIVENESS_SPEECH_NOT_JUDGED",
        Severity.REVIEW,
        en="Nobody heard whether the person said the numbers: no speech is recognized.",
        es="Nadie escuchó si la persona dijo los números: el servicio no reconoce la voz.",
        reviewer=Text(
            "Pide una verificación en el navegador, donde se hace la prueba de movimientos.",
            "Request a verification in the browser, which includes the challenge.",
        ),
    )
    LIVENESS_MOUTH_STILL = Entry(
        "LIVENESS_MOUTH_STILL",
        Severity.REVIEW,
        en="The person was to say numbers, but the mouth did not move.",
        es="La persona debía decir números, pero no movió la boca.",
        reviewer=Text(
            "Mira las imágenes: así se ve una foto ante la cámara. Pide una verificación en el navegador.",
            "Look at the frames: a photograph looks like this. Request a verification in the browser.",
        ),
    )
    LIVENESS_FACE_NOT_FOUND = Entry(
        "LIVENESS_FACE_NOT_FOUND",
        Severity.RETAKE,
        en="The face was not in the picture all the time.",
        es="La cara no estuvo todo el tiempo en la imagen.",
        reviewer=_LOOK,
        advice_en="Keep your whole face in the frame until the end, in good light.",
        advice_es="Mantén toda tu cara dentro del marco hasta el final, con buena luz.",
    )
    LIVENESS_SEVERAL_FACES = Entry(
        "LIVENESS_SEVERAL_FACES",
        Severity.FAILS,
        en="Several people were in the picture.",
        es="Había varias personas en la imagen.",
        reviewer=_LOOK,
        advice_en="Only you may be in the picture. Find a place where you are alone.",
        advice_es="Solo tú puedes salir en la imagen. Busca un lugar donde estés a solas.",
    )
    LIVENESS_FACE_CHANGED = Entry(
        "LIVENESS_FACE_CHANGED",
        Severity.FAILS,
        en="The face changed during the challenge.",
        es="La cara cambió durante la prueba.",
        reviewer=_REJECT,
    )
    LIVENESS_SELFIE_MISMATCH = Entry(
        "LIVENESS_SELFIE_MISMATCH",
        Severity.FAILS_IF_SURE,
        en="The living face and the selfie's are of different people.",
        es="La cara de la prueba y la de la selfie son de personas distintas.",
        reviewer=_COMPARE,
    )
    LIVENESS_FRAMES_REPEATED = Entry(
        "LIVENESS_FRAMES_REPEATED",
        Severity.FAILS,
        en="Frames of the challenge were sent before.",
        es="Algunas imágenes de la prueba ya se habían enviado antes.",
        reviewer=_REJECT,
    )
    LIVENESS_FRAMES_DISORDERED = Entry(
        "LIVENESS_FRAMES_DISORDERED",
        Severity.FAILS,
        en="The frames are not in the order of a movement.",
        es="Las imágenes no siguen el orden de un movimiento.",
        reviewer=_LOOK,
        advice_en="Make each movement once, slowly, and look straight ahead again.",
        advice_es="Haz cada movimiento una sola vez, despacio, y vuelve a mirar de frente.",
    )
    LIVENESS_TOO_FAST = Entry(
        "LIVENESS_TOO_FAST",
        Severity.FAILS,
        en="The challenge was answered faster than a person moves.",
        es="La prueba se hizo más rápido de lo que se mueve una persona.",
        reviewer=_LOOK,
        advice_en="Take your time: read each instruction, then move.",
        advice_es="Ve con calma: lee cada indicación y luego muévete.",
    )
    LIVENESS_MOVE_NOT_SEEN = Entry(
        "LIVENESS_MOVE_NOT_SEEN",
        Severity.RETAKE_OR_FAIL,
        en="Not all of the movements were seen.",
        es="No se vieron todos los movimientos.",
        reviewer=_LOOK,
        advice_en="Make each movement clearer, with your face well lit.",
        advice_es="Haz cada movimiento más claro, con la cara bien iluminada.",
    )
    LIVENESS_SPOOF_SUSPECTED = Entry(
        "LIVENESS_SPOOF_SUSPECTED",
        Severity.FAILS,
        en="The pictures may be of a picture, not of a living face.",
        es="Las fotos podrían ser de otra foto, no de una cara viva.",
        reviewer=_REJECT,
    )
    LIVENESS_LIGHT_NOT_SEEN = Entry(
        "LIVENESS_LIGHT_NOT_SEEN",
        Severity.RETAKE,
        en="The screen's colours were not seen on the face.",
        es="No se vieron en la cara los colores de la pantalla.",
        reviewer=_LOOK,
        advice_en="Turn up your screen's brightness, come closer, and find a place with less light.",
        advice_es="Sube el brillo de la pantalla, acércate y busca un lugar con menos luz.",
    )
    LIVENESS_LIGHT_DIFFERS = Entry(
        "LIVENESS_LIGHT_DIFFERS",
        Severity.FAILS,
        en="The face shows other colours than the screen did.",
        es="La cara muestra colores distintos a los de la pantalla.",
        reviewer=_REJECT,
    )
    # Found when all steps have ended, by comparing their evidence.
    LIVENESS_PORTRAIT_MISMATCH = Entry(
        "LIVENESS_PORTRAIT_MISMATCH",
        Severity.REVIEW,
        en="The living face may not be the one in the document's portrait.",
        es="La cara de la prueba podría no ser la del retrato del documento.",
        reviewer=_COMPARE,
    )
    LIVENESS_PORTRAIT_NOT_FOUND = Entry(
        "LIVENESS_PORTRAIT_NOT_FOUND",
        Severity.REVIEW,
        en="The document shows no portrait to compare the face with.",
        es="El documento no muestra ningún retrato con el cual comparar la cara.",
        reviewer=_COMPARE,
    )
