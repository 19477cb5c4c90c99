"""Accuracy on drawn driver's licences of the states with built-in templates, by field."""

from collections import Counter
from functools import partial

from acredita.domain.documents import PageKind, judge
from acredita.engines.documents import read_pages, warm_up
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import REFERENCE_DATE
from acredita_synthetic.specimens import make_specimen
from benchmarks.recognition.drawing import Order, difficulty_of, drawn
from benchmarks.recognition.kinds import classify, label_of
from benchmarks.recognition.report import Part, Scale, Stopwatch, ratio

_LEAST = 0.97


def measure(scale: Scale) -> Part:
    """Read one licence per person. States and difficulties take turns."""
    warm_up(2)
    part = Part("driver's licences with built-in templates, drawn")
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    wrong: list[str] = []
    accepted: list[str] = []
    watch = Stopwatch()
    for specimen in drawn(_orders(scale)):
        truth, difficulty = specimen.truth["values"], specimen.truth["difficulty"]
        (page,) = watch.run(partial(read_pages, specimen.image_bytes, specimen.mime_type))
        shown = label_of(specimen)
        part.pages.append(classify(page, PageKind.DRIVER_LICENCE, shown, difficulty))
        found = {sighting.field: sighting.value for sighting in page.sightings}
        label = f"{shown} {specimen.truth['seed']} {difficulty}"
        for name, value in truth.items():
            for group in (name, difficulty):
                total[group] += 1
                right[group] += found.get(name) == value
            if found.get(name) != value:
                wrong.append(f"{label} {name}: {found.get(name)} for {value}")
        accepted += [
            f"wrong but accepted: {label} {each.field}"
            for each in judge([page], REFERENCE_DATE).fields
            if each.accepted and each.field in truth and each.value != truth[each.field]
        ]
    fields = [name for name in total if name not in set(Difficulty)]
    part.lines += [f"{group:18} {ratio(right[group], total[group])}" for group in fields]
    part.lines += [f"{each:18} {ratio(right[each], total[each])}" for each in Difficulty]
    part.lines += [f"time to read one: {watch}", "read wrong", *wrong, *accepted]
    part.at_least("fields", sum(right[f] for f in fields), sum(total[f] for f in fields), _LEAST)
    part.at_most("wrong but accepted", len(accepted), 0)
    return part


def _orders(scale: Scale) -> list[Order]:
    return [
        partial(
            make_specimen,
            SpecimenKind.DRIVER_LICENCE,
            scale.seed + number,
            difficulty_of(number),
            quarter_turns=number % 2,
            style=scale.style,
        )
        for number in range(scale.documents)
    ]
