"""Lists with marks of their countries: Turkish cars, songs of an encyclopedia, rooms in Tokyo, events in Spain."""

from collections.abc import Sequence
from itertools import groupby
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of

_AYLAR = ["Ocak", "Şubat", "Mart", "Nisan", "Mayıs", "Haziran", "Temmuz", "Ağustos", "Eylül", "Ekim", "Kasım", "Aralık"]
_MESES = ["enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"]  # fmt: skip


def _dotted(number: int) -> str:
    return f"{number:,}".replace(",", ".")


def _car_tr(r: Random) -> Record:
    return {
        "seri": f"{r.choice(['Corolla', 'Clio', 'Egea', 'Golf'])} {r.choice(['1.4', '1.6', '1.3'])} {r.choice(['Urban', 'Joy', 'Easy'])}",
        "ilan": f"{r.choice(['Sahibinden', 'Galeriden', 'Doktordan'])} {r.choice(['temiz', 'hatasız', 'boyasız'])} araç {r.randint(100, 9999)}",
        "yil": r.randint(2001, 2025),
        "km": r.randint(1, 390) * 1000 + r.choice([0, 500]),
        "renk": r.choice(["Beyaz", "Gri", "Kırmızı", "Füme"]),
        "fiyat_tl": r.randint(250, 3200) * 1000,
        "tarih": v.day(r, 2024, 2025),
        "il": r.choice(["İzmir", "Ankara", "Bursa", "Muğla"]),
        "ilce": r.choice(["Bornova", "Çankaya", "Nilüfer", "Bodrum"]),
    }


def _render_cars_tr(records: Sequence[Record], s: Style) -> str:
    """Days in two lines of a cell, places too, and an advertisement among each six rows."""

    def one(n: int, r: Record) -> str:
        year, month, day = map(int, r["tarih"].split("-"))
        ad = (
            '<tr class="searchResultsItem nativeAd"><td class="searchResultsLargeThumbnail"><img src="/ad.jpg" alt=""></td><td colspan="8"><b>Reklam</b> Araç kredisi için tıklayın</td></tr>'
            if n % 6 == 3
            else ""
        )
        return f'<tr data-id="{n}77" class="searchResultsItem" x-r><td class="searchResultsLargeThumbnail"><img data-src="/t{n}.jpg" alt="{r["ilan"]}"></td><td class="searchResultsTagAttributeValue" x-f="seri">{r["seri"]}</td><td class="searchResultsTitleValue"><a class="classifiedTitle" href="/ilan/{n}" x-f="ilan">{r["ilan"]}</a></td><td class="searchResultsAttributeValue" x-f="yil">{r["yil"]}</td><td class="searchResultsAttributeValue" x-f="km">{_dotted(r["km"])}</td><td class="searchResultsAttributeValue" x-f="renk">{r["renk"]}</td><td class="searchResultsPriceValue"><div class="classified-price-container"><span x-f="fiyat_tl">{_dotted(r["fiyat_tl"])} TL</span></div></td><td class="searchResultsDateValue" x-f="tarih"><span>{day:02} {_AYLAR[month - 1]}</span><br><span>{year}</span></td><td class="searchResultsLocationValue">{r["il"]}<br>{r["ilce"]}</td></tr>{ad}'

    rows = "".join(one(n, r) for n, r in enumerate(records))
    heads = "".join(f"<td>{name}</td>" for name in ("", "Seri", "İlan Başlığı", "Yıl", "KM", "Renk", "Fiyat", "İlan Tarihi", "İl / İlçe"))  # fmt: skip
    return f'<table id="searchResultsTable"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'


def _single(r: Random) -> Record:
    return {
        "year": r.randint(2009, 2025),
        "title": v.thing(r),
        "us": v.maybe(r, r.randint(1, 99)),
        "uk": v.maybe(r, r.randint(1, 99)),
        "au": v.maybe(r, r.randint(1, 99)),
        "certification": v.maybe(r, f"{r.choice(['RIAA', 'BPI'])}: {r.choice(['Gold', 'Platinum'])}", 0.4),
        "album": f"{v.thing(r)} LP",
    }


def _render_singles(records: Sequence[Record], s: Style) -> str:
    """Two rows of heads without a part of their own, and years that span the rows of their songs."""

    def one(r: Record, year: str) -> str:
        note = f'<sup class="reference"><a href="#n">[{len(r["title"])}]</a></sup>' if len(r["title"]) % 2 else ""
        said = f"<ul><li>{r['certification']}</li></ul>" if r["certification"] else ""
        peaks = "".join(
            f'<td x-f="{chart}">{"—" if r[chart] is None else r[chart]}</td>' for chart in ("us", "uk", "au")
        )
        return f'<tr x-r><th scope="row">"<a href="/wiki/x" title="{r["title"]} (song)" x-f="title">{r["title"]}</a>"{note}</th>{year}{peaks}<td x-f="certification">{said}</td><td x-f="album"><i>{r["album"]}</i></td></tr>'

    rows: list[str] = []
    for year, songs in groupby(records, key=lambda r: r["year"]):
        alike = list(songs)
        span = f' rowspan="{len(alike)}"' if len(alike) > 1 else ""
        rows += [one(r, "" if at else f"<td{span}>{year}</td>") for at, r in enumerate(alike)]
    wide = "".join(f'<th rowspan="2">{name}</th>' for name in ("Title", "Year"))
    ends = "".join(f'<th rowspan="2">{name}</th>' for name in ("Certifications", "Album"))
    heads = f'<tr>{wide}<th colspan="3">Peak chart positions</th>{ends}</tr><tr><th>US</th><th>UK</th><th>AUS</th></tr>'
    foot = '<tr><td colspan="7">"—" denotes a recording that did not chart.</td></tr>'
    return f'<div class="mw-parser-output"><table class="wikitable plainrowheaders"><caption>List of singles</caption><tbody>{heads}{"".join(rows)}{foot}</tbody></table></div>'


def _room(r: Random) -> Record:
    return {
        "kai": r.randint(1, 14),
        "yachin_man": r.randint(35, 250) / 10,
        "kanri_yen": v.maybe(r, r.randint(2, 15) * 1000),
        "madori": r.choice(["1K", "1LDK", "2DK", "2LDK", "ワンルーム"]),
        "menseki": r.randint(1500, 7000) / 100,
    }


def _house_jp(r: Random) -> Record:
    return {
        "name": f"{r.choice(['メゾン', 'コーポ', 'グラン'])}{r.choice(['青葉', '桜', '緑が丘'])}{r.randint(1, 99)}",
        "address": f"東京都{r.choice(['世田谷区', '杉並区', '北区'])}{r.choice(['本町', '中央', '東'])}{r.randint(1, 6)}",
        "walk_min": r.randint(1, 19),
        "built_years": r.randint(1, 45),
        "rooms": [_room(r) for _ in range(r.randint(1, 4))],
    }


def _render_houses_jp(records: Sequence[Record], s: Style) -> str:
    def room(one: Record) -> str:
        fee = f"{one['kanri_yen']}円" if one["kanri_yen"] else "-"
        return f'<tbody><tr class="js-cassette_link"><td>{one["kai"]}階</td><td><ul><li><span class="cassetteitem_price cassetteitem_price--rent"><span class="cassetteitem_other-emphasis">{one["yachin_man"]}万円</span></span></li><li><span class="cassetteitem_price cassetteitem_price--administration">{fee}</span></li></ul></td><td><ul><li><span class="cassetteitem_madori">{one["madori"]}</span></li><li><span class="cassetteitem_menseki">{one["menseki"]}m<sup>2</sup></span></li></ul></td><td><a href="/d">詳細を見る</a></td></tr></tbody>'

    def one(r: Record) -> str:
        return f'<li x-r><div class="cassetteitem"><div class="cassetteitem_content-title" x-f="name">{r["name"]}</div><ul class="cassetteitem_detail"><li class="cassetteitem_detail-col1" x-f="address">{r["address"]}</li><li class="cassetteitem_detail-col2">みどり駅 歩{r["walk_min"]}分</li><li class="cassetteitem_detail-col3"><div>築{r["built_years"]}年</div><div>5階建</div></li></ul><table class="cassetteitem_other" x-f="rooms"><thead><tr><th>階</th><th>賃料/管理費</th><th>間取り/専有面積</th><th></th></tr></thead>{"".join(map(room, r["rooms"]))}</table></div></li>'

    return f'<ul class="l-cassetteitem">{"".join(map(one, records))}</ul>'


def _event_es(r: Random) -> Record:
    first = v.day(r, 2025, 2026)
    month, day = first[:8], int(first[8:])
    is_free = r.random() < 0.3
    return {
        "titulo": f"{r.choice(['Feria', 'Muestra', 'Concierto', 'Taller'])} de {r.choice(['cerámica', 'jazz', 'libros'])} {r.randint(2, 99)}",
        "desde": first,
        "hasta": v.maybe(r, f"{month}{min(28, day + r.randint(1, 6)):02}", 0.5) if day < 27 else None,
        "lugar": f"{r.choice(['Teatro', 'Sala', 'Plaza'])} {v.thing(r).split()[1]}",
        "precio_eur": None if is_free else r.randint(3, 60) + r.choice([0, 0.5]),
        "gratis": is_free,
        "agotado": r.random() < 0.15,
        "edad_minima": v.maybe(r, r.choice([3, 6, 12, 16, 18]), 0.4),
    }


def _render_events_es(records: Sequence[Record], s: Style) -> str:
    """A day, or from one day to another in one sentence."""

    def one(n: int, r: Record) -> str:
        year, month, day = map(int, r["desde"].split("-"))
        last = f"Del {day} al {int(r['hasta'][8:])}" if r["hasta"] else str(day)
        price = (
            '<span class="c-evento__precio c-evento__precio--gratis" x-f="gratis">Gratis</span>'
            if r["gratis"]
            else f'<span class="c-evento__precio" x-f="precio_eur">Desde {r["precio_eur"]:.2f} €</span>'.replace(
                ".", ","
            )
        )
        gone = '<span class="c-badge c-badge--agotado" x-f="agotado">Agotado</span>' if r["agotado"] else ""
        age = (
            f'<li class="c-evento__edad" x-f="edad_minima">A partir de {r["edad_minima"]} años</li>'
            if r["edad_minima"]
            else ""
        )
        return f'<article class="c-evento" aria-labelledby="ev-{n}" x-r><a class="c-evento__media" href="/e/{n}"><img class="lazy" data-src="/e/{n}.jpg" alt="">{gone}</a><div class="c-evento__body"><p class="c-evento__fecha">{last} de {_MESES[month - 1]} de {year}</p><h3 class="c-evento__titulo" id="ev-{n}"><a href="/e/{n}" x-f="titulo">{r["titulo"]}</a></h3><ul class="c-evento__meta"><li class="c-evento__lugar" x-f="lugar"><svg aria-hidden="true"></svg>{r["lugar"]}</li>{age}</ul>{price}</div></article>'

    return f'<h1>Agenda</h1><div class="l-grid">{"".join(one(n, r) for n, r in enumerate(records))}</div>'


LOCALE_LISTS = [
    Design("oto_ilan", schema_of(seri="string", ilan="string", yil="integer", km="integer", renk="string", fiyat_tl="integer", tarih="date", il="string", ilce="string"), _car_tr, _render_cars_tr, evidence="ilan"),
    Design("singles_wiki", schema_of(year="integer", title="string", us="integer?", uk="integer?", au="integer?", certification="string?", album="string"), _single, _render_singles, sorted_by="year", evidence="title"),
    Design("chintai", schema_of(name="string", address="string", walk_min="integer", built_years="integer", rooms=[{"kai": "integer", "yachin_man": "number", "kanri_yen": "integer?", "madori": "string", "menseki": "number"}]), _house_jp, _render_houses_jp),
    Design("eventos", schema_of(titulo="string", desde="date", hasta="date?", lugar="string", precio_eur="number?", gratis="boolean", agotado="boolean", edad_minima="integer?"), _event_es, _render_events_es),
]  # fmt: skip
