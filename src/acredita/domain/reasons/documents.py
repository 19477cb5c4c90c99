"""The codes of documents: why their pages did not pass.

The gravest first: of several codes, a step carries the first one in this order.
"""

from typing import Final

from acredita.domain.reasons.entry import Entry, ReasonCode, Severity, Text, Translation

_READ: Final = Text(
    "Lee tú el documento en las imágenes. Si no se puede, pide una verificación nueva.",
    "Read the document in the images yourself. If you cannot, request a new verification.",
)
_OTHER_DOCUMENT: Final = Text(
    "Comprueba si el documento te sirve. Si no, pide una verificación nueva.",
    "Check whether you accept this document. If not, request a new verification.",
)
_COMPARE_PAGES: Final = Text(
    "Compara nombre, fechas y retrato de todas las páginas.",
    "Compare name, dates and portrait of all pages.",
)
_NO_ORIGINAL: Final = Translation("alterationDetection.negligence", step="alteration-detection")
_NO_MATCH: Final = Translation("templateMatching.noMatchFound", step="template-matching")


class DocumentReason(ReasonCode):
    # About the document, whatever the picture is like.
    DOCUMENT_NOT_SUPPORTED = Entry(
        "DOCUMENT_NOT_SUPPORTED",
        Severity.RETAKE,
        en="Documents of this issuer are not supported.",
        es="No se aceptan documentos de este emisor.",
        reviewer=_OTHER_DOCUMENT,
        advice_en="We cannot read this document. Please use your INE card or your Mexican passport.",
        advice_es="No podemos leer este documento. Usa tu credencial del INE o tu pasaporte mexicano.",
        metamap=_NO_MATCH,
    )
    DOCUMENT_LAYOUT_UNKNOWN = Entry(
        "DOCUMENT_LAYOUT_UNKNOWN",
        Severity.RETAKE,
        en="Licences of this layout are not known.",
        es="No se conoce este modelo de licencia.",
        reviewer=Text(
            "Lee tú la licencia, o agrega una plantilla de su modelo.",
            "Read the licence yourself, or add a template of its layout.",
        ),
        advice_en="We do not know this kind of licence. Please use your INE card or your Mexican passport.",
        advice_es="No conocemos este modelo de licencia. Usa tu credencial del INE o tu pasaporte mexicano.",
    )
    WRONG_DOCUMENT = Entry(
        "WRONG_DOCUMENT",
        Severity.RETAKE,
        en="This is not the document that was asked for.",
        es="Este no es el documento que se pidió.",
        reviewer=_OTHER_DOCUMENT,
        advice_en="This is not the document we asked for. Check which one it is and try again.",
        advice_es="Este no es el documento que pedimos. Revisa cuál es y toma la foto de nuevo.",
    )
    WRONG_SIDE = Entry(
        "WRONG_SIDE",
        Severity.RETAKE,
        en="This is not the side of the document that was asked for.",
        es="Este no es el lado del documento que se pidió.",
        reviewer=Text(
            "Decide si basta el lado que se ve, o pide una verificación nueva.",
            "Decide whether the side in the picture is enough, or request a new verification.",
        ),
        advice_en="This is the other side. Turn your document over and take the picture again.",
        advice_es="Es el otro lado. Voltea tu documento y toma la foto de nuevo.",
    )
    DOCUMENT_EXPIRED = Entry(
        "DOCUMENT_EXPIRED",
        Severity.FAILS,
        en="The document has expired.",
        es="El documento ya venció.",
        reviewer=Text(
            "Pide un documento vigente.",
            "Ask for a document that is still valid.",
        ),
        advice_en="This document has expired. Please use one that is still valid.",
        advice_es="Este documento ya venció. Usa uno vigente.",
    )
    UNDERAGE = Entry(
        "UNDERAGE",
        Severity.FAILS,
        en="The person is younger than the workflow allows.",
        es="La persona es menor de la edad que pide el flujo.",
        reviewer=Text(
            "Comprueba la fecha de nacimiento en el documento.",
            "Check the date of birth on the document.",
        ),
        metamap=Translation("underage.error", step="age-check"),
    )
    DOCUMENTS_OF_DIFFERENT_PEOPLE = Entry(
        "DOCUMENTS_OF_DIFFERENT_PEOPLE",
        Severity.REVIEW,
        en="The pages show documents of different people.",
        es="Las páginas muestran documentos de personas distintas.",
        reviewer=Text(
            "Trátalo como un intento de engaño hasta comparar nombre, fechas y retrato de las páginas.",
            "Treat it as an attempt to deceive until you have compared name, dates and portraits.",
        ),
    )
    TAMPERING_SUSPECTED = Entry(
        "TAMPERING_SUSPECTED",
        Severity.REVIEW,
        en="The document shows signs of having been altered.",
        es="El documento tiene señales de haber sido alterado.",
        reviewer=Text(
            "Mira los lugares que marcan las señales del resultado. Ante la duda, rechaza.",
            "Look at the places that the signals in the result mark. In doubt, reject.",
        ),
        metamap=Translation(step="alteration-detection"),
    )
    # What the workflow needs.
    REQUIRED_FIELD_MISSING = Entry(
        "REQUIRED_FIELD_MISSING",
        Severity.RETAKE,
        en="The document does not show a field that is required.",
        es="El documento no muestra un dato que se requiere.",
        reviewer=Text(
            "El resultado nombra los datos que faltan. Decide si puedes seguir sin ellos.",
            "The result names the fields that are missing. Decide whether you can do without them.",
        ),
        advice_en="This document does not show all that we need. Show both sides, or use another one.",
        advice_es="Este documento no muestra todo lo que necesitamos. Muestra los dos lados o usa otro.",
        # MetaMap has a code of its own where the age cannot be checked.
        metamap=Translation(
            "document.noRequiredFields", by_registry={"age-check": "underage.noDOB"}
        ),
    )
    # What was pictured instead of one document.
    SEVERAL_DOCUMENTS = Entry(
        "SEVERAL_DOCUMENTS",
        Severity.RETAKE,
        en="The picture shows several documents. Only one may be in it.",
        es="La foto muestra varios documentos. Solo puede salir uno.",
        reviewer=_COMPARE_PAGES,
        advice_en="Leave one document only in the picture, and photograph each side by itself.",
        advice_es="Deja un solo documento en la imagen y toma la foto de cada lado por separado.",
    )
    SCREEN_PHOTOGRAPHED = Entry(
        "SCREEN_PHOTOGRAPHED",
        Severity.RETAKE,
        en="The picture seems to be of a screen that shows the document.",
        es="La foto parece ser de una pantalla que muestra el documento.",
        reviewer=Text(
            "Busca bordes de pantalla, píxeles y reflejos. Si los hay, pide el documento original.",
            "Look for the edges, pixels and reflections of a screen. If there are any, ask for the original.",
        ),
        advice_en="Photograph the document itself, not a screen.",
        advice_es="Toma la foto del documento mismo, no de una pantalla.",
        metamap=_NO_ORIGINAL,
    )
    BLACK_AND_WHITE_COPY = Entry(
        "BLACK_AND_WHITE_COPY",
        Severity.RETAKE,
        en="The picture is of a black-and-white copy, not of the document.",
        es="La foto es de una copia en blanco y negro, no del documento.",
        reviewer=Text(
            "Pide el documento original; una copia no muestra si fue alterado.",
            "Ask for the original; a copy does not show whether it was altered.",
        ),
        advice_en="Photograph your original document, in colour. A black-and-white copy will not do.",
        advice_es="Toma la foto de tu documento original, a color. Una copia en blanco y negro no sirve.",
        metamap=_NO_ORIGINAL,
    )
    # How it was pictured: the cause goes before what it leaves unread.
    DOCUMENT_CUT_OFF = Entry(
        "DOCUMENT_CUT_OFF",
        Severity.RETAKE,
        en="Part of the document is outside the picture.",
        es="Una parte del documento queda fuera de la foto.",
        reviewer=_READ,
        advice_en="Move the camera back a little: all four corners have to be in the picture.",
        advice_es="Aleja un poco la cámara: tienen que verse las cuatro esquinas.",
    )
    IMAGE_TOO_SMALL = Entry(
        "IMAGE_TOO_SMALL",
        Severity.RETAKE,
        en="The document is too small in the picture. Move closer to it.",
        es="El documento se ve muy pequeño en la foto. Hay que acercarse.",
        reviewer=_READ,
        advice_en="Bring the camera closer, until the document fills the picture.",
        advice_es="Acerca la cámara al documento hasta que llene la imagen.",
    )
    IMAGE_TOO_DARK = Entry(
        "IMAGE_TOO_DARK",
        Severity.RETAKE,
        en="The picture is too dark. Use more light.",
        es="La foto está muy oscura. Hace falta más luz.",
        reviewer=_READ,
        advice_en="There is too little light. Go near a window or turn on a lamp.",
        advice_es="Falta luz. Acércate a una ventana o enciende una lámpara.",
    )
    IMAGE_OVEREXPOSED = Entry(
        "IMAGE_OVEREXPOSED",
        Severity.RETAKE,
        en="The picture is over-exposed. Use less light.",
        es="La foto tiene demasiada luz. Hace falta menos.",
        reviewer=_READ,
        advice_en="There is too much light. Turn off the flash and find a little shade.",
        advice_es="Hay demasiada luz. Apaga el flash y busca un poco de sombra.",
    )
    IMAGE_GLARE = Entry(
        "IMAGE_GLARE",
        Severity.RETAKE,
        en="A reflection covers part of the document.",
        es="Un reflejo tapa una parte del documento.",
        reviewer=_READ,
        advice_en="Avoid the reflection: tilt the document a little, or move away from the lamp.",
        advice_es="Evita el reflejo: inclina un poco el documento o aléjate de la lámpara.",
    )
    IMAGE_BLURRED = Entry(
        "IMAGE_BLURRED",
        Severity.RETAKE,
        en="The picture is blurred. Hold the camera still.",
        es="La foto salió borrosa. Hay que sostener firme la cámara.",
        reviewer=_READ,
        advice_en="The picture is blurred. Hold your phone still and wait until it focuses.",
        advice_es="La foto salió borrosa. Sostén firme el teléfono y espera a que enfoque.",
    )
    # What was read.
    DOCUMENT_UNREADABLE = Entry(
        "DOCUMENT_UNREADABLE",
        Severity.RETAKE,
        en="The document could not be read. A sharper picture may help.",
        es="No se pudo leer el documento. Una foto más nítida puede ayudar.",
        reviewer=_READ,
        advice_en="We could not read all of it. Take another picture, in good light and without moving.",
        advice_es="No pudimos leer todos los datos. Toma otra foto, con buena luz y sin moverte.",
        metamap=Translation("document.noRequiredFields"),
    )
    DOCUMENT_NOT_RECOGNIZED = Entry(
        "DOCUMENT_NOT_RECOGNIZED",
        Severity.RETAKE,
        en="The picture shows no known document.",
        es="La foto no muestra ningún documento conocido.",
        reviewer=_OTHER_DOCUMENT,
        advice_en="We could not find your document. Lay it on a plain table and let it fill the picture.",
        advice_es="No encontramos tu documento en la foto. Ponlo sobre una mesa lisa y que llene la imagen.",
        metamap=_NO_MATCH,
    )
    # What a further page shows.
    PAGE_NOT_RECOGNIZED = Entry(
        "PAGE_NOT_RECOGNIZED",
        Severity.RETAKE,
        en="One of the pages shows no known document.",
        es="Una de las páginas no muestra ningún documento conocido.",
        reviewer=Text(
            "Mira qué muestra la página. Si no hace falta, decide sin ella.",
            "Look at what the page shows. If it is not needed, decide without it.",
        ),
        advice_en="One of the pictures shows no document that we know. Please take it again.",
        advice_es="Una de las fotos no muestra un documento que conozcamos. Tómala de nuevo.",
        metamap=Translation(step="template-matching"),
    )
    PAGE_NOT_CONFIRMED = Entry(
        "PAGE_NOT_CONFIRMED",
        Severity.RETAKE,
        en="One of the pages is not confirmed to be of the same person.",
        es="No se pudo confirmar que una de las páginas sea de la misma persona.",
        reviewer=_COMPARE_PAGES,
        advice_en="We could not confirm that this page is yours. Take another picture, sharp and complete.",
        advice_es="No pudimos comprobar que esta página sea tuya. Toma otra foto, nítida y completa.",
    )
    FIELDS_CONTRADICT = Entry(
        "FIELDS_CONTRADICT",
        Severity.REVIEW,
        en="Details of the document do not agree with each other.",
        es="Los datos del documento no concuerdan entre sí.",
        reviewer=Text(
            "Compara los datos que nombran las señales del resultado. Si están bien leídos, rechaza.",
            "Compare the fields that the signals in the result name. If they were read right, reject.",
        ),
    )
    FIELDS_UNCERTAIN = Entry(
        "FIELDS_UNCERTAIN",
        Severity.RETAKE,
        en="Some details could not be read with certainty.",
        es="Algunos datos no se pudieron leer con certeza.",
        reviewer=Text(
            "Compara con la imagen los datos que nombra el resultado.",
            "Compare the fields that the result names with the image.",
        ),
        advice_en="Some details are hard to read. Bring the camera closer, in even light.",
        advice_es="Algunos datos no se leen bien. Acerca la cámara y busca una luz pareja.",
    )
