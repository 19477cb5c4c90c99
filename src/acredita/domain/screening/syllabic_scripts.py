"""Foreign names in scripts that write them syllable by syllable: kana, Hangul, Thai, Chinese.

プーチン, 푸틴, ปูติน and 普京 are Putin. A word becomes small Latin letters, of which a consonant
stands for several sounds (`acredita.domain.screening.syllabic` says which); an apostrophe marks one
that may be silent. It is no romanisation to read.
"""

import re
import unicodedata
from collections.abc import Callable

from anyascii import anyascii

_SEPARATORS = re.compile("[·・•‧＝=･\\s\\-‐–]+")
# A Chinese name of its own has no such sign.
_DOTS = re.compile("[·・•‧]")
# A Korean name of its own has at most four syllables.
_FEWEST_HANGUL = 5
# Each short word sounds like hundreds of listed ones.
_MOST_WORDS = 6

_SCRIPTS = {
    "kana": re.compile("[\u3041-\u3096\u30a1-\u30fa\u30fc]+"),
    "hangul": re.compile("[\uac00-\ud7a3]+"),
    "thai": re.compile("[\u0e01-\u0e4e]+"),
    "han": re.compile("[\u3400-\u9fff]+"),
}
# Those that readings of names in Latin letters leave out, too. Some are also attached.
_PARTICLE_WORDS = """
    アル エル アッ ビン ベン イブン ウル 알 빈 벤 이븐 อัล อาล บิน เบน อิบน์ 本 宾 賓 伊本 阿勒
"""
_PARTICLES = frozenset(_PARTICLE_WORDS.split())
_ATTACHED = re.compile("^(アル|ビン|알|빈|อัล|阿勒)(..+)")

_KANA = {"し": "si", "ち": "ci", "つ": "tu", "ぢ": "ji", "づ": "zu", "を": "o"}
_SMALL_VOWELS = dict(zip("ぁぃぅぇぉゃゅょゎ", "aiueoauoa", strict=True))
_INITIALS = "k k n d t r m b p s s - j j c k t p h"
_VOWELS = "a e a e o e o e o wa we we o u wo we wi u u i i"
_FINALS = "- k k k n n n d r k m b r r p r m b b s s ng j c k t p h"
# By Unicode's order of the syllables.
_HANGUL = tuple(tuple(sounds.split()) for sounds in (_INITIALS, _VOWELS, _FINALS))

_THAI_SOUNDS = {
    "กขฃคฅฆ": "k", "ง": "ng", "จฉชฌ": "c", "ซศษส": "s", "ญย": "y", "ฎด": "d", "ฏตฐฑฒถทธ": "t",
    "ณน": "n", "บ": "b", "ปผพภ": "p", "ฝฟ": "f", "ม": "m", "รฤ": "r", "ลฬ": "l", "ว": "w",
    "หฮ": "h", "ะัาำๅ": "a", "ิี": "i", "ึืุู": "u", "เแ": "e", "โอ": "o", "ใไ": "ai",
}  # fmt: skip
_THAI = {letter: sound for letters, sound in _THAI_SOUNDS.items() for letter in letters}
# Vowels of several signs, in the order in which they are spoken.
_THAI_PAIRS = {
    "เอ": "ə", "เิ": "ə", "เีย": "ia", "เือ": "ua", "เาะ": "o", "เา": "ao", "ัว": "ua",
}  # fmt: skip
_THAI_VOWELS = frozenset("aiuoeə")
_THAI_VOWEL_BEFORE = re.compile("([เแโใไ])([ก-ฮ])")
_THAI_CARRIER = re.compile("อ(?=[ะัาำิีึืุูเแโใไ])")
_THAI_MUTE_H = re.compile("ห(?=[งญณนมยรลว])")
_THAI_SILENT = "์"
_PINYIN_VOWELS = dict.fromkeys(("ao", "uo", "ou"), "o")
_SIBILANTS = frozenset(("z", "c", "s", "zh", "ch", "sh", "r"))
_CONSONANT = re.compile("[b-df-hj-np-tv-z]")
_PINYIN = re.compile("(zh|ch|sh|[b-df-hj-np-tv-z])?([aeiou]*)(n?)")
_PINYIN_INITIALS = {"zh": "z", "ch": "c", "sh": "s", "r": "z", "j": "dj"}


def foreign_words(name: str) -> tuple[str, ...]:
    """The words of a foreign name in one of these scripts, without particles; empty for others.

    A name in two scripts has none.
    """
    parts = [part for part in _SEPARATORS.split(unicodedata.normalize("NFKC", name)) if part]
    script = next(
        (each for each, letters in _SCRIPTS.items() if all(map(letters.fullmatch, parts))), None
    )
    if not parts or script is None:
        return ()
    if script == "hangul" and sum(map(len, parts)) < _FEWEST_HANGUL:
        return ()
    if script == "han" and not _DOTS.search(name):
        return ()
    romanised = _ROMANISED[script]
    words = (_spoken(part, romanised) for part in parts if part not in _PARTICLES)
    return tuple(word for word in words if word)[:_MOST_WORDS]


def _spoken(part: str, romanised: Callable[[str], str]) -> str:
    """The part as a word. アルイスラム is Islam with an article, アルベルト is Alberto: the
    consonants of what may be a particle may be silent.
    """
    if attached := _ATTACHED.match(part):
        return _CONSONANT.sub(r"\g<0>'", romanised(attached[1])) + romanised(attached[2])
    return romanised(part)


def _kana(written: str) -> str:
    small = "".join(
        chr(ord(char) - 0x60) if "ァ" <= char <= "ヶ" and char != "ヴ" else char for char in written
    )
    word = ""
    for char in small:
        if char in "ーっ":
            continue
        if char in _SMALL_VOWELS:
            # ファ is fa, ティ ti, ウィ wi, ミュ myu.
            stem = word[:-1] if word[-1:] in "aiueo" else word
            word = (stem or "w") + _SMALL_VOWELS[char]
        elif char == "ん":
            word += "n"
        else:
            word += "vu" if char == "ヴ" else _KANA.get(char) or anyascii(char).lower()
    word = re.sub("nn*(?=[nm])", "", word)
    word = re.sub("n(?=[bp])", "m", word)
    # ナスルッラーフ is Nasrallah, ウラジーミル is Vladimir.
    word = re.sub("^u(?=[^aiueo])", "wu", re.sub("(?<=a)fu$", "f'u", word))
    return re.sub("(?<=[cjr])i$", "ə", word)


def _hangul(written: str) -> str:
    word = ""
    for char in written:
        initial, rest = divmod(ord(char) - 0xAC00, 588)
        vowel, final = divmod(rest, 28)
        sounds = zip(_HANGUL, (initial, vowel, final), strict=True)
        word += "".join(table[place] for table, place in sounds).replace("-", "")
    return word


def _thai(written: str) -> str:
    text = _THAI_MUTE_H.sub("", _THAI_VOWEL_BEFORE.sub(r"\2\1", written))
    word = ""
    for spelled, sound in _THAI_PAIRS.items():
        text = text.replace(spelled, sound)
    for char in _THAI_CARRIER.sub("", text):
        if char == _THAI_SILENT:
            word += "'" if word and word[-1] not in "aeiou'" else ""
        else:
            word += char if char in _THAI_VOWELS else _THAI.get(char, "")
    return word


def _han(written: str) -> str:
    word = ""
    for char in written:
        spoken = anyascii(char).lower()
        if spoken == "er":
            word += "r"
        elif found := _PINYIN.match(spoken):
            initial, vowels, nasal = found.groups(default="")
            word += _PINYIN_INITIALS.get(initial, initial)
            # 德 and 斯 are also consonants alone.
            is_weak = vowels == "e" or (vowels == "i" and initial in _SIBILANTS)
            word += ("ə" if is_weak and not nasal else _PINYIN_VOWELS.get(vowels, vowels)) + nasal
    return word


_ROMANISED: dict[str, Callable[[str], str]] = {
    "kana": _kana,
    "hangul": _hangul,
    "thai": _thai,
    "han": _han,
}
