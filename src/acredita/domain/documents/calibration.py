"""How sure a reading must be to be accepted, learnt from what reviewers said of readings.

A rule accepts a value that nothing speaks against once its weakest character is likely enough, and
says how likely by how far other zones confirm the value (`findings.Confirmation`). Those numbers
are the authors'. A calibration puts the installation's own in their place, one for each field and
kind of confirmation of which enough was labelled. It moves thresholds and nothing else: what is
contradicted or invalid stays so.
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
    """The file is no calibration, or one for other rules."""


@dataclass(frozen=True, slots=True)
class Sample:
    """So many readings of a field at one confidence, and how many of them were right.

    Only readings whose confidence alone decided are samples.
    """

    field: str
    confirmation: Confirmation
    confidence: float
    correct: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Threshold:
    """`least_confidence` is None where no reading of the field is right often enough."""

    field: str
    confirmation: Confirmation
    least_confidence: float | None
    samples: int
    # Of the readings that it accepts: None where there are none.
    precision: float | None


@dataclass(frozen=True, slots=True)
class Effect:
    """What thresholds do to labelled readings."""

    accepted: int
    wrongly_accepted: int
    needlessly_reviewed: int


def labels_needed(target: float) -> int:
    """From so many labels on a field that was always right is seen to be right that often."""
    return math.ceil(round((2 * target - 1) / (1 - target), 6))


def fit(samples: Iterable[Sample], target: float) -> list[Threshold]:
    """The lowest threshold for each field that keeps readings right with the target's probability.

    Confidences are turned into probabilities by isotonic regression: a reading is accepted if those
    like it, and not only all that are accepted together, are right often enough; a long tail of
    doubtful ones can't hide behind many sure ones. All that is accepted must reach the target by
    the rule of succession, (right + 1) / (all + 2), so that a few labels prove little. What has too
    few labels for any threshold is left out, and stays as the rules have it.
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
    """Walk down from the surest readings as long as they are right often enough."""
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
    """Blocks from the surest to the least sure, each right less often than the one before.

    Neighbours that are out of order are pooled (pool adjacent violators); a block's confidence is
    the least of its readings.
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
    """Readings of one confidence stand or fall together."""
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
    """Of fields without a threshold here, the rules' own counts."""
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
    """Thresholds as a file has them. `sha256` is that of the file's bytes."""

    version: str
    rules: str
    sha256: str
    thresholds: Mapping[Key, float | None]

    @property
    def named(self) -> dict[str, str]:
        """How results tell which one judged them."""
        return {"version": self.version, "sha256": self.sha256}

    def applied(self, finding: Finding) -> Finding:
        """The finding as these thresholds decide it; one that they say nothing of stays."""
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
    """The file, as JSON; `about` says how it was made."""
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
    """Raise BadCalibration; also for thresholds that were fitted to other rules than `rules`."""
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
        raise ValueError("a threshold is a probability")
    return float(value)
