from datetime import date
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from acredita.api.schemas import Body, Shape
from acredita.engines.screening import DEFAULT_THRESHOLD, Question, normalised
from acredita.engines.screening import EntityType as EngineEntityType
from acredita.providers.watchlists.countries import CODES

MOST_AT_ONCE = 500
# Within a shape that has a field `list`, the name means that field.
Texts = list[str]


class EntityType(StrEnum):
    PERSON = "person"
    COMPANY = "company"
    VESSEL = "vessel"
    AIRCRAFT = "aircraft"
    OTHER = "other"


def _comparable(value: str) -> str:
    if not normalised(value):
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
        max_length=13,
        description="An entry with the same RFC, with or without homoclave, matches, whatever its "
        "name is.",
        examples=["CLB110315AB1"],
    ),
]
Curp = Annotated[
    str,
    Field(
        min_length=16,
        max_length=18,
        description="An entry with the same CURP, with or without the last two characters, "
        "matches, whatever its name is.",
        examples=["GOCA850101HDFRRL09"],
    ),
]


class Subject(Body):
    """The person or entity to search for."""

    full_name: FullName
    date_of_birth: DateOfBirth | None = None
    rfc: Rfc | None = None
    curp: Curp | None = None


class SubjectToScreen(Subject):
    entity_type: EntityType | None = Field(
        None,
        strict=False,
        description="Only entries of this type, or of type `other`, can match.",
    )
    country: Country | None = None

    @property
    def question(self) -> Question:
        kind: EngineEntityType | None = self.entity_type.value if self.entity_type else None
        return Question(
            self.full_name,
            date_of_birth=self.date_of_birth,
            rfc=self.rfc,
            curp=self.curp,
            entity_type=kind,
            country=self.country,
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
    kind: str = Field(description="dateOfBirth, rfc, curp …", examples=["dateOfBirth"])
    effect: str = Field(description="confirms, contradicts or neutral.", examples=["confirms"])


class Explanation(Shape):
    """How the score was computed."""

    tokens: list[TokenPair] = Field(description="Pairs of matched words.")
    unmatched_query: list[str] = Field(examples=[["maria"]])
    unmatched_listed: list[str] = Field(examples=[["dubois"]])
    evidence: list[EvidenceShape]


class MatchShape(Shape):
    list: str = Field(description="The watchlist's id.", examples=["sandbox"])
    name: str = Field(description="The entry's primary name.", examples=["Ottoline Fanshawe"])
    score: float = Field(
        description="0 to 1. Only the same words or the same identifier give 1.", examples=[0.97]
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


class ScreenAnswer(Shape):
    matches: list[MatchShape] = Field(description="Best match first; at most 50.")
    total_matches: int = Field(
        description="Number of matches, including those beyond the 50.", examples=[1]
    )
    screened: bool = Field(
        description="False if no list is loaded. An empty `matches` then proves nothing."
    )
    sandbox: bool = Field(description="Whether only invented names were screened.")


class BatchAnswer(Shape):
    results: list[ScreenAnswer] = Field(description="One result per query, in the same order.")
