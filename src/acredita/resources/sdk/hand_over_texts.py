"""What the page /go says, in the person's languages."""

from typing import Final

from acredita.domain.languages import PersonLanguage

PAGE: Final = {
    PersonLanguage.SPANISH: {
        "title": "Continúa en este teléfono",
        "text": "Aquí sigue tu verificación de identidad, donde la dejaste en el otro equipo.",
        "warning": "Si no la empezaste tú, cierra esta página: alguien puede querer"
        " usar tu identidad.",
        "code": "Código",
        "send": "Continuar",
        "failed": "No se pudo abrir en este momento. Inténtalo de nuevo.",
        "spent": "Este código ya se usó, venció o no es correcto. Pide otro en el otro equipo.",
        "noscript": "Esta página necesita JavaScript.",
    },
    PersonLanguage.ENGLISH: {
        "title": "Continue on this phone",
        "text": "Your identity verification goes on here, where you left it on the other device.",
        "warning": "If you did not begin it, close this page: somebody may want to use your"
        " identity.",
        "code": "Code",
        "send": "Continue",
        "failed": "It could not be opened just now. Try again.",
        "spent": "This code was used, has expired or is wrong. Get another on the other device.",
        "noscript": "This page needs JavaScript.",
    },
    PersonLanguage.PORTUGUESE: {
        "title": "Continue neste telefone",
        "text": "Sua verificação de identidade segue aqui, de onde parou no outro aparelho.",
        "warning": "Se não foi você que a começou, feche esta página: alguém pode querer usar sua"
        " identidade.",
        "code": "Código",
        "send": "Continuar",
        "failed": "Não foi possível abrir agora. Tente de novo.",
        "spent": "Este código já foi usado, venceu ou está errado. Peça outro no outro aparelho.",
        "noscript": "Esta página precisa de JavaScript.",
    },
    PersonLanguage.FRENCH: {
        "title": "Continuez sur ce téléphone",
        "text": "Votre vérification d’identité reprend ici, là où vous l’avez laissée.",
        "warning": "Si vous ne l’avez pas commencée, fermez cette page : quelqu’un veut peut-être"
        " utiliser votre identité.",
        "code": "Code",
        "send": "Continuer",
        "failed": "L’ouverture a échoué. Réessayez.",
        "spent": "Ce code a servi, a expiré ou est faux. L’autre appareil en donne un autre.",
        "noscript": "Cette page a besoin de JavaScript.",
    },
    PersonLanguage.GERMAN: {
        "title": "Auf diesem Telefon fortfahren",
        "text": "Ihre Identitätsprüfung geht hier weiter, wo Sie am anderen Gerät aufgehört haben.",
        "warning": "Wenn Sie sie nicht begonnen haben, schließen Sie diese Seite: Vielleicht will"
        " jemand Ihre Identität benutzen.",
        "code": "Code",
        "send": "Weiter",
        "failed": "Das Öffnen ist gerade nicht gelungen. Versuchen Sie es noch einmal.",
        "spent": "Dieser Code ist verbraucht, abgelaufen oder falsch. Das andere Gerät zeigt einen"
        " neuen an.",
        "noscript": "Diese Seite braucht JavaScript.",
    },
}
