"""Make an issue for each record in a Roundup tracker that is initialised: RECORDS FOLDER."""

import json
import sys
from pathlib import Path

from roundup import instance

records, folder = json.loads(Path(sys.argv[1]).read_text("utf-8")), Path(sys.argv[2])
database = instance.open(str(folder / "tracker")).open("admin")
status, priority = database.status.lookup("unread"), database.priority.lookup("bug")
keywords = {maker: database.keyword.create(name=maker) for maker in sorted({one["maker"] for one in records})}
for one in records:
    database.issue.create(title=one["name"], status=status, priority=priority, keyword=[keywords[one["maker"]]])
database.commit()
database.close()
