import type { Texts } from "./es";
import { serverWords } from "./server/fr";

export const fr: Texts = {
  chooseLanguage: "Langue",
  privacyNotice: "Avis de confidentialité",
  opensNewTab: "s’ouvre dans un autre onglet",
  loading: "Chargement…",
  working: "Un instant…",
  next: "Continuer",
  back: "Retour",
  retry: "Réessayer",
  close: "Fermer",
  goBackTo: (name) => `Retour à ${name}`,

  stage: (n, all) => `Étape ${n} sur ${all}`,

  consent: {
    title: (name) => `${name} vous demande de vérifier votre identité`,
    lead: "Cela prend environ deux minutes. Préparez votre pièce d’identité, dans un endroit bien éclairé.",
    leadPlain: "Cela prend environ deux minutes.",
    takenTitle: "Ce qui est recueilli",
    takenDocument:
      "Des photos de votre pièce d’identité et ce qu’elle indique : nom, date de naissance, adresse, CURP et ses numéros.",
    takenFace:
      "Des photos de votre visage, dont on calcule des mesures pour le comparer à celui de votre pièce d’identité. Ce sont des données biométriques.",
    takenFacePlain: "Des photos de votre visage, dont on calcule des mesures. Ce sont des données biométriques.",
    takenBy: {
      PROOF_OF_ADDRESS:
        "Une photo de votre justificatif de domicile et ce qu’il indique : nom, adresse et date.",
      OTP: "Votre numéro de téléphone ou votre adresse e-mail, pour vous envoyer un code.",
      FORM: "Vos réponses à un formulaire.",
      LOCATION:
        "D’où vous vous connectez, d’après votre adresse IP, et la position de votre appareil si vous l’autorisez.",
    },
    takenDevice: "L’adresse IP et le navigateur depuis lesquels vous acceptez, comme preuve.",
    whyTitle: "Pourquoi",
    why: (name) =>
      `Pour que ${name} sache que c’est bien vous et que votre pièce est valable, et pour prévenir la fraude.`,
    whyPlain: (name) => `Pour que ${name} sache que c’est bien vous, et pour prévenir la fraude.`,
    keptTitle: "Pendant combien de temps, et vos droits",
    kept: (days, name) =>
      `${name} les conserve, chiffrées, pendant ${days} jours au plus ; ensuite elles sont effacées. Vous pouvez demander à les consulter, à les corriger ou à les supprimer, ou vous opposer à leur utilisation.`,
    notice: "Lire l’avis de confidentialité",
    accept: "J’accepte que mes données, y compris biométriques, soient recueillies et utilisées ainsi.",
    acceptPlain: "J’accepte que mes données soient recueillies et utilisées ainsi.",
    missing: "Pour continuer, cochez la case. Si vous n’acceptez pas, vous pouvez fermer cette page.",
    version: (version) => `Version ${version}`,
  },

  document: {
    title: "Quelle pièce d’identité utiliserez-vous ?",
    lead: "Elle doit être valable et originale ; une copie ne convient pas.",
    ine: "Carte d’électeur (INE)",
    ineHint: "Les deux faces",
    passport: "Passeport",
    passportHint: "La page avec votre photo",
    licence: "Permis de conduire",
    licenceHint: "La face avec votre photo",
    retake: "Il nous faut une autre photo",
    retakesLeft: (n) => (n === 1 ? "Il reste un essai." : `Il reste ${n} essais.`),
  },

  shot: {
    front: { title: "Le recto de votre pièce d’identité", short: "Recto" },
    back: { title: "Le verso", short: "Verso" },
    passport: { title: "La page avec votre photo", short: "Passeport" },
    licence: { title: "Le recto de votre permis", short: "Permis" },
    selfie: { title: "Une photo de votre visage", short: "Votre visage" },
    proofOfAddress: {
      title: "La partie avec vos nom, adresse et date",
      short: "Justificatif de domicile",
    },
    of: (n, all) => `Photo ${n} sur ${all}`,
    take: "Prendre la photo",
    torch: "Lumière",
    file: "Envoyer un fichier",
    fileTypes: "JPEG, PNG, WebP ou PDF, 10 Mo au plus",
    skip: "Ma pièce n’a pas de verso",
    camera: "Utiliser la caméra",
    starting: "Ouverture de la caméra…",
    hint: {
      frame: "Placez le document dans le cadre",
      face: "Placez votre visage dans l’ovale et prenez la photo",
      edges: "Nous ne voyons pas ses quatre bords : posez-le sur une surface unie d’une autre couleur",
      closer: "Rapprochez-vous",
      farther: "Éloignez-vous un peu : le document dépasse du cadre",
      level: "Tenez le téléphone à plat et bien droit au-dessus du document",
      still: "Ne bougez pas…",
      dark: "Il fait trop sombre : trouvez plus de lumière",
      glare: "Il y a un reflet : inclinez un peu le document",
      blurred: "L’image n’est pas nette : attendez la mise au point",
      otherSide: "C’est le même côté : retournez le document",
      turn: "Tournez le téléphone pour que le document paraisse plus grand",
      ready: "Parfait ! Ne bougez pas…",
    },
    face: {
      noFace: "Nous ne voyons pas votre visage : placez-le dans l’ovale",
      several: "Nous voyons plusieurs personnes : une seule doit être à l’image",
      closer: "Rapprochez-vous un peu",
      farther: "Éloignez-vous un peu",
      centre: "Placez votre visage au centre de l’ovale",
      straight: "Regardez droit devant vous",
      dark: "Votre visage est dans l’ombre : trouvez plus de lumière",
      glasses: "Retirez vos lunettes foncées",
      still: "Ne bougez pas…",
      ready: "Parfait ! Ne bougez pas…",
    },
    taken: "Photo prise",
    former: "La photo précédente",
    formerAlt: (what) => `Votre photo précédente : ${what}`,
    reviewTitle: "Est-ce bien lisible ?",
    reviewFace: "Voit-on bien votre visage ?",
    reviewLead: "Le document doit être entier, net et sans reflet.",
    reviewFaceLead: "Sans lunettes de soleil ni casquette, et bien éclairé.",
    reviewAlt: (what) => `Votre photo : ${what}`,
    pdf: (name) => `Fichier choisi : ${name}`,
    use: "Utiliser cette photo",
    again: "La reprendre",
    useFile: "Utiliser ce fichier",
    otherFile: "En choisir un autre",
    sending: "Envoi…",
    denied: "L’accès à la caméra n’est pas autorisé",
    deniedHow:
      "Autorisez-le dans les réglages du navigateur (le cadenas à côté de l’adresse) et réessayez, ou envoyez une photo.",
    none: "Aucune caméra n’a été trouvée",
    noneHow: "Envoyez une photo déjà prise, ou ouvrez cette page sur votre téléphone.",
    tooLarge: "Le fichier dépasse 10 Mo. Choisissez-en un autre.",
    unreadable:
      "Ce fichier ne peut pas être ouvert. Choisissez une photo JPEG, PNG ou WebP, ou un PDF.",
  },

  handOver: {
    offer: "Continuer sur mon téléphone",
    title: "Continuez sur votre téléphone",
    lead:
      "La caméra d’un téléphone prend de meilleures photos. Pointez-la vers ce code et ouvrez le lien.",
    code: "Code QR du lien pour votre téléphone",
    orOpen: "Ou ouvrez sur le téléphone :",
    once: "Il sert une seule fois, pendant 10 minutes. Ne le transmettez à personne.",
    toEither: "Envoyer le lien à ce téléphone ou à cette adresse e-mail",
    toPhone: "Envoyer le lien à ce téléphone",
    toMail: "Envoyer le lien à cette adresse e-mail",
    send: "Envoyer",
    sent: "Envoyé. Cela peut prendre une minute.",
    wrong: "Vérifiez : un téléphone avec +52 et dix chiffres, ou une adresse e-mail.",
    often:
      "Plusieurs ont déjà été envoyés. Utilisez le code ci-dessus, ou attendez quelques minutes.",
    failed: "L’envoi a échoué. Réessayez.",
    spent: "Trop de codes ont déjà été affichés. Poursuivez sur cet ordinateur.",
    late: "Le code a expiré.",
    again: "Afficher un autre code",
    here: "Rester sur cet ordinateur",
    openedTitle: "Continuez sur votre téléphone",
    openedLead: "Vous verrez le résultat ici. Ne fermez pas cette page.",
  },

  liveness: {
    title: "Maintenant, votre visage",
    lead:
      "Filmez-vous en faisant quelques gestes simples, l’un après l’autre. Cela prend quelques secondes. Le film est envoyé à la fin, puis il est vérifié.",
    tips: [
      "Trouvez un endroit éclairé de face.",
      "Retirez lunettes de soleil, casquette ou masque.",
      "Personne d’autre ne doit être à l’image.",
    ],
    start: "Commencer",
    startAnyway: "Commencer ainsi",
    deniedHow:
      "Autorisez la caméra dans les réglages du navigateur (le cadenas à côté de l’adresse) et réessayez.",
    noneHow: "Cette partie demande une caméra : ouvrez cette page sur votre téléphone.",
    copy: "Copier le lien",
    copied: "Lien copié",
    step: (n, all) => `Filmez-vous · geste ${n} sur ${all}`,
    judged: "Vous voyez ici si la caméra a saisi chaque geste. La vérification vient ensuite.",
    unseen:
      "Cette page filme et envoie, sans savoir s’il y a un visage ; la vérification vient ensuite.",
    seen: "Vu !",
    moves: {
      look_straight: "Regardez droit devant vous, sans bouger",
      turn_left: "Tournez la tête vers votre gauche",
      turn_right: "Tournez la tête vers votre droite",
      look_up: "Levez le visage",
      blink: "Fermez les yeux un instant, puis ouvrez-les",
      smile: "Souriez",
      open_mouth: "Ouvrez la bouche",
    },
    still: "Attendez : regardez droit devant vous, sans bouger",
    light: "L’écran va changer de couleur. Regardez-le en face, sans bouger.",
    skipLight: "Passer les couleurs",
    sending: "Envoi du film…",
    expired: "Cet essai a expiré avant l’envoi. Recommençons.",
    absent:
      "La caméra n’a pas vu votre visage : rien n’a été envoyé. Placez votre visage dans l’ovale et recommencez.",
    unusable: "Le film n’a pas pu être utilisé. Recommençons.",
    unchanged:
      "L’image de la caméra n’a pas changé pendant les gestes : rien n’a été envoyé. Vérifiez que la caméra vous montre, placez votre visage dans l’ovale et faites chaque geste quand il est demandé.",
    tooMany:
      "Il n’est plus possible de recommencer. Demandez un nouveau lien à l’entreprise qui vous a envoyé ici.",
  },

  code: {
    title: "Confirmez que les messages vous parviennent",
    lead: (name) => `${name} vous demande de confirmer un code à six chiffres.`,
    choose: "Comment voulez-vous le recevoir ?",
    by: { sms: "Par message texte (SMS)", email: "Par e-mail" },
    to: { sms: "Votre numéro de téléphone", email: "Votre adresse e-mail" },
    toHint: {
      sms: "Avec l’indicatif du pays, comme +52 55 1234 5678",
      email: "Comme nom@courriel.com",
    },
    known: {
      sms: "Nous l’envoyons au numéro que vous avez déjà donné.",
      email: "Nous l’envoyons à l’adresse que vous avez déjà donnée.",
    },
    wrongAddress: {
      sms: "Vérifiez le numéro : avec +52 et dix chiffres, par exemple.",
      email: "Vérifiez l’adresse : il manque quelque chose.",
    },
    send: "Envoyer le code",
    often: (minutes) =>
      `Plusieurs codes ont déjà été envoyés. Attendez ${minutes === 1 ? "une minute" : `${minutes} minutes`} et réessayez.`,
    refused: "L’envoi n’y est pas possible. Utilisez-en un autre.",
    enterTitle: "Saisissez le code",
    sentTo: (to) => `Nous l’avons envoyé à ${to}. Cela peut prendre une minute ; il est valable cinq minutes.`,
    sent: {
      sms: "Nous l’avons envoyé à votre téléphone. Cela peut prendre une minute ; il est valable cinq minutes.",
      email: "Nous l’avons envoyé à votre adresse. Cela peut prendre une minute ; il est valable cinq minutes.",
    },
    code: "Code à six chiffres",
    confirm: "Confirmer",
    digits: "Le code a six chiffres.",
    wrong: (left) =>
      left === 1 ? "Ce n’est pas le code. Il reste un essai." : `Ce n’est pas le code. Il reste ${left} essais.`,
    spent: "Ce code n’est plus valable. Demandez-en un autre.",
    resend: "Envoyer un autre code",
    resendIn: (seconds) => `Envoyer un autre code (dans ${seconds} s)`,
    resent: "Un autre code a été envoyé. Le précédent n’est plus valable.",
    other: "Utiliser un autre téléphone ou une autre adresse",
    secret: "Personne ne vous le demandera par téléphone ni par message : ne le partagez pas.",
  },

  form: {
    required: "obligatoire",
    choose: "Choisissez",
    send: "Envoyer",
    sum: (n) => (n === 1 ? "Une réponse est à modifier." : `${n} réponses sont à modifier.`),
    faults: {
      required: () => "Cette réponse manque.",
      unchecked: () => "Cette case doit être cochée.",
      not_an_option: () => "Choisissez l’une des options.",
      not_a_date: () => "Saisissez une date qui existe.",
      too_short: (n) => `Saisissez au moins ${n} caractères.`,
      too_long: (n) => `Saisissez au plus ${n} caractères.`,
      no_match: () => "La réponse n’a pas la forme attendue. Vérifiez-la.",
    },
  },

  place: {
    title: "Où se trouve votre appareil ?",
    lead: (name) =>
      `${name} demande la position de votre appareil pour prévenir la fraude. Elle est mesurée une seule fois, maintenant.`,
    how: "Le navigateur vous demandera si vous l’autorisez.",
    free: (name) =>
      `Vous pouvez refuser. La vérification continue, et ${name} voit que vous ne l’avez pas donnée ; une personne devra peut-être l’examiner.`,
    share: "Partager ma position",
    without: "Continuer sans la partager",
    measuring: "Mesure en cours…",
    refused:
      "Le navigateur n’autorise pas la position. Pour l’autoriser, utilisez le cadenas à côté de l’adresse ou les réglages du téléphone.",
    unavailable:
      "La position n’a pas pu être mesurée. Activez la localisation de l’appareil et réessayez.",
  },

  waiting: {
    title: "Nous vérifions",
    lead: "Cela prend en général quelques secondes. Vous pouvez laisser cette page ouverte.",
    elsewhere: "Il manque une étape",
    elsewhereLead: (name) =>
      `Continuez dans l’application de ${name} pour faire ce qui manque. Vous pouvez laisser cette page ouverte.`,
    statuses: {
      PENDING: "à faire",
      WAITING_INPUT: "il manque quelque chose de votre part",
      RUNNING: "en cours de vérification",
      PASSED: "terminé",
      FAILED: "achevé",
      REVIEW: "terminé",
      SKIPPED: "pas nécessaire",
    },
  },

  ended: {
    APPROVED: {
      title: "Votre identité est vérifiée",
      lead: (name) => `Vous pouvez continuer avec ${name}.`,
    },
    REJECTED: {
      title: "Nous n’avons pas pu vérifier votre identité",
      lead: (name) =>
        `${name} en est informé. Si vous pensez que c’est une erreur, contactez-les : ils peuvent la réexaminer.`,
    },
    MANUAL_REVIEW: {
      title: "Nous avons tout reçu",
      lead: (name) =>
        `Une personne va l’examiner et ${name} vous communiquera le résultat. Vous n’avez plus rien à faire.`,
    },
    EXPIRED: {
      title: "Le délai est écoulé",
      lead: (name) => `Demandez un nouveau lien à ${name} pour recommencer.`,
    },
    nextTitle: "Et maintenant",
    next: {
      APPROVED: (name) => [`${name} a déjà le résultat : vous n’avez rien d’autre à envoyer.`],
      REJECTED: (name) => [
        `${name} décide de la suite et peut demander qu’une personne l’examine.`,
        "Si vous les contactez, ayez sous la main votre pièce d’identité et la référence ci-dessous.",
      ],
      MANUAL_REVIEW: (name) => [
        "Une personne compare vos photos et vos données.",
        `${name} vous avertit par les moyens habituels. Cette page n’a pas besoin de rester ouverte.`,
      ],
      EXPIRED: () => [
        "Rien n’a été décidé sur ce que vous avez envoyé cette fois.",
        "Avec un nouveau lien, vous reprenez depuis le début.",
      ],
    },
    helpTitle: "Des questions ?",
    help: (name) => `Contactez ${name} et donnez cette référence :`,
    canClose: "Vous pouvez maintenant fermer cette page.",
  },

  faults: {
    offline: {
      title: "Pas de connexion",
      lead: "Vérifiez votre accès à Internet. Ce que vous avez envoyé est conservé.",
    },
    link: {
      title: "Ce lien ne fonctionne plus",
      lead: "Il a expiré ou il est incomplet. Retournez là où vous l’avez reçu et demandez-en un nouveau.",
    },
    closed: {
      title: "Cette vérification est terminée",
      lead: "Il n’y a plus rien à envoyer.",
    },
    busy: {
      title: "Beaucoup de monde en ce moment",
      lead: "Vous n’avez rien à faire : ce que vous avez fait est toujours là.",
    },
    file: {
      title: "Ce fichier n’a pas pu être utilisé",
      lead: "Choisissez une photo JPEG, PNG ou WebP, ou un PDF, de 10 Mo au plus.",
    },
    challenge: {
      title: "Il faut recommencer les gestes",
      lead: "L’essai précédent n’est plus ouvert.",
    },
    challenges: {
      title: "Il n’est plus possible de recommencer",
      lead: "Demandez un nouveau lien à l’entreprise qui vous a envoyé ici.",
    },
    server: {
      title: "Un problème est survenu de notre côté",
      lead: "Vous n’y êtes pour rien. Réessayez dans un instant.",
    },
    waiting: "En attente de la connexion…",
    again: (seconds) =>
      seconds === 1
        ? "Nouvel essai dans une seconde."
        : `Nouvel essai dans ${seconds < 120 ? `${seconds} secondes` : `${Math.ceil(seconds / 60)} minutes`}.`,
    reference: (id) => `Référence : ${id}`,
  },

  ...serverWords,
};
