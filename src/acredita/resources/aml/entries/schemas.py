import re
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from acredita.api.schemas import Shape, Timestamp
from acredita.domain.errors import NotFound
from acredita.models import Standing

# At most 18 digits: a signed number of 64 bits.
ENTRY_ID = re.compile(r"[0-9]{1,18}")


def _number_or_not_found(value: object) -> int:
    if not isinstance(value, str) or not ENTRY_ID.fullmatch(value):
        raise NotFound
    return int(value)


EntryIdInPath = Annotated[
    int,
    BeforeValidator(_number_or_not_found),
    WithJsonSchema({"type": "string", "pattern": "^[0-9]{1,18}$", "examples": ["4711"]}),
]
# Within a shape that has a field `list`, the name means that field.
Texts = list[str]


class EntryName(Shape):
    text: str = Field(examples=["Otolina Fanshawe"])
    kind: str = Field(
        description="primary, alias, weak, former or original_script.", examples=["alias"]
    )
    quality: Literal["strong", "weak"] = Field(
        description="weak: too common to identify somebody alone."
    )
    given: str = Field(description="Given names, if the list has them.", examples=["Otolina"])
    family: str = Field(description="Surnames, if the list has them.", examples=["Fanshawe"])


class EntryIdentifier(Shape):
    kind: str = Field(description="rfc, curp, passport, …", examples=["passport"])
    value: str = Field(examples=["P12345678"])


class EntrySource(Shape):
    """An entry about the same person or firm."""

    id: str = Field(description="GET /v1/aml/entries/{id}.", examples=["4711"])
    list: str = Field(description="The watchlist's id.", examples=["un"])
    entry_id: str = Field(description="The publisher's id.", examples=["6908555"])
    name: str = Field(description="The primary name there.", examples=["Ottoline Fanshawe"])


Sources = list[EntrySource]


class EntryContent(Shape):
    """What the list says of an entry. Empty: the list does not say it."""

    entity_type: Literal["person", "company", "vessel", "aircraft", "other"]
    standing: Standing = Field(
        description="cleared: the list itself withdraws the suspicion; such an entry never matches."
    )
    names: list[EntryName] = Field(description="The primary name first.")
    dates_of_birth: Texts = Field(
        description="Dates, months or years.", examples=[["1969-09-14", "1970"]]
    )
    places_of_birth: Texts = Field(examples=[["Culiacán, Sinaloa, Mexico"]])
    nationalities: Texts = Field(description="ISO 3166-1 alpha-2.", examples=[["GB"]])
    countries: Texts = Field(
        description="ISO 3166-1 alpha-2: nationalities and countries of addresses.",
        examples=[["GB", "FR"]],
    )
    genders: Texts = Field(description="male, female.", examples=[["female"]])
    identifiers: list[EntryIdentifier]
    addresses: Texts = Field(examples=[["Rue du Bac 1, Paris, France"]])
    positions: Texts = Field(
        description="Titles, functions and public offices.", examples=[["Diputada federal"]]
    )
    programs: Texts = Field(examples=[["SAMPLE-SANCTIONS"]])
    remarks: Texts = Field(examples=[["Linked to: Severnyy Veter LLC."]])
    listed_on: str | None = Field(
        description="Date, month or year of the listing.", examples=["2019-05-02"]
    )
    updated_on: str | None = Field(
        description="When the publisher last changed it.", examples=["2025-11-30"]
    )
    url: str | None = Field(
        description="The publisher's page of the entry, or else of the list.",
        examples=["https://sanctionssearch.ofac.treas.gov/Details.aspx?id=7173"],
    )


class EntryShape(EntryContent):
    id: str = Field(description="GET /v1/aml/entries/{id}.", examples=["4711"])
    list: str = Field(description="The watchlist's id.", examples=["sandbox"])
    entry_id: str = Field(description="The publisher's id.", examples=["S-04"])
    listed: bool = Field(description="False if the entry has left its list.")
    cluster_id: str | None = Field(
        description="The same for entries of all lists about this person or firm: they share an "
        "identifier, or a strong name and the full date of birth. Null for a single entry.",
        examples=["4711"],
    )
    sources: Sources = Field(
        description="The entries of the cluster, this one among them. Empty for a single entry."
    )


class FoundEntry(EntryShape):
    score: float = Field(
        description="0 to 1, of the name alone. Only the same words give 1.", examples=[0.97]
    )
    matched_name: str = Field(
        description="The most similar name of the entry.", examples=["Otolina Fanshawe"]
    )


FoundEntries = list[FoundEntry]


class EntriesAnswer(Shape):
    entries: FoundEntries = Field(description="The most similar names first; at most 50.")
    total: int = Field(description="Number of entries, including those beyond the 50.")


class EntryForm(Shape):
    """The entry as some versions of its list had it."""

    from_version: int = Field(description="First version of the list with it.", examples=[3])
    from_: Timestamp | None = Field(alias="from", description="When that version was loaded.")
    until_version: int | None = Field(
        description="First version of the list without it. Null: the present form."
    )
    until: Timestamp | None
    changed: Texts = Field(
        description="Fields that differ from the former form.", examples=[["positions"]]
    )
    content: EntryContent


Forms = list[EntryForm]


class EntryDetail(EntryShape):
    history: Forms = Field(description="Newest form first; at most 100 former ones.")


class EntryAnswer(Shape):
    entry: EntryDetail
