"""Confidence thresholds of fields, computed from the labels of reviewers.

A rule accepts an uncontradicted value if the confidence of its weakest character reaches a
threshold. The threshold depends on how far other zones confirm the value (`findings.Confirmation`).
The defaults are the authors'. A calibration replaces them with the installation's own, for each
field and kind of confirmation that has enough labels. It changes only thresholds: a contradicted or
invalid value stays so.
"""

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from acredita.domain.documents.findings import Confirmation, Decision, Finding, Reason

FORMAT: Final = 1
LARGEST_FILE: Final = 1_000_000
Key = tuple[str, Confirmation]


class BadCalibration(ValueError):
    """The file is not a calibration, or it was computed for other rules."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The number of readings of a field at one confidence, and how many of them were correct.

    Only readings that their confidence alone decided are samples.
    """

    field: str
    confirmation: Confirmation
    confidence: float
    correct: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Threshold:
    """The threshold of a field; `least_confidence` is None if no confidence reaches the target."""

    field: str
    confirmation: Confirmation
    least_confidence: float | None
    samples: int
    # The share of correct readings among the accepted ones; None if it accepts none.
    precision: float | None


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of thresholds on labelled readings."""

    accepted: int
    wrongly_accepted: int
    needlessly_reviewed: int


def labels_needed(target: float) -> int:
    """Return how many labels prove the target precision for a field that was always correct."""
    return math.ceil(round((2 * target - 1) / (1 - target), 6))


def fit(samples: Iterable[Sample], target: float) -> list[Threshold]:
    """Return the lowest threshold for each field at which readings are correct with probability
    `target` (0 to 1).

    Isotonic regression converts confidences into probabilities. Each block of similar readings must
    reach the target, not only all accepted readings together, so many sure readings do not hide
    doubtful ones. All accepted readings together must reach the target by the rule of succession,
    (correct + 1) / (all + 2), because a few labels prove little. Fields with too few labels are
    left out and keep the threshold of the rules.
    """
    groups: dict[Key, list[Sample]] = defaultdict(list)
    for sample in samples:
        groups[sample.field, sample.confirmation].append(sample)
    return [
        _fit(key, group, target)
        for key, group in sorted(groups.items(), key=lambda item: (item[0][0], item[0][1].name))
        if sum(sample.count for sample in group) >= labels_needed(target)
    ]


def _fit(key: Key, samples: Sequence[Sample], target: float) -> Threshold:
    """Lower the threshold from the surest readings as long as they reach the target."""
    correct = count = 0
    best: tuple[float, int, int] | None = None
    for block in _isotonic(samples):
        if block.correct < target * block.count:
            break
        correct, count = correct + block.correct, count + block.count
        if correct + 1 >= target * (count + 2):
            best = block.confidence, correct, count
    total = sum(sample.count for sample in samples)
    if best is None:
        return Threshold(*key, None, total, None)
    return Threshold(*key, best[0], total, round(best[1] / best[2], 4))


def _isotonic(samples: Sequence[Sample]) -> list[Sample]:
    """Return blocks from the surest to the least sure, each less often correct than the one before.

    Neighbours out of order are pooled (pool adjacent violators). The confidence of a block is the
    lowest of its readings.
    """
    blocks: list[Sample] = []
    for sample in sorted(_at_each_confidence(samples), key=lambda each: -each.confidence):
        block = sample
        while blocks and block.correct * blocks[-1].count >= blocks[-1].correct * block.count:
            above = blocks.pop()
            block = replace(
                block, correct=block.correct + above.correct, count=block.count + above.count
            )
        blocks.append(block)
    return blocks


def _at_each_confidence(samples: Sequence[Sample]) -> Iterable[Sample]:
    """Merge the samples of the same confidence."""
    merged: dict[float, Sample] = {}
    for sample in samples:
        known = merged.get(sample.confidence)
        if known is not None:
            sample = replace(  # noqa: PLW2901
                known, correct=known.correct + sample.correct, count=known.count + sample.count
            )
        merged[sample.confidence] = sample
    return merged.values()


def effect(samples: Iterable[Sample], thresholds: Mapping[Key, float | None]) -> Effect:
    """Count the effect of `thresholds`; fields without one use the threshold of the rules."""
    accepted = wrong = needless = 0
    for sample in samples:
        key = sample.field, sample.confirmation
        least = thresholds.get(key, sample.confirmation.least_confidence)
        if least is not None and sample.confidence >= least:
            accepted += sample.count
            wrong += sample.count - sample.correct
        else:
            needless += sample.correct
    return Effect(accepted, wrong, needless)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The thresholds of a file. `sha256` is the hex digest of the file's bytes."""

    version: str
    rules: str
    sha256: str
    thresholds: Mapping[Key, float | None]

    @property
    def named(self) -> dict[str, str]:
        """The reference that results store to this calibration."""
        return {"version": self.version, "sha256": self.sha256}

    def applied(self, finding: Finding) -> Finding:
        """Return the finding decided by these thresholds; unchanged if they have none for it."""
        key = finding.field, finding.confirmation
        if finding.value is None or key not in self.thresholds:
            return finding
        least = self.thresholds[key]
        reasons: list[Reason] = [r for r in finding.reasons if r is not Reason.LOW_CONFIDENCE]
        if least is None or finding.confidence < least:
            reasons.append(Reason.LOW_CONFIDENCE)
        decision = finding.decision
        if decision is not Decision.REJECTED:
            decision = Decision.REVIEW if reasons else Decision.ACCEPTED
        return replace(finding, reasons=tuple(reasons), decision=decision)


def written(thresholds: Sequence[Threshold], *, version: str, rules: str, **about: Any) -> bytes:
    """Return the file, as UTF-8 JSON; `about` adds keys that describe how it was made."""
    return json.dumps(
        {
            "format": FORMAT,
            "version": version,
            "rules": rules,
            **about,
            "thresholds": [
                {
                    "field": each.field,
                    "confirmation": each.confirmation.name,
                    "leastConfidence": each.least_confidence,
                    "rulesLeastConfidence": each.confirmation.least_confidence,
                    "samples": each.samples,
                    "precision": each.precision,
                }
                for each in thresholds
            ],
        },
        indent=2,
    ).encode()


def loaded(content: bytes, *, rules: str) -> Calibration:
    """Parse a file. Raise BadCalibration if it is malformed or was fitted to other rules than
    `rules`."""
    try:
        data = json.loads(content[:LARGEST_FILE])
        calibration = Calibration(
            str(data["version"]),
            str(data["rules"]),
            hashlib.sha256(content).hexdigest(),
            {
                (str(each["field"]), Confirmation[each["confirmation"]]): _probability(
                    each["leastConfidence"]
                )
                for each in data["thresholds"]
            },
        )
        known_format = data["format"] == FORMAT
    except (ValueError, KeyError, TypeError) as fault:
        raise BadCalibration("it is no file of `acredita calibrate`") from fault
    if not known_format:
        raise BadCalibration(f"its format is not {FORMAT}")
    if calibration.rules != rules:
        raise BadCalibration(
            f"it was fitted to the rules {calibration.rules}, and these are {rules}:"
            " run `acredita calibrate` again"
        )
    return calibration


def _probability(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError("a threshold must be a probability from 0 to 1")
    return float(value)
