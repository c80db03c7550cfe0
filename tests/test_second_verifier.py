"""Owns the runs of the second verifier: its own tests, and games that both judge; knows no module of either."""

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SECOND = ROOT / "protocol" / "second"
MAGIC = b"p2pdurak log 1\n"
PLAYER = [sys.executable, "-m", "p2pdurak"]
TIMEOUT = 300

pytestmark = pytest.mark.slow

Entry = tuple[bytes, bytes]
Damage = Callable[[bytes, random.Random], bytes]


def missing(what: str) -> None:
    """Skips at home, fails in CI: there the second verifier must run."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


def installed(folder: Path) -> bool:
    """Whether the libraries in a folder are those of its lockfile."""
    record = folder / "node_modules" / ".package-lock.json"
    if not record.exists():
        return False
    wanted = json.loads((folder / "package-lock.json").read_text())["packages"]
    found = json.loads(record.read_text())["packages"]
    return {name: part["integrity"] for name, part in wanted.items() if name} == {
        name: part["integrity"] for name, part in found.items()
    }


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the second verifier with its libraries: the own one, or a copy of it."""
    if shutil.which("node") is None:
        missing("The second verifier needs node.")
    if installed(SECOND):
        return SECOND
    if shutil.which("npm") is None:
        missing("The libraries of the second verifier need npm.")
    protocol = tmp_path_factory.mktemp("protocol")
    shutil.copytree(SECOND, protocol / "second", ignore=shutil.ignore_patterns("node_modules"))
    (protocol / "vectors").symlink_to(ROOT / "protocol" / "vectors")
    done = run(["npm", "ci", "--no-audit", "--no-fund"], cwd=protocol / "second")
    if done.returncode != 0:
        missing(f"npm ci failed: {done.stderr[-500:]}")
    return protocol / "second"


def run(
    command: list[str], env: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end, whatever that is."""
    return subprocess.run(
        command,
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


def environment(home: Path) -> dict[str, str]:
    """A player's own place for keys and games."""
    places = {name: str(home / name) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    return {**os.environ, **places, "HOME": str(home), "PYTHONPATH": f"{ROOT}:{ROOT / 'protocol'}"}


def join_code(host: subprocess.Popen[str]) -> str:
    """The code that the host shows."""
    assert host.stdout is not None
    for line in host.stdout:
        event = json.loads(line)
        if event["event"] == "code":
            return str(event["code"])
    raise AssertionError("The host has shown no code.")


def played(home: Path, *rules: str) -> Iterator[list[Path]]:
    """The logs of each game of a match of two between two bots: the host's and the guest's."""
    common = ["--bot", "easy", "--json", "--games", "2", "--auto-done", "instant"]
    hosting = [*PLAYER, "host", *common, "--name", "Mira", "--bind", "127.0.0.1", *rules]
    places = [home / seat for seat in ("host", "guest")]
    with subprocess.Popen(
        hosting, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment(places[0])
    ) as host:
        try:
            done = run([*PLAYER, "join", join_code(host), *common, "--name", "Tom"], environment(places[1]))
            assert done.returncode == 0, done.stderr
            host.communicate(timeout=TIMEOUT)
        finally:
            host.kill()
    logs = [sorted(place.rglob("*.dlog")) for place in places]
    return map(list, zip(*logs, strict=True))


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[list[Path]]:
    """A freshly played match: both logs of each game."""
    return list(played(tmp_path_factory.mktemp("match"), "--rule", "move_timer=0"))


def entries(log: bytes) -> list[Entry]:
    """Tag and payload of each entry of a whole log."""
    found, at = [], len(MAGIC)
    while at < len(log):
        end = at + 4 + int.from_bytes(log[at : at + 4])
        found.append((log[at + 4 : at + 5], log[at + 5 : end]))
        at = end + 32
    return found


def framed(part: bytes) -> bytes:
    return len(part).to_bytes(4) + part


def written(parts: list[Entry]) -> bytes:
    """A log of these entries, with right hashes."""
    labels = {b"R": b"p2pdurak/1/record", b"N": b"p2pdurak/1/log note"}
    hashes = [hashlib.sha512(framed(labels[tag]) + framed(payload)).digest()[:32] for tag, payload in parts]
    return MAGIC + b"".join(framed(tag + payload) + end for (tag, payload), end in zip(parts, hashes, strict=True))


def cut(log: bytes, dice: random.Random) -> bytes:
    return log[: dice.randrange(len(MAGIC), len(log) // 2)]


def altered_byte(log: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(log))
    return log[:at] + bytes([log[at] ^ 1 << dice.randrange(8)]) + log[at + 1 :]


def shorter(log: bytes, dice: random.Random) -> bytes:
    return written(entries(log)[: dice.randrange(12, 30)])


def altered_last_record(log: bytes, dice: random.Random) -> bytes:
    parts = entries(shorter(log, dice))
    tag, payload = parts.pop()
    return written([*parts, (tag, altered_byte(payload, dice))])


def swapped(log: bytes, dice: random.Random) -> bytes:
    parts = entries(log)
    at = dice.randrange(1, 30)
    parts[at : at + 2] = reversed(parts[at : at + 2])
    return written(parts)


def notes_first(log: bytes, _: random.Random) -> bytes:
    return written(sorted(entries(log)))


DAMAGES: list[Damage] = [cut, altered_byte, shorter, altered_last_record, swapped, notes_first]


def first_verdict(*logs: Path) -> dict[str, object]:
    """What `p2pdurak verify` says of a log, or of two copies together."""
    done = run([*PLAYER, "verify", "--json", *map(str, logs)], environment(logs[0].parent))
    said: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return said


def second_verdict(second: Path, *logs: Path) -> dict[str, object]:
    """What the second verifier says."""
    done = run(["node", str(second / "verify.js"), "--json", *map(str, logs)])
    assert done.stderr == ""
    said: dict[str, object] = json.loads(done.stdout)
    return said


def agreed(first: dict[str, object], other: dict[str, object]) -> bool:
    """Whether both verifiers say the same word, accuse the same seat, and know the same end."""
    same = all(first[name] == other[name] for name in ("verdict", "accused", "record", "note"))
    result = other.get("result")
    return same and (not isinstance(result, dict) or first["end"] == result["end"])


def test_the_second_verifier_judges_every_vector_as_it_says(second: Path) -> None:
    done = run(["node", "--test"], cwd=second)
    assert done.returncode == 0, done.stdout[-5000:]
    assert "vectors.test.js" in done.stdout or "logs.json: " in done.stdout


def test_both_verifiers_find_a_fresh_game_right(second: Path, games: list[list[Path]]) -> None:
    for host, _ in games:
        first, other = first_verdict(host), second_verdict(second, host)
        assert first["verdict"] == "ok"
        assert agreed(first, other)


def test_both_verifiers_merge_two_copies_of_a_fresh_game(second: Path, games: list[list[Path]], tmp_path: Path) -> None:
    host, guest = games[1]
    torn = tmp_path / "torn.dlog"
    torn.write_bytes(cut(host.read_bytes(), random.Random(1)))
    first, other = first_verdict(torn, guest), second_verdict(second, torn, guest)
    assert first["verdict"] == other["verdict"] == "ok"


@pytest.mark.parametrize("damage", DAMAGES)
def test_both_verifiers_say_the_same_of_a_damaged_copy(
    second: Path, games: list[list[Path]], tmp_path: Path, damage: Damage
) -> None:
    dice = random.Random(damage.__name__)
    for number, (host, _) in enumerate(games):
        log = tmp_path / f"{number}.dlog"
        log.write_bytes(damage(host.read_bytes(), dice))
        first, other = first_verdict(log), second_verdict(second, log)
        assert agreed(first, other), f"{first} {other}"
