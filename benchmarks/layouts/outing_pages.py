"""Pages about one thing in other languages and with utility classes: a lot, a hike, a weather station, a place to eat."""

from collections.abc import Sequence
from html import escape as e
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _lot(r: Random) -> Record:
    low = r.randint(2, 90) * 100
    return {
        "number": r.randint(1, 480),
        "title": f"{v.thing(r)} en bronze",
        "artist": v.maybe(r, v.person(r), 0.7),
        "estimate_low": low,
        "estimate_high": low + r.randint(1, 20) * 100,
        "sold_for": v.maybe(r, low + r.randint(1, 60) * 50, 0.6),
        "sale_date": v.day(r, 2019, 2025),
        "house": v.company(r),
        "place": v.city(r),
        "signed": r.random() < 0.4,
        "height_cm": v.maybe(r, r.randint(50, 1500) / 10, 0.7),
        "provenance": v.maybe(r, f"Collection {v.person(r)}, {v.city(r)}", 0.5),
        "description": v.text(r, 1, 3),
        "_also": [(r.randint(1, 480), v.thing(r), r.randint(2, 90) * 100) for _ in range(r.randint(2, 4))],
    }


def _french(amount: float) -> str:
    return f"{amount:,.0f}".replace(",", "\u202f") + " €"


def _lot_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    year, month, day = r["sale_date"].split("-")
    name = ("janv.", "févr.", "mars", "avril", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc.")[
        int(month) - 1
    ]
    sold = (
        f'<div class="lotResult"><span class="lotResulLabel">Résultat :</span> <span class="lotResulListe" x-f="sold_for">{_french(r["sold_for"])}</span></div>'
        if r["sold_for"]
        else ""
    )
    maker = (
        f'<p class="lotArtiste" x-f="artist"><a href="/artistes/{v.slug(r["artist"])}">{r["artist"]}</a></p>'
        if r["artist"]
        else ""
    )
    signed = '<li x-f="signed">Signé</li>' if r["signed"] else ""
    tall = f'<li x-f="height_cm">Hauteur : {str(r["height_cm"]).replace(".", ",")} cm</li>' if r["height_cm"] else ""
    facts = f'<ul class="lotCaracteristiques">{tall}{signed}<li>État : bon</li></ul>'
    origin = f'<h3>Provenance</h3><p x-f="provenance">{r["provenance"]}</p>' if r["provenance"] else ""
    also = "".join(
        f'<div class="lotVignette"><span class="lotNum">Lot n° {number}</span><a href="/lots/{number}">{title}</a><span class="lotEstimation">Estimation : {_french(low)} - {_french(low + 300)}</span></div>'
        for number, title, low in r["_also"]
    )
    return (
        f'<div class="venteEntete"><a class="venteMaison" href="/m" x-f="house">{e(r["house"])}</a><span class="venteDate" x-f="sale_date">{int(day)} {name} {year}</span><span class="venteLieu">Vente à <b x-f="place">{r["place"]}</b></span></div><div class="lotFiche"><div class="lotNum" x-f="number">Lot n° {r["number"]}</div>{maker}<h1 class="lotTitre" x-f="title">{r["title"]}</h1><div class="lotEstimation">Estimation : <span x-f="estimate_low">{_french(r["estimate_low"])}</span> - <span x-f="estimate_high">{_french(r["estimate_high"])}</span></div>{sold}<div class="lotDescription" x-f="description">{r["description"]}</div>{facts}{origin}</div>'
        f'<div class="autresLots"><h3>Autres lots de la vente</h3>{also}</div>'
    )


def _hike(r: Random) -> Record:
    return {
        "name": f"{v.thing(r)} Loop",
        "difficulty": r.choice(["Easy", "Moderate", "Hard"]),
        "rating": r.randint(30, 50) / 10,
        "reviews": r.randint(2, 4000),
        "length_km": r.randint(15, 320) / 10,
        "elevation_m": r.randint(20, 1900),
        "duration": v.maybe(r, f"{r.randint(1, 8)}–{r.randint(9, 12)} hr", 0.7),
        "route_type": r.choice(["Loop", "Out & back", "Point to point"]),
        "dogs_allowed": r.random() < 0.5,
        "activities": r.sample(["Hiking", "Running", "Camping", "Birding", "Snowshoeing"], r.randint(1, 4)),
        "park": v.maybe(r, f"{v.thing(r)} National Park", 0.7),
        "about": v.text(r, 2, 3),
        "_also": [(v.thing(r), r.randint(30, 50) / 10, r.randint(15, 320) / 10) for _ in range(3)],
    }


def _hike_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    facts = "".join(
        f'<div class="flex flex-col gap-1" x-f="{name}"><div class="text-sm text-gray-500">{label}</div><div class="text-lg font-semibold">{value}</div></div>'
        for name, label, value in [
            ("length_km", "Length", f"{r['length_km']} km"),
            ("elevation_m", "Elevation gain", f"{r['elevation_m']:,} m"),
            ("duration", "Estimated time", r["duration"]),
            ("route_type", "Route type", e(r["route_type"])),
        ]
        if value
    )
    park = (
        f'<a class="text-sm underline" href="/parks/{v.slug(r["park"])}" x-f="park">{r["park"]}</a>'
        if r["park"]
        else ""
    )
    chips = "".join(
        f'<li class="rounded-full bg-gray-100 px-3"><a href="/activities/{one.lower()}">{one}</a></li>'
        for one in r["activities"]
    )
    dogs = (
        '<p class="mt-2 text-sm" x-f="dogs_allowed">Dogs allowed on leash</p>'
        if r["dogs_allowed"]
        else '<p class="mt-2 text-sm" x-f="dogs_allowed">No dogs</p>'
    )
    also = "".join(
        f'<a class="flex flex-col gap-1" href="/trail/{v.slug(name)}"><div class="text-lg font-semibold">{name}</div><div class="text-sm text-gray-500">{rating} · {length} km</div></a>'
        for name, rating, length in r["_also"]
    )
    return f'<div class="mx-auto max-w-4xl p-6"><h1 class="text-3xl font-bold" x-f="name">{r["name"]}</h1><div class="mt-1 flex gap-2 text-sm"><span x-f="rating">{r["rating"]}</span><span>·</span><span x-f="difficulty">{r["difficulty"]}</span><span>·</span><a href="#reviews" x-f="reviews">{r["reviews"]:,} reviews</a></div>{park}<div class="mt-4 grid grid-cols-4 gap-4">{facts}</div><p class="mt-4 leading-7" x-f="about">{r["about"]}</p><h2 class="mt-8 text-xl font-bold">Top activities</h2><ul class="flex gap-2" x-f="activities">{chips}</ul>{dogs}<h2 class="mt-8 text-xl font-bold">Nearby trails</h2><div class="grid grid-cols-3">{also}</div></div>'


def _station(r: Random) -> Record:
    return {
        "name": f"{v.city(r)}-{r.choice(['Nord', 'Flughafen', 'Wald'])}",
        "station_id": f"{r.randint(100, 15999):05}",
        "altitude_m": r.randint(2, 2900),
        "temperature_c": r.randint(-150, 350) / 10,
        "humidity_percent": r.randint(20, 100),
        "wind_kmh": r.randint(1, 110),
        "wind_direction": r.choice(["Nordwest", "Süd", "Ost", "Südwest"]),
        "gusts_kmh": v.maybe(r, r.randint(30, 160), 0.5),
        "pressure_hpa": v.maybe(r, r.randint(9700, 10400) / 10, 0.9),
        "snow_cm": v.maybe(r, r.randint(1, 240), 0.3),
        "sunshine_hours": v.maybe(r, r.randint(1, 150) / 10, 0.7),
        "weather": r.choice(["bedeckt", "leichter Regen", "wolkenlos", "Nebel"]),
        "measured": v.day(r, 2024, 2025),
        "warning": v.maybe(r, r.choice(["Amtliche Warnung vor Sturmböen", "Amtliche Warnung vor Frost"]), 0.3),
        "_near": [(v.city(r), r.randint(-150, 350) / 10) for _ in range(4)],
    }


def _station_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]

    def number(value: float | None, unit: str) -> str:
        return f"{str(value).replace('.', ',')} {unit}" if value is not None else ""

    warning = (
        f'<div class="alert alert-warnung" role="alert" x-f="warning">{r["warning"]}</div>' if r["warning"] else ""
    )
    rows = "".join(
        f'<tr x-f="{name}"><td class="messgroesse">{label}</td><td class="messwert">{value}</td></tr>'
        for name, label, value in [
            ("temperature_c", "Temperatur", number(r["temperature_c"], "°C")),
            ("humidity_percent", "Relative Feuchte", number(r["humidity_percent"], "%")),
            ("wind_kmh", "Wind", f"{r['wind_direction']} {r['wind_kmh']} km/h"),
            ("gusts_kmh", "Böen", number(r["gusts_kmh"], "km/h")),
            ("pressure_hpa", "Luftdruck", number(r["pressure_hpa"], "hPa")),
            ("snow_cm", "Schneehöhe", number(r["snow_cm"], "cm")),
            ("sunshine_hours", "Sonnenscheindauer gestern", number(r["sunshine_hours"], "Std.")),
        ]
        if value
    )
    near = "".join(
        f'<li><a href="/station/{v.slug(name)}">{name}</a> <span class="messwert">{number(value, "°C")}</span></li>'
        for name, value in r["_near"]
    )
    return f'<h1 x-f="name">{r["name"]}</h1><p class="stationsdaten">Stationskennung <b x-f="station_id">{r["station_id"]}</b>, Höhe <b x-f="altitude_m">{r["altitude_m"]} m</b></p>{warning}<div class="wetterzustand"><img src="/w.svg" alt=""><span x-f="weather">{r["weather"]}</span></div><table class="messwerte"><caption>Messwerte vom <span x-f="measured">{s.date(r["measured"], "german")}</span>, 12:00 Uhr</caption><tbody>{rows}</tbody></table><aside class="umgebung"><h2>Stationen in der Nähe</h2><ul>{near}</ul></aside>'


def _eatery(r: Random) -> Record:
    return {
        "name": f"{v.thing(r)} Bistró",
        "address": f"Calle {v.thing(r)}, {r.randint(1, 200)}, {v.city(r)}",
        "cuisine": r.choice(["Mediterráneo", "Japonés", "Italiano", "Vegetariano"]),
        "rating": v.maybe(r, r.randint(60, 99) / 10, 0.8),
        "reviews": None,
        "average_price": r.randint(12, 95),
        "chef": v.maybe(r, v.person(r), 0.5),
        "phone": v.maybe(r, f"+34 9{r.randint(10, 99)} {r.randint(100, 999)} {r.randint(100, 999)}", 0.7),
        "website": v.maybe(r, f"https://{v.slug(v.thing(r))}.example/", 0.6),
        "accepts_pets": r.random() < 0.4,
        "specialties": [one.title() for one in v.words(r, r.randint(0, 4))],
        "closed_on": v.maybe(r, r.choice(["lunes", "martes", "domingo"]), 0.6),
        "_count": r.randint(2, 3000),
        "_also": [(f"{v.thing(r)} Bistró", r.randint(60, 99) / 10, r.randint(12, 95)) for _ in range(3)],
        "_text": v.text(r, 1, 3),
    }


def _eatery_draw(r: Random) -> Record:
    made = _eatery(r)
    return {**made, "reviews": made["_count"] if made["rating"] is not None else None}


def _eatery_page(records: Sequence[Record], s: Style) -> str:
    r = records[0]
    rating = (
        f'<div class="valoracion"><span class="valoracion__nota" x-f="rating">{str(r["rating"]).replace(".", ",")}</span><span class="valoracion__max">/10</span> <a href="#opiniones" x-f="reviews">{r["reviews"]} opiniones</a></div>'
        if r["rating"] is not None
        else '<div class="valoracion"><a href="#opiniones">Sé el primero en opinar</a></div>'
    )
    chef = f'<p class="chef">Chef: <span x-f="chef">{r["chef"]}</span></p>' if r["chef"] else ""
    phone = f'<li><a href="tel:{r["phone"].replace(" ", "")}" x-f="phone">{r["phone"]}</a></li>' if r["phone"] else ""
    site = f'<li><a href="{r["website"]}" rel="nofollow" x-f="website">Sitio web</a></li>' if r["website"] else ""
    pets = '<li x-f="accepts_pets">Se admiten mascotas</li>' if r["accepts_pets"] else ""
    closed = (
        f'<p class="cierre">Cerrado los <strong x-f="closed_on">{r["closed_on"]}</strong></p>' if r["closed_on"] else ""
    )
    dishes = (
        f'<section class="especialidades"><h2>Especialidades</h2><ul x-f="specialties">{"".join(f"<li>{one}</li>" for one in r["specialties"])}</ul></section>'
        if r["specialties"]
        else ""
    )
    also = "".join(
        f'<article class="tarjeta"><h3><a href="/r">{name}</a></h3><span class="valoracion__nota">{str(rating).replace(".", ",")}</span><p>Precio medio {price} €</p></article>'
        for name, rating, price in r["_also"]
    )
    return f'<div class="ficha"><h1 class="ficha__nombre" x-f="name">{r["name"]}</h1>{rating}<p class="ficha__direccion" x-f="address">{r["address"]}</p><ul class="ficha__datos"><li x-f="cuisine">Cocina: {r["cuisine"]}</li><li x-f="average_price">Precio medio {r["average_price"]} €</li>{pets}</ul>{chef}<div class="ficha__texto"><p>{r["_text"]}</p></div>{dishes}<div class="contacto"><h2>Contacto</h2><ul>{phone}{site}</ul>{closed}</div></div><section class="cercanos"><h2>Restaurantes cercanos</h2>{also}</section>'


OUTING_PAGES = [
    Design(
        "lot_enchere",
        schema_of(
            number="integer",
            title="string",
            artist="string?",
            estimate_low="number",
            estimate_high="number",
            sold_for="number?",
            sale_date="date",
            house="string",
            place="string",
            signed="boolean",
            height_cm="number?",
            provenance="string?",
            description="string",
        ),
        _lot,
        _lot_page,
        is_list=False,
        words={"Estimation :": "Estimate:", "Provenance": "Origin"},
    ),
    Design(
        "hike_route",
        schema_of(
            name="string",
            difficulty="string",
            rating="number",
            reviews="integer",
            length_km="number",
            elevation_m="integer",
            duration="string?",
            route_type="string",
            dogs_allowed="boolean",
            activities=["string"],
            park="string?",
            about="string",
        ),
        _hike,
        _hike_page,
        is_list=False,
        words={"Length": "Länge", "Route type": "Art der Route"},
    ),
    Design(
        "wetterstation",
        schema_of(
            name="string",
            station_id="string",
            altitude_m="integer",
            temperature_c="number",
            humidity_percent="number",
            wind_kmh="number",
            wind_direction="string",
            gusts_kmh="number?",
            pressure_hpa="number?",
            snow_cm="number?",
            sunshine_hours="number?",
            weather="string",
            measured="date",
            warning="string?",
        ),
        _station,
        _station_page,
        is_list=False,
        words={"Temperatur": "Temperature", "Luftdruck": "Pressure"},
    ),
    Design(
        "restaurante",
        schema_of(
            name="string",
            address="string",
            cuisine="string",
            rating="number?",
            reviews="integer?",
            average_price="number",
            chef="string?",
            phone="string?",
            website="uri?",
            accepts_pets="boolean",
            specialties=["string"],
            closed_on="string?",
        ),
        _eatery_draw,
        _eatery_page,
        is_list=False,
        words={"Precio medio": "Average price", "Chef:": "Cook:"},
    ),
]
