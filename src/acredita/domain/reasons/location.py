"""The codes of LOCATION. No code fails the step: an address only suggests a place."""

from acredita.domain.reasons.entry import Entry, ReasonCode, Severity, Text


class LocationStepReason(ReasonCode):
    LOCATION_NOT_ALLOWED = Entry(
        "LOCATION_NOT_ALLOWED",
        Severity.REVIEW,
        en="The IP address is outside of the allowed countries or cities.",
        es="La dirección IP está fuera de los países o ciudades permitidos.",
        reviewer=Text(
            "Mira el país en el resultado; la persona puede estar de viaje.",
            "See the country in the result; the person may be travelling.",
        ),
    )
    LOCATION_HIDDEN = Entry(
        "LOCATION_HIDDEN",
        Severity.REVIEW,
        en="A VPN, a proxy or Tor hides where the person is.",
        es="Una VPN, un proxy o Tor oculta dónde está la persona.",
        reviewer=Text(
            "Pide que repita la verificación sin VPN, o decide con lo demás.",
            "Have the person verify again without it, or decide by the rest.",
        ),
    )
    LOCATION_UNCERTAIN = Entry(
        "LOCATION_UNCERTAIN",
        Severity.REVIEW,
        en="The databases do not say what the rules on the place need.",
        es="Las bases de datos no dicen lo que las reglas de lugar necesitan.",
        reviewer=Text(
            "Decide con lo demás; revisa qué bases de datos tiene la instalación.",
            "Decide by the rest; check which databases the installation has.",
        ),
    )
    LOCATION_ADDRESS_UNKNOWN = Entry(
        "LOCATION_ADDRESS_UNKNOWN",
        Severity.REVIEW,
        en="No IP address of the person is known.",
        es="No se conoce una dirección IP de la persona.",
        reviewer=Text(
            "Pide que envíen ipAddress en metadata, o decide con lo demás.",
            "Have ipAddress sent in the metadata, or decide by the rest.",
        ),
    )
    LOCATION_NOT_SHARED = Entry(
        "LOCATION_NOT_SHARED",
        Severity.REVIEW,
        en="The device gave no position, which the workflow requires.",
        es="El dispositivo no dio su ubicación, que el flujo exige.",
        reviewer=Text(
            "Decide con el país de la dirección IP y lo demás; la persona puede haberse negado.",
            "Decide by the country of the IP address and the rest; the person may have refused.",
        ),
    )
