"""The table port in one SQLite file of the data folder."""

import errno
import json
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from gleaner.adapters.local.files import said_of_full_disk
from gleaner.adapters.table_keys import check_key, is_key
from gleaner.contracts.errors import InvalidSettings, StorageFull, StoreThrottled
from gleaner.contracts.items import added
from gleaner.contracts.json_text import json_text
from gleaner.contracts.ports import Item, ItemPage, JsonObject

SCHEMA = """
create table if not exists items (
  pk text not null, sk text not null, data text not null, host text, ttl integer, version integer not null,
  primary key (pk, sk)
) without rowid;
create index if not exists items_by_host on items (host, pk, sk) where host is not null;
"""


ROOM_NEEDED = 65_536
"""Bytes without which SQLite can't begin to write: its index for readers has 32 KB, and grows by as much."""

_ERRNO = {
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
}


class SqliteTable:
    """TableStore over SQLite: any number of threads and processes, one writer at a time."""

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path.parent)) from None
        self._path = path
        self._local = threading.local()
        with self._writing() as connection:
            connection.executescript(SCHEMA)

    def get(self, pk: str, sk: str) -> Item | None:
        """Give the item, or None."""
        if not is_key(pk, sk):
            return None
        row = self._connection().execute(
            "select pk, sk, data, host, ttl, version from items where pk = ? and sk = ? and (ttl is null or ttl > ?)",
            (pk, sk, int(time.time())),
        )
        found = row.fetchone()
        return _item(found) if found else None

    def put(self, item: Item, *, if_version: int | None = None) -> bool:
        """Write the item if its stored version is the one given."""
        check_key(item.pk, item.sk)
        with self._writing() as connection:
            return _put(connection, item, if_version)

    def get_many(self, pk: str, sks: Sequence[str]) -> list[Item | None]:
        """Give each item, or None."""
        return [self.get(pk, sk) for sk in sks]

    def put_new(self, items: Sequence[Item]) -> list[bool]:
        """Write each item that is absent, all in one transaction."""
        for item in items:
            check_key(item.pk, item.sk)
        with self._writing() as connection:
            return [_put(connection, item, 0) for item in items]

    def add(
        self,
        pk: str,
        sk: str,
        amounts: Mapping[str, int],
        *,
        ceilings: Mapping[str, int] | None = None,
        ttl: int | None = None,
    ) -> JsonObject | None:
        """Add to integer fields unless one would pass its ceiling."""
        check_key(pk, sk)
        with self._writing() as connection:
            stored = self.get(pk, sk) or Item(pk, sk, {})
            data = added(stored.data, amounts, ceilings)
            if data is not None:
                _write(connection, replace(stored, data=data, ttl=ttl or stored.ttl), stored.version + 1)
        return data

    def query(self, pk: str, *, prefix: str = "", limit: int = 100, after: str | None = None) -> ItemPage:
        """Give the items of a partition in the order of sk."""
        if not is_key(pk, prefix or "all"):
            return ItemPage(())
        rows = self._connection().execute(
            """select pk, sk, data, host, ttl, version from items
            where pk = ? and sk >= ? and sk < ? and sk > ? and (ttl is null or ttl > ?) order by sk limit ?""",
            (pk, prefix, prefix + "\U0010ffff", after or "", int(time.time()), limit + 1),
        )
        items = [_item(row) for row in rows]
        return ItemPage(tuple(items[:limit]), items[limit - 1].sk if len(items) > limit else None)

    def query_host(self, host: str, *, limit: int = 100, after: str | None = None) -> ItemPage:
        """Give the items indexed under the host, in the order of their keys."""
        if not is_key(host, "all"):
            return ItemPage(())
        after_pk, after_sk = json.loads(after) if after else ("", "")
        rows = self._connection().execute(
            """select pk, sk, data, host, ttl, version from items
            where host = ? and (pk, sk) > (?, ?) and (ttl is null or ttl > ?) order by pk, sk limit ?""",
            (host, after_pk, after_sk, int(time.time()), limit + 1),
        )
        items = [_item(row) for row in rows]
        last = items[limit - 1] if len(items) > limit else None
        return ItemPage(tuple(items[:limit]), json.dumps([last.pk, last.sk]) if last else None)

    def delete(self, pk: str, sk: str) -> bool:
        """Delete the item."""
        if not is_key(pk, sk):
            return False
        with self._writing() as connection:
            return connection.execute("delete from items where pk = ? and sk = ?", (pk, sk)).rowcount > 0

    def every_key(self) -> Iterator[tuple[str, str]]:
        """Give the keys of all items, some at a time: others may write meanwhile."""
        last = ("", "")
        while (
            rows := self._connection()
            .execute("select pk, sk from items where (pk, sk) > (?, ?) order by pk, sk limit 1000", last)
            .fetchall()
        ):
            yield from rows
            last = rows[-1]

    def expire(self) -> None:
        """Delete what is past its ttl, which readers pass over. DynamoDB does so by itself."""
        with self._writing() as connection:
            connection.execute("delete from items where ttl <= ?", (int(time.time()),))

    def close(self) -> None:
        """Close the calling thread's connection."""
        connection = self._local.__dict__.pop("connection", None)
        if connection is not None:
            connection.close()

    def _connection(self) -> sqlite3.Connection:
        connection = self._local.__dict__.get("connection")
        if connection is None:
            try:
                connection = sqlite3.connect(self._path, timeout=30, isolation_level=None)
                connection.execute("pragma journal_mode = wal")
            except sqlite3.DatabaseError as error:
                raise _told(error, self._path) from None
            connection.execute("pragma synchronous = normal")
            self._local.connection = connection
        return connection

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        connection = self._connection()
        try:
            connection.execute("begin immediate")
            yield connection
            if connection.in_transaction:
                connection.execute("commit")
        except sqlite3.OperationalError as error:
            raise _told(error, self._path) from None
        finally:
            if connection.in_transaction:
                connection.execute("rollback")


def _told(error: sqlite3.DatabaseError, path: Path) -> Exception:
    """Give the error that says who can act: whoever owns the disk or the file, or nobody, since it passes."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreThrottled(f"{path} is in use by another process: {error}")
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _has_no_room(path)):
        return StorageFull(said_of_full_disk(path))
    if code in _ERRNO:
        return OSError(_ERRNO[code], str(error), str(path))
    return InvalidSettings(f"{path} can't be used: {error}; move it away, or choose another home")


def _has_no_room(path: Path) -> bool:
    """Tell whether a disk is full: what SQLite maps into memory for its readers fails there as any other error does."""
    return shutil.disk_usage(path.parent).free < ROOM_NEEDED


def _item(row: tuple[Any, ...]) -> Item:
    pk, sk, data, host, ttl, version = row
    return Item(pk, sk, json.loads(data), host, ttl, version)


def _put(connection: sqlite3.Connection, item: Item, if_version: int | None) -> bool:
    row = connection.execute(
        "select version from items where pk = ? and sk = ? and (ttl is null or ttl > ?)",
        (item.pk, item.sk, int(time.time())),
    ).fetchone()
    version = row[0] if row else 0
    if if_version is not None and version != if_version:
        return False
    _write(connection, item, version + 1)
    return True


def _write(connection: sqlite3.Connection, item: Item, version: int) -> None:
    connection.execute(
        "replace into items (pk, sk, data, host, ttl, version) values (?, ?, ?, ?, ?, ?)",
        (item.pk, item.sk, json_text(item.data), item.host, item.ttl, version),
    )
