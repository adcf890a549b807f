"""Make a Trac project with a ticket for each record, whose summary is the name: RECORDS FOLDER."""

import json
import sys
from pathlib import Path

from trac.admin.console import TracAdmin
from trac.ticket.model import Ticket

records, folder = json.loads(Path(sys.argv[1]).read_text("utf-8")), Path(sys.argv[2])
admin = TracAdmin(str(folder / "project"))
admin.do_initenv("Lamps sqlite:db/trac.db")
for one in records:
    ticket = Ticket(admin.env)
    ticket.populate(
        {
            "summary": one["name"],
            "reporter": one["maker"],
            "keywords": f"{one['watts']}",
            "status": "new",
            "type": "task",
            "priority": "major",
            "component": "component1",
        }
    )
    ticket.insert()
