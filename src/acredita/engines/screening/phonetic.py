"""Phonetic keys: words that sound alike share a key.

They cover Spanish spellings and romanisations of Arabic, Russian and Persian.
"""

import re

_SOUNDS = {
    "sch": "s", "sh": "s", "ch": "s", "ph": "f", "kh": "", "gh": "g", "dh": "d", "th": "t",
    "zh": "s", "ll": "i", "que": "ke", "qui": "ki", "gue": "ge", "gui": "gi", "ge": "je",
    "gi": "ji", "ce": "se", "ci": "si", "cy": "si", "ck": "k", "c": "k", "q": "k", "z": "s",
    "v": "b", "w": "b", "x": "s", "ou": "u", "oo": "u", "ee": "i", "ey": "i", "ei": "i",
    "iy": "i", "ij": "i", "y": "i", "h": "",
}  # fmt: skip
_SPELLING = re.compile("|".join(sorted(_SOUNDS, key=len, reverse=True)))
_REPEATED = re.compile(r"(.)\1+")
_GLIDE = re.compile(r"ie|ia|io")


_ROMANISED = """
muhammad mohamed mohammed mohammad mohamad muhammed muhamed muhamad mahomed mohamud mehmet mohd
ahmad ahmed achmed akhmad akhmed ahmet
hussein husayn hussain hossein hosein husein houssein huseyin
hassan hasan hassane
yusuf yousef youssef yousuf yousif yussuf yusef josef
umar omar
uthman othman osman usman
abdullah abdallah abdulla abdollah abdalla
abdulrahman abdelrahman abdurrahman abdolrahman abderrahman abdirahman abdurahman
abdulaziz abdelaziz abdolaziz abdilaziz
rahman rehman
mahmoud mahmud mahmood
mustafa mostafa moustafa mustapha moustapha
ibrahim ebrahim ibraheem
ismail esmail ismael ismaeel
khalid khaled halid
said saeed saeid sayid saed
sayyid sayed sayyed seyed syed sayid
sulayman suleiman soleiman sulaiman solomon suleyman
salih saleh salah
jamal gamal djamal cemal
jafar jaafar jaffar djafar
rashid rasheed rachid
tariq tarek tarik
hamid hameed hamed
majid majeed
qasim qassem kassem kassim ghasem qasem
abu abou
alexander aleksandr alexandr aleksander oleksandr
alexey aleksey alexei aleksei oleksiy
sergey sergei serhiy serguei
andrey andrei andriy
dmitry dmitri dmitriy dmytro dimitri
mikhail mihail mykhailo michail
nikolay nikolai mykola
vladimir volodymyr wladimir
yevgeny evgeny evgeni evgeniy yevgeniy yevgeni evgenii eugeny
yuri yury yuriy iouri juri yurii
yulia julia iuliia yuliya
gennady gennadi gennadiy
vasily vasili vasiliy vassily
georgy georgi georgiy
"""
_SPELT = {
    variant: names[0]
    for names in (line.split() for line in _ROMANISED.strip().splitlines())
    for variant in names
}


def phonetic_key(word: str) -> str:
    """The phonetic key of a word of lower-case ASCII letters and digits.

    Common names whose spellings differ too much for rules (Muhammad, Mohamed) come from a table. A
    key of fewer than three letters is too ambiguous: the key is then the word itself.
    """
    key = _SPELLING.sub(lambda found: _SOUNDS[found.group()], _SPELT.get(word, word))
    key = _GLIDE.sub("i", _REPEATED.sub(r"\1", key))
    return key if len(key) > 2 else word
