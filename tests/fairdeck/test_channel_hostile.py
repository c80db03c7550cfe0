"""Two channels on a hostile line, by seed: whatever happens, everything arrives once, in order, under fresh keys."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from fairdeck import sealing
from fairdeck.channel import Channel, Opened, PeerSynced, PostArrived, RecordArrived
from fairdeck.packets import PACKET_SIZES

SECRET = b"s" * 32


class WatchedCipher:
    """The real cipher, that writes down every key and nonce it encrypts with."""

    used: set[tuple[bytes, bytes]] = set()
    repeated: list[tuple[bytes, bytes]] = []

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.cipher = ChaCha20Poly1305(key)

    def encrypt(self, nonce: bytes, data: bytes, header: bytes) -> bytes:
        if (self.key, nonce) in self.used:
            self.repeated.append((self.key, nonce))
        self.used.add((self.key, nonce))
        return self.cipher.encrypt(nonce, data, header)

    def decrypt(self, nonce: bytes, data: bytes, header: bytes) -> bytes:
        return self.cipher.decrypt(nonce, data, header)


@pytest.fixture(autouse=True)
def no_key_and_nonce_is_used_twice(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sealing, "ChaCha20Poly1305", WatchedCipher)
    WatchedCipher.used.clear()
    WatchedCipher.repeated.clear()
    yield
    assert WatchedCipher.used
    assert WatchedCipher.repeated == []


@dataclass(frozen=True)
class Weather:
    """Chances for each packet, and seconds."""

    loss: float = 0.0
    double: float = 0.0
    delay_s: float = 0.05
    replay: float = 0.0
    forge: float = 0.0


@dataclass
class Player:
    """One end: a channel, a disk, and what the rules would do: seat n % 2 writes record n."""

    seat: int
    channel: Channel
    life: int = 0
    disk: list[bytes] = field(default_factory=list)
    synced: bool = False
    posts: dict[int, list[int]] = field(default_factory=dict)  # by life of the sender: numbers that arrived
    posts_sent: int = 0


class Table:
    """Two players, a line, a virtual clock, and faults."""

    def __init__(self, seed: int, weather: Weather, records: int) -> None:
        self.rng = random.Random(seed)
        self.weather = weather
        self.records = records
        self.now = 0.0
        self.cut_until_s = 0.0
        self.on_the_way: list[tuple[float, int, int, bytes]] = []
        self.history: list[bytes] = []
        self.queued = 0
        self.players = [Player(seat, self.new_channel(seat)) for seat in (0, 1)]
        for player in self.players:
            player.channel.open_game(1)
            player.channel.connect(0.0)

    def new_channel(self, seat: int) -> Channel:
        return Channel(SECRET, seat, self.rng.randbytes)

    # --- faults

    def restart(self, seat: int, lost: int = 0) -> None:
        """Kill one side and start it again, perhaps with a file that lacks the last records."""
        old = self.players[seat]
        disk = old.disk[: max(0, len(old.disk) - lost)]
        new = Player(seat, self.new_channel(seat), old.life + 1, disk)
        new.channel.open_game(1)
        for record in disk:
            new.channel.append(record, self.now)
        new.channel.connect(self.now)
        self.players[seat] = new

    def transmit(self, receiver: int, packet: bytes) -> None:
        assert len(packet) in PACKET_SIZES
        self.history.append(packet)
        if self.now < self.cut_until_s:
            return
        copies = (self.rng.random() >= self.weather.loss) + (self.rng.random() < self.weather.double)
        for _ in range(copies):
            self.put(receiver, packet)
        if self.rng.random() < self.weather.replay:  # anything ever sent, to anybody, also back to its sender
            self.put(self.rng.randrange(2), self.rng.choice(self.history))
        if self.rng.random() < self.weather.forge:
            forged = bytearray(self.rng.choice(self.history))
            forged[self.rng.randrange(len(forged))] ^= 1 << self.rng.randrange(8)
            self.put(self.rng.randrange(2), bytes(forged))

    def put(self, receiver: int, packet: bytes) -> None:
        self.queued += 1
        at_s = self.now + self.rng.uniform(0.001, self.weather.delay_s)
        heapq.heappush(self.on_the_way, (at_s, self.queued, receiver, packet))

    # --- the game

    def act(self, player: Player) -> None:
        channel = player.channel
        turn = len(player.disk) % 2 == player.seat and len(player.disk) < self.records
        if player.synced and turn and channel.peer_next <= len(player.disk):
            # Random bytes: signing twice for one place would be seen.
            record = b"%d:" % len(player.disk) + self.rng.randbytes(self.rng.choice([20, 400, 2000]))
            player.disk.append(record)
            channel.append(record, self.now)
            channel.post(player.life % 256, b"%d" % player.posts_sent, self.now)
            player.posts_sent += 1

    def receive(self, seat: int, packet: bytes) -> None:
        player = self.players[seat]
        for event in player.channel.receive(packet, self.now):
            match event:
                case RecordArrived(seq, record):
                    assert seq == len(player.disk), "out of order, twice, or another record for the place"
                    player.disk.append(record)
                    player.channel.append(record, self.now)
                case PostArrived(kind, body):
                    player.posts.setdefault(kind, []).append(int(body))
                case PeerSynced():
                    player.synced = True
                case Opened():
                    pass

    def step(self) -> None:
        """Go on to the next moment when something is due."""
        moments = [due for player in self.players if (due := player.channel.next_deadline()) is not None]
        if self.on_the_way:
            moments.append(self.on_the_way[0][0])
        self.now = max(self.now, min(moments))
        while self.on_the_way and self.on_the_way[0][0] <= self.now:
            _, _, receiver, packet = heapq.heappop(self.on_the_way)
            self.receive(receiver, packet)
        for player in self.players:
            player.channel.tick(self.now)
            self.act(player)
            for packet in player.channel.packets_to_send():
                self.transmit(1 - player.seat, packet)

    def run(self, seconds: float) -> None:
        end_s = self.now + seconds
        while self.now < end_s and not self.finished():
            self.step()

    def finished(self) -> bool:
        return all(len(player.disk) == self.records and player.channel.settled for player in self.players)

    def check(self) -> None:
        host, guest = self.players
        assert host.disk == guest.disk
        assert len(host.disk) == self.records
        for player in self.players:
            for numbers in player.posts.values():
                assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "in order and once"
            sender = self.players[1 - player.seat]
            got = player.posts.get(sender.life, [])
            if sender.life == player.life == 0:
                assert got == list(range(sender.posts_sent))


FAIR = Weather()
STORM = Weather(loss=0.3, double=0.3, delay_s=1.0, replay=0.3, forge=0.2)


@pytest.mark.parametrize("seed", range(12))
def test_everything_arrives_once_and_in_order_through_a_storm(seed: int) -> None:
    table = Table(seed, STORM, records=60)
    table.run(2000)
    table.check()


@pytest.mark.parametrize("loss", [0.5, 0.8])
def test_everything_arrives_although_most_is_lost(loss: float) -> None:
    table = Table(1, Weather(loss=loss), records=20)
    table.run(5000)
    table.check()


@pytest.mark.parametrize("seed", range(12))
def test_restarts_of_either_side_lose_and_double_nothing(seed: int) -> None:
    table = Table(seed, STORM, records=60)
    for _ in range(25):
        table.run(table.rng.choice([0.1, 2.0, 8.0]))
        table.restart(table.rng.randrange(2))
    table.run(2000)
    table.check()


@pytest.mark.parametrize("seed", range(2))
def test_fifty_kills_of_both_sides_in_one_game_repeat_no_key_with_a_nonce_and_lose_nothing(seed: int) -> None:
    table = Table(seed, STORM, records=60)
    for _ in range(50):
        table.run(table.rng.choice([0.1, 0.5, 2.0]))
        for seat in (0, 1):
            table.restart(seat)
    table.run(2000)
    table.check()
    sealed = [packet[:26] for packet in table.history if packet[0] == sealing.SEALED]
    assert len(set(sealed)) == len(sealed), "conversation, epoch, sender and counter name one packet"
    assert len({sealing.epoch_of(packet) for packet in sealed}) > 10


def test_two_processes_of_a_copied_folder_share_no_epoch_and_the_other_side_keeps_one_chain() -> None:
    table = Table(3, Weather(), records=40)
    table.run(5.0)
    original = table.players[0]
    for _ in range(10):  # they take turns on the line, as both call whenever they are connected
        copy = Player(0, table.new_channel(0), original.life, list(original.disk))
        copy.channel.open_game(1)
        for record in copy.disk:
            copy.channel.append(record, table.now)
        copy.channel.connect(table.now)
        table.players[0] = copy
        table.run(0.3)
        table.players[0] = original
        original.channel.connect(table.now)
        table.run(0.3)
    sealed = [packet[:26] for packet in table.history if packet[0] == sealing.SEALED]
    assert len(set(sealed)) == len(sealed)


def test_a_copy_that_has_not_heard_how_far_the_peer_is_takes_the_records_over_before_it_writes() -> None:
    table = Table(4, Weather(), records=40)
    old = list(table.players[0].disk)
    table.run(2.0)
    assert len(table.players[0].disk) > len(old) + 1
    held = list(table.players[1].disk)
    table.restart(0, lost=len(table.players[0].disk))
    table.run(2000)
    table.check()
    assert table.players[0].disk[: len(held)] == held


@pytest.mark.parametrize("seed", range(6))
def test_restarts_need_no_luck_with_replays(seed: int) -> None:
    table = Table(seed, Weather(loss=0.4, double=0.1, delay_s=0.3), records=60)
    for _ in range(25):
        table.run(table.rng.choice([0.1, 2.0, 8.0]))
        table.restart(table.rng.randrange(2))
    table.run(2000)
    table.check()


@pytest.mark.parametrize("seed", range(6))
def test_a_side_that_comes_back_with_an_older_file_is_served_what_it_lost(seed: int) -> None:
    table = Table(seed, STORM, records=60)
    for _ in range(10):
        table.run(10.0)
        seat = table.rng.randrange(2)
        # What only this side had is gone for both: then nobody can know that it signed twice.
        kept = len(table.players[1 - seat].disk)
        mine = len(table.players[seat].disk)
        table.restart(seat, lost=table.rng.randrange(30) if kept >= mine else 0)
    table.run(3000)
    table.check()


@pytest.mark.parametrize("seed", range(6))
def test_cut_lines_and_renewed_connections_lose_nothing(seed: int) -> None:
    table = Table(seed, STORM, records=60)
    for _ in range(25):
        table.run(table.rng.choice([0.05, 1.0, 4.0]))
        table.cut_until_s = table.now + table.rng.choice([0.0, 0.4, 6.0])
        for player in table.players:
            if table.rng.random() < 0.7:
                player.channel.connect(table.now)
    table.run(2000)
    table.check()


@pytest.mark.parametrize("seed", range(6))
def test_a_line_that_has_been_mad_works_within_seconds_once_it_is_fair(seed: int) -> None:
    table = Table(seed, STORM, records=100_000)
    for _ in range(30):
        table.run(table.rng.choice([0.05, 0.5, 1.0]))
        table.cut_until_s = table.now + table.rng.choice([0.0, 0.4])
        table.restart(table.rng.randrange(2))
    table.weather = FAIR
    table.on_the_way.clear()
    table.records = len(table.players[0].disk) + 10
    start_s = table.now
    table.run(100)
    table.check()
    assert table.now - start_s < 15


@pytest.mark.parametrize("seed", range(4))
def test_a_stranger_who_replays_everything_slows_a_game_and_does_not_stop_it(seed: int) -> None:
    table = Table(seed, Weather(), records=1000)
    for _ in range(20):  # twenty lives leave twenty old HELLOs behind
        table.run(1.0)
        table.restart(table.rng.randrange(2))
    table.run(1.0)
    table.weather = Weather(replay=0.5, forge=0.5)
    hellos = [packet for packet in table.history if packet[0] == sealing.HELLO]
    table.records = len(table.players[0].disk) + 50
    start_s = next_s = table.now
    while not table.finished() and table.now < start_s + 100:
        while next_s <= table.now:
            table.put(table.rng.randrange(2), table.rng.choice(hellos))
            next_s += 0.001
        table.step()
    table.check()
    assert table.now - start_s < 30


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_first_hellos_does_not_matter(seed: int) -> None:
    table = Table(seed, Weather(delay_s=5.0), records=10)
    for _ in range(10):
        table.run(1.0)
        for player in table.players:
            player.channel.connect(table.now)
    table.run(500)
    table.check()
