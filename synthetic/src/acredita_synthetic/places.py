"""Places for synthetic addresses: by CURP state code, the abbreviation that voter cards print and
municipalities with the prefix of their postal codes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Region:
    """`municipalities` are (name, leading digits of its postal codes)."""

    abbreviation: str
    municipalities: tuple[tuple[str, str], ...]


def _region(abbreviation: str, municipalities: str) -> Region:
    pairs = (entry.strip().rsplit(" ", 1) for entry in municipalities.split(","))
    return Region(abbreviation, tuple((place, prefix) for place, prefix in pairs))


REGIONS: dict[str, Region] = {
    "AS": _region("AGS.", "AGUASCALIENTES 200, JESÚS MARÍA 209, CALVILLO 208"),
    "BC": _region("B.C.", "TIJUANA 221, MEXICALI 211, ENSENADA 228, TECATE 214"),
    "BS": _region("B.C.S.", "LA PAZ 230, LOS CABOS 234, COMONDÚ 236"),
    "CC": _region("CAMP.", "CAMPECHE 240, CARMEN 241, CHAMPOTÓN 244"),
    "CL": _region("COAH.", "SALTILLO 250, TORREÓN 270, MONCLOVA 257, PIEDRAS NEGRAS 260"),
    "CM": _region("COL.", "COLIMA 280, MANZANILLO 282, VILLA DE ÁLVAREZ 289"),
    "CS": _region("CHIS.", "TUXTLA GUTIÉRREZ 290, TAPACHULA 307, COMITÁN DE DOMÍNGUEZ 300"),
    "CH": _region("CHIH.", "CHIHUAHUA 311, JUÁREZ 322, DELICIAS 330, CUAUHTÉMOC 315"),
    "DF": _region(
        "CDMX",
        "CUAUHTÉMOC 060, IZTAPALAPA 097, COYOACÁN 043, TLALPAN 141, ÁLVARO OBREGÓN 012,"
        "GUSTAVO A. MADERO 074, VENUSTIANO CARRANZA 152, LA MAGDALENA CONTRERAS 101",
    ),
    "DG": _region("DGO.", "DURANGO 340, GÓMEZ PALACIO 350, LERDO 351"),
    "GT": _region("GTO.", "LEÓN 371, IRAPUATO 366, CELAYA 380, DOLORES HIDALGO 378"),
    "GR": _region("GRO.", "ACAPULCO DE JUÁREZ 393, CHILPANCINGO DE LOS BRAVO 390"),
    "HG": _region("HGO.", "PACHUCA DE SOTO 420, TULANCINGO DE BRAVO 436, TULA 428"),
    "JC": _region("JAL.", "GUADALAJARA 441, ZAPOPAN 450, TLAJOMULCO DE ZÚÑIGA 456, TONALÁ 454"),
    "MC": _region(
        "MEX.",
        "ECATEPEC DE MORELOS 550, NEZAHUALCÓYOTL 570, TOLUCA 500, SAN MATEO ATENCO 521,"
        "NAUCALPAN DE JUÁREZ 533, CUAUTITLÁN IZCALLI 547",
    ),
    "MN": _region("MICH.", "MORELIA 580, URUAPAN 600, LÁZARO CÁRDENAS 609"),
    "MS": _region("MOR.", "CUERNAVACA 620, JIUTEPEC 625, CUAUTLA 627, TEPOZTLÁN 625"),
    "NT": _region("NAY.", "TEPIC 630, BAHÍA DE BANDERAS 637, COMPOSTELA 637"),
    "NL": _region("N.L.", "MONTERREY 640, GUADALUPE 671, SAN NICOLÁS DE LOS GARZA 664"),
    "OC": _region("OAX.", "OAXACA DE JUÁREZ 680, SALINA CRUZ 706, HEROICA CIUDAD DE TLAXIACO 698"),
    "PL": _region("PUE.", "PUEBLA 720, TEHUACÁN 757, SAN ANDRÉS CHOLULA 728, ATLIXCO 742"),
    "QT": _region("QRO.", "QUERÉTARO 760, SAN JUAN DEL RÍO 768, CORREGIDORA 769"),
    "QR": _region("Q. ROO", "BENITO JUÁREZ 775, OTHÓN P. BLANCO 770, TULUM 777"),
    "SP": _region("S.L.P.", "SAN LUIS POTOSÍ 782, CIUDAD VALLES 790, MATEHUALA 787"),
    "SL": _region("SIN.", "CULIACÁN 800, MAZATLÁN 821, AHOME 812, GUASAVE 810"),
    "SR": _region("SON.", "HERMOSILLO 830, CAJEME 850, NOGALES 840, GUAYMAS 854"),
    "TC": _region("TAB.", "CENTRO 860, CÁRDENAS 865, COMALCALCO 863"),
    "TS": _region("TAMPS.", "REYNOSA 887, MATAMOROS 873, TAMPICO 890, VICTORIA 870"),
    "TL": _region("TLAX.", "TLAXCALA 900, APIZACO 903, HUAMANTLA 905"),
    "VZ": _region("VER.", "VERACRUZ 917, XALAPA 910, COATZACOALCOS 964, ORIZABA 943"),
    "YN": _region("YUC.", "MÉRIDA 970, VALLADOLID 977, TIZIMÍN 977, KANASÍN 973"),
    "ZS": _region("ZAC.", "ZACATECAS 980, FRESNILLO 990, GUADALUPE 986"),
}

ABROAD = (
    "LOS ÁNGELES, CALIFORNIA, EUA",
    "CHICAGO, ILLINOIS, EUA",
    "HOUSTON, TEXAS, EUA",
    "MADRID, ESPAÑA",
    "MONTREAL, QUEBEC, CANADÁ",
    "GUATEMALA, GUATEMALA",
)

STREET_KINDS = ("C", "AV", "CDA", "PRIV", "AND", "BLVD", "CALZ", "PROL", "RET", "CTO", "CJON")
STREETS = (
    "PINO SUÁREZ", "5 DE MAYO", "16 DE SEPTIEMBRE", "NIÑOS HÉROES", "BENITO JUÁREZ", "INSURGENTES",
    "FRANCISCO I. MADERO", "EMILIANO ZAPATA", "MIGUEL HIDALGO", "VICENTE GUERRERO", "REFORMA",
    "PEÑÓN DE LOS BAÑOS", "LAS CAÑADAS", "EL ROSAL", "NARANJO", "TULIPÁN", "VENUSTIANO CARRANZA",
    "LÁZARO CÁRDENAS", "CONSTITUCIÓN", "REVOLUCIÓN", "RÍO LERMA", "LAGO DE PÁTZCUARO", "PITÁGORAS",
    "VOLCÁN POPOCATÉPETL", "CERRO DE LA ESTRELLA", "DE LA VIÑA", "OAXACA", "DOCTOR VÉRTIZ",
    "SUR 128", "NORTE 45", "ORIENTE 7", "PONIENTE 12",
    "JESÚS GARCÍA", "LEONA VICARIO", "SAN JUAN", "GIRASOLES",
    "IGNACIO ZARAGOZA", "MOCTEZUMA", "CUITLÁHUAC", "DEL TRABAJO", "PIÑONEROS", "ALAMEDA", "CEDROS",
)  # fmt: skip
NEIGHBOURHOOD_KINDS = ("COL", "FRACC", "BARR", "U HAB", "EJIDO", "PBLO", "AMPL", "RCHO", "LOC")
NEIGHBOURHOODS = (
    "CENTRO", "LA ESPERANZA", "AÑO DE JUÁREZ", "LAS PALMAS", "SAN MIGUEL", "MORELOS", "ROMA NORTE",
    "DEL VALLE", "JARDINES DEL SUR", "EL MIRADOR", "LOMAS VERDES", "LA PIÑATA", "SANTA MARÍA",
    "VISTA HERMOSA", "BUENAVISTA", "SAN ISIDRO", "LOS PINOS", "EL CARMEN", "OBRERA",
    "LÁZARO CÁRDENAS", "VILLAS DEL SOL", "LA CAÑADA", "EMILIANO ZAPATA", "ÁLAMOS",
    "GUADALUPE", "SAN JOSÉ DE LOS LEONES", "PEÑASCO", "LOMA BONITA", "EL PARAÍSO", "NUEVA ESPAÑA",
)  # fmt: skip
