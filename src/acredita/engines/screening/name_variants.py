"""Variants of one name whose spellings differ too much for phonetic rules: one name a line."""

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
FIRST_SPELLING = {
    variant: names[0]
    for names in (line.split() for line in _ROMANISED.strip().splitlines())
    for variant in names
}
"""By variant, the first spelling of its line."""
