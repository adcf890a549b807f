"""The logged-in profile: its state is reused, one holder at a time over processes and machines."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import boto3
import pytest
from gleaner.adapters.aws.s3 import S3Blobs
from gleaner.adapters.browser.leases import ProfileLease
from gleaner.adapters.browser.login import open_master_browser
from gleaner.adapters.browser.master_profile import MasterProfile
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.adapters.local.files import FileBlobs
from gleaner.contracts.errors import InvalidSettings, ProfileLocked
from gleaner.contracts.ports import RenderOrder
from moto import mock_aws


@pytest.fixture
def account(site):
    """A page that greets who has its cookie and its local storage, and the page that gives both."""

    def greet(handler):
        known = "session=ada" in handler.headers.get("Cookie", "")
        body = f"<p>{'Welcome, Ada' if known else 'Please log in'}</p><p id=s></p><script>s.textContent = 'stored ' + "
        body = (body + "localStorage.getItem('token')</script>").encode()
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    site.routes["/account"] = greet
    login = "<script>document.cookie = 'session=ada'; localStorage.setItem('token', 'xyz')</script><p>done</p>"
    return site.url("/account"), site.page("/login", login)


@pytest.fixture
def settings(make_settings, tmp_path):
    def make(**overrides):
        return make_settings(
            **{"home": tmp_path, "master_login_timeout_ms": 1500, "master_login_refresh_interval_ms": 200, **overrides}
        )

    return make


@pytest.mark.req("BR-4", "BR-5")
def test_what_is_logged_in_by_hand_is_logged_in_for_the_master_profile_alone(settings, account):
    page, login = account
    session = open_master_browser(settings(), url=login, headless=True)
    assert (session.profile_id, session.ended, session.cookies, session.origins) == ("master", "timeout", 1, 1)
    renderer = PlaywrightRenderer(settings())
    try:
        master = renderer.render(RenderOrder(page, profile="master"))
        other = renderer.render(RenderOrder(page))
    finally:
        renderer.close()
    assert "Welcome, Ada" in master.html
    assert "stored xyz" in master.html
    assert "Please log in" in other.html
    assert "stored null" in other.html


@pytest.fixture(params=["files", "s3"])
def shared_store(request, tmp_path, monkeypatch):
    """What two machines share."""
    if request.param == "files":
        yield FileBlobs(tmp_path / "shared")
        return
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-1")
        client.create_bucket(Bucket="gleaner")
        yield S3Blobs(client, "gleaner")


@pytest.mark.req("BR-5")
@pytest.mark.parametrize("shared_store", ["s3"], indirect=True)  # files are read by the next machine, below
def test_another_machine_reads_the_login_state_from_where_it_was_saved(settings, account, tmp_path, shared_store):
    page, login = account
    open_master_browser(settings(), url=login, headless=True, blobs=shared_store)
    elsewhere = PlaywrightRenderer(settings(master_user_data_root=tmp_path / "elsewhere"), blobs=shared_store)
    try:
        assert "Welcome, Ada" in elsewhere.render(RenderOrder(page, profile="master")).html
    finally:
        elsewhere.close()


@pytest.mark.req("BR-4")
def test_what_a_page_of_the_profile_changes_is_there_for_the_next_machine(settings, account, tmp_path):
    page, login = account
    blobs = FileBlobs(tmp_path / "shared")
    for name, url in (("one", login), ("two", page)):
        renderer = PlaywrightRenderer(settings(master_user_data_root=tmp_path / name), blobs=blobs)
        try:
            shown = renderer.render(RenderOrder(url, profile="master"))
        finally:
            renderer.close()
    assert "Welcome, Ada" in shown.html
    assert (tmp_path / "shared/profiles/master/lease.json").stat().st_mode & 0o077 == 0


@pytest.mark.req("BR-4")
def test_pages_of_the_master_profile_take_turns(settings, account):
    page, _ = account
    renderer = PlaywrightRenderer(settings())
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(renderer.render(RenderOrder(page, profile="master")).status))
        for _ in range(3)
    ]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    finally:
        renderer.close()
    assert results == [200, 200, 200]


HOLDER = """
import asyncio, pathlib, sys
from gleaner.adapters.browser.master_profile import MasterProfile
from gleaner.adapters.local.files import FileBlobs
from gleaner.contracts.settings import load_settings

async def hold():
    blobs = FileBlobs(pathlib.Path(sys.argv[3])) if len(sys.argv) > 3 else None
    profile = MasterProfile(load_settings({}, home=sys.argv[1], master_profile_lock_timeout_ms=int(sys.argv[2])), blobs)
    async with profile.held():
        print("held", flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(hold())
"""


@pytest.fixture
def start_holder(tmp_path):
    """Start another process that holds the profile until its standard input is closed."""
    running = []

    def start(home: Path, timeout_ms: int = 10_000, *blobs: Path) -> subprocess.Popen:
        command = [sys.executable, "-c", HOLDER, str(home), str(timeout_ms), *map(str, blobs)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.wait(60)
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()


@pytest.mark.req("BR-4", "BR-5")
def test_two_processes_compete_for_the_profile(settings, start_holder, tmp_path, account):
    holder = start_holder(tmp_path)
    assert holder.stdout.readline() == "held\n"
    busy = settings(master_profile_lock_timeout_ms=300)
    renderer = PlaywrightRenderer(busy)
    try:
        with pytest.raises(ProfileLocked, match="'master' is in use"):
            renderer.render(RenderOrder(account[0], profile="master"))
        with pytest.raises(ProfileLocked):
            open_master_browser(busy, headless=True)
        waiting = start_holder(tmp_path)
        os.kill(holder.pid, signal.SIGKILL)  # a holder that dies frees it
        assert waiting.stdout.readline() == "held\n"
        waiting.stdin.close()
        assert waiting.wait(60) == 0
        assert renderer.render(RenderOrder(account[0], profile="master")).status == 200
    finally:
        renderer.close()


@pytest.mark.req("BR-4")
def test_two_machines_compete_for_the_profile(settings, start_holder, tmp_path, account):
    shared = tmp_path / "shared"
    holder = start_holder(tmp_path / "one", 10_000, shared)
    assert holder.stdout.readline() == "held\n"
    other = settings(master_user_data_root=tmp_path / "two", master_profile_lock_timeout_ms=300)
    renderer = PlaywrightRenderer(other, blobs=FileBlobs(shared))
    try:
        with pytest.raises(ProfileLocked):
            renderer.render(RenderOrder(account[0], profile="master"))
        holder.stdin.close()
        assert holder.wait(60) == 0
        assert renderer.render(RenderOrder(account[0], profile="master")).status == 200
    finally:
        renderer.close()


@pytest.mark.req("BR-4", "SS-3")
@pytest.mark.parametrize("shared_store", ["s3"], indirect=True)
def test_two_clients_of_one_bucket_compete_for_the_profile(settings, tmp_path, account, shared_store):
    def machine(name):
        return settings(master_user_data_root=tmp_path / name, master_profile_lock_timeout_ms=300)

    renderer = PlaywrightRenderer(machine("two"), blobs=shared_store)

    async def hold_and_ask():
        async with MasterProfile(machine("one"), shared_store).held():
            with pytest.raises(ProfileLocked):
                await asyncio.to_thread(renderer.render, RenderOrder(account[0], profile="master"))

    try:
        asyncio.run(hold_and_ask())
        assert renderer.render(RenderOrder(account[0], profile="master")).status == 200
    finally:
        renderer.close()


@pytest.mark.req("BR-4")
def test_a_dead_machine_frees_the_profile_and_writes_nothing_when_it_wakes(settings, tmp_path, shared_store):
    def machine(name):
        return MasterProfile(settings(master_user_data_root=tmp_path / name), shared_store)

    async def compete():
        late, second = machine("late"), machine("next")
        late.lease.lasts_s = 0
        assert await late._try_acquire()
        async with second.held():
            second.save_state({"cookies": [], "origins": []})
            with pytest.raises(ProfileLocked):
                late.save_state({"cookies": [{"name": "old", "value": "x"}], "origins": []})
        late.lock.release()

    def state():
        reader = ProfileLease(shared_store, "master")
        assert reader.try_acquire()
        return reader.state

    asyncio.run(compete())
    assert state() == {"cookies": [], "origins": []}


@pytest.mark.req("BR-4")
def test_a_holder_renews_its_lease_while_it_works(settings, tmp_path):
    blobs, lease_file = FileBlobs(tmp_path / "shared"), tmp_path / "shared/profiles/master/lease.json"

    async def work():
        profile = MasterProfile(settings(), blobs)
        profile.lease.lasts_s = 0.03
        async with profile.held():
            tokens = {profile.lease.token}
            written = {lease_file.stat().st_mtime_ns}
            while len(written) < 4:
                await asyncio.sleep(0.01)
                written.add(lease_file.stat().st_mtime_ns)
                tokens.add(profile.lease.token)
        assert tokens == {1}

    asyncio.run(work())


@pytest.mark.req("BR-4", "BR-6")
@pytest.mark.parametrize("profile_id", ["../up", "a b", "", ".", "x" * 65, "a/b"])
def test_a_profile_id_that_does_not_match_the_rule_is_refused(settings, profile_id):
    with pytest.raises(InvalidSettings, match="default_profile_id"):
        MasterProfile(settings(default_profile_id=profile_id))


@pytest.mark.req("BR-5")
def test_open_browser_without_a_browser_that_has_a_window_says_what_to_do(settings, monkeypatch):
    monkeypatch.setattr("gleaner.adapters.browser.chromium.installed_browsers", lambda: iter(()))
    with pytest.raises(InvalidSettings, match="with a window"):
        open_master_browser(settings())
