/** The server's words, by step type and reason code. */
import type { Texts } from "../es";

export const serverWords: Pick<Texts, "steps" | "advice"> = {
  steps: {
    DOCUMENT_OCR: { name: "Ihr Ausweis" },
    FACE_MATCH: { name: "Ihr Gesicht und das auf Ihrem Ausweis" },
    LIVENESS: { name: "Dass Sie eine Person vor der Kamera sind" },
    GOVERNMENT_VERIFY: {
      name: "Amtliche Register",
      discloses: "Ihre Daten werden mit den amtlichen Registern verglichen (RENAPO, INE, SAT).",
    },
    CREDIT: {
      name: "Ihre Kreditgeschichte",
      discloses: "Ihre Kreditgeschichte wird bei einer Auskunftei abgefragt.",
    },
    AML_SCREEN: { name: "Listen gesperrter Personen" },
    LOCATION: { name: "Von wo Sie sich verbinden" },
    OTP: { name: "Ein Bestätigungscode" },
    FORM: { name: "Ein Formular" },
    ESIGNATURE: { name: "Ihre elektronische Signatur" },
    PROOF_OF_ADDRESS: { name: "Ihr Adressnachweis" },
  },
  advice: {
    DOCUMENT_NOT_SUPPORTED:
      "Wir können diesen Ausweis nicht lesen. Verwenden Sie Ihren INE-Ausweis oder Ihren mexikanischen Pass.",
    DOCUMENT_LAYOUT_UNKNOWN:
      "Wir kennen diese Art Führerschein nicht. Verwenden Sie Ihren INE-Ausweis oder Ihren mexikanischen Pass.",
    WRONG_DOCUMENT:
      "Das ist nicht der verlangte Ausweis. Prüfen Sie, welcher es ist, und versuchen Sie es erneut.",
    WRONG_SIDE:
      "Das ist die andere Seite. Drehen Sie den Ausweis um und nehmen Sie das Bild noch einmal auf.",
    DOCUMENT_EXPIRED: "Dieser Ausweis ist abgelaufen. Verwenden Sie einen gültigen.",
    REQUIRED_FIELD_MISSING:
      "Dieser Ausweis zeigt nicht alles Nötige. Zeigen Sie beide Seiten, oder verwenden Sie einen anderen.",
    SEVERAL_DOCUMENTS:
      "Lassen Sie nur einen Ausweis im Bild, und fotografieren Sie jede Seite einzeln.",
    SCREEN_PHOTOGRAPHED: "Fotografieren Sie den Ausweis selbst, keinen Bildschirm.",
    BLACK_AND_WHITE_COPY:
      "Fotografieren Sie den originalen Ausweis in Farbe. Eine Schwarzweißkopie genügt nicht.",
    DOCUMENT_CUT_OFF: "Gehen Sie etwas zurück: Alle vier Ecken müssen im Bild sein.",
    IMAGE_TOO_SMALL: "Gehen Sie näher heran, bis der Ausweis das Bild füllt.",
    IMAGE_TOO_DARK: "Es ist zu dunkel. Gehen Sie an ein Fenster oder schalten Sie eine Lampe ein.",
    IMAGE_OVEREXPOSED: "Es ist zu hell. Schalten Sie den Blitz aus und suchen Sie etwas Schatten.",
    IMAGE_GLARE:
      "Vermeiden Sie die Spiegelung: Kippen Sie den Ausweis ein wenig, oder gehen Sie von der Lampe weg.",
    IMAGE_BLURRED:
      "Das Bild ist unscharf. Halten Sie das Telefon ruhig und warten Sie, bis es fokussiert.",
    DOCUMENT_UNREADABLE:
      "Wir konnten nicht alles lesen. Nehmen Sie ein weiteres Bild auf, bei gutem Licht und ohne Bewegung.",
    DOCUMENT_NOT_RECOGNIZED:
      "Wir haben Ihren Ausweis nicht gefunden. Legen Sie ihn auf einen einfarbigen Tisch und füllen Sie das Bild.",
    PAGE_NOT_RECOGNIZED:
      "Eines der Bilder zeigt keinen Ausweis, den wir kennen. Nehmen Sie es noch einmal auf.",
    PAGE_NOT_CONFIRMED:
      "Wir konnten nicht bestätigen, dass diese Seite Ihre ist. Nehmen Sie ein weiteres Bild auf, scharf und vollständig.",
    FIELDS_UNCERTAIN:
      "Manche Angaben sind schwer zu lesen. Gehen Sie näher heran, bei gleichmäßigem Licht.",
    PORTRAIT_NOT_FOUND:
      "Wir sehen das Foto auf Ihrem Ausweis nicht. Zeigen Sie die Seite mit Ihrem Bild, unverdeckt.",
    PORTRAIT_TOO_SMALL: "Gehen Sie näher an den Ausweis heran: Ihr Foto ist zu klein.",
    PORTRAIT_BLURRED:
      "Das Foto auf dem Ausweis ist unscharf. Halten Sie das Telefon ruhig und versuchen Sie es erneut.",
    FACE_NOT_FOUND:
      "Wir sehen Ihr Gesicht nicht. Schauen Sie in die Kamera, ohne Sonnenbrille und Maske.",
    SEVERAL_FACES:
      "Nur Sie dürfen im Bild sein. Suchen Sie einen Ort, an dem niemand hinter Ihnen ist.",
    FACE_TOO_SMALL: "Kommen Sie näher: Ihr Gesicht ist zu klein im Bild.",
    FACE_BLURRED: "Das Bild ist unscharf. Halten Sie das Telefon ruhig, bei besserem Licht.",
    SELFIE_SHOWS_DOCUMENT: "Nehmen Sie sich selbst auf, ohne Ihren Ausweis im Bild.",
    LIVENESS_NOT_PROVEN:
      "Wir müssen Sie live sehen: Öffnen Sie die Kamera und folgen Sie den Bewegungen.",
    LIVENESS_FACE_NOT_FOUND: "Halten Sie Ihr ganzes Gesicht bis zum Ende im Bild, bei gutem Licht.",
    LIVENESS_SEVERAL_FACES:
      "Nur Sie dürfen im Bild sein. Suchen Sie einen Ort, an dem Sie allein sind.",
    LIVENESS_FRAMES_DISORDERED:
      "Machen Sie jede Bewegung einmal, langsam, und schauen Sie dann wieder geradeaus.",
    LIVENESS_TOO_FAST: "Nehmen Sie sich Zeit: Lesen Sie jede Anweisung, dann bewegen Sie sich.",
    LIVENESS_MOVE_NOT_SEEN: "Machen Sie jede Bewegung deutlicher, mit gut beleuchtetem Gesicht.",
    LIVENESS_LIGHT_NOT_SEEN:
      "Stellen Sie den Bildschirm heller, kommen Sie näher und suchen Sie einen dunkleren Ort.",
    PICTURE_ASKED_AGAIN:
      "Nehmen Sie das Bild noch einmal auf: bei gutem Licht, scharf und vollständig.",
    PROOF_NOT_RECOGNIZED:
      "Verwenden Sie eine Strom-, Wasser-, Gas- oder Telefonrechnung oder einen Kontoauszug.",
    PROOF_UNREADABLE:
      "Name, Adresse oder Datum sind nicht lesbar. Nehmen Sie ein schärferes Bild des Blatts auf.",
    PROOF_ISSUER_UNKNOWN:
      "Wir kennen den Aussteller nicht. Verwenden Sie eine andere Rechnung oder einen Kontoauszug.",
    PROOF_TOO_OLD: "Dieses Papier ist zu alt. Verwenden Sie Ihr neuestes.",
    PROOF_NAME_DIFFERS:
      "Dieses Papier lautet auf einen anderen Namen. Verwenden Sie eines auf Ihren Namen.",
    PROOF_UNCERTAIN:
      "Nicht alles ist gut lesbar. Nehmen Sie ein neues Bild auf, bei gutem Licht und ohne Bewegung.",
  },
};
