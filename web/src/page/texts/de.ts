import type { Texts } from "./es";

export const de: Texts = {
  chooseLanguage: "Sprache",
  privacyNotice: "Datenschutzhinweis",
  opensNewTab: "öffnet sich in einem neuen Tab",
  loading: "Wird geladen…",
  working: "Einen Moment…",
  next: "Weiter",
  back: "Zurück",
  retry: "Erneut versuchen",
  close: "Schließen",
  goBackTo: (name) => `Zurück zu ${name}`,

  stage: (n, all) => `Abschnitt ${n} von ${all}`,

  consent: {
    title: (name) => `${name} bittet Sie, Ihre Identität zu bestätigen`,
    lead: "Das dauert etwa zwei Minuten. Halten Sie Ihren Ausweis bereit, an einem Ort mit gutem Licht.",
    takenTitle: "Was erhoben wird",
    takenDocument:
      "Bilder Ihres Ausweises und was darauf steht: Name, Geburtsdatum, Anschrift, CURP und seine Nummern.",
    takenFace:
      "Bilder Ihres Gesichts, aus denen Maße berechnet werden, um es mit dem auf Ihrem Ausweis zu vergleichen. Das sind biometrische Daten.",
    takenDevice: "IP-Adresse und Browser, mit denen Sie zustimmen, als Nachweis.",
    whyTitle: "Wozu",
    why: (name) =>
      `Damit ${name} weiß, dass Sie es sind und Ihr Ausweis gültig ist, und um Betrug zu verhindern.`,
    keptTitle: "Wie lange",
    kept: (days, name) =>
      `${name} bewahrt sie verschlüsselt bis zu ${days} Tage auf; danach werden sie gelöscht. Sie können Auskunft, Berichtigung oder Löschung verlangen oder der Nutzung widersprechen.`,
    notice: "Datenschutzhinweis lesen",
    accept: "Ich stimme zu, dass meine Daten, auch die biometrischen, so erhoben und genutzt werden.",
    acceptPlain: "Ich stimme zu, dass meine Daten so erhoben und genutzt werden.",
    missing:
      "Setzen Sie zum Fortfahren das Häkchen. Wenn Sie nicht zustimmen, können Sie diese Seite schließen.",
    version: (version) => `Version ${version}`,
  },

  document: {
    title: "Welchen Ausweis verwenden Sie?",
    lead: "Er muss gültig und das Original sein, keine Kopie.",
    ine: "Wahlausweis (INE)",
    ineHint: "Beide Seiten",
    passport: "Reisepass",
    passportHint: "Die Seite mit Ihrem Foto",
    licence: "Führerschein",
    licenceHint: "Die Seite mit Ihrem Foto",
    retake: "Wir brauchen ein weiteres Bild",
    retakesLeft: (n) => (n === 1 ? "Sie haben noch einen Versuch." : `Sie haben noch ${n} Versuche.`),
  },

  shot: {
    front: { title: "Die Vorderseite Ihres Ausweises", short: "Vorderseite" },
    back: { title: "Die Rückseite", short: "Rückseite" },
    passport: { title: "Die Seite mit Ihrem Foto", short: "Reisepass" },
    licence: { title: "Die Vorderseite Ihres Führerscheins", short: "Führerschein" },
    selfie: { title: "Ein Bild Ihres Gesichts", short: "Ihr Gesicht" },
    of: (n, all) => `Bild ${n} von ${all}`,
    take: "Bild aufnehmen",
    torch: "Licht",
    file: "Datei hochladen",
    fileTypes: "JPEG, PNG, WebP oder PDF, bis 10 MB",
    skip: "Mein Ausweis hat keine Rückseite",
    camera: "Kamera verwenden",
    starting: "Kamera wird geöffnet…",
    hint: {
      frame: "Legen Sie den Ausweis in den Rahmen",
      face: "Bringen Sie Ihr Gesicht in das Oval und nehmen Sie das Bild auf",
      closer: "Gehen Sie näher heran",
      farther: "Gehen Sie etwas zurück: Der Ausweis passt nicht in den Rahmen",
      still: "Halten Sie still…",
      dark: "Es ist zu dunkel: Suchen Sie mehr Licht",
      glare: "Da ist eine Spiegelung: Kippen Sie den Ausweis ein wenig",
      blurred: "Das Bild ist nicht scharf: Warten Sie, bis die Kamera fokussiert",
      turn: "Drehen Sie das Telefon, damit der Ausweis größer erscheint",
      ready: "Genau so! Halten Sie still…",
    },
    face: {
      noFace: "Wir sehen Ihr Gesicht nicht: Bringen Sie es in das Oval",
      several: "Wir sehen mehr als eine Person: Nur eine darf im Bild sein",
      closer: "Kommen Sie etwas näher",
      farther: "Gehen Sie etwas zurück",
      centre: "Bringen Sie Ihr Gesicht in die Mitte des Ovals",
      straight: "Schauen Sie geradeaus",
      dark: "Ihr Gesicht ist dunkel: Suchen Sie mehr Licht",
      still: "Halten Sie still…",
      ready: "Genau so! Halten Sie still…",
    },
    taken: "Bild aufgenommen",
    reviewTitle: "Ist es gut lesbar?",
    reviewFace: "Ist Ihr Gesicht gut zu sehen?",
    reviewLead: "Es sollte vollständig, scharf und ohne Spiegelung sein.",
    reviewFaceLead: "Ohne Sonnenbrille und Mütze, mit gutem Licht.",
    reviewAlt: (what) => `Ihr Bild: ${what}`,
    pdf: (name) => `Gewählte Datei: ${name}`,
    use: "Dieses Bild verwenden",
    again: "Noch einmal aufnehmen",
    useFile: "Diese Datei verwenden",
    otherFile: "Eine andere wählen",
    sending: "Wird gesendet…",
    denied: "Die Kamera ist nicht freigegeben",
    deniedHow:
      "Erlauben Sie sie in den Einstellungen des Browsers (das Schloss neben der Adresse) und versuchen Sie es erneut, oder laden Sie ein Bild hoch.",
    none: "Es wurde keine Kamera gefunden",
    noneHow: "Laden Sie ein vorhandenes Bild hoch, oder öffnen Sie diese Seite auf Ihrem Telefon.",
    tooLarge: "Die Datei ist größer als 10 MB. Wählen Sie eine andere.",
    unreadable:
      "Diese Datei lässt sich nicht öffnen. Wählen Sie ein Bild (JPEG, PNG oder WebP) oder ein PDF.",
  },

  handOver: {
    offer: "Auf meinem Telefon fortfahren",
    title: "Fahren Sie auf Ihrem Telefon fort",
    lead:
      "Die Kamera eines Telefons macht bessere Bilder. Richten Sie sie auf diesen Code und öffnen Sie den Link.",
    code: "QR-Code des Links für Ihr Telefon",
    orOpen: "Oder öffnen Sie auf dem Telefon:",
    once: "Er gilt einmal, für 10 Minuten. Geben Sie ihn nicht weiter.",
    toEither: "Den Link an dieses Telefon oder diese E-Mail-Adresse senden",
    toPhone: "Den Link an dieses Telefon senden",
    toMail: "Den Link an diese E-Mail-Adresse senden",
    send: "Senden",
    sent: "Gesendet. Es kann eine Minute dauern.",
    wrong:
      "Prüfen Sie die Angabe: ein Telefon mit +52 und zehn Ziffern oder eine E-Mail-Adresse.",
    often:
      "Es wurden schon mehrere gesendet. Nutzen Sie den Code oben, oder warten Sie einige Minuten.",
    failed: "Das Senden ist fehlgeschlagen. Versuchen Sie es erneut.",
    late: "Der Code ist abgelaufen.",
    again: "Einen anderen Code zeigen",
    here: "An diesem Computer bleiben",
    openedTitle: "Machen Sie auf Ihrem Telefon weiter",
    openedLead: "Hier sehen Sie das Ergebnis. Schließen Sie diese Seite nicht.",
  },

  liveness: {
    title: "Nun Ihr Gesicht",
    lead:
      "Filmen Sie sich bei ein paar einfachen Bewegungen, eine nach der anderen. Das dauert einige Sekunden. Der Film wird am Ende gesendet und dann geprüft.",
    tips: [
      "Suchen Sie einen Ort mit Licht von vorn.",
      "Nehmen Sie Sonnenbrille, Mütze oder Maske ab.",
      "Außer Ihnen darf niemand im Bild sein.",
    ],
    start: "Beginnen",
    startAnyway: "So beginnen",
    deniedHow:
      "Erlauben Sie die Kamera in den Einstellungen des Browsers (das Schloss neben der Adresse) und versuchen Sie es erneut.",
    noneHow: "Dieser Teil braucht eine Kamera: Öffnen Sie diese Seite auf Ihrem Telefon.",
    copy: "Link kopieren",
    copied: "Link kopiert",
    step: (n, all) => `Filmen Sie sich · Bewegung ${n} von ${all}`,
    judged: "Hier sehen Sie, ob die Kamera jede Bewegung erfasst hat. Die Prüfung folgt danach.",
    unseen:
      "Diese Seite filmt und sendet und erkennt nicht, ob ein Gesicht da ist; die Prüfung folgt danach.",
    seen: "Gesehen!",
    moves: {
      look_straight: "Schauen Sie geradeaus, ohne sich zu bewegen",
      turn_left: "Drehen Sie den Kopf nach links",
      turn_right: "Drehen Sie den Kopf nach rechts",
      look_up: "Heben Sie das Gesicht",
      blink: "Schließen Sie kurz die Augen und öffnen Sie sie wieder",
      smile: "Lächeln Sie",
      open_mouth: "Öffnen Sie den Mund",
    },
    still: "Warten Sie: Schauen Sie geradeaus und halten Sie still",
    light: "Der Bildschirm wechselt die Farbe. Schauen Sie ihn gerade an, ohne sich zu bewegen.",
    sending: "Der Film wird gesendet…",
    expired: "Dieser Versuch ist vor dem Senden abgelaufen. Beginnen wir noch einmal.",
    absent:
      "Die Kamera hat Ihr Gesicht nicht gesehen; es wurde nichts gesendet. Bringen Sie Ihr Gesicht in das Oval und beginnen Sie noch einmal.",
    unusable: "Der Film war nicht verwendbar. Beginnen wir noch einmal.",
    unchanged:
      "Das Bild der Kamera hat sich bei den Bewegungen nicht verändert; es wurde nichts gesendet. Prüfen Sie, ob die Kamera Sie zeigt, bringen Sie Ihr Gesicht in das Oval und machen Sie jede Bewegung, wenn Sie darum gebeten werden.",
    tooMany:
      "Eine Wiederholung ist nicht mehr möglich. Bitten Sie das Unternehmen, das Sie hierher geschickt hat, um einen neuen Link.",
  },

  waiting: {
    title: "Wir prüfen",
    lead: "Meist dauert es einige Sekunden. Sie können diese Seite offen lassen.",
    elsewhere: "Ein Schritt fehlt",
    elsewhereLead: (name) =>
      `Fahren Sie in der Anwendung von ${name} fort, um das Fehlende zu erledigen. Sie können diese Seite offen lassen.`,
    statuses: {
      PENDING: "noch offen",
      WAITING_INPUT: "etwas von Ihnen fehlt",
      RUNNING: "wird geprüft",
      PASSED: "fertig",
      FAILED: "beendet",
      REVIEW: "fertig",
      SKIPPED: "nicht nötig",
    },
  },

  ended: {
    APPROVED: {
      title: "Ihre Identität ist bestätigt",
      lead: (name) => `Sie können bei ${name} fortfahren.`,
    },
    REJECTED: {
      title: "Wir konnten Ihre Identität nicht bestätigen",
      lead: (name) =>
        `${name} ist informiert. Wenn Sie das für einen Irrtum halten, wenden Sie sich dorthin: Es kann noch einmal geprüft werden.`,
    },
    MANUAL_REVIEW: {
      title: "Wir haben alles erhalten",
      lead: (name) =>
        `Ein Mensch prüft es, und ${name} teilt Ihnen das Ergebnis mit. Sie müssen nichts weiter tun.`,
    },
    EXPIRED: {
      title: "Die Zeit ist abgelaufen",
      lead: (name) => `Bitten Sie ${name} um einen neuen Link, um noch einmal zu beginnen.`,
    },
    canClose: "Sie können diese Seite jetzt schließen.",
  },

  faults: {
    offline: {
      title: "Keine Verbindung",
      lead: "Prüfen Sie Ihre Internetverbindung. Was Sie gesendet haben, ist gespeichert.",
    },
    link: {
      title: "Dieser Link funktioniert nicht mehr",
      lead: "Er ist abgelaufen oder unvollständig. Gehen Sie dorthin zurück, wo Sie ihn erhalten haben, und bitten Sie um einen neuen.",
    },
    closed: {
      title: "Diese Prüfung ist beendet",
      lead: "Es muss nichts mehr gesendet werden.",
    },
    busy: {
      title: "Im Moment sind viele hier",
      lead: "Sie müssen nichts tun: Was Sie gemacht haben, ist noch da.",
    },
    file: {
      title: "Diese Datei war nicht verwendbar",
      lead: "Wählen Sie ein Bild (JPEG, PNG oder WebP) oder ein PDF mit bis zu 10 MB.",
    },
    challenge: {
      title: "Die Bewegungen müssen neu beginnen",
      lead: "Der vorige Versuch ist nicht mehr offen.",
    },
    challenges: {
      title: "Eine Wiederholung ist nicht mehr möglich",
      lead: "Bitten Sie das Unternehmen, das Sie hierher geschickt hat, um einen neuen Link.",
    },
    server: {
      title: "Bei uns ist etwas schiefgegangen",
      lead: "Es liegt nicht an Ihnen. Versuchen Sie es gleich noch einmal.",
    },
    waiting: "Warten auf die Verbindung…",
    again: (seconds) =>
      seconds === 1
        ? "Wir versuchen es in einer Sekunde erneut."
        : `Wir versuchen es in ${seconds} Sekunden erneut.`,
    reference: (id) => `Referenz: ${id}`,
  },

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
  },
};
