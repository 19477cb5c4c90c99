"""The commands `acredita calibrate` and `acredita training`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from sqlalchemy import select, text

from acredita.domain.audit import Action
from acredita.domain.documents import RULES_VERSION, calibration
from acredita.domain.documents.calibration import Effect, Key, Sample, Threshold
from acredita.domain.errors import CommandRefused
from acredita.kit.clock import timestamp
from acredita.models import Organization, TrainingBatch
from acredita.resources.admin.reading_accuracy import samples_since
from acredita.resources.audit import service as audit
from acredita.resources.training import queries
from acredita.resources.training.queue_order import Filters, Strategy
from acredita.services import open_database
from acredita.settings import Settings

Say = Callable[[str], None]
LONGEST_STATEMENT = 60.0


@dataclass(frozen=True, slots=True)
class Fitted:
    thresholds: list[Threshold]
    labels: int
    # On held-out labels: with the rules' thresholds, and with those of a fit without these labels.
    before: Effect
    after: Effect


async def calibrate(
    settings: Settings,
    path: Path,
    *,
    organization_id: UUID | None,
    days: int,
    target: float,
    say: Say,
) -> None:
    """Fit thresholds to labels and write them to a new file.

    Raise CommandRefused without enough labels, FileExistsError.
    """
    now = datetime.now(UTC)
    async with (
        open_database(settings, statement_timeout=LONGEST_STATEMENT) as database,
        database.reading() as connection,
    ):
        training_set, held_out = await samples_since(
            connection, now - timedelta(days=days), organization_id
        )
    fitted = fit(training_set, held_out, target)
    if not fitted.thresholds:
        raise CommandRefused(
            f"not enough labels: {fitted.labels} labelled readings; a field needs"
            f" {calibration.labels_needed(target)} of one kind of confirmation"
        )
    content = calibration.written(
        fitted.thresholds,
        version=f"labels-{now:%Y%m%dT%H%M%SZ}",
        rules=RULES_VERSION,
        fittedAt=timestamp(now),
        targetPrecision=target,
        labels=fitted.labels,
        labelsSince=timestamp(now - timedelta(days=days)),
        organization=None if organization_id is None else str(organization_id),
    )
    with path.open("xb") as file:
        file.write(content)
    for line in report(fitted, calibration.loaded(content, rules=RULES_VERSION).sha256):
        say(line)


def fit(training_set: Sequence[Sample], held_out: Sequence[Sample], target: float) -> Fitted:
    """Fit thresholds to all labels; measure the effect of a second fit on held-out labels."""
    by_training_set: dict[Key, float | None] = {
        (each.field, each.confirmation): each.least_confidence
        for each in calibration.fit(training_set, target)
    }
    every = [*training_set, *held_out]
    return Fitted(
        calibration.fit(every, target),
        sum(sample.count for sample in every),
        calibration.effect(held_out, {}),
        calibration.effect(held_out, by_training_set),
    )


def report(fitted: Fitted, sha256: str) -> list[str]:
    lines = [f"{fitted.labels} labelled readings whose confidence alone decided."]
    for each in fitted.thresholds:
        least = "never" if each.least_confidence is None else f"from {each.least_confidence:.4f}"
        right = "" if each.precision is None else f", {100 * each.precision:.2f} % of those right"
        lines.append(
            f"{each.field} ({each.confirmation.name}): accepted {least}, by the rules from"
            f" {each.confirmation.least_confidence:.2f}; {each.samples} labels{right}"
        )
    for name, effect in (("the rules", fitted.before), ("such thresholds", fitted.after)):
        lines.append(
            f"On labels held out, by {name}: {effect.accepted} accepted,"
            f" {effect.wrongly_accepted} of them wrong; {effect.needlessly_reviewed} reviewed"
            " although right"
        )
    return [
        *lines,
        f"SHA-256 {sha256}",
        "Nothing has changed: name the file in ACREDITA_CALIBRATION and restart API and workers.",
    ]


async def make_batch(
    settings: Settings,
    organization: str,
    name: str,
    *,
    strategy: Strategy,
    filters: Filters,
    limit: int,
) -> tuple[UUID, int] | None:
    """Return the batch's id and number of documents; None if the organization does not exist."""
    async with (
        open_database(settings, statement_timeout=LONGEST_STATEMENT) as database,
        database.transaction() as session,
    ):
        query = select(Organization.id).where(
            (Organization.slug == organization) | (text("organization.id::text = :named"))
        )
        owner = await session.scalar(query, {"named": organization})
        if owner is None:
            return None
        batch = TrainingBatch(organization_id=owner, name=name)
        session.add(batch)
        await session.flush()
        statement, arguments = queries.fill_batch(owner, strategy, filters, limit, batch.id)
        connection = await session.connection()
        filled = await connection.exec_driver_sql(statement, tuple(arguments))
        actor = audit.Actor(owner)
        count = filled.rowcount
        audit.record(session, actor, Action.TRAINING_BATCH_CREATED, batch.id, documents=count)
        return batch.id, count
