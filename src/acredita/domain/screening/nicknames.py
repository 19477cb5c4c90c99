"""Short and familiar forms of given names, mostly as used in Mexico."""

# Each line: a familiar form, then the given names that it may stand for. Without accents; ñ is n.
_FAMILIAR = """
ale alejandro alejandra
alex alejandro alejandra alexander alexis
angelito angel
angie angela angelica
arturito arturo
barto bartolome
bartolo bartolome
beba beatriz
berto alberto roberto humberto gilberto heriberto norberto adalberto rigoberto
beti beatriz
betito alberto roberto humberto
beto alberto roberto humberto gilberto heriberto norberto adalberto rigoberto dagoberto
betty beatriz
bety beatriz
calin carlos
cande candelario candelaria
candi candelario candelaria
carlitos carlos
caro carolina
cata catalina
catita catalina
cayo cayetano
cesarin cesar
chabela isabel
chabelo isabel
chago santiago
chalio rosalio
chalo gonzalo
chano feliciano graciano luciano
charlie carlos
charly carlos
charo rosario
chava salvador
chavela isabel
chavita salvador
chavo salvador
chayito rosario
chayo rosario
chebo eusebio
checo sergio
chejo sergio
chela graciela marcela
chelita graciela
chelo consuelo graciela
chema jose
chencho inocencio crescencio lorenzo
chente vicente
chepe jose
cheque ezequiel
chevo eusebio
chicho narciso
chilo isidro cirilo
chimino maximino
chimo joaquin
chito narciso
chris cristina cristian christian
chucho jesus
chuy jesus
chuya jesus
chuyito jesus
concha concepcion
conchita concepcion
coque jorge
cristi cristina
cuca refugio
cuco refugio
cuquita refugio
dago dagoberto
dani daniel daniela
danny daniel
dave david
davo david
delfo adelfo
eddy eduardo edgar
ema emma
emi emilio emiliano emilia
eze ezequiel
fede federico
felo rafael
fer fernando fernanda
fina josefina
fito adolfo rodolfo
fonchito alfonso
fonso alfonso
frank francisco
freddy alfredo federico
fredy alfredo federico
gabi gabriela gabriel
gabo gabriel
gaby gabriela
geli angelica
gelo rogelio angel
gera gerardo
gil gilberto
gonzo gonzalo
goya gregoria
goyo gregorio
guicho luis
gus gustavo agustin
hipo hipolito
isa isabel
jaimito jaime
jandro alejandro
javi javier
jero jeronimo
jimmy jaime
joaco joaquin
jorgito jorge
josefita josefa josefina
josito jose
juancho juan
juanillo juan
juanita juana
juanito juan
kico federico enrique
kike enrique
kiko francisco
koke jorge
lalito eduardo
lalo eduardo
lazarito lazaro
lelo aurelio
lencho lorenzo
leo leonardo leopoldo
leti leticia
lety leticia
licha alicia
lichita alicia
lico federico
lili liliana
lino marcelino
lola dolores
lolita dolores
lolo lorenzo manuel dolores
lucha luz
lucho luis luciano
lucita luz
lucy lucia
luichi luis
luisito luis
lupe guadalupe
lupillo guadalupe
lupita guadalupe
magda magdalena
maggie margarita
mago margarita
magos margarita
magui margarita magdalena
maite teresa
malena magdalena
manny manuel
manolo manuel
manu manuel
manuelito manuel
marce marcelino marcela
mari maria
mariquita maria
marita maria
maru eugenia
maruca maria
mary maria
max maximiliano maximino
meche mercedes
mechita mercedes
memo guillermo
mencho nemesio clemente
migue miguel
miguelito miguel
mike miguel
miky miguel
millo emilio
moi moises
monche ramon
moncho ramon
moy moises
mundo raymundo edmundo segismundo
nacha ignacia
nachito ignacio
nacho ignacio
nando fernando hernando armando
nano mariano
nelo manuel daniel
nena elena
nesto ernesto
neto ernesto
nico nicolas
nino saturnino antonino
oscarin oscar
pablito pablo
paca francisca
paco francisco
pancha francisca
panchita francisca
pancho francisco
paquita francisca
paquito francisco
pati patricia
pato patricio
patty patricia
paty patricia
pedrito pedro
pepa josefa josefina
pepe jose
pepito jose
perico pedro
pili pilar
pilli pilar
poldo leopoldo
poli policarpo
polito hipolito
polo leopoldo
ponchito alfonso
poncho alfonso
queta enriqueta
quica francisca
quico francisco
quin joaquin
quino joaquin
quique enrique
rafa rafael
rafita rafael
raulito raul
ray raymundo raimundo
richard ricardo
richi ricardo
ricky ricardo
rigo rigoberto
rique enrique ricardo
rober roberto
robert roberto
roge rogelio
rolo rolando
rosita rosa
rosy rosa rosalia
royer rogelio
rudy rodolfo
rulo raul
samy samuel
santi santiago
sebas sebastian
sussy susana
susy susana
tacho anastasio eustacio
tano cayetano
tavo gustavo octavio
tencha hortensia
teo teodoro teofilo
tere teresa
teresita teresa
tiago santiago
tin agustin martin
tina cristina martina agustina ernestina
tito alberto roberto ernesto hector
toby tobias
tola victoria
tommy tomas
tomy tomas
tona antonia
toncha antonia
tonito antonio
tono antonio
tony antonio
turo arturo
uba ubaldo
ubi ubaldo
vale valentin valentina valeria
vero veronica
vicen vicente
vicho luis
vicky victoria
vico victor
vito victor
wicho luis
willy guillermo
xavi javier
yago santiago
yayo gerardo
yello aurelio
yeyo aurelio
yola yolanda
yoli yolanda
zeque ezequiel
"""
# In English and Russian, which lists and the names of foreigners have.
_FOREIGN = """
andy andrew
bibi benjamin
bill william
bob robert
bobby robert
chuck charles
dan daniel
dima dmitry dmitri
ed edward
fred frederick alfred
greg gregory
grisha grigory
harry harold henry
jack john
jim james
joe joseph
josh joshua
kate katherine catherine
ken kenneth
kolya nikolai nikolay
kostya konstantin
larry lawrence
liz elizabeth
matt matthew
mike michael
misha mikhail
nick nicholas
pete peter
petya petr pyotr
phil philip phillip
ron ronald
sam samuel
sasha alexander aleksandr
steve stephen steven
sue susan
ted theodore edward
tim timothy
tom thomas
tony anthony
vanya ivan
vince vincent
volodya vladimir
vova vladimir
zhenya yevgeny evgeny
"""


def _related() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for line in (_FAMILIAR + _FOREIGN).split("\n"):
        familiar, *names = line.split() or [""]
        for name in names:
            if name != familiar:
                found.setdefault(familiar, {})[name] = None
                found.setdefault(name, {})[familiar] = None
    return {word: tuple(others) for word, others in found.items()}


_RELATED = _related()


def familiar_forms(word: str) -> tuple[str, ...]:
    """The given names that a familiar form stands for, or the familiar forms of a given name.

    `word`: small ASCII letters.
    """
    return _RELATED.get(word, ())
