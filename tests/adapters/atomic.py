"""AWS calls as AWS makes them: each is atomic."""

import threading
from typing import Any


class OneCallAtATime:
    """Clients of one store each of whose calls is atomic, as AWS's are and moto's are not; writers mix freely."""

    def __init__(self, client: Any, lock: threading.Lock) -> None:
        self._client, self._lock = client, lock

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._client, name)

        def locked(*arguments: Any, **named: Any) -> Any:
            with self._lock:
                return call(*arguments, **named)

        return locked
