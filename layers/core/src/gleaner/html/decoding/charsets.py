"""Charset labels as browsers read them (MD-6; WHATWG Encoding standard)."""

LABELS: dict[str, tuple[str, ...]] = {
    "utf-8": ("utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8", "utf8mb4"),
    "cp1252": (
        "ansi_x3.4-1968", "ascii", "us-ascii", "cp1252", "cp819", "ibm819", "iso-8859-1", "iso8859-1", "iso88591",
        "iso_8859-1", "iso-ir-100", "l1", "latin1", "latin-1", "windows-1252", "x-cp1252", "csisolatin1",
        "iso_8859-1:1987", "x-user-defined",
    ),
    "iso8859_2": ("iso-8859-2", "iso8859-2", "iso88592", "iso_8859-2", "l2", "latin2", "csisolatin2"),
    "iso8859_3": ("iso-8859-3", "iso8859-3", "iso88593", "l3", "latin3"),
    "iso8859_4": ("iso-8859-4", "iso8859-4", "iso88594", "l4", "latin4"),
    "iso8859_5": ("iso-8859-5", "iso8859-5", "iso88595", "cyrillic", "iso_8859-5", "csisolatincyrillic"),
    "iso8859_6": ("iso-8859-6", "iso8859-6", "iso88596", "arabic", "asmo-708", "ecma-114", "csisolatinarabic"),
    "iso8859_7": ("iso-8859-7", "iso8859-7", "iso88597", "greek", "greek8", "ecma-118", "elot_928", "sun_eu_greek"),
    "iso8859_8": ("iso-8859-8", "iso8859-8", "iso88598", "hebrew", "visual", "iso-8859-8-i", "logical", "iso-8859-8-e"),
    "iso8859_10": ("iso-8859-10", "iso8859-10", "l6", "latin6"),
    "iso8859_13": ("iso-8859-13", "iso8859-13"),
    "iso8859_14": ("iso-8859-14", "iso8859-14"),
    "iso8859_15": ("iso-8859-15", "iso8859-15", "iso_8859-15", "l9", "latin9"),
    "iso8859_16": ("iso-8859-16",),
    "cp1250": ("windows-1250", "cp1250", "x-cp1250"),
    "cp1251": ("windows-1251", "cp1251", "x-cp1251", "win-1251", "win1251"),
    "cp1253": ("windows-1253", "cp1253", "x-cp1253"),
    "cp1254": ("windows-1254", "cp1254", "x-cp1254", "iso-8859-9", "iso8859-9", "iso88599", "l5", "latin5"),
    "cp1255": ("windows-1255", "cp1255", "x-cp1255"),
    "cp1256": ("windows-1256", "cp1256", "x-cp1256"),
    "cp1257": ("windows-1257", "cp1257", "x-cp1257"),
    "cp1258": ("windows-1258", "cp1258", "x-cp1258"),
    "cp874": ("windows-874", "dos-874", "tis-620", "iso-8859-11", "iso8859-11"),
    "cp866": ("ibm866", "cp866", "866", "csibm866"),
    "koi8_r": ("koi8-r", "koi8", "koi", "koi8_r", "cskoi8r"),
    "koi8_u": ("koi8-u", "koi8-ru"),
    "mac_roman": ("macintosh", "mac", "x-mac-roman", "csmacintosh"),
    "mac_cyrillic": ("x-mac-cyrillic", "x-mac-ukrainian"),
    "gb18030": (
        "gb18030", "gbk", "gb2312", "gb_2312", "gb_2312-80", "chinese", "x-gbk", "iso-ir-58", "csgb2312", "cp936",
        "windows-936", "csiso58gb231280", "euc-cn",
    ),
    "big5hkscs": ("big5", "big5-hkscs", "big5hkscs", "cn-big5", "x-x-big5", "csbig5", "cp950"),
    "euc_jp": ("euc-jp", "eucjp", "x-euc-jp", "cseucpkdfmtjapanese"),
    "iso2022_jp": ("iso-2022-jp", "csiso2022jp"),
    "cp932": ("shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "ms932", "windows-31j", "csshiftjis", "cp932"),
    "cp949": (
        "euc-kr", "euckr", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601", "ksc_5601", "korean", "windows-949", "cp949",
        "iso-ir-149", "cseuckr", "uhc",
    ),
    "utf-16-le": ("utf-16", "utf-16le", "utf16", "ucs-2", "unicode", "csunicode", "iso-10646-ucs-2", "unicodefeff"),
    "utf-16-be": ("utf-16be", "unicodefffe"),
}  # fmt: skip
"""Python's codec for each label. UTF-7 and the like are left out on purpose, as in browsers."""

CODEC_BY_LABEL = {label: codec for codec, labels in LABELS.items() for label in labels}
MULTI_BYTE = frozenset(("gb18030", "big5hkscs", "euc_jp", "iso2022_jp", "cp932", "cp949"))


def codec_of(label: str) -> str | None:
    """Give Python's codec for a charset label, or None for one that browsers do not know.

    >>> codec_of(" ISO-8859-1 "), codec_of("utf-7")
    ('cp1252', None)
    """
    return CODEC_BY_LABEL.get(label.strip(" \t\r\n\f\"'").lower())
