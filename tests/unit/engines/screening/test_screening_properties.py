"""What holds for any name and any list."""

import re
import string
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA, JaroWinkler

from acredita.engines.screening import (
    EmptyName,
    Entry,
    ListedName,
    Question,
    ScreeningIndex,
    alignment,
    build_index,
    candidates,
    is_comparable,
    normalised,
    spellings,
)
from acredita.engines.screening.coverage import coverage_score, least_other_share
from acredita.engines.screening.spellings import Lexicon, by_length, length_starts, letters_of

SYLLABLES = ["ma", "ri", "jo", "se", "lo", "pez", "gar", "cia", "an", "to", "her", "dez", "x", "al"]
words = st.lists(st.sampled_from(SYLLABLES), min_size=1, max_size=4).map("".join)
names = st.lists(words, min_size=1, max_size=5).map(" ".join)
lists = st.lists(names, min_size=1, max_size=30)
accents = str.maketrans("aeiouncz", "áéíóúñçž")


def index_of(names, kind="primary"):
    return build_index(
        Entry(str(number), "own", "person", (ListedName(name, kind),))
        for number, name in enumerate(names)
    )


def scores(index, name, threshold=0.0):
    matches = index.screen(name, threshold=threshold, limit=1000).matches
    return {match.entry_id: match.score for match in matches}


@given(lists)
def test_a_name_finds_itself_with_the_highest_score(listed):
    index = index_of(listed)
    for number, name in enumerate(listed):
        assert scores(index, name, 1.0)[str(number)] == 1.0


@given(st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=10))
def test_a_name_in_any_script_finds_itself(listed):
    index = index_of(listed)
    for number, name in enumerate(listed):
        assert is_comparable(name) == bool(normalised(name))
        if normalised(name):
            assert scores(index, name, 1.0)[str(number)] == 1.0
        else:
            with pytest.raises(EmptyName):
                index.screen(name)


@given(lists, names)
def test_only_the_same_words_score_one(listed, query):
    index = index_of(listed)
    for number, score in scores(index, query).items():
        same = sorted(normalised(listed[int(number)]).split()) == sorted(normalised(query).split())
        assert (score == 1.0) == same


@given(lists, names, st.randoms(use_true_random=False))
def test_accents_and_case_change_nothing(listed, query, chance):
    index = index_of(listed)
    written = "".join(chance.choice([c, c.upper(), c.translate(accents)]) for c in query)
    assert scores(index, written) == scores(index, query)


@settings(max_examples=25)
@given(lists, st.randoms(use_true_random=False))
def test_the_order_of_a_listed_name_changes_nothing(listed, chance):
    shuffled = [" ".join(chance.sample(name.split(), len(name.split()))) for name in listed]
    assert scores(index_of(shuffled), listed[0], 1.0) == scores(index_of(listed), listed[0], 1.0)


@given(lists, names, st.floats(0, 1))
def test_short_and_long_postings_give_the_same_answer(listed, query, threshold):
    whole = scores(index_of(listed), query, threshold)
    with patch.multiple(candidates, _LONG=1, _SHORT=0):
        assert scores(index_of(listed), query, threshold) == whole


@settings(max_examples=15)
@given(lists, st.lists(names, min_size=2, max_size=4), st.floats(0, 1), st.integers(1, 4))
def test_a_batch_gives_each_name_the_answer_of_a_single_question(listed, asked, threshold, at_once):
    index = index_of(listed)
    questions = [
        Question(name, aliases=(asked[0],), entity_type=kind)
        for name in asked
        for kind in (None, "vessel")
    ]
    alone = [index.screen_many([each], threshold=threshold)[0] for each in questions]
    with patch.multiple(alignment, _AT_ONCE=at_once):
        assert index.screen_many(questions, threshold=threshold) == alone


@given(st.floats(0.01, 1), st.floats(0.01, 0.99))
def test_the_least_share_of_the_other_side_reaches_the_score(share, score):
    least = least_other_share(share, score)
    if least < 1:
        assert coverage_score(share, max(least, 0) + 0.001) >= score
    if least > 0:
        assert coverage_score(share, min(least, 1) - 0.001) < score


@given(lists, names, st.floats(0, 1), st.floats(0, 1))
def test_a_higher_threshold_keeps_what_reaches_it(listed, query, one, other):
    index = index_of(listed)
    low, high = sorted((one, other))
    above = {entry: score for entry, score in scores(index, query, low).items() if score >= high}
    assert scores(index, query, high) == above


@given(lists, names, st.integers(1, 5))
def test_a_limit_keeps_the_best_matches_and_counts_all(listed, query, limit):
    index = index_of(listed)
    whole = index.screen(query, threshold=0.0, limit=1000)
    part = index.screen(query, threshold=0.0, limit=limit)
    assert (part.total, part.matches) == (whole.total, whole.matches[:limit])


@given(st.lists(words, min_size=1, max_size=60, unique=True), words, st.sampled_from([0, 64]))
def test_similar_spellings_are_those_of_a_comparison_with_every_word(listed, word, few):
    listed = by_length(listed)
    text = np.frombuffer("\n".join(listed).encode(), np.uint8)
    lexicon = Lexicon.from_text(text, letters_of(listed), length_starts(listed))
    edits = 0 if len(word) < 3 else 1 if len(word) <= 5 else 2 if len(word) <= 11 else 3
    near = {}
    for place, other in enumerate(listed):
        distance = OSA.distance(word, other)
        spelled = 1 - distance / max(len(word), len(other))
        similarity = (spelled + JaroWinkler.similarity(word, other)) / 2
        if edits and distance <= edits and similarity >= 0.72:
            near[place] = similarity
    with patch.object(spellings, "_FEW", few):
        assert lexicon.near(word) == near


@given(lists, names)
def test_scores_lie_between_nothing_and_one(listed, query):
    answer = index_of(listed).screen(query, threshold=0.0, limit=1000)
    assert all(0 <= match.score <= 1 for match in answer.matches)
    assert [m.score for m in answer.matches] == sorted(
        (m.score for m in answer.matches), reverse=True
    )
    for match in answer.matches:
        told = [pair.query for pair in match.tokens] + list(match.unmatched_query)
        assert set(told) in (set(normalised(query).split()), set(_as_acronym(query).split()))


def _as_acronym(query):
    """The second reading of a query: single letters in a row are one word, as in C.J.N.G."""
    return re.sub(r"\b(\w) (?=\w\b)", r"\1", normalised(query))


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lists, names)
def test_a_saved_index_answers_as_the_built_one(tmp_path, listed, query):
    built = index_of(listed)
    built.save(tmp_path / "index")
    opened = ScreeningIndex.open(tmp_path / "index")
    assert opened.screen(query, threshold=0.3) == built.screen(query, threshold=0.3)
    assert (opened.lists, opened.names, opened.entries) == (built.lists, built.names, built.entries)


@given(lists, names, st.text(alphabet=string.ascii_lowercase, min_size=1, max_size=8))
def test_weak_aliases_reach_the_usual_threshold_only_by_the_same_words(listed, query, extra):
    index = index_of(listed, "weak")
    assume(normalised(extra))
    for number, score in scores(index, query).items():
        same = sorted(normalised(listed[int(number)]).split()) == sorted(normalised(query).split())
        assert score == 0.9 if same else score <= 0.7
