"""The codes of AML_SCREEN. No code fails the step: a namesake is not the listed person."""

from acredita.domain.reasons.entry import (
    UNAVAILABLE,
    Entry,
    ReasonCode,
    Severity,
    Text,
    Translation,
)


class WatchlistReason(ReasonCode):
    WATCHLIST_MATCH = Entry(
        "WATCHLIST_MATCH",
        Severity.REVIEW,
        en="The person resembles an entry on a watchlist.",
        es="La persona se parece a una entrada de una lista de personas bloqueadas.",
        reviewer=Text(
            "Compara fecha de nacimiento, país y documentos con la entrada de la lista.",
            "Compare the date of birth, the country and the documents with the listed entry.",
        ),
        metamap=Translation(
            "watchlists.matchFound",
            by_registry={"premium-aml-watchlists": "premiumAmlWatchlists.matchFound"},
        ),
    )
    WATCHLIST_NAME_UNCERTAIN = Entry(
        "WATCHLIST_NAME_UNCERTAIN",
        Severity.REVIEW,
        en="The name that was screened is not certain.",
        es="El nombre que se buscó no es seguro.",
        reviewer=Text(
            "Corrige el nombre con el documento y búscalo en las listas.",
            "Correct the name by the document, and screen it again.",
        ),
    )
    WATCHLIST_NAME_UNKNOWN = Entry(
        "WATCHLIST_NAME_UNKNOWN",
        Severity.REVIEW,
        en="There is no name to look for on the watchlists.",
        es="No hay un nombre que buscar en las listas.",
        reviewer=Text(
            "Lee el nombre en el documento y búscalo en las listas.",
            "Read the name on the document, and screen it.",
        ),
    )
    WATCHLISTS_NOT_LOADED = Entry(
        "WATCHLISTS_NOT_LOADED",
        Severity.REVIEW,
        en="The requested watchlists are not loaded, so nothing was compared.",
        es="Las listas pedidas no están cargadas; no se comparó nada.",
        reviewer=Text(
            "Pide que carguen las listas y repite la verificación.",
            "Have the watchlists loaded, and run the verification again.",
        ),
        metamap=UNAVAILABLE,
    )
