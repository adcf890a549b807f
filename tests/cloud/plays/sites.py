"""Maps of sites, by the API."""

from tests.cloud.stack import Cloud, eventually


def a_site_is_mapped(cloud: Cloud) -> str:
    """Map the demo's shop by its links, and read the URLs."""
    begun = cloud.ask("POST", "/v1/maps?wait=0", {"url": "http://kiln.example/"})
    assert begun.status_code in (200, 202), begun.text
    map_id = begun.json()["map_id"]
    eventually("the end of a map", lambda: cloud.ask("GET", f"/v1/maps/{map_id}").json()["status"] == "complete", 90)
    listed = cloud.ask("GET", f"/v1/maps/{map_id}/urls").json()["urls"]
    assert "http://kiln.example/products" in {one["url"] for one in listed}, listed
    cloud.known["map"] = map_id
    return f"{len(listed)} URLs"
