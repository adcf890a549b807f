"""A watch: its baseline, a change that its schedule finds, and whom it tells."""

import json
from typing import Any

from gleaner.steps.webhook import is_signed

from tests.cloud.plays.events import heard, listen
from tests.cloud.stack import STACK, Cloud, client, eventually

LAMPS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "price": {"type": "number"}},
        "required": ["name", "price"],
        "additionalProperties": False,
    },
}
PAGE = {"url": "http://shop.example/lamps", "output_schema": LAMPS, "enable_javascript": False}


def a_watch_tells_what_its_schedule_finds(cloud: Cloud) -> str:
    """Watch a page: run it once by hand, change a price, and wait for the schedule, the bus and the webhook.

    The webhook is refused once, and called again.
    """
    queue = listen(cloud)
    order = {"request": PAGE, "every": "1m", "name": "lamps", "webhook": {"url": "http://shop.example/hook"}}
    made = cloud.ask("POST", "/v1/watches", order)
    assert made.status_code == 201, made.text
    assert cloud.ask("POST", "/v1/watches/lamps/runs").status_code == 202
    first = eventually("the baseline of a watch", lambda: run_that_is(cloud, "baseline"), 60)
    assert first["records"] == len(cloud.far.pages.lamps), first

    cloud.far.pages.lamps["Reed lamp"] = "19.75"
    cloud.far.pages.refusals = 1
    changed = eventually("a run of the schedule", lambda: run_that_is(cloud, "changed"), 120)
    told = heard(queue, lambda one: one["detail-type"] == "RecordsChanged")
    assert told["detail"]["run_id"] == changed["run_id"], told
    eventually("a call of the webhook, again", lambda: cloud.far.pages.told, 60)
    assert cloud.far.pages.refusals == 0
    headers, body = cloud.far.pages.told[0]
    assert is_signed(headers["Gleaner-Signature"], made.json()["webhook"]["secret"], body), dict(headers)
    read = cloud.ask("GET", f"/v1/watches/lamps/runs/{changed['run_id']}").json()
    for changes in (json.loads(body)["changes"], told["detail"]["changes"], read["changes"]):
        fields = changes["changed"][0]["fields"]
        assert [(one["old"], one["new"]) for one in fields] == [(21.0, 19.75)], changes
    cloud.known["run"] = changed["run_id"]
    return f"{changed['counts']}, told by the bus, and by a webhook that was refused first"


def run_that_is(cloud: Cloud, status: str) -> Any:
    """Give the run of the watch with this status, None while there is none."""
    runs = cloud.ask("GET", "/v1/watches/lamps/runs").json()["runs"]
    return next((run for run in runs if run["status"] == status), None)


def watches_that_are_deleted_leave_no_schedule(cloud: Cloud) -> str:
    """Delete all watches that plays have made: their schedules go with them."""
    watches = cloud.ask("GET", "/v1/watches").json()["watches"]
    assert schedules() == len(watches) > 0, watches
    for watch in watches:
        deleted = cloud.ask("DELETE", f"/v1/watches/{watch['watch_id']}")
        assert deleted.status_code == 200, deleted.text
    assert schedules() == 0
    return f"{len(watches)} deleted"


def schedules() -> int:
    """Give how many schedules the watches of the stack have."""
    return len(client("scheduler").list_schedules(GroupName=f"{STACK}-watches")["Schedules"])
