import type { Texts } from "./es";
import { serverWords } from "./server/de";

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
    leadPlain: "Das dauert etwa zwei Minuten.",
    takenTitle: "Was erhoben wird",
    takenDocument:
      "Bilder Ihres Ausweises und was darauf steht: Name, Geburtsdatum, Anschrift, CURP und seine Nummern.",
    takenFace:
      "Bilder Ihres Gesichts, aus denen Maße berechnet werden, um es mit dem auf Ihrem Ausweis zu vergleichen. Das sind biometrische Daten.",
    takenFacePlain: "Bilder Ihres Gesichts, aus denen Maße berechnet werden. Das sind biometrische Daten.",
    takenBy: {
      PROOF_OF_ADDRESS:
        "Ein Bild Ihres Adressnachweises und was darauf steht: Name, Anschrift und Datum.",
      OTP: "Ihre Telefonnummer oder E-Mail-Adresse, um Ihnen einen Code zu senden.",
      FORM: "Ihre Antworten auf ein Formular.",
      LOCATION:
        "Von wo Sie sich verbinden, nach Ihrer IP-Adresse, und der Standort Ihres Geräts, wenn Sie ihn erlauben.",
    },
    takenDevice: "IP-Adresse und Browser, mit denen Sie zustimmen, als Nachweis.",
    whyTitle: "Wozu",
    why: (name) =>
      `Damit ${name} weiß, dass Sie es sind und Ihr Ausweis gültig ist, und um Betrug zu verhindern.`,
    whyPlain: (name) => `Damit ${name} weiß, dass Sie es sind, und um Betrug zu verhindern.`,
    keptTitle: "Wie lange, und Ihre Rechte",
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
    proofOfAddress: { title: "Der Teil mit Name, Adresse und Datum", short: "Adressnachweis" },
    of: (n, all) => `Bild ${n} von ${all}`,
    take: "Bild aufnehmen",
    torch: "Licht",
    file: "Datei hochladen",
    fileTypes: "JPEG, PNG, WebP oder PDF, bis 10 MB",
    skip: "Mein Ausweis hat keine Rückseite",
    camera: "Kamera verwenden",
    starting: "Kamera wird geöffnet…",
    hint: {
      frame: "Legen Sie das Dokument in den Rahmen",
      face: "Bringen Sie Ihr Gesicht in das Oval und nehmen Sie das Bild auf",
      edges: "Wir sehen seine vier Kanten nicht: Legen Sie es auf eine einfarbige Fläche in einer anderen Farbe",
      closer: "Gehen Sie näher heran",
      farther: "Gehen Sie etwas zurück: Das Dokument passt nicht in den Rahmen",
      level: "Halten Sie das Telefon flach und gerade über das Dokument",
      still: "Halten Sie still…",
      dark: "Es ist zu dunkel: Suchen Sie mehr Licht",
      glare: "Da ist eine Spiegelung: Kippen Sie das Dokument ein wenig",
      blurred: "Das Bild ist nicht scharf: Warten Sie, bis die Kamera fokussiert",
      otherSide: "Das ist dieselbe Seite: Drehen Sie das Dokument um",
      turn: "Drehen Sie das Telefon, damit das Dokument größer erscheint",
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
      glasses: "Nehmen Sie die dunkle Brille ab",
      still: "Halten Sie still…",
      ready: "Genau so! Halten Sie still…",
    },
    taken: "Bild aufgenommen",
    former: "Das vorige Bild",
    formerAlt: (what) => `Ihr voriges Bild: ${what}`,
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
    spent: "Es wurden schon zu viele Codes gezeigt. Machen Sie an diesem Computer weiter.",
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
    skipLight: "Farben überspringen",
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

  code: {
    title: "Bestätigen Sie, dass Nachrichten Sie erreichen",
    lead: (name) => `${name} bittet Sie, einen sechsstelligen Code zu bestätigen.`,
    choose: "Wie möchten Sie ihn erhalten?",
    by: { sms: "Per Textnachricht (SMS)", email: "Per E-Mail" },
    to: { sms: "Ihre Telefonnummer", email: "Ihre E-Mail-Adresse" },
    toHint: {
      sms: "Mit der Landesvorwahl, zum Beispiel +52 55 1234 5678",
      email: "Zum Beispiel name@mail.com",
    },
    known: {
      sms: "Wir senden ihn an die Nummer, die Sie schon angegeben haben.",
      email: "Wir senden ihn an die Adresse, die Sie schon angegeben haben.",
    },
    wrongAddress: {
      sms: "Prüfen Sie die Nummer: zum Beispiel mit +52 und zehn Ziffern.",
      email: "Prüfen Sie die Adresse: Es fehlt etwas.",
    },
    send: "Code senden",
    often: (minutes) =>
      `Es wurden schon mehrere Codes gesendet. Warten Sie ${minutes === 1 ? "eine Minute" : `${minutes} Minuten`} und versuchen Sie es noch einmal.`,
    refused: "Dorthin kann nichts gesendet werden. Verwenden Sie eine andere Angabe.",
    enterTitle: "Geben Sie den Code ein",
    sentTo: (to) => `Wir haben ihn an ${to} gesendet. Das kann eine Minute dauern; er gilt fünf Minuten.`,
    sent: {
      sms: "Wir haben ihn an Ihr Telefon gesendet. Das kann eine Minute dauern; er gilt fünf Minuten.",
      email: "Wir haben ihn an Ihre Adresse gesendet. Das kann eine Minute dauern; er gilt fünf Minuten.",
    },
    code: "Sechsstelliger Code",
    confirm: "Bestätigen",
    digits: "Der Code hat sechs Ziffern.",
    wrong: (left) =>
      left === 1
        ? "Das ist nicht der Code. Ein Versuch bleibt."
        : `Das ist nicht der Code. ${left} Versuche bleiben.`,
    spent: "Dieser Code gilt nicht mehr. Fordern Sie einen anderen an.",
    resend: "Einen anderen Code senden",
    resendIn: (seconds) => `Einen anderen Code senden (in ${seconds} s)`,
    resent: "Ein anderer Code wurde gesendet. Der vorige gilt nicht mehr.",
    other: "Anderes Telefon oder andere Adresse verwenden",
    secret: "Niemand wird Sie am Telefon oder per Nachricht danach fragen: Geben Sie ihn nicht weiter.",
  },

  form: {
    required: "Pflichtfeld",
    choose: "Bitte wählen",
    send: "Senden",
    sum: (n) => (n === 1 ? "Eine Antwort ist zu ändern." : `${n} Antworten sind zu ändern.`),
    faults: {
      required: () => "Diese Antwort fehlt.",
      unchecked: () => "Dieses Kästchen muss angekreuzt sein.",
      not_an_option: () => "Wählen Sie eine der Möglichkeiten.",
      not_a_date: () => "Geben Sie ein Datum ein, das es gibt.",
      too_short: (n) => `Geben Sie mindestens ${n} Zeichen ein.`,
      too_long: (n) => `Geben Sie höchstens ${n} Zeichen ein.`,
      no_match: () => "Sie hat nicht die erwartete Form. Prüfen Sie sie.",
    },
  },

  place: {
    title: "Wo ist Ihr Gerät?",
    lead: (name) =>
      `${name} bittet um den Standort Ihres Geräts, um Betrug zu verhindern. Er wird einmal gemessen, jetzt.`,
    how: "Der Browser fragt Sie, ob Sie es erlauben.",
    free: (name) =>
      `Sie können ablehnen. Die Prüfung geht weiter, und ${name} sieht, dass Sie ihn nicht angegeben haben; vielleicht prüft es ein Mensch.`,
    share: "Meinen Standort teilen",
    without: "Ohne Standort fortfahren",
    measuring: "Wird gemessen…",
    refused:
      "Der Browser erlaubt den Standort nicht. Erlauben Sie ihn beim Schloss neben der Adresse oder in den Einstellungen des Telefons.",
    unavailable:
      "Der Standort war nicht messbar. Schalten Sie die Ortung des Geräts ein und versuchen Sie es noch einmal.",
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
    nextTitle: "Wie es weitergeht",
    next: {
      APPROVED: (name) => [`${name} hat das Ergebnis schon: Sie müssen nichts weiter senden.`],
      REJECTED: (name) => [
        `${name} entscheidet, wie es weitergeht, und kann es von einem Menschen prüfen lassen.`,
        "Wenn Sie sich dorthin wenden, halten Sie Ihren Ausweis und die Referenz unten bereit.",
      ],
      MANUAL_REVIEW: (name) => [
        "Ein Mensch vergleicht Ihre Bilder und Ihre Daten.",
        `${name} benachrichtigt Sie auf dem gewohnten Weg. Diese Seite muss nicht offen bleiben.`,
      ],
      EXPIRED: () => [
        "Über das, was Sie diesmal gesendet haben, wurde nicht entschieden.",
        "Mit einem neuen Link beginnen Sie von vorn.",
      ],
    },
    helpTitle: "Fragen?",
    help: (name) => `Wenden Sie sich an ${name} und nennen Sie diese Referenz:`,
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
        : `Wir versuchen es in ${seconds < 120 ? `${seconds} Sekunden` : `${Math.ceil(seconds / 60)} Minuten`} erneut.`,
    reference: (id) => `Referenz: ${id}`,
  },

  ...serverWords,
};
