"""CURP and RFC certificates, drawn: see `benchmarks.certificates`."""

from acredita.engines.documents import warm_up
from benchmarks import certificates
from benchmarks.recognition.report import Bar, Part, Scale


def measure(scale: Scale) -> Part:
    warm_up(2)
    tally = certificates.measure(max(1, scale.documents // 10), scale.seed)
    lines = [*certificates.report(tally), *tally.wrong, *tally.wrong_accepted]
    bars = [Bar(text, met) for text, met in certificates.bars(tally)]
    return Part("certificates of CURP and RFC, drawn", lines, bars)
