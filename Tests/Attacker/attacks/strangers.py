"""Somebody whom nobody knows, with as many keys as they like."""

import http.client
import os
import select
import socket
import subprocess
import threading
import time

from moot_client import messages
from moot_client.channel import ChannelEnded
from moot_client.encoding import number
from moot_client.node import Live, Node, wait_until
from moot_client.operations import direct_conversation
from moot_client.peer import Peer, survives_ping
from moot_client.people import Credentials, User
from moot_client.replica import Replica

from .world import MEGABYTE, attack

LIVE_GOAL = 2.0
"""Seconds, for a debug build: scripts/flood holds a release build to half a second."""


def slowness(live, what):
    if live.lost:
        return [f"{live.lost} of {len(live.began)} live messages did not come during {what}"]
    if live.quantile(0.99) > LIVE_GOAL:
        return [f"live messages took {live.quantile(0.99):.1f} s during {what}, and the nodes {live.processor:.1f} s of processor"]
    return []


def crowded(world, users, source=lambda index: None):
    """Connects users to Alice as they come, from hosts that `source` names. Returns the connections that were let in."""
    peers = []
    for index, user in enumerate(users):
        try:
            peers.append(world.connect(world.alice, user, user.devices[-1], source=source(index)))
        except ChannelEnded:
            pass
    return peers


def staying(world, peers, tried):
    """How many connections stay."""
    kept = sum(peer.is_connected for peer in peers)
    world.note(f"{kept} of {tried} stay, {world.alice.descriptors()} descriptors")
    return kept


@attack("H5b, 9", people=0, disk=2 * MEGABYTE)
def hellos_with_newer_cards(world):
    """A stranger shows 2,000 ever newer cards on one connection."""
    user = User("Chameleon")
    peer = world.connect(world.alice, user)
    hellos = []
    for version in range(2, 2_002):
        user.card_version = version
        hellos.append(messages.hello(user.introduction()))
    with Live(world.alice, world.bob, world.ship) as live:
        try:
            peer.send(*hellos)
        except ChannelEnded:
            world.note("the connection ended")
        time.sleep(5)
    peer.close()
    return slowness(live, "hellos")


@attack("H5c", people=0, disk=2 * MEGABYTE)
def many_strangers(world):
    """A hundred strangers say hello and go."""
    for index in range(100):
        try:
            peer = world.connect(world.alice, User(f"Stranger {index}"))
            peer.close()
        except ChannelEnded:
            world.note(f"refused at {index}")
            break
    wait_until(lambda: len(world.alice.people()) <= 1, 5)


@attack("H5d, 7", people=0)
def many_connections(world):
    """Four hundred strangers connect and stay."""
    with Live(world.alice, world.bob, world.ship) as live:
        peers = crowded(world, (User(f"Squatter {index}") for index in range(400)))
        time.sleep(2)
    kept = staying(world, peers, 400)
    harms = slowness(live, "connections")
    try:
        world.alice.ask("GET", "/status")
    except (OSError, http.client.HTTPException):
        harms.append("the local API does not answer")
    if kept > 256:
        harms.append(f"{kept} strangers are connected at once")
    for peer in peers:
        peer.close()
    wait_until(lambda: len(world.alice.people()) <= 1, 10)
    return harms


@attack("H5d")
def half_open_connections(world):
    """Three hundred connections that never say a word."""
    streams = []
    with Live(world.alice, world.bob, world.ship) as live:
        for _ in range(300):
            stream = socket.socket()
            stream.settimeout(1)
            try:
                stream.connect(world.alice.address)
                streams.append(stream)
            except OSError:
                stream.close()
        time.sleep(4)
    for stream in streams:
        stream.close()
    return slowness(live, "half-open connections")


@attack("H6a, 5", people=0)
def many_announces(world):
    """A stranger announces 4,000 groups that do not exist."""
    peer = world.connect(world.alice, User("Herald"))
    with Live(world.alice, world.bob, world.ship) as live:
        try:
            peer.send(*(messages.announce_group(os.urandom(32)) for _ in range(4_000)))
        except ChannelEnded:
            world.note("the connection ended")
        time.sleep(8)
    harms = slowness(live, "announces")
    peer.close()
    wait_until(lambda: False, 2)
    kept = len(world.alice.ask("GET", "/status", timeout=60)["conversations"])
    if kept > 10:
        harms.append(f"{kept} conversations stay in the status")
    return harms


@attack("H6b", people=0)
def direct_conversations_of_others(world):
    """A stranger announces direct conversations between Alice and people who do not exist, and their own."""
    user = User("Matchmaker")
    peer = world.connect(world.alice, user)
    before = len(world.alice.conversations())
    for _ in range(200):
        other = User().id
        peer.send(messages.announce_direct(direct_conversation(world.alice.user, other), world.alice.user, other))
    wait_until(lambda: False, 2)
    after = len(world.alice.conversations())
    peer.close()
    if after > before + 1:
        return [f"Alice lists {after - before} conversations more"]


@attack("bans", people=0)
def unknown_is_no_offense(world):
    """Whoever sends a message of a kind that is not there yet, or a surprise out of order, is not refused afterwards."""
    place = messages.slot(3, 1)
    surprises = {
        "an unknown kind": bytes([200]) + os.urandom(50),
        "a done for nothing": messages.done(place),
        "a pong for nothing": messages.pong(7),
        "a chunk for nothing": messages.chunk(os.urandom(32), number(0) + os.urandom(80)),
        "bodies for nothing": messages.bodies(place, {os.urandom(32): b"body"}),
        "a batch for nothing": messages.batch(place, True, b"anything"),
        "a refusal for nothing": messages.refusal(os.urandom(32), 0),
    }
    harms = []
    for name, message in surprises.items():
        user = User("Newer version")
        peer = world.connect(world.alice, user)
        peer.send(message)
        peer.wait(lambda p=peer: not p.is_connected, 0.7)
        peer.close()
        if not survives_ping(world.alice.address, user):
            harms.append(f"{name} is an offense")
    return harms


class Traps:
    """Ports on which somebody listens and says nothing, and who came."""

    def __init__(self, count, host="127.0.0.1"):
        self.streams = []
        for _ in range(count):
            stream = socket.socket()
            stream.setblocking(False)
            stream.bind((host, 0))
            stream.listen(16)
            self.streams.append(stream)
        self.places = ["%s:%d" % stream.getsockname() for stream in self.streams]
        self.caught = []

    def watch(self, seconds):
        """The most connections that were open at once."""
        most, end = 0, time.monotonic() + seconds
        while time.monotonic() < end:
            for stream in select.select(self.streams, [], [], 0.05)[0]:
                try:
                    self.caught.append(stream.accept()[0])
                except OSError:
                    pass
            still = []
            for connection in self.caught:
                connection.setblocking(False)
                try:
                    if connection.recv(4_096, socket.MSG_PEEK) == b"":
                        connection.close()
                        continue
                except BlockingIOError:
                    pass
                except OSError:
                    connection.close()
                    continue
                still.append(connection)
            self.caught = still
            most = max(most, len(still))
        return most

    def close(self):
        for stream in self.streams + self.caught:
            stream.close()


@attack("H8c, 8", people=0)
def dials_to_places_of_his_choice(world):
    """A stranger tells of 400 places, and counts how many are dialed at once."""
    peer = world.connect(world.alice, User("Guide"))
    traps = Traps(400)
    for at in range(0, 400, 50):
        peer.send(messages.addresses([(os.urandom(32), place) for place in traps.places[at : at + 50]]))
    most = traps.watch(5)
    traps.close()
    peer.close()
    world.note(f"{most} at once")
    if most > 16:
        return [f"{most} places are dialed at once"]


@attack("H8c", people=0)
def names_to_look_up(world):
    """A stranger tells of places by names, which somebody would have to look up."""
    peer = world.connect(world.alice, User("Guide"))
    trap = Traps(1)
    port = trap.places[0].split(":")[1]
    peer.send(messages.addresses([(os.urandom(32), f"localhost:{port}")]))
    came = trap.watch(4)
    trap.close()
    if came:
        return ["a name that a stranger told is looked up and dialed"]


def _meet_through_bob(world, prepare):
    """Whether Alice and Carol, who know of each other through Bob, come together although a stranger was there first."""
    world.bob.stop()
    carol = Node(world.moot, world.folder / "carol", "Carol", [world.bob.place])
    try:
        guides = [world.connect(node, User("Guide")) for node in (world.alice, carol)]
        prepare(guides[0], carol.place)
        prepare(guides[1], world.alice.place)
        wait_until(lambda: False, 1)
        world.bob.start()
        return wait_until(lambda: carol.user in world.alice.peer_users(), 45)
    finally:
        carol.stop()


@attack("H8a", people=1)
def places_filled(world):
    """A stranger fills the places that are known, so that a newcomer is not dialed."""

    def prepare(guide, _):
        for _ in range(32):
            guide.send(messages.addresses([(os.urandom(32), f"127.0.0.1:{free}") for free in range(2, 66)]))
        for high in range(2, 34):
            guide.send(messages.addresses([(os.urandom(32), f"127.0.{high}.{low}:9") for low in range(1, 65)]))

    if not _meet_through_bob(world, prepare):
        return ["Alice and Carol do not meet"]


@attack("H8b", people=1)
def places_mislabeled(world):
    """A stranger says first that another device is at an honest node's place."""

    def prepare(guide, place):
        guide.send(messages.addresses([(os.urandom(32), place)]))

    if not _meet_through_bob(world, prepare):
        return ["Alice and Carol do not meet"]


@attack("10, M10", people=1, memory=64 * MEGABYTE)
def groups_of_a_stranger(world):
    """A stranger makes 1,000 groups with Alice in them."""
    user = User("Founder")
    peer = world.connect(world.alice, user)
    groups = [Replica.found(user, peer.credentials) for _ in range(1_000)]
    processor = world.alice.processor_seconds()
    with Live(world.alice, world.bob, world.ship) as live:
        try:
            for group in groups:
                peer.send(messages.announce_group(group.conversation))
                group.push(peer, group.order)
        except ChannelEnded:
            world.note("the connection ended")
        time.sleep(10)
    world.note(f"{world.alice.processor_seconds() - processor:.0f} s of processor")
    peer.close()
    harms = slowness(live, "groups")
    listed = len(world.alice.conversations()) + len(world.alice.ask("GET", "/conversations?requests=true"))
    world.note(f"{listed} conversations listed")
    if listed > 300:
        harms.append(f"Alice lists {listed} conversations")
    return harms


@attack("12", people=0)
def names_with_marks(world):
    """A stranger's name holds marks that turn or hide text; the terminal must not get them."""
    marks = "\u200f\u200e\u202e\u2066\u061c\u200b\ufeff\u00ad"
    peers = [world.connect(world.alice, User(f"Ann{mark}e")) for mark in marks]
    wait_until(lambda: False, 1)
    environment = {key: value for key, value in os.environ.items() if key != "XDG_RUNTIME_DIR"}
    command = [world.moot, "people", "--home", str(world.alice.home)]
    printed = subprocess.run(command, env=environment, capture_output=True, timeout=30).stdout.decode()
    for peer in peers:
        peer.close()
    found = [f"U+{ord(mark):04X}" for mark in marks if mark in printed]
    wait_until(lambda: len(world.alice.people()) <= 1, 5)
    if found:
        return [f"the terminal gets {', '.join(found)}"]


@attack("H5a", people=0)
def hellos_at_line_speed(world):
    """A stranger repeats their hello as fast as the line takes it, for five seconds."""
    user = User("Parrot", devices=8)
    peer = world.connect(world.alice, user)
    hello = messages.hello(user.introduction())
    before, most, sent = world.alice.private_memory(), 0, 0
    with Live(world.alice, world.bob, world.ship) as live:
        end = time.monotonic() + 5
        try:
            while time.monotonic() < end:
                peer.send(*([hello] * 50))
                sent += 50
                most = max(most, world.alice.private_memory() - before)
        except ChannelEnded:
            world.note("the connection ended")
    peer.close()
    world.note(f"{sent} hellos, memory + {most // MEGABYTE} MiB")
    return slowness(live, "hellos") + ([f"memory grew by {most // MEGABYTE} MiB"] if most > 64 * MEGABYTE else [])


@attack("channel", people=0)
def frames_of_every_kind(world):
    """Frames and messages that nobody knows, empty ones, cut ones, and messages just above the limit."""
    cases = {
        "unknown frame": lambda peer: peer.channel.send_raw(b"\x42" + bytes(10)),
        "unknown message": lambda peer: peer.send(bytes([200]) + os.urandom(50)),
        "empty message": lambda peer: peer.send(b""),
        "empty frame": lambda peer: peer.channel.send_raw(b""),
        "too long": lambda peer: peer.send(bytes([messages.TAGS]) + bytes((4 << 20) + 1)),
        "huge count": lambda peer: peer.send(bytes([messages.TAGS]) + number((1 << 64) - 1)),
        "huge slot": lambda peer: peer.send(bytes([messages.STATUS]) + number((1 << 64) - 1) + b"\1" + bytes(8)),
        "huge credit": lambda peer: peer.send(*([messages.credit((1 << 64) - 1)] * 3)),
        "huge ping": lambda peer: peer.send(messages.ping((1 << 64) - 1)),
        "rekey": lambda peer: peer.channel.send_raw(b"\x02"),
        "noise": lambda peer: peer.send(*(bytes([kind]) + os.urandom(100) for kind in range(1, 30))),
        "close": lambda peer: peer.channel.send_raw(b"\x03"),
    }
    for name, send in cases.items():
        try:
            peer = Peer(world.alice.address, User(name)).greeted()
            send(peer)
            peer.wait(lambda p=peer: not p.is_connected, 0.5)
            peer.close()
        except ChannelEnded as error:
            world.note(f"{name}: {error}")
        if not world.alice.is_alive:
            return [f"dead by {name}"]


def dials_in(world, timeout=25):
    """Whether Bob, who starts now, comes to Alice."""
    world.bob.restart()
    return wait_until(lambda: world.bob.user in world.alice.peer_users(), timeout)


@attack("beyond")
def handshakes_held(world):
    """From 60 addresses of the network somebody begins handshakes and never goes on; a member has to get in all the same."""
    is_over = threading.Event()

    def hold(host):
        while not is_over.is_set():
            stream = socket.socket()
            stream.settimeout(1)
            try:
                stream.bind((host, 0))
                stream.connect(world.alice.address)
                stream.sendall(b"\0\x20" + os.urandom(32))
                while not is_over.is_set() and stream.recv(4_096):
                    pass
            except OSError:
                pass
            finally:
                stream.close()

    threads = [threading.Thread(target=hold, args=(f"127.0.1.{last}",), daemon=True) for last in range(1, 61)]
    for thread in threads:
        thread.start()
    wait_until(lambda: False, 1)
    came = dials_in(world)
    is_over.set()
    for thread in threads:
        thread.join(3)
    if not came:
        return ["Bob does not get in"]


@attack("beyond", people=0)
def seats_taken(world):
    """From 200 addresses of the network strangers take every seat there is; a member has to get in all the same."""
    peers = crowded(world, (User("Squatter") for _ in range(400)), lambda index: f"127.0.2.{1 + index // 2}")
    kept = staying(world, peers, 400)
    came = dials_in(world)
    for peer in peers:
        peer.close()
    wait_until(lambda: len(world.alice.people()) <= 2, 10)
    return ([] if came else ["Bob does not get in"]) + ([f"{kept} strangers are connected at once"] if kept > 256 else [])


@attack("beyond", people=520)
def seats_taken_by_made_up_members(world):
    """Two groups of 230 made-up people have Alice in them, so that all share something with them, and all of them connect."""
    halves = [[User(f"Straw {half} {index}") for index in range(230)] for half in range(2)]
    founders = [world.connect(world.alice, people[0], source=f"127.0.{3 + half}.1") for half, people in enumerate(halves)]
    peers = list(founders)
    with Live(world.alice, world.bob, world.ship) as live:
        for half, (people, founder) in enumerate(zip(halves, founders, strict=True)):
            group = Replica.found(people[0], founder.credentials, *(Credentials(one.credentials) for one in people[1:]))
            founder.send(messages.announce_group(group.conversation))
            group.push(founder, group.order)
            wait_until(lambda: False, 1)
            peers += crowded(world, people[1:], lambda index, half=half: f"127.0.{3 + half}.{2 + index}")
        time.sleep(2)
    kept = staying(world, peers, 460)
    came = dials_in(world, 90)
    for peer in peers:
        peer.close()
    harms = slowness(live, "made-up members") + ([] if came else ["Bob does not get in"])
    return harms + ([f"{kept} made-up people are connected at once"] if kept > 64 else [])


class Bait:
    """A place that counts who calls."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port, self.calls = self.socket.getsockname()[1], 0
        threading.Thread(target=self._count, daemon=True).start()

    def _count(self):
        try:
            while True:
                self.socket.accept()[0].close()
                self.calls += 1
        except OSError:
            pass

    def close(self):
        self.socket.close()


@attack("beyond")
def calls_for_a_stranger(world):
    """A stranger asks a hundred times to be dialed back."""
    bait = Bait()
    peer = world.connect(world.alice, User("Caller"), port=bait.port)
    peer.send(*(messages.reachability_wanted(number) for number in range(100)))
    time.sleep(2)
    # Bob hears of the place, and looks for them there a few times, as for anybody.
    called, answers = bait.calls, peer.of_kind(messages.REACHABILITY)
    world.note(f"{called} calls, {len(answers)} answers")
    peer.close()
    bait.close()
    return ([f"{called} calls"] if called > 10 else []) + ([f"{len(answers)} answers"] if answers else [])


@attack("beyond")
def calls_for_a_member(world):
    """A member has their own host scanned: they name a new port and ask, again and again."""
    baits = [Bait() for _ in range(20)]
    user, _, to_alice, _ = world.member()
    # The budget of hellos is smaller than that.
    for number, bait in enumerate(baits):
        to_alice.send(messages.hello(user.introduction(), bait.port), messages.reachability_wanted(number))
    time.sleep(2)
    called = sum(bait.calls for bait in baits)
    answers = to_alice.of_kind(messages.REACHABILITY)
    world.note(f"{called} calls, {len(answers)} answers")
    for bait in baits:
        bait.close()
    # Whoever is never answered has nobody scanned either.
    return ([f"{called} calls within two seconds"] if called > 1 else []) + ([] if answers else ["no answer to a member"])
