"""The few names of schema.org that go by other names in schemas, and the types that are never a page's records."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from gleaner.structured.labels import words_of
from gleaner.structured.measures import listed

_PATHS = """
name title product_name headline titel titre título titulo titolo nombre nome nom naam: name headline title
title headline name titel titre título titulo titolo: headline title name
price amount preis prix precio prezzo preço preco prijs pris cena: price offers.price
currency price_currency currency_code währung waehrung devise moneda valuta moeda: priceCurrency offers.priceCurrency
rating average_rating rating_value stars score: aggregateRating.ratingValue reviewRating.ratingValue ratingValue
review_count reviews reviews_count number_of_reviews: aggregateRating.reviewCount reviewCount
rating_count ratings ratings_count number_of_ratings: aggregateRating.ratingCount ratingCount
brand brand_name marke marque marca merk: brand.name brand
manufacturer: manufacturer.name manufacturer
author author_name writer autor auteur autore auteur: author.name author
publisher: publisher.name publisher
seller: offers.seller.name seller.name
company employer hiring_organization: hiringOrganization.name hiringOrganization
image image_url photo picture thumbnail: image.url image.contentUrl image thumbnailUrl
url link href permalink: url
published published_at date_published publication_date published_date publish_date: datePublished
released release_date released_at: releaseDate datePublished
posted posted_at date_posted posted_date: datePosted datePublished
modified updated updated_at date_modified last_modified modified_date: dateModified
in_stock is_in_stock available is_available availability: offers.availability availability
start_date starts_at start: startDate
end_date ends_at end: endDate
location venue place: location.name location jobLocation.name jobLocation.address
servings yield recipe_yield serves: recipeYield
cuisine: recipeCuisine servesCuisine
ingredients: recipeIngredient
instruction step method direction: recipeInstructions.text recipeInstructions
answer: acceptedAnswer.text
phone telephone phone_number telephone_number telefono teléfono telefon téléphone telefone telefoon: telephone
founded founded_year year_founded founding_date: foundingDate
street street_address: address.streetAddress
city locality: address.addressLocality
region state: address.addressRegion
country: address.addressCountry.name address.addressCountry
postal_code postcode zip zip_code: address.postalCode
salary base_salary: baseSalary.value.value baseSalary.value baseSalary
section: articleSection
artist: byArtist.name
pages page_count number_of_pages: numberOfPages
colour color: color
sku: sku offers.sku
"""


def _table() -> dict[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    found: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {}
    for line in _PATHS.strip().splitlines():
        names, _, paths = line.partition(":")
        for name in names.split():
            found.setdefault(words_of(name), tuple(_steps(paths.split())))
    return found


def _steps(paths: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Give the steps of paths; an address may also be that of the thing's place."""
    for holder in ("", "location.", "jobLocation."):
        yield from (tuple((holder + path).split(".")) for path in paths if not holder or path.startswith("address."))


PATHS: Mapping[tuple[str, ...], tuple[tuple[str, ...], ...]] = MappingProxyType(_table())
"""By the words of a field's name: where schema.org keeps its value, likeliest first."""

STRUCTURE = listed(
    "WebPage WebSite BreadcrumbList SiteNavigationElement SearchAction WPHeader WPFooter WPSideBar ImageObject "
    "CollectionPage ItemPage AboutPage ContactPage SearchResultsPage ListItem EntryPoint"
)
"""Types that describe a site or a page, not what the page is about."""

REMARKS = listed("Review UserReview CriticReview Comment Rating AggregateRating Offer AggregateOffer")
"""Types of what is said about a thing, often under the thing's name."""

TEXTS = listed(
    "Article NewsArticle BlogPosting TechArticle ScholarlyArticle Report Review DiscussionForumPosting "
    "SocialMediaPosting HowTo FAQPage QAPage Question Comment"
)
"""Types of texts about other things: their names are headlines."""

ALSO_CALLED: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        **{kind: listed("article post story blog news") for kind in TEXTS},
        "JobPosting": listed("job position vacancy role opening"),
        "Movie": listed("film"),
    }
)
"""Words for things of a type, beside those of its name."""

OPAQUE = listed("sku gtin gtin8 gtin12 gtin13 gtin14 mpn isbn id identifier currency language locale")
"""Words of fields that pages seldom show to people, so that only the embedded data states them."""

CODES = listed("sku gtin gtin8 gtin12 gtin13 gtin14 ean ean13 upc mpn isbn issn asin doi")
"""Words that name one kind of code each."""

GENERIC = frozenset({("name",), ("title",)})
"""Names that any thing on a page may have."""

TITLED = listed(
    "product item event fair job model game film movie book song track album show recipe course lecture project package"
)
"""Nouns of things that have titles as well as names."""

NAMED = TITLED | listed(
    "player team club company organization employee member person student country city town region station "
    "airport hotel restaurant shop store venue museum park lake river mountain peak island bridge building tower "
    "castle ship vessel aircraft car vehicle dish library language species plant animal bird tree planet star "
    "school university bank"
)
"""Nouns of things that have names."""

THINGS = NAMED | listed("article position vacancy people customer user office place order movie moon state village")
"""Nouns of what pages list."""
