"""Driver's licences of the states whose templates are known, drawn, field by field."""

from collections import Counter
from functools import partial

from acredita.domain.documents import PageKind, judge
from acredita.engines.documents import read_pages, warm_up
from acredita.engines.synthetic.capture import Difficulty
from acredita.engines.synthetic.people import REFERENCE_DATE
from acredita.engines.synthetic.specimens import make_specimen
from acredita.engines.synthetic.truth import SpecimenKind
from benchmarks.recognition.report import Part, Scale, Stopwatch, of

_LEAST = 0.95
_LEAST_KNOWN = 0.99


def measure(scale: Scale) -> Part:
    """Each person drives in the next state, each picture is of the next difficulty."""
    warm_up(2)
    part = Part("driver's licences, drawn after templates that are known")
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    known = wrong = 0
    watch = Stopwatch()
    for number in range(scale.documents):
        difficulty = list(Difficulty)[number % len(Difficulty)]
        specimen = make_specimen(
            SpecimenKind.DRIVER_LICENCE, scale.seed + number, difficulty, quarter_turns=number % 2
        )
        truth = specimen.truth["values"]
        (page,) = watch.run(partial(read_pages, specimen.image_bytes, specimen.mime_type))
        known += page.kind is PageKind.DRIVER_LICENCE
        found = {sighting.field: sighting.value for sighting in page.sightings}
        for name, value in truth.items():
            for group in (name, difficulty):
                total[group] += 1
                right[group] += found.get(name) == value
        for finding in judge([page], REFERENCE_DATE).fields:
            if finding.accepted and finding.field in truth:
                wrong += finding.value != truth[finding.field]
    part.lines += [f"{group:18} {of(right[group], count)}" for group, count in total.items()]
    part.lines += [f"time to read one: {watch}", f"wrong yet accepted: {wrong}"]
    fields = [name for name in total if name not in set(Difficulty)]
    part.at_least("told to be licences", known, scale.documents, _LEAST_KNOWN)
    part.at_least("fields", sum(right[f] for f in fields), sum(total[f] for f in fields), _LEAST)
    return part
