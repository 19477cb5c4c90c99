"""Entries as their lists have them, now and in former versions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson
from sqlalchemy import ARRAY, Integer, Text, any_, cast, func, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.errors import NotFound
from acredita.kit.clock import timestamp
from acredita.kit.db import Statements, Within
from acredita.models import WatchlistEntity, WatchlistEntityForm, WatchlistVersion
from acredita.providers.watchlists.catalogue import BY_ID

# The columns that a list fills: the content of a form.
CONTENT = (
    "entity_type",
    "standing",
    "names",
    "countries",
    "dates_of_birth",
    "identifiers",
    "programs",
    "details",
)
_CONTENT_SQL = ", ".join(f"'{name}', entry.{name}" for name in CONTENT)
# An object per entry. `sources`: the entries about the same person or firm, itself among them.
READ = f"""
    SELECT coalesce(jsonb_agg(jsonb_build_object(
        'id', entry.id, 'list', entry.list_id, 'source_id', entry.source_id,
        'content', jsonb_build_object({_CONTENT_SQL}),
        'row_hash', encode(entry.row_hash, 'hex'),
        'changed_version', entry.changed_version, 'removed_version', entry.removed_version,
        'cluster_id', entry.cluster_id,
        'sources', CASE WHEN entry.cluster_id IS NULL THEN '[]'::jsonb ELSE (
            SELECT coalesce(jsonb_agg(jsonb_build_object(
                'id', other.id::text, 'list', other.list_id, 'entryId', other.source_id,
                'name', other.names->0->>'text'
            ) ORDER BY other.list_id, other.id), '[]')
            FROM aml_entity other
            WHERE other.cluster_id = entry.cluster_id AND other.removed_version IS NULL
        ) END
    )), '[]')::text
    FROM aml_entity entry WHERE entry.id = ANY($1::bigint[])
"""  # noqa: S608 (constants)
LONGEST_HISTORY = 100


async def read(statements: Statements, entity_ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Entity id → an object of READ. Unknown ids are left out."""
    wanted = sorted(set(entity_ids))
    if not wanted:
        return {}
    row = await statements.row(READ, wanted)
    assert row is not None  # noqa: S101 (an aggregate always has a row)
    return {entry["id"]: entry for entry in orjson.loads(row[0])}


def body_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An EntryShape as plain data. `entry`: an object of READ."""
    known = BY_ID.get(entry["list"])
    content = content_of(entry["content"])
    page = "" if known is None else known.page_of(entry["source_id"])
    cluster_id = entry["cluster_id"]
    return {
        "id": str(entry["id"]),
        "list": entry["list"],
        "entryId": entry["source_id"],
        **content,
        "url": content["url"] or page or None,
        "listed": entry["removed_version"] is None,
        "clusterId": None if cluster_id is None else str(cluster_id),
        "sources": entry["sources"],
    }


def content_of(content: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an EntryContent. Entries that former releases loaded have fewer details."""
    details = content["details"]
    return {
        "entityType": content["entity_type"],
        "standing": content["standing"],
        "names": [
            {**name, "quality": "weak" if name["kind"] == "weak" else "strong"}
            for name in content["names"]
        ],
        "datesOfBirth": content["dates_of_birth"],
        "placesOfBirth": details.get("places_of_birth", []),
        "nationalities": details.get("nationalities", []),
        "countries": content["countries"],
        "genders": details.get("genders", []),
        "identifiers": content["identifiers"],
        "addresses": details.get("addresses", []),
        "positions": details.get("positions", []),
        "programs": content["programs"],
        "remarks": details.get("remarks", []),
        "listedOn": details.get("listed_on") or None,
        "updatedOn": details.get("updated_on") or None,
        "url": details.get("url") or None,
    }


async def view(session: AsyncSession, entity_id: int) -> dict[str, Any]:
    """An EntryDetail as plain data: the entry with its history, newest form first.

    Raise NotFound.
    """
    found = await read(Within(session), [entity_id])
    if entity_id not in found:
        raise NotFound
    entry = found[entity_id]
    former = (
        select(WatchlistEntityForm)
        .where(WatchlistEntityForm.entity_id == entity_id)
        .order_by(WatchlistEntityForm.version.desc())
        .limit(LONGEST_HISTORY)
    )
    forms = [
        (entry["changed_version"], entry["removed_version"], entry["content"]),
        *((row.version, row.ended_version, row.content) for row in await session.scalars(former)),
    ]
    versions = await _versions(session, entry["list"], forms)
    older = [content_of(content) for _, _, content in forms[1:]] + [None]
    return body_of(entry) | {
        "history": [
            {
                "fromVersion": version,
                "from": versions.get(version),
                "untilVersion": ended,
                "until": versions.get(ended),
                "changed": _changed(content_of(content), before),
                "content": content_of(content),
            }
            for (version, ended, content), before in zip(forms, older, strict=True)
        ]
    }


async def _versions(
    session: AsyncSession, list_id: str, forms: Iterable[tuple[int, int | None, Any]]
) -> dict[int | None, str]:
    """Version of the list → when it was loaded."""
    wanted = {version for form in forms for version in form[:2] if version is not None}
    query = select(WatchlistVersion.version, WatchlistVersion.loaded_at).where(
        WatchlistVersion.list_id == list_id, WatchlistVersion.version.in_(wanted)
    )
    return {row.version: timestamp(row.loaded_at) for row in await session.execute(query)}


def _changed(content: Mapping[str, Any], before: Mapping[str, Any] | None) -> list[str]:
    """Names of the fields that differ from the former form. Empty for the first one."""
    return [] if before is None else [name for name in content if content[name] != before[name]]


async def keep_forms(
    session: AsyncSession, list_id: str, source_ids: Sequence[str], version: int
) -> None:
    """Keep the present form of these entries, which version `version` of their list replaces.

    An entry that returns to its list was gone since its `removed_version`.
    """
    content = func.jsonb_build_object(
        *(part for name in CONTENT for part in (literal(name), WatchlistEntity.__table__.c[name]))
    )
    ended = func.coalesce(WatchlistEntity.removed_version, cast(literal(version), Integer))
    present = select(WatchlistEntity.id, WatchlistEntity.changed_version, ended, content).where(
        WatchlistEntity.list_id == list_id,
        WatchlistEntity.source_id == any_(cast(source_ids, ARRAY(Text))),
    )
    adding = insert(WatchlistEntityForm).from_select(
        ["entity_id", "version", "ended_version", "content"], present
    )
    await session.execute(adding.on_conflict_do_nothing())
