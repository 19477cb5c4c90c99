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
alexander aleksandr alexandr aleksander oleksandr aleksandar alexandre aleksandrs
alexey aleksey alexei aleksei oleksiy aleksej oleksii
sergey sergei serhiy serguei sergej sergejs serhii sergii
andrey andrei andriy andrii andrejs
dmitry dmitri dmitriy dmytro dimitri dmitrij dmitrii
mikhail mihail mykhailo michail
nikolay nikolai mykola nikolaj nicolai
vladimir volodymyr wladimir volodimir wolodymyr vladimirs
yevgeny evgeny evgeni evgeniy yevgeniy yevgeni evgenii eugeny evgenij yevhen yevhenii
yuri yury yuriy iouri juri yurii yurij iurii jurijs
yulia julia iuliia yuliya
gennady gennadi gennadiy
vasily vasili vasiliy vassily vasilij vasyl
georgy georgi georgiy
zelensky zelenskyy zelenskiy zelenskii zelenskij selenskyj selenskij
usama osama ousama oussama ussama
ladin laden
muammar moammar muamar moamer muammer
gaddafi qaddafi qadhafi gadhafi kadhafi khadafi kaddafi qadafi gadafi ghaddafi
qaida qaeda qaidah qaedah
hizballah hezbollah hizbollah hizbullah hezbullah hezballah hizbulla hezbolah hizbala
shaykh sheikh cheikh sheik shaikh
nuruddin nooruddin noureddine nureddin noureddin nourredine
salahuddin salaheddin salaheddine salahaddin saladin salahudin
shamsuddin shamseddin chamseddine shamsudin
saifuddin sayfuddin saifeddine seifeddine
jalaluddin jalaludin jalaledin djalaleddine jalaladin jalaloudine jallaloudine
sirajuddin serajuddin sirajudin
abdulkarim abdelkarim abdelkrim abdolkarim
abdulqadir abdelkader abdulkadir abdulqader abdelqader
abdullatif abdellatif abdollatif
abdulhamid abdelhamid abdolhamid
abdulmalik abdelmalek abdulmalek abdelmalik abdolmalek
abdulhakim abdelhakim abdolhakim abdulhakeem
abdulwahab abdelwahab abdulwahhab abdelouahab
abdulghani abdelghani abdolghani
abdulsalam abdelsalam abdessalam abdussalam
tawfiq tawfik taufiq taufik toufik taoufik tewfik
nasir nasser naser nacer nassir
bashir basheer bachir bechir
walid waleed oualid
faysal faisal feisal faycal
sharif cherif sherif shareef charif
murad mourad morad
yahya yahia yehia yihya yehya
yasin yassin yaseen yacine yassine
fadl fazl fadhl fazal
haqqani haqani hakkani
munir mounir muneer
husam hossam houssam hussam
hisham hicham hesham
mansur mansour mansoor
masud masoud massoud masood messaoud
daud dawood daoud dawud
yaqub yacoub yaqoub yaghoub yakub yakoub
ayyub ayub ayoub
musa moussa mousa moosa
zubayr zubair zoubeir zubeir
"""
FIRST_SPELLING = {
    variant: names[0]
    for names in (line.split() for line in _ROMANISED.strip().splitlines())
    for variant in names
}
"""By variant, the first spelling of its line."""
