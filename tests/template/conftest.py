"""The stack, and what its functions make use of."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from contextvars import copy_context
from functools import partial
from typing import Any

import boto3
import botocore
import pytest
from aws_lambda_powertools.utilities.parameters import clear_caches
from gleaner.cli.demo import scripted_shopkeeper
from gleaner.local.engine import scaled_retry_waits
from gleaner.mcp import lambda_app
from gleaner.testing import ScriptedModelServer, Site
from moto import mock_aws
from moto.dynamodb.models.table import Table

from tests.template.cloud import Cloud, Need, Watcher, make_data
from tests.template.plays import play
from tests.template.stack import REGION, ROOT, Stack


@pytest.fixture(scope="session")
def stack() -> Stack:
    return Stack()


_submit: Callable[..., Future[Any]] = ThreadPoolExecutor.submit


def _submit_in_context(pool: ThreadPoolExecutor, work: Callable[..., Any], *args: Any, **named: Any) -> Future[Any]:
    """Submit work so that it asks in the name of the function that submits it."""
    return _submit(pool, copy_context().run, partial(work, *args, **named))


def _items_by_their_keys(table: Table) -> list[Any]:
    """Give what moto's own method gives, which takes most of a query's time to compare keys."""
    return sorted((item for part in table.items.values() for item in part.values()),
                  key=lambda item: (item.hash_key.value, item.range_key.value))  # fmt: skip


@pytest.fixture(scope="session")
def used(stack: Stack) -> set[Need]:
    """What every function's code made use of while each of its ways was gone."""
    watcher = Watcher(stack)
    with ExitStack() as after:
        patch = after.enter_context(pytest.MonkeyPatch.context())
        after.enter_context(mock_aws())
        site = after.enter_context(Site(ROOT / "tests/fixtures/site"))
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "testing")
        patch.setenv("AWS_DEFAULT_REGION", REGION)
        patch.setattr(boto3, "DEFAULT_SESSION", None)
        patch.setattr(ThreadPoolExecutor, "submit", _submit_in_context)
        patch.setattr(Table, "all_items", _items_by_their_keys)
        clear_caches()  # of secrets, read by a client of another test's region
        patch.setattr(lambda_app, "WAIT_S", 0.1)  # the job that MCP starts runs nowhere
        botocore.register_initializer(watcher.watch)
        after.callback(botocore.unregister_initializer, watcher.watch)
        after.enter_context(scaled_retry_waits(0))
        make_data(stack)
        model = after.enter_context(ScriptedModelServer(scripted_shopkeeper(site)))
        cloud = Cloud(stack, site, model)
        cloud.patch = patch
        after.callback(cloud.close)
        play(cloud)
    return watcher.needs
