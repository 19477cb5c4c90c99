from collections.abc import Callable
from datetime import date
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.engines.screening import DEFAULT_THRESHOLD, Question, is_comparable, plain_identifier
from acredita.engines.screening import EntityType as EngineEntityType
from acredita.engines.screening import Gender as EngineGender
from acredita.models import HitState
from acredita.providers.watchlists.countries import CODES
from acredita.resources.aml.entries.schemas import EntryShape

MOST_AT_ONCE = 500
_LONGEST_IDENTIFIER = 40
# Within a shape that has a field `list`, the name means that field.
Texts = list[str]


class EntityType(StrEnum):
    PERSON = "person"
    COMPANY = "company"
    VESSEL = "vessel"
    AIRCRAFT = "aircraft"
    OTHER = "other"


class Gender(StrEnum):
    MALE = "male"
    FEMALE = "female"


class DocumentKind(StrEnum):
    """The kinds of identifiers that lists have, besides RFC and CURP."""

    PASSPORT = "passport"
    NATIONAL_ID = "national_id"
    VOTER_ID = "voter_id"
    DRIVER_LICENSE = "driver_license"
    TAX_ID = "tax_id"
    REGISTRATION = "registration"
    IMO = "imo"
    MMSI = "mmsi"
    LEI = "lei"
    SWIFT = "swift"
    CRYPTO_WALLET = "crypto_wallet"
    AIRCRAFT_REGISTRATION = "aircraft_registration"
    AIRCRAFT_SERIAL = "aircraft_serial"
    AIRCRAFT_TRANSPONDER = "aircraft_transponder"


def _comparable(value: str) -> str:
    if not is_comparable(value):
        raise ValueError("has no letters or digits to compare")
    return value


def _default_for_null(value: object) -> object:
    """DECISIONS, Wire conventions: null means absent."""
    return DEFAULT_THRESHOLD if value is None else value


def _is_country(value: str) -> str:
    if value not in CODES:
        raise ValueError("is not an ISO 3166-1 alpha-2 code")
    return value


def _is_date(value: str) -> str:
    date.fromisoformat(value)
    return value


def _plain_of(least: int, most: int) -> Callable[[str], str]:
    """A validator of identifiers that people write in groups: AIMO-681106-9F7, aimo 681106 9f7."""

    def plain(value: str) -> str:
        text = plain_identifier(value)
        if not least <= len(text) <= most:
            raise ValueError(f"has {len(text)} letters and digits instead of {least} to {most}")
        return text

    return plain


FullName = Annotated[
    str,
    Field(
        min_length=2,
        max_length=500,
        description="The parts of the name may be in any order and any script.",
        examples=["Ottoline Fanshawe Dubois"],
    ),
    AfterValidator(_comparable),
]
Alias = Annotated[str, Field(min_length=2, max_length=200), AfterValidator(_comparable)]
Country = Annotated[
    str,
    Field(min_length=2, max_length=2),
    AfterValidator(_is_country),
    WithJsonSchema(
        {
            "type": "string",
            "minLength": 2,
            "maxLength": 2,
            "enum": sorted(CODES),
            "description": "ISO 3166-1 alpha-2. Only entries of this country, or of no country, "
            "can match.",
            "examples": ["MX"],
        }
    ),
]
Nationality = Annotated[
    str,
    Field(min_length=2, max_length=2),
    AfterValidator(_is_country),
    WithJsonSchema({"type": "string", "pattern": "^[A-Z]{2}$", "examples": ["MX"]}),
]
DateOfBirth = Annotated[
    str,
    Field(pattern=r"^\d{4}-\d{2}-\d{2}$"),
    AfterValidator(_is_date),
    WithJsonSchema(
        {
            "type": "string",
            "format": "date",
            "description": "Raises or lowers the score of a match. It never excludes a match.",
            "examples": ["1969-09-14"],
        }
    ),
]
Rfc = Annotated[
    str,
    Field(
        min_length=9,
        max_length=_LONGEST_IDENTIFIER,
        description="An entry with the same RFC, with or without homoclave, matches, whatever its "
        "name is. 9 to 13 letters and digits; blanks, dashes and small letters do not count.",
        examples=["CLB110315AB1"],
    ),
    AfterValidator(_plain_of(9, 13)),
]
Curp = Annotated[
    str,
    Field(
        min_length=16,
        max_length=_LONGEST_IDENTIFIER,
        description="An entry with the same CURP, with or without the last two characters, "
        "matches, whatever its name is. 16 to 18 letters and digits; blanks, dashes and small "
        "letters do not count.",
        examples=["GOCA850101HDFRRL09"],
    ),
    AfterValidator(_plain_of(16, 18)),
]


class Subject(Body):
    """The person or entity to search for."""

    full_name: FullName
    date_of_birth: DateOfBirth | None = None
    rfc: Rfc | None = None
    curp: Curp | None = None


class Document(Body):
    """An identifier other than RFC and CURP. Only its letters and digits are compared, at least
    five of them.
    """

    kind: DocumentKind = Field(strict=False, examples=["passport"])
    value: Annotated[str, Field(min_length=5, max_length=100, examples=["G12345678"])]


class SubjectToScreen(Subject):
    birth_year: int | None = Field(
        None,
        ge=1850,
        le=2100,
        description="If the date of birth is not known. Evidence like it.",
        examples=[1969],
    )
    # Each costs as much as a name.
    aliases: list[Alias] | None = Field(
        None,
        max_length=5,
        description="Other names of the person. The name that resembles an entry most counts.",
        examples=[["Otolina Fanshawe"]],
    )
    nationalities: list[Nationality] | None = Field(
        None,
        max_length=5,
        description="Raise or lower the score of a match. They never exclude a match.",
    )
    gender: Gender | None = Field(
        None,
        strict=False,
        description="Raises or lowers the score of a match. It never excludes a match.",
    )
    identifiers: list[Document] | None = Field(
        None,
        max_length=10,
        description="An entry with the same identifier matches, whatever its name is.",
    )
    entity_type: EntityType | None = Field(
        None,
        strict=False,
        description="Only entries of this type, or of type `other`, can match.",
    )
    country: Country | None = None
    verification_id: Annotated[str, Field(max_length=255)] | None = Field(
        None,
        description="The person's verification. Its purge deletes the record of the screening.",
        examples=["7f0c1a52-3b0e-4f7e-9d5a-0f5f3a1c2b4d"],
    )
    external_id: Annotated[str, Field(min_length=1, max_length=255)] | None = Field(
        None,
        description="Your id of the customer. A reviewer's decision about a match holds for it; "
        "default: that of the verification, else the person.",
        examples=["cliente-1042"],
    )

    @property
    def question(self) -> Question:
        kind: EngineEntityType | None = self.entity_type.value if self.entity_type else None
        gender: EngineGender | None = self.gender.value if self.gender else None
        birth_year = str(self.birth_year) if self.birth_year else None
        return Question(
            self.full_name,
            date_of_birth=self.date_of_birth or birth_year,
            rfc=self.rfc,
            curp=self.curp,
            entity_type=kind,
            country=self.country,
            aliases=tuple(self.aliases or ()),
            nationalities=tuple(self.nationalities or ()),
            gender=gender,
            identifiers=tuple((each.kind.value, each.value) for each in self.identifiers or ()),
        )


class ScreeningOptions(Body):
    fuzzy_threshold: Annotated[
        float,
        BeforeValidator(_default_for_null),
        WithJsonSchema(
            {"anyOf": [{"type": "number", "minimum": 0, "maximum": 1}, {"type": "null"}]}
        ),
    ] = Field(
        DEFAULT_THRESHOLD, ge=0, le=1, description="The lowest score of a match.", examples=[0.75]
    )
    lists: list[Annotated[str, Field(max_length=50)]] | None = Field(
        None,
        max_length=20,
        description="Ids of watchlists (GET /v1/aml/lists). If absent or empty: all lists.",
        examples=[["sandbox"]],
    )


class ScreenRequest(SubjectToScreen, ScreeningOptions):
    pass


class BatchRequest(ScreeningOptions):
    queries: list[SubjectToScreen] = Field(min_length=1, max_length=MOST_AT_ONCE)


class TokenPair(Shape):
    query: str = Field(examples=["fanshawe"])
    listed: str = Field(examples=["fanshaw"])
    similarity: float = Field(examples=[0.94])
    reason: str = Field(
        description="exact, typo, phonetic, initial, joined, split, nickname or transliterated.",
        examples=["typo"],
    )


class EvidenceShape(Shape):
    kind: str = Field(
        description="dateOfBirth, nationality, gender, rfc, curp, stateOfBirth or the kind of "
        "another identifier.",
        examples=["dateOfBirth"],
    )
    effect: str = Field(description="confirms, contradicts or neutral.", examples=["confirms"])
    weight: float = Field(
        description="Natural logarithm of the likelihood ratio, above 0 for the entry.",
        examples=[4.2],
    )
    text: str = Field(
        description="What was compared, in words.",
        examples=["The same day of birth: 1969-09-14, 1969-09-14."],
    )


class Explanation(Shape):
    """How the score was computed."""

    tokens: list[TokenPair] = Field(description="Pairs of matched words.")
    unmatched_query: list[str] = Field(examples=[["maria"]])
    unmatched_listed: list[str] = Field(examples=[["dubois"]])
    evidence: list[EvidenceShape]


class MatchReview(Shape):
    """What reviewers decided about this customer and entry, if it still holds."""

    state: HitState = Field(description="false_hit: another person; the match is not open.")
    decided_at: Timestamp | None


class MatchShape(Shape):
    list: str = Field(description="The watchlist's id.", examples=["sandbox"])
    name: str = Field(description="The entry's primary name.", examples=["Ottoline Fanshawe"])
    score: float = Field(
        description="0 to 1. Only the same words or the same identifier give 1.", examples=[0.97]
    )
    likelihood: float = Field(
        description="0 to 1: that the entry is the person, by the name's score, the rarity of its "
        "words and the evidence.",
        examples=[0.93],
    )
    assessment: str = Field(
        description="likely, possible, or unlikely: the evidence contradicts.", examples=["likely"]
    )
    entity_type: EntityType
    country: str | None = Field(examples=["GB"])
    countries: Texts = Field(examples=[["GB", "FR"]])
    entry_id: str = Field(description="The publisher's id of the entry.", examples=["S-04"])
    matched_name: str = Field(
        description="The most similar name of the entry.",
        examples=["Otolina Fanshawe"],
    )
    matched_kind: str = Field(
        description="primary, alias, weak, former or original_script.", examples=["alias"]
    )
    programs: Texts = Field(examples=[["SAMPLE-SANCTIONS"]])
    list_version: int = Field(description="Version of the list that was screened.", examples=[3])
    list_as_of: str | None = Field(
        description="Publication date of that version. Null if the publisher gives none.",
        examples=["2026-01-31T00:00:00.000Z"],
    )
    explanation: Explanation
    entry: EntryShape = Field(description="All that the list says of the entry.")
    match_id: UUID = Field(
        description="The same for this customer and entry in every screening. POST "
        "/v1/aml/matches/{matchId}/review decides about it."
    )
    review: MatchReview


class ScreenedList(Shape):
    id: str = Field(description="The watchlist's id.", examples=["sandbox"])
    version: int = Field(examples=[3])
    as_of: Timestamp | None = Field(
        description="Publication date of that version. Null if the publisher gives none."
    )
    loaded_at: Timestamp | None = Field(
        None,
        description="When that version was loaded. Null or absent in old screenings.",
    )


class AnswerContent(Shape):
    matches: list[MatchShape] = Field(description="Best match first; at most 50.")
    total_matches: int = Field(
        description="Number of matches, including those beyond the 50.", examples=[1]
    )
    open_matches: int = Field(
        description="Number of matches without those that a reviewer decided to be false.",
        examples=[1],
    )
    screened: bool = Field(
        description="False if no list is loaded. An empty `matches` then proves nothing."
    )
    sandbox: bool = Field(description="Whether only invented names were screened.")


class ScreenAnswer(AnswerContent):
    screening_id: UUID = Field(description="Id of the record: GET /v1/aml/screenings/{id}.")
    screened_at: Timestamp
    lists: list[ScreenedList] = Field(description="The lists that were screened.")


class BatchAnswer(Shape):
    results: list[ScreenAnswer] = Field(description="One result per query, in the same order.")
