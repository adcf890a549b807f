"""What tells that a text speaks of money: signs, and the codes and words of the commonest currencies."""

from typing import Final

SIGNS: Final = "$€£¥₹₩₽₺₴₫₪₦₱฿₡₲₵₸₭₮₾₼₿₨"
SIGN: Final = rf"(?:[{SIGNS}]|(?<![^\W\d_])(?:USD|EUR|GBP|CHF|PLN|kr|zł|Kč|руб)(?![^\W\d_]))"
AMOUNT: Final = rf"(?:{SIGN}\s?\d|\d[.,]{{0,2}}\s?{SIGN})"
"""The digit of a number that a sign stands at; without the rest of it, so that long runs of digits are read once."""

SYMBOLS: Final = SIGNS.removeprefix("$") + "元円원圆"
_DOLLARS = r"(?:US|CA|AU|NZ|HK|NT|MX|AR|CL|COL|[ACRSJ])?\$"
_WORDS = r"kr\.?|zł|Kč|Ft|lei|лв\.?|руб\.?|грн\.?|дин\.?|Rs\.?|Rp\.?|RM|TL|Fr\.?|SFr\.?"
_CODES = """
AED ARS AUD BDT BGN BHD BRL CAD CHF CLP CNY COP CRC CZK DKK EGP EUR GBP GEL GHS HKD HUF IDR ILS INR ISK JOD JPY
KES KRW KWD KZT LKR MAD MXN MYR NGN NOK NZD OMR PEN PHP PKR PLN PYG QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD
UAH USD UYU VND ZAR
"""
CURRENCY: Final = rf"(?:{_DOLLARS}|[{SYMBOLS}]|{_WORDS}|(?:{'|'.join(_CODES.split())}))"
"""The signs, words and codes that stand at amounts, for patterns over whole pages."""
