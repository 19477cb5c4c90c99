"""Names made to harm: each is answered soon, or refused."""

import random
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from acredita.engines.screening import (
    EmptyName,
    Entry,
    ListedName,
    NameTooLong,
    Question,
    build_index,
)

SYLLABLES = ["ma", "ri", "jo", "se", "lo", "pez", "gar", "cia", "an", "to", "her", "nan", "dez"]


def made_up(count, seed=1):
    chance = random.Random(seed)
    for _ in range(count):
        yield " ".join("".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(4))


# To build the larger one takes three seconds of the processor.
@pytest.fixture(scope="module", params=[4_000, pytest.param(20_000, marks=pytest.mark.thorough)])
def index(request):
    return build_index(
        Entry(str(number), "own", "person", (ListedName(name),))
        for number, name in enumerate(made_up(request.param))
    )


@pytest.mark.parametrize(
    "name",
    [
        "a" * 100_000,
        "Juan " * 5000,
        "\N{ARABIC LIGATURE BISMILLAH AR-RAHMAN AR-RAHEEM}" * 1001,
    ],
)
def test_a_name_longer_than_names_are_is_refused(index, name):
    with pytest.raises(NameTooLong):
        index.screen(name)


@pytest.mark.parametrize(
    "name", ["\0", "\0\0 \t\n", "\ud800", "\u202e\u202d", "\u0301" * 900, "'", "👩‍👩‍👧‍👦" * 90]
)
def test_a_name_of_nothing_is_refused(index, name):
    with pytest.raises(EmptyName):
        index.screen(name)


@pytest.mark.parametrize(
    "name",
    [
        "a" * 1000,
        "ma " * 333,
        "marilo " * 142,
        "".join(SYLLABLES) * 25,
        " ".join(a + b for a in SYLLABLES for b in SYLLABLES)[:1000],
        "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 1000,
        "𒐫" * 1000,
        "习" * 1000,
        "Ju\0an\ud800 P\udffférez",
        "\u202eنازك\u202c خوان בן־דוד",
        "J̴̢̛̩̺u̷͇̎ä̵̮n̶͉̈ ̷̫͐P̸̖͐e̶̻̍r̵̢̍e̷̮̅z̵̮̈",
        "1" * 999,
        "a b c d e f g h i j k l m n o p q r s t u v w x y z " * 19,
    ],
)
@pytest.mark.parametrize("threshold", [0.0, 0.75])
def test_any_other_name_is_answered_soon(index, name, threshold):
    started = time.thread_time()
    index.screen(name[:1000], threshold=threshold)
    assert time.thread_time() - started < 0.5


def test_marks_upon_marks_hide_no_name(index):
    listed = next(made_up(1))
    marked = "".join(char + "\u0322\u0334\u0489" for char in listed)
    assert index.screen(marked).matches[0].score == 1.0


def test_threads_that_screen_at_once_do_not_disturb_each_other(index):
    names = [*made_up(90, seed=2), *made_up(30)]
    alone = [index.screen(name, threshold=0.6) for name in names]
    with ThreadPoolExecutor(2) as threads:
        shares = threads.map(
            lambda turn: [index.screen(name, threshold=0.6) for name in names], range(2)
        )
    assert all(share == alone for share in shares)


def test_many_questions_have_their_answers_in_their_order(index):
    names = list(made_up(20))
    answers = index.screen_many([Question(name) for name in names])
    assert [answer.matches[0].entry_id for answer in answers] == [str(n) for n in range(20)]
