"""The companies whose bills and statements prove an address."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Service(StrEnum):
    """What an issuer's paper is about."""

    ELECTRICITY = "electricity"
    WATER = "water"
    GAS = "gas"
    TELEPHONE = "telephone"
    PROPERTY_TAX = "propertyTax"
    BANK = "bank"


@dataclass(frozen=True, slots=True)
class Issuer:
    """`names` are wordings by which its papers name it, the surest first."""

    code: str
    service: Service
    names: tuple[str, ...]


ISSUERS: Final = (
    Issuer("CFE", Service.ELECTRICITY, ("COMISIÓN FEDERAL DE ELECTRICIDAD", "CFE SUMINISTRADOR")),
    Issuer(
        "TELMEX", Service.TELEPHONE, ("TELÉFONOS DE MÉXICO", "TELÉFONOS DEL NOROESTE", "TELMEX")
    ),
    Issuer("TOTALPLAY", Service.TELEPHONE, ("TOTAL PLAY TELECOMUNICACIONES", "TOTALPLAY")),
    Issuer("IZZI", Service.TELEPHONE, ("EMPRESAS CABLEVISIÓN", "IZZI TELECOM")),
    Issuer("MEGACABLE", Service.TELEPHONE, ("MEGA CABLE", "MEGACABLE")),
    Issuer("AXTEL", Service.TELEPHONE, ("AXTEL",)),
    Issuer("NATURGY", Service.GAS, ("NATURGY MÉXICO", "GAS NATURAL MÉXICO", "NATURGY")),
    Issuer("ENGIE", Service.GAS, ("ENGIE MÉXICO", "TRACTEBEL DGJ")),
    Issuer("SACMEX", Service.WATER, ("SISTEMA DE AGUAS DE LA CIUDAD DE MÉXICO", "SACMEX")),
    Issuer("SIAPA", Service.WATER, ("SISTEMA INTERMUNICIPAL DE LOS SERVICIOS DE AGUA", "SIAPA")),
    Issuer("AYD", Service.WATER, ("SERVICIOS DE AGUA Y DRENAJE DE MONTERREY",)),
    Issuer(
        "WATER_UTILITY",
        Service.WATER,
        ("AGUA POTABLE Y ALCANTARILLADO", "COMISIÓN ESTATAL DEL AGUA", "COMISIÓN ESTATAL DE AGUAS"),
    ),
    Issuer("PROPERTY_TAX", Service.PROPERTY_TAX, ("IMPUESTO PREDIAL", "BOLETA PREDIAL")),
    Issuer("BBVA", Service.BANK, ("BBVA MÉXICO", "BBVA BANCOMER")),
    Issuer("BANAMEX", Service.BANK, ("BANCO NACIONAL DE MÉXICO", "CITIBANAMEX", "BANAMEX")),
    Issuer("SANTANDER", Service.BANK, ("BANCO SANTANDER MÉXICO", "SANTANDER")),
    Issuer("BANORTE", Service.BANK, ("BANCO MERCANTIL DEL NORTE", "BANORTE")),
    Issuer("HSBC", Service.BANK, ("HSBC MÉXICO", "HSBC")),
    Issuer("SCOTIABANK", Service.BANK, ("SCOTIABANK INVERLAT", "SCOTIABANK")),
    Issuer("INBURSA", Service.BANK, ("BANCO INBURSA", "INBURSA")),
    Issuer("BANCO_AZTECA", Service.BANK, ("BANCO AZTECA",)),
    Issuer("BANCOPPEL", Service.BANK, ("BANCOPPEL",)),
    Issuer("BANREGIO", Service.BANK, ("BANCO REGIONAL", "BANREGIO")),
    Issuer("AFIRME", Service.BANK, ("BANCA AFIRME",)),
)
BY_CODE: Final = {issuer.code: issuer for issuer in ISSUERS}
STATEMENT: Final = "ESTADO DE CUENTA"
"""The title of a bank's statement. Bills name banks, too: those that take the payment."""
