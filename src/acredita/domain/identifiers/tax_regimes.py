"""The tax regimes of the SAT's catalogue c_RegimenFiscal (CFDI 4.0), by their codes."""

from difflib import SequenceMatcher
from typing import Final

from acredita.domain.names import fold

TAX_REGIMES: Final = {
    "601": "General de Ley Personas Morales",
    "603": "Personas Morales con Fines no Lucrativos",
    "605": "Sueldos y Salarios e Ingresos Asimilados a Salarios",
    "606": "Arrendamiento",
    "607": "Régimen de Enajenación o Adquisición de Bienes",
    "608": "Demás ingresos",
    "610": "Residentes en el Extranjero sin Establecimiento Permanente en México",
    "611": "Ingresos por Dividendos (socios y accionistas)",
    "612": "Personas Físicas con Actividades Empresariales y Profesionales",
    "614": "Ingresos por intereses",
    "615": "Régimen de los ingresos por obtención de premios",
    "616": "Sin obligaciones fiscales",
    "620": "Sociedades Cooperativas de Producción que optan por diferir sus ingresos",
    "621": "Incorporación Fiscal",
    "622": "Actividades Agrícolas, Ganaderas, Silvícolas y Pesqueras",
    "623": "Opcional para Grupos de Sociedades",
    "624": "Coordinados",
    "625": "Actividades Empresariales con ingresos a través de Plataformas Tecnológicas",
    "626": "Régimen Simplificado de Confianza",
}
_ALIKE: Final = 0.85


def _essence(text: str) -> str:
    """Without what certificates put before a regime's name."""
    return fold(text).removeprefix("REGIMEN ").removeprefix("DE ").removeprefix("LAS ")


_BY_ESSENCE: Final = {_essence(name): code for code, name in TAX_REGIMES.items()}


def regime_named(text: str) -> str | None:
    """Return the code of the regime with this name, allowing few misread letters, or None."""
    wanted = _essence(text)
    matchers = ((SequenceMatcher(None, name, wanted), code) for name, code in _BY_ESSENCE.items())
    # Length and letters alone exclude most lines of a page.
    near = [
        (matcher.ratio(), code)
        for matcher, code in matchers
        if matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE
    ]
    likeness, code = max(near, default=(0.0, None))
    return code if likeness >= _ALIKE else None
