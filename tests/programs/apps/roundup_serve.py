"""Serve a Roundup tracker by its WSGI application: FOLDER PORT."""

import sys
from pathlib import Path
from wsgiref.simple_server import make_server

from roundup.cgi.wsgi_handler import RequestDispatcher

make_server("127.0.0.1", int(sys.argv[2]), RequestDispatcher(str(Path(sys.argv[1]) / "tracker"))).serve_forever()
