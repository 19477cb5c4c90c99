"""Detect names that are probably misread. They go to review and are never changed.

A name with a misread inner letter can match the CURP, which has only a few letters of it. A Ñ that
is read as N matches a machine-readable zone, which has N for both.
"""

from collections.abc import Iterable
from typing import Final

from acredita.domain.names import fold

_WITH_ENYE: Final = """
    ACUÑA AÑORVE AVENDAÑO BAÑUELOS BEGOÑA BOLAÑOS BRISEÑO CABAÑAS CAMPAÑA CARREÑO
    CASTAÑEDA CASTAÑO CASTAÑÓN CEDEÑO CERDEÑA CERMEÑO CORUÑA DUEÑAS EGAÑA ESCAÑO ESPAÑA FARIÑA
    GALDEÑO GARIBAÑEZ GRIÑÁN IBÁÑEZ IÑAKI IÑIGO IÑIGUEZ LARRAÑAGA LEAÑO LEAÑOS LLAÑEZ LONDOÑO
    LOGROÑO LUCEÑO MAGAÑA MARAÑÓN MARIÑO MONTAÑEZ MONTAÑO MUÑIZ MUÑOZ NIÑA NIÑO NOREÑA NÚÑEZ OCAÑA
    ORDÓÑEZ ORDUÑA ORDUÑO OROÑA PATIÑO PEÑA PEÑALOZA PEÑAFLOR PEÑUELAS PIÑA PIÑERA PIÑÓN PORTUÑO
    QUIÑONES QUIÑÓNEZ RIAÑO SALDAÑA SANTIBÁÑEZ SEDEÑO SERDEÑA
    TOÑO TREVIÑO URDIÑOLA URUEÑA VICUÑA VIDAÑA VIÑAS YÁÑEZ ZÚÑIGA ÑANDÚ ÑONGO ÑUÑEZ
"""
_COMMON: Final = """
    HERNANDEZ GARCIA MARTINEZ LOPEZ GONZALEZ PEREZ RODRIGUEZ SANCHEZ RAMIREZ CRUZ FLORES GOMEZ
    MORALES VAZQUEZ JIMENEZ REYES DIAZ TORRES GUTIERREZ RUIZ MENDOZA AGUILAR MENDEZ MORENO ORTIZ
    JUAREZ CASTILLO RAMOS ALVAREZ ROMERO RIVERA CHAVEZ MEDINA VARGAS CASTRO DOMINGUEZ GUZMAN
    CONTRERAS VELAZQUEZ ROJAS HERRERA LUNA BAUTISTA SANTIAGO ESTRADA SOTO SALAZAR DELGADO GUERRERO
    AGUIRRE CERVANTES CABRERA CORTES ESPINOZA FIGUEROA FUENTES IBARRA LARA LEON MALDONADO MEJIA
    MEZA MIRANDA MONTOYA NAVARRO OCHOA OLVERA PACHECO PADILLA PALACIOS QUINTERO QUIROZ RANGEL ROSAS
    SALINAS SANDOVAL SERRANO SOLIS SUAREZ TAPIA VALDEZ VALENCIA VEGA VILLANUEVA ZAMORA ZAVALA
    ACEVEDO BARRIOS BELTRAN CAMACHO CARDENAS CARRILLO CASILLAS CORONA ESCOBAR GALINDO GALLEGOS
    ALONSO ANDRADE ARELLANO ARROYO AVILA AYALA BARRERA BENITEZ BERNAL BRAVO BUSTAMANTE CALDERON
    CAMPOS CANO CARRASCO CISNEROS CORDOVA CUEVAS DAVILA DURAN ENRIQUEZ ESCOBEDO ESPARZA ESQUIVEL
    FERNANDEZ FRANCO GALLARDO GALVAN GAMEZ GUERRA GUEVARA LEAL LEYVA LOZANO LUGO MACIAS MARIN
    MARQUEZ MATA MONTES MORA MOLINA MURILLO NAVA NIETO OROZCO OROPEZA OSORIO PALMA PAREDES PARRA
    PONCE PRADO QUEZADA RAMON RICO RIOS RIVAS ROBLES ROSALES RUBIO SALAS SALGADO SEGURA SERNA
    SIERRA SILVA
    TELLEZ TOVAR TRUJILLO URIBE VALLE VELASCO VERA VILLA VILLARREAL VILLEGAS YEPEZ ZARAGOZA ZEPEDA
    MARIA GUADALUPE JOSE LUIS JUAN CARLOS FRANCISCO JAVIER MIGUEL ANGEL JESUS ANTONIO MARTIN MANUEL
    PEDRO ALEJANDRO ROBERTO FERNANDO DANIEL JORGE RICARDO EDUARDO SERGIO RAUL HECTOR ARTURO ALBERTO
    ENRIQUE ANDRES RAFAEL OSCAR GERARDO VICTOR MARIO MARCO CESAR DAVID DIEGO IVAN HUGO JAIME RUBEN
    ALFREDO ARMANDO ERNESTO IGNACIO SALVADOR GUSTAVO RODRIGO GABRIEL PABLO EMILIANO MATEO LEONARDO
    ALEJANDRA GABRIELA PATRICIA VERONICA LETICIA ELIZABETH ROSA MARGARITA SANDRA CLAUDIA ADRIANA
    MARTHA SILVIA ANA LAURA TERESA CARMEN YOLANDA ALICIA NORMA JUANA ISABEL ELENA LUCIA SOFIA CAMILA
    ANGELA ADRIAN ALFONSO XAVIER JIMENA SONIA TANIA ROCIO RAQUEL REBECA SARA PUENTE PUENTES YBARRA
    VALERIA FERNANDA DANIELA XIMENA REGINA RENATA MONICA CECILIA GLORIA IRMA BEATRIZ ARACELI
"""
_WITH_ACCENT: Final = """
    HERNÁNDEZ GARCÍA MARTÍNEZ LÓPEZ GONZÁLEZ PÉREZ RODRÍGUEZ SÁNCHEZ RAMÍREZ GÓMEZ VÁZQUEZ JIMÉNEZ
    DÍAZ GUTIÉRREZ MÉNDEZ JUÁREZ ÁLVAREZ CHÁVEZ DOMÍNGUEZ GUZMÁN VELÁZQUEZ CORTÉS LEÓN MEJÍA SOLÍS
    SUÁREZ BELTRÁN CÁRDENAS ÁVILA BENÍTEZ CALDERÓN CÓRDOVA DÁVILA DURÁN ENRÍQUEZ FERNÁNDEZ GALVÁN
    GÁMEZ MACÍAS MARÍN MÁRQUEZ RÍOS TÉLLEZ YÉPEZ MARÍA JOSÉ JESÚS RAÚL HÉCTOR ANDRÉS ÓSCAR VÍCTOR
    CÉSAR IVÁN RUBÉN VERÓNICA LUCÍA SOFÍA ADRIÁN ROCÍO MÓNICA
"""
ENYE_FORMS: Final = {fold(word): word for word in _WITH_ENYE.split() if "Ñ" in word}
_ACCENTED: Final = {fold(word) for word in _WITH_ACCENT.split()}
KNOWN_WORDS: Final = frozenset(_COMMON.split()) | frozenset(ENYE_FORMS)
_LEAST_LETTERS: Final = 5
"""Shorter words have too many valid neighbours: LUNA and LUJA, MEZA and MESA."""


def enye_form(name: str) -> str | None:
    """Return the name with its usual Ñ if it was read without; None otherwise."""
    words = name.split()
    changed = [
        _with_enye(word) if "Ñ" not in word and fold(word) in ENYE_FORMS else word for word in words
    ]
    return " ".join(changed) if changed != words else None


def _with_enye(word: str) -> str:
    usual = fold(ENYE_FORMS[fold(word)], enye="Ñ")
    return "".join("Ñ" if b == "Ñ" else a for a, b in zip(word, usual, strict=True))


def nearly_common(name: str) -> bool:
    """Whether an uncommon word of the name is one letter away from a common name, or two names
    without a space.
    """
    words = (fold(word) for word in name.split())
    return any(
        len(word) >= _LEAST_LETTERS
        and word not in KNOWN_WORDS
        and (one_edit(word, KNOWN_WORDS) or _run_together(word))
        for word in words
    )


def lacks_usual_accent(name: str) -> bool:
    """Whether a word of the name lacks its usual accent. A zone has no accents, so it confirms only
    the letters.
    """
    return any(word == fold(word) and word in _ACCENTED for word in name.split())


def unevenly_accented(name: str) -> bool:
    """Whether one word of the name has its accent and another lacks it. An issuer prints all
    accents or none, but a reflection hides single ones.
    """
    words = [word for word in name.split() if fold(word) in _ACCENTED]
    return 0 < sum(word == fold(word) for word in words) < len(words)


def _run_together(word: str) -> bool:
    """Whether the word is two names without a space, such as JUANCARLOS or JJESUS."""
    return any(
        word[cut:] in KNOWN_WORDS and (cut == 1 or word[:cut] in KNOWN_WORDS)
        for cut in range(1, len(word) - 1)
    )


def one_edit(word: str, known: Iterable[str]) -> bool:
    """Whether the word differs by one character from another one that is known."""
    return any(abs(len(word) - len(other)) <= 1 and _differ_by_one(word, other) for other in known)


def _differ_by_one(first: str, second: str) -> bool:
    if len(first) == len(second):
        return sum(a != b for a, b in zip(first, second, strict=True)) == 1
    longer, shorter = sorted((first, second), key=len, reverse=True)
    return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))
