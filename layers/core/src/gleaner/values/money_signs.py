"""What tells that a text speaks of money: signs, and the codes and words of the commonest currencies."""

from typing import Final

SIGNS: Final = "$€£¥₹₩₽₺₴₫₪₦₱฿₡₲₵₸₭₮₾₼₿₨"
SIGN: Final = rf"(?:[{SIGNS}]|(?<![^\W\d_])(?:USD|EUR|GBP|CHF|PLN|kr|zł|Kč|руб)(?![^\W\d_]))"
AMOUNT: Final = rf"(?:{SIGN}\s?\d|\d[\d.,]*\s?{SIGN})"
"""A number that a sign stands at."""
