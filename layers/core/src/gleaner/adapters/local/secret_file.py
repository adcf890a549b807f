"""Named secrets on this machine: a file of the data folder that only its owner reads, and the settings (AC-2)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from gleaner.adapters.local.files import replace_file
from gleaner.contracts.errors import InvalidSettings, NotFound
from gleaner.contracts.items import DEFAULT_TENANT
from gleaner.contracts.ports import Secret
from gleaner.jobs.secrets import read_secret


class SecretFile:
    """The secrets of a file, ``{tenant: {name: {value, hosts}}}``; ``given`` ones are the default tenant's."""

    def __init__(self, path: Path, given: Mapping[str, Any]) -> None:
        self._path, self._given = path, given

    def get(self, tenant: str, name: str) -> Secret:
        """Give a secret; NotFound where the tenant has none of that name."""
        stored = self._of(tenant).get(name)
        if stored is None:
            raise NotFound(f"tenant {tenant} has no secret {name}; `gleaner secrets set {name} --host HOST` stores it")
        return read_secret(name, stored)

    def names(self, tenant: str) -> dict[str, tuple[str, ...]]:
        """Give the tenant's secrets with the hosts that may see each."""
        return {name: read_secret(name, stored).hosts for name, stored in sorted(self._of(tenant).items())}

    def put(self, tenant: str, secret: Secret) -> None:
        """Store a secret."""
        whole = self._read()
        stored = {"value": secret.value, "hosts": list(secret.hosts)}
        self._write({**whole, tenant: {**whole.get(tenant, {}), secret.name: stored}})

    def delete(self, tenant: str, name: str) -> bool:
        """Forget a secret; False when the file has none."""
        whole = self._read()
        is_there = whole.get(tenant, {}).pop(name, None) is not None
        self._write(whole)
        return is_there

    def _of(self, tenant: str) -> dict[str, Any]:
        return {**(self._given if tenant == DEFAULT_TENANT else {}), **self._read().get(tenant, {})}

    def _read(self) -> dict[str, dict[str, Any]]:
        if not self._path.exists():
            return {}
        try:
            whole: Any = json.loads(self._path.read_text("utf-8"))
        except ValueError:
            raise InvalidSettings(f"{self._path} is not valid JSON") from None
        if not isinstance(whole, dict) or not all(
            isinstance(one, dict) for one in cast("dict[str, Any]", whole).values()
        ):
            raise InvalidSettings(f"{self._path} is an object of tenants, each an object of secrets")
        return cast("dict[str, dict[str, Any]]", whole)

    def _write(self, whole: Mapping[str, Any]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self._path, json.dumps(whole, ensure_ascii=False, indent=1).encode("utf-8"), mode=0o600)
