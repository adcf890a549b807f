"""What the labels of pages in other languages mean in English: the few words of tables that have one meaning each.

Words that mean several things ("Ort", "Land", "Longitud", "Chambres") are left out: they tell nothing for sure.
"""

from collections.abc import Iterator

FOREIGN_WORDS = {
    "de": """
price: Preis; title: Titel; date: Datum; size: Größe; weight: Gewicht; height: Höhe; length: Länge; width: Breite
depth: Tiefe; color: Farbe; city: Stadt; year: Jahr; population: Einwohner, Einwohnerzahl, Bevölkerung
area: Fläche; quantity: Menge, Anzahl; author: Autor, Autorin; publisher: Verlag; language: Sprache; street: Straße
postcode: Postleitzahl, PLZ; telephone: Telefon, Telefonnummer; address: Adresse, Anschrift; description: Beschreibung
category: Kategorie; brand: Marke; manufacturer: Hersteller; model: Modell; speed: Geschwindigkeit; age: Alter
type: Typ; rank: Rang; points: Punkte; player: Spieler; team: Mannschaft; club: Verein; capital: Hauptstadt
pages: Seiten, Seitenzahl; temperature: Temperatur; distance: Entfernung; duration: Dauer; time: Uhrzeit
company: Firma, Unternehmen; department: Abteilung; first name: Vorname; last name: Nachname; revenue: Umsatz
birth date: Geburtsdatum; start date: Startdatum; end date: Enddatum; item: Artikel; product: Produkt
year founded: Gründungsjahr; year of construction: Baujahr; salary: Gehalt; material: Werkstoff; river: Fluss
mountain: Berg; building: Gebäude; room: Zimmer; day: Tag; month: Monat; week: Woche; employees: Mitarbeiter
vehicle: Fahrzeug; animal: Tier; plant: Pflanze; fuel: Kraftstoff; in stock: auf Lager, lieferbar
bedrooms: Schlafzimmer, Schlafzimmern; bathrooms: Badezimmer, Badezimmern, Bäder, Bädern
""",
    "fr": """
price: Prix; name: Nom; size: Taille; weight: Poids; height: Hauteur; length: Longueur; width: Largeur
depth: Profondeur; color: Couleur; city: Ville; country: Pays; year: Année; population: Habitants
area: Superficie, Surface; quantity: Quantité; author: Auteur, Autrice; publisher: Éditeur; language: Langue
street: Rue; postcode: Code postal; telephone: Téléphone; address: Adresse; category: Catégorie; brand: Marque
manufacturer: Fabricant; model: Modèle; speed: Vitesse; age: Âge; rank: Rang; player: Joueur; team: Équipe
capital: Capitale; pages: Nombre de pages; temperature: Température; duration: Durée; time: Heure
company: Entreprise, Société; first name: Prénom; last name: Nom de famille; revenue: Chiffre d'affaires
birth date: Date de naissance; start date: Date de début; end date: Date de fin; item: Article; product: Produit
salary: Salaire; material: Matériau; river: Fleuve, Rivière; mountain: Montagne; day: Jour; month: Mois
week: Semaine; vehicle: Véhicule; title: Titre; in stock: en stock; power: Puissance
""",
    "es": """
price: Precio; name: Nombre; title: Título; date: Fecha; size: Tamaño, Talla; weight: Peso; height: Altura
width: Anchura, Ancho; depth: Profundidad; city: Ciudad; country: País; year: Año
population: Población, Habitantes; area: Superficie; quantity: Cantidad; author: Autor, Autora; publisher: Editorial
bedrooms: Dormitorios; bathrooms: Baños
language: Idioma; street: Calle; postcode: Código postal; telephone: Teléfono; address: Dirección
description: Descripción; category: Categoría; brand: Marca; manufacturer: Fabricante; model: Modelo; speed: Velocidad
age: Edad; player: Jugador; team: Equipo; pages: Número de páginas, Páginas; temperature: Temperatura
distance: Distancia; duration: Duración; time: Hora; company: Empresa; department: Departamento
last name: Apellido, Apellidos; birth date: Fecha de nacimiento; start date: Fecha de inicio; end date: Fecha de fin
item: Artículo; product: Producto; salary: Salario; river: Río; mountain: Montaña; day: Día; month: Mes
week: Semana; vehicle: Vehículo; in stock: en stock; power: Potencia; seats: Plazas
""",
    "it": """
price: Prezzo; name: Nome; title: Titolo; date: Data; weight: Peso; height: Altezza; length: Lunghezza
width: Larghezza; depth: Profondità; color: Colore; city: Città; country: Paese; year: Anno
population: Popolazione, Abitanti; area: Superficie; quantity: Quantità; author: Autore; publisher: Editore
language: Lingua; postcode: CAP; telephone: Telefono; address: Indirizzo; description: Descrizione
category: Categoria; brand: Marca; model: Modello; speed: Velocità; age: Età; player: Giocatore; team: Squadra
capital: Capitale; pages: Numero di pagine, Pagine; duration: Durata; time: Ora; company: Azienda
last name: Cognome; birth date: Data di nascita; start date: Data di inizio; item: Articolo; product: Prodotto
bathrooms: Bagni; river: Fiume; day: Giorno; month: Mese; week: Settimana; vehicle: Veicolo
""",
    "pt": """
price: Preço; name: Nome; title: Título; date: Data; size: Tamanho; weight: Peso; height: Altura; width: Largura
length: Comprimento; color: Cor; city: Cidade; country: País; year: Ano; population: População; area: Área
quantity: Quantidade; author: Autor; publisher: Editora; language: Idioma; street: Rua; telephone: Telefone
address: Endereço, Morada; category: Categoria; brand: Marca; model: Modelo; pages: Páginas; duration: Duração
company: Empresa; product: Produto; day: Dia; month: Mês; week: Semana; river: Rio; age: Idade; team: Equipe, Equipa
""",
    "nl": """
price: Prijs; name: Naam; title: Titel; date: Datum; weight: Gewicht; height: Hoogte; length: Lengte; width: Breedte
depth: Diepte; color: Kleur; year: Jaar; population: Inwoners; area: Oppervlakte; quantity: Aantal, Hoeveelheid
author: Auteur; publisher: Uitgever, Uitgeverij; language: Taal; street: Straat; telephone: Telefoon
address: Adres; description: Beschrijving; category: Categorie; brand: Merk; speed: Snelheid; age: Leeftijd
player: Speler; team: Ploeg; pages: Pagina's; duration: Duur; time: Tijd; company: Bedrijf; first name: Voornaam
last name: Achternaam; birth date: Geboortedatum; start date: Startdatum; river: Rivier; day: Dag; month: Maand
country: Land; city: Stad; vehicle: Voertuig; artist: Artiest
bedrooms: Slaapkamers; bathrooms: Badkamers
""",
    "pl": """
price: Cena; name: Nazwa; title: Tytuł; date: Data; size: Rozmiar; weight: Waga, Masa; height: Wysokość
length: Długość; width: Szerokość; depth: Głębokość; color: Kolor; city: Miasto; country: Kraj, Państwo; year: Rok
population: Ludność, Liczba ludności; area: Powierzchnia; quantity: Ilość; author: Autor; publisher: Wydawnictwo
language: Język; street: Ulica; postcode: Kod pocztowy; telephone: Telefon; address: Adres; description: Opis
category: Kategoria; brand: Marka; manufacturer: Producent; speed: Prędkość; age: Wiek; player: Zawodnik
team: Drużyna; capital: Stolica; pages: Liczba stron; duration: Czas trwania; time: Godzina; company: Firma
first name: Imię; last name: Nazwisko; birth date: Data urodzenia; year published: Rok wydania; product: Produkt
bedrooms: Sypialnie; bathrooms: Łazienki; river: Rzeka
day: Dzień; month: Miesiąc; week: Tydzień; start date: Data rozpoczęcia; end date: Data zakończenia
""",
    "sv": """
price: Pris; name: Namn; title: Titel; date: Datum; size: Storlek; weight: Vikt; height: Höjd; width: Bredd
length: Längd; color: Färg; city: Stad; country: Land; year: År; area: Yta; quantity: Antal; author: Författare
publisher: Förlag; language: Språk; telephone: Telefon; address: Adress; description: Beskrivning; age: Ålder
category: Kategori; player: Spelare; company: Företag; first name: Förnamn; last name: Efternamn; brand: Märke
bedrooms: Sovrum; bathrooms: Badrum
""",
    "ja": """
price: 価格, 値段; name: 名前, 名称; title: タイトル, 書名, 題名; author: 著者, 作者; date: 日付; weight: 重さ, 重量
height: 高さ; length: 長さ; width: 幅; quantity: 数量; city: 都市; country: 国; population: 人口; area: 面積; year: 年
address: 住所; telephone: 電話番号, 電話; company: 会社, 会社名; color: 色; size: サイズ; product name: 商品名
pages: ページ数; publisher: 出版社; brand: ブランド; category: カテゴリ, カテゴリー; elevation: 標高; age: 年齢
""",
}
"""By language: an English label, and what pages write for it."""


def english_of_words() -> Iterator[tuple[str, str]]:
    """Give each word that is a label by itself in one of the languages, with what it means in English.

    >>> dict(english_of_words())["Baujahr"]
    'year of construction'
    """
    for text in FOREIGN_WORDS.values():
        for english, _, said in (entry.partition(":") for entry in text.replace("\n", ";").split(";")):
            yield from ((word, english.strip()) for word in map(str.strip, said.split(",")) if word and " " not in word)
