from hypothesis import example, given
from hypothesis import strategies as st

from acredita.domain.theme_colours import (
    BLACK,
    SHAPE,
    TEXT,
    WHITE,
    Colour,
    best_on,
    contrast,
    dark_palette,
    palette,
    readable,
)

PARTS = st.integers(0, 255)
COLOURS = st.builds(Colour, PARTS, PARTS, PARTS)
NAMES = (
    "accentColor",
    "errorColor",
    "warningColor",
    "successColor",
    "backgroundColor",
    "bodyTextColor",
    "titleTextColor",
    "subtitleColor",
    "borderColor",
)
THEMES = st.dictionaries(st.sampled_from(NAMES), COLOURS.map(str) | st.none())
WRITTEN = ("text", "title", "subtitle", "link", "error", "warning", "success")


def test_contrast_is_that_of_the_standards_examples():
    assert contrast(BLACK, WHITE) == 21
    assert contrast(WHITE, WHITE) == 1
    # The two greys on either side of what level AA admits on white.
    assert (
        contrast(Colour.parse("#767676"), WHITE) >= 4.5 > contrast(Colour.parse("#777777"), WHITE)
    )


@given(THEMES)
@example({"backgroundColor": "#757575", "accentColor": "#757575"})
@example({"backgroundColor": "#767676", "bodyTextColor": "#ffffff"})
def test_every_theme_can_be_read(theme):
    for colours in (palette(theme), dark_palette(theme)):
        for ground in (colours["ground"], colours["paper"], colours["raised"]):
            for name in WRITTEN:
                assert contrast(colours[name], ground) >= TEXT, name
            assert contrast(colours["border"], ground) >= SHAPE
        assert contrast(colours["on-accent"], colours["accent"]) >= TEXT
    assert best_on(dark_palette(theme)["ground"]) is WHITE


@given(COLOURS, COLOURS)
def test_what_can_be_read_already_is_left_as_it_is(wished, ground):
    if contrast(wished, ground) >= TEXT * 1.005:
        assert readable(wished, [ground], TEXT) == wished


@given(COLOURS)
def test_black_or_white_can_be_read_on_everything(ground):
    assert contrast(best_on(ground), ground) >= TEXT


@given(COLOURS)
def test_a_colour_reads_itself(colour):
    assert Colour.parse(str(colour)) == colour


def test_a_theme_of_nothing_but_nonsense_is_the_usual_one():
    assert palette({"accentColor": "red; } body { display: none"}) == palette({})
