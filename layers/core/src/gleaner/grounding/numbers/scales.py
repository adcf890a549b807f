"""Words and signs behind a number that multiply it: "12.4m", "3 Mio.", "320万", "99¢", "15 %"."""

import re

_SCALE_WORDS = {
    10**3: "k tsd tausend thousand ribu mil mila mille тыс тис tys tis nghìn ngàn พัน 천 千",
    10**4: "万 萬 만 หมื่น",
    10**5: "lakh lakhs แสน",
    10**6: "m mio mln mn million millions millionen millones millón millón milhões milhão milioni milione milionów "
    "miliony milionů milión miljoen miljoonaa miljoner miljon millioner milyon млн мільйон миллион миллионов triệu "
    "ล้าน εκατ juta",
    10**7: "crore crores cr",
    10**8: "億 亿 억",
    10**9: "b g bn mrd mld milliard milliards milliarde milliarden billion billions miliardi miliardo miljard "
    "miljarder milyar miliar млрд tỷ tỉ",
    10**12: "t billionen trillion trillions 兆 조",
    0.01: "¢ cents",
}
SCALES: dict[str, int | float] = {word: scale for scale, words in _SCALE_WORDS.items() for word in words.split()}
_OPEN = "|".join(sorted((word for word in SCALES if word[0] < "\u0e00"), key=len, reverse=True))
_UNSPACED = "|".join(word for word in SCALES if word[0] >= "\u0e00")
SUFFIX = re.compile(
    r"\s?(?:(?P<percent>%|٪|percent\b|per\s?cent\b|prozent\b|pct\b)|(?P<permille>‰)"
    rf"|(?P<scale>{_UNSPACED}|¢|(?:{_OPEN})(?![^\W\d_])))",
    re.IGNORECASE,
)
UNSURE = frozenset(["m", "b", "g", "t", "k", "mil", "mila", "mille", "tis", "cr", "mn", "cents"])
"""Those that mean other things, too: metres, bytes, grams, tonnes."""

NEXT_SCALE = re.compile(r"\s?(\d[\d,.]{0,8})\s?([万萬천千만])|(?<=[万萬만])(\d{1,4})(?=[円元원])")
RANGE_END = re.compile(
    r"\s?[-–—]\s?[$€£]?\d[\d.,]{0,8}(?:(?P<scale>[kK])|\s(?P<word>million|billion|Mio|Mrd))(?![^\W_])"
)
"""What is behind the first number of a range whose scale only its end says: "95–120k"."""

POWER = (
    r"(?<![\d.,])(?:(?P<mantissa>\d+(?:[.,]\d+)?)\s?[×x⋅·*]\s?10(?:\^\{?(?P<caret>[-−–+]?\d{1,3})\}?"
    r"|(?P<raised>[⁺⁻]?[⁰¹²³⁴-⁹]{1,3})|(?P<minus>[-−–]\d{1,3}))|10\^\{?(?P<alone>[-−–+]?\d{1,3})\}?)(?!\d)"
)
RAISED = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹−–", "+-0123456789--")
