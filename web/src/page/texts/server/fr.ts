/** The server's words, by step type and reason code. */
import type { Texts } from "../es";

export const serverWords: Pick<Texts, "steps" | "advice"> = {
  steps: {
    DOCUMENT_OCR: { name: "Votre pièce d’identité" },
    FACE_MATCH: { name: "Votre visage et celui de votre pièce d’identité" },
    LIVENESS: { name: "Que vous êtes une personne devant la caméra" },
    GOVERNMENT_VERIFY: {
      name: "Registres officiels",
      discloses: "Vos données sont comparées aux registres officiels (RENAPO, INE, SAT).",
    },
    CREDIT: {
      name: "Vos antécédents de crédit",
      discloses: "Vos antécédents de crédit sont demandés à un bureau de crédit.",
    },
    AML_SCREEN: { name: "Listes de personnes bloquées" },
    LOCATION: { name: "D’où vous vous connectez" },
    OTP: { name: "Un code de confirmation" },
    FORM: { name: "Un formulaire" },
    ESIGNATURE: { name: "Votre signature électronique" },
    PROOF_OF_ADDRESS: { name: "Votre justificatif de domicile" },
  },
  advice: {
    DOCUMENT_NOT_SUPPORTED:
      "Nous ne pouvons pas lire cette pièce. Utilisez votre carte INE ou votre passeport mexicain.",
    DOCUMENT_LAYOUT_UNKNOWN:
      "Nous ne connaissons pas ce modèle de permis. Utilisez votre carte INE ou votre passeport mexicain.",
    WRONG_DOCUMENT: "Ce n’est pas la pièce demandée. Vérifiez laquelle il faut et réessayez.",
    WRONG_SIDE: "C’est l’autre face. Retournez votre pièce et reprenez la photo.",
    DOCUMENT_EXPIRED: "Cette pièce a expiré. Utilisez-en une en cours de validité.",
    REQUIRED_FIELD_MISSING:
      "Cette pièce ne montre pas tout ce qu’il faut. Montrez les deux faces, ou utilisez-en une autre.",
    SEVERAL_DOCUMENTS:
      "Ne laissez qu’une seule pièce à l’image, et photographiez chaque face séparément.",
    SCREEN_PHOTOGRAPHED: "Photographiez la pièce elle-même, pas un écran.",
    BLACK_AND_WHITE_COPY:
      "Photographiez votre pièce originale, en couleur. Une copie en noir et blanc ne convient pas.",
    DOCUMENT_CUT_OFF: "Éloignez un peu la caméra : les quatre coins doivent être à l’image.",
    IMAGE_TOO_SMALL: "Rapprochez la caméra jusqu’à ce que la pièce remplisse l’image.",
    IMAGE_TOO_DARK: "Il y a trop peu de lumière. Allez près d’une fenêtre ou allumez une lampe.",
    IMAGE_OVEREXPOSED: "Il y a trop de lumière. Éteignez le flash et cherchez un peu d’ombre.",
    IMAGE_GLARE: "Évitez le reflet : inclinez un peu la pièce, ou éloignez-vous de la lampe.",
    IMAGE_BLURRED: "L’image est floue. Tenez le téléphone immobile et attendez la mise au point.",
    DOCUMENT_UNREADABLE:
      "Nous n’avons pas pu tout lire. Reprenez la photo, bien éclairé et sans bouger.",
    DOCUMENT_NOT_RECOGNIZED:
      "Nous n’avons pas trouvé votre pièce. Posez-la sur une table unie et remplissez l’image.",
    PAGE_NOT_RECOGNIZED: "Une des photos ne montre aucune pièce que nous connaissons. Reprenez-la.",
    PAGE_NOT_CONFIRMED:
      "Nous n’avons pas pu confirmer que cette page est la vôtre. Reprenez la photo, nette et entière.",
    FIELDS_UNCERTAIN:
      "Certains détails sont difficiles à lire. Rapprochez la caméra, avec une lumière égale.",
    PORTRAIT_NOT_FOUND:
      "Nous ne voyons pas la photo de votre pièce. Montrez la face avec votre portrait, sans la couvrir.",
    PORTRAIT_TOO_SMALL: "Rapprochez la caméra de la pièce : votre portrait est trop petit.",
    PORTRAIT_BLURRED: "Le portrait de la pièce est flou. Tenez le téléphone immobile et réessayez.",
    FACE_NOT_FOUND:
      "Nous ne voyons pas votre visage. Regardez la caméra, sans lunettes de soleil ni masque.",
    SEVERAL_FACES:
      "Vous seul devez être à l’image. Trouvez un endroit sans personne derrière vous.",
    FACE_TOO_SMALL: "Rapprochez-vous : votre visage est trop petit à l’image.",
    FACE_BLURRED: "L’image est floue. Tenez le téléphone immobile, avec plus de lumière.",
    SELFIE_SHOWS_DOCUMENT: "Photographiez-vous, sans votre pièce à l’image.",
    LIVENESS_NOT_PROVEN: "Nous devons vous voir en direct : ouvrez la caméra et suivez les gestes.",
    LIVENESS_FACE_NOT_FOUND: "Gardez tout votre visage à l’image jusqu’à la fin, bien éclairé.",
    LIVENESS_SEVERAL_FACES: "Vous seul devez être à l’image. Trouvez un endroit où vous êtes seul.",
    LIVENESS_FRAMES_DISORDERED:
      "Faites chaque geste une seule fois, lentement, puis regardez de nouveau droit devant vous.",
    LIVENESS_TOO_FAST: "Prenez votre temps : lisez chaque consigne, puis faites le geste.",
    LIVENESS_MOVE_NOT_SEEN: "Faites chaque geste plus nettement, le visage bien éclairé.",
    LIVENESS_LIGHT_NOT_SEEN:
      "Augmentez la luminosité de l’écran, rapprochez-vous et trouvez un endroit moins éclairé.",
    PICTURE_ASKED_AGAIN: "Reprenez la photo : bien éclairée, nette et entière.",
    PROOF_NOT_RECOGNIZED:
      "Utilisez une facture d’électricité, d’eau, de gaz ou de téléphone, ou un relevé bancaire.",
    PROOF_UNREADABLE:
      "Nom, adresse ou date illisibles. Prenez une photo plus nette de toute la feuille.",
    PROOF_ISSUER_UNKNOWN:
      "Nous ne connaissons pas cet émetteur. Utilisez une autre facture ou un relevé bancaire.",
    PROOF_TOO_OLD: "Ce papier est trop ancien. Utilisez le plus récent.",
    PROOF_NAME_DIFFERS: "Ce papier est au nom d’une autre personne. Utilisez-en un à votre nom.",
    PROOF_UNCERTAIN:
      "Tout n’est pas bien lisible. Reprenez la photo, avec une bonne lumière et sans bouger.",
  },
};
