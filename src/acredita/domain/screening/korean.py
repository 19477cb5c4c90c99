"""Korean names, compared with their many spellings in Latin letters.

A name in Hangul is romanised syllable by syllable. One in Chinese characters is read as Koreans
read them if all its characters are common in Korean names (金正恩 is Kim Jong Un).
"""

import re

from anyascii import anyascii

_HANGUL = re.compile("[\uac00-\ud7a3]+")
_LONGEST = 6
# Syllable, then the characters that are read so.
_READINGS = """
gim金 jeong正鄭貞禎晶丁廷靜 eun恩銀殷 il日一逸 seong成星聖性誠盛 bak朴 i李利伊 choe崔 jo趙曺祚朝
gang姜康江剛強綱 yun尹潤允倫 jang張長章莊 im林任 han韓漢翰 o吳五 seo徐瑞西舒恕 sin申辛新信
gwon權 hwang黃 an安 song宋松 ryu柳劉 jeon全田錢 hong洪弘泓 go高 mun文門 yang楊梁 son孫 bae裵裴
baek白百 heo許 nam南男楠 sim沈心 ro盧魯 ha河夏 gwak郭 cha車 ju朱周柱珠 gu具九 min閔民敏
ji池智志芝 eom嚴 won元源遠媛苑 chae蔡 cheon千天 bang方 gong孔 hyeon玄賢鉉炫 ham咸 byeon邊卞
yeom廉 yeo呂與与余汝 chu秋 do都道 seok石錫碩奭 seon善宣 gyeong慶京景敬庚 jun俊準埈峻
cheol哲鐵喆徹 yeong英永榮 myeong明命銘 hun勳勲訓 ho浩鎬虎昊好湖 su秀洙守壽樹 sang相尙尚祥象
sik植 hui姬熙希熹喜 suk淑 sun順純 ok玉 ja子 mi美 dong東 gi基奇己紀起琦 gyu奎圭
yong龍勇用甬容溶鏞 gwang光廣 guk國 chun春 bok福馥 geun根 tae泰兌 jong宗鍾鐘種 chang昌昶 ik益
ryong龙 byeong炳丙兵秉 hwa和華花 jin珍進振晉鎭鎮辰 hyeok赫爀 dae大 deok德悳 du斗 bin彬斌 bo甫寶
se世 si時始 a雅娥 ae愛 yeol烈 pil弼必 hwan煥桓奐 hwi輝徽 hyang香 hae偕海 hyo孝曉 wan完 un雲
ung雄 eung應 in麟仁寅 je濟 hyeong亨炯馨 gil吉 gun君 ri莉里 bong鳳奉 sam三 hye惠 jae載在宰
yeon延姸妍 hak學 u宇雨 seung承勝昇
"""
_OF_CHARACTER = {
    character: syllable
    for syllable, characters in re.findall("([a-z]+)([^a-z\\s]+)", _READINGS)
    for character in characters
}
# Spellings of family names that follow no rule.
_FAMILY = {
    **dict.fromkeys(("lee", "li", "ri", "rhee", "yi", "i"), "i"),
    **dict.fromkeys(("lim", "rim", "yim", "im"), "im"),
    **dict.fromkeys(("park", "bark", "pak", "bak"), "pak"),
    **dict.fromkeys(("noh", "no", "ro", "roh"), "ro"),
    **dict.fromkeys(("ryu", "yu", "yoo", "ryoo", "lyu"), "yo"),
}
_SOUNDS = {
    "ng": "N", "sh": "s", "ch": "c", "jj": "c", "j": "c", "kk": "k", "ck": "k", "g": "k",
    "tt": "t", "d": "t", "pp": "p", "b": "p", "l": "r", "yeo": "yo", "you": "yo", "yu": "yo",
    "oo": "o", "ou": "o", "woo": "o", "wu": "o", "eu": "o", "eo": "o", "u": "o", "yae": "ye",
    "ae": "e", "ai": "e", "oe": "e", "oi": "e", "ui": "i", "eui": "i", "ee": "i", "yi": "i",
}  # fmt: skip
_SPELLING = re.compile("|".join(sorted(_SOUNDS, key=len, reverse=True)))
_SILENT = re.compile("(?<=[aeiou])h(?![aeiou])")
_NORTHERN = re.compile("^[rl](?=y)")
_LATIN = re.compile("[a-z]{1,9}")
# The vowel of the romanised syllable, and its other spellings.
_VOWELS = {
    "eo": ("eo", "o", "u", "ou"), "o": ("o",), "u": ("u", "oo", "ou", "woo", "wu"),
    "eu": ("eu", "u", "oo"),
}  # fmt: skip
_ROUND = re.compile("eo|eu|woo|wu|oo|ou|o|u")
_ALL_AGREE, _DISAGREEING = 0.93, 0.08


def korean_syllables(name: str) -> tuple[str, ...]:
    """The syllables of a name in Hangul or Chinese characters, romanised; empty if not Korean."""
    characters = [char for char in name if not char.isspace()]
    if not 2 <= len(characters) <= _LONGEST:
        return ()
    found = [_syllable(char) for char in characters]
    return tuple(found) if all(found) else ()


def _syllable(char: str) -> str:
    return anyascii(char).lower() if _HANGUL.match(char) else _OF_CHARACTER.get(char, "")


def korean_key(word: str) -> str:
    """The sound of a word of small Latin letters, for every romanisation; empty for other words."""
    if not _LATIN.fullmatch(word):
        return ""
    if word in _FAMILY:
        return _FAMILY[word]
    # Ryong in the north is Yong in the south.
    plain = _SILENT.sub("", _NORTHERN.sub("", word))
    return _SPELLING.sub(lambda found: _SOUNDS[found.group()], plain)


def agreement(syllable: str, latin: str) -> float:
    """How well the vowels of a romanised syllable fit a Latin spelling of the same key, 0-1."""
    if latin in _FAMILY:
        return _ALL_AGREE
    ours, theirs = _ROUND.findall(syllable), _ROUND.findall(latin)
    pairs = zip(ours, theirs, strict=False)
    wrong = sum(other not in _VOWELS.get(mine, (mine,)) for mine, other in pairs)
    return _ALL_AGREE - _DISAGREEING * min(wrong, 2)
