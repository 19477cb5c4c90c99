"""What a person reads whose page cannot be shown, in the page's languages."""

from typing import Final

from acredita.domain.languages import PersonLanguage

UNKNOWN: Final = {
    PersonLanguage.SPANISH: {
        "title": "Este enlace no sirve",
        "lead": "Está incompleto, o lo que abría ya no existe. Pide uno nuevo a quien te lo envió.",
    },
    PersonLanguage.ENGLISH: {
        "title": "This link does not work",
        "lead": "It is incomplete, or what it opened is gone. Ask the sender for a new one.",
    },
    PersonLanguage.PORTUGUESE: {
        "title": "Este link não funciona",
        "lead": "Está incompleto, ou o que ele abria não existe mais. Peça outro a quem o enviou.",
    },
    PersonLanguage.FRENCH: {
        "title": "Ce lien ne fonctionne pas",
        "lead": "Il est incomplet, ou ce qu’il ouvrait n’existe plus. Demandez-en un autre à la"
        " personne qui vous l’a envoyé.",
    },
    PersonLanguage.GERMAN: {
        "title": "Dieser Link funktioniert nicht",
        "lead": "Er ist unvollständig, oder was er öffnete, gibt es nicht mehr. Bitten Sie den"
        " Absender um einen neuen.",
    },
}
BUSY: Final = {
    PersonLanguage.SPANISH: {
        "title": "Hay mucha gente en este momento",
        "lead": "No tienes que hacer nada: en unos segundos lo intentamos de nuevo.",
    },
    PersonLanguage.ENGLISH: {
        "title": "Many people are here just now",
        "lead": "There is nothing to do: we try again in a few seconds.",
    },
    PersonLanguage.PORTUGUESE: {
        "title": "Há muita gente neste momento",
        "lead": "Você não precisa fazer nada: em alguns segundos tentamos de novo.",
    },
    PersonLanguage.FRENCH: {
        "title": "Il y a beaucoup de monde en ce moment",
        "lead": "Vous n’avez rien à faire : nous réessayons dans quelques secondes.",
    },
    PersonLanguage.GERMAN: {
        "title": "Im Moment sind viele hier",
        "lead": "Sie müssen nichts tun: In einigen Sekunden versuchen wir es noch einmal.",
    },
}
