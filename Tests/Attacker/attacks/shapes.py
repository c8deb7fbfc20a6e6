"""A member, or a stranger with a group of their own, writes what is allowed and odd: extremes, loops, thousands of one thing."""

import os
import random
import threading
import time

from moot_client import bodies, messages
from moot_client.channel import ChannelEnded
from moot_client.encoding import listed, number, text
from moot_client.node import Live, Refused, wait_until
from moot_client.operations import (
    ADD,
    COMPLAINT,
    CONTENT,
    DELETE,
    DEVICE,
    EDIT,
    EPOCH,
    FILE,
    LEAVE,
    MEMBERSHIP,
    MERGE,
    MESSAGE,
    PIN,
    PROMOTE,
    REACTION,
    REMOVE,
    SET,
    WRAP,
    direct_conversation,
    encode_batch,
)
from moot_client.people import Credentials, Device, User, now
from moot_client.peer import Peer, survives_ping
from moot_client.replica import Replica

from .lists import beyond_limits, is_held, pushed
from .strangers import Traps, crowded, dials_in, slowness, staying
from .world import MEGABYTE, attack

FIRST_TIME, LAST_TIME = 946_684_800_000, 4_102_444_800_000


class Founder:
    """Mallory, founder of the group Trap with Alice, Bob and made-up people in it."""

    def __init__(self, world, others=(), devices=1):
        self.user = User("Mallory", devices)
        self.to_alice, self.to_bob = world.connect(world.alice, self.user), world.connect(world.bob, self.user)
        self.replica = Replica.found(self.user, self.to_alice.credentials, self.to_bob.credentials, *others)
        self.creation = self.replica.order[0]
        self.authority = bodies.grant(self.creation.id, 0)
        self.name = self.replica.conversation.hex()
        for peer in (self.to_alice, self.to_bob):
            peer.send(messages.announce_group(self.replica.conversation))
            self.replica.push(peer, self.replica.order)
        wait_until(lambda: self.name in {one["id"] for one in world.alice.conversations()})
        wait_until(lambda: self.name in {one["id"] for one in world.bob.conversations()})

    def push(self, operations, size=2_000):
        for peer in (self.to_alice, self.to_bob):
            pushed(self.replica, peer, operations, size=size)

    def write(self, kind, body, **fields):
        return self.replica.write(self.user, kind, body, **fields)


def written_to_both(world, replica, peers, operations, what, size=4_096, seconds=5, conversation=None):
    """Pushes operations to both nodes while they exchange live messages, and says whether those were slow."""
    with Live(world.alice, world.bob, conversation or world.ship) as live:
        for peer in peers:
            pushed(replica, peer, operations, size=size)
        time.sleep(seconds)
    return slowness(live, what)


def identified(user):
    """The credentials of a made-up user, in the form that `Replica.found` takes."""
    return Credentials(user.credentials)


@attack("beyond", people=600)
def ratify_of_many_bans(world):
    """A founder removes 300 made-up people and leaves: the admin who remains has more to ratify than a body holds."""
    founder = Founder(world)
    replica, user = founder.replica, founder.user
    alice = world.alice.user
    written = [founder.write(PROMOTE, bodies.promote(founder.authority, alice, bodies.ADMIN))]
    for _ in range(2):
        people = [User("Straw") for _ in range(200)]
        written.append(founder.write(ADD, bodies.add(founder.authority, [one.credentials for one in people])))
        written += [founder.write(REMOVE, bodies.remove(founder.authority, one.id)) for one in people]
    written.append(founder.write(LEAVE, bodies.pins([])))
    founder.push(written, size=300)
    is_held(world.alice, replica, 30)
    wait_until(lambda: not world.alice.is_alive, 5)
    lane = world.alice.ask("GET", f"/conversations/{founder.name}/membership")
    ratified = [entry["sentence"][:80] for entry in lane if entry["type"] == "ratify"]
    world.note(f"{len(lane)} membership operations, {len(ratified)} of them ratify {ratified[:1]}")
    return beyond_limits(world.connect(world.alice, user), world.alice)


@attack("beyond", people=600)
def many_heads(world):
    """A member writes 3,000 concurrent membership operations: whoever writes next has to name them all."""
    user, replica, to_alice, _ = world.member()
    start = set(replica.heads[MEMBERSHIP])
    tip = sorted(replica.tips[MEMBERSHIP].get(user.device.id, ()))
    previous = tip[-1] if tip else None
    written = []
    for index in range(3_000):
        replica.heads[MEMBERSHIP] = set(start)
        written.append(replica.write(user, MERGE, b"", previous=previous, time=now() + index))
    pushed(replica, to_alice, written, size=400)
    is_held(world.alice, replica, 60)
    deck = replica.conversation.hex()
    began = time.monotonic()
    try:
        world.alice.ask("PATCH", f"/conversations/{deck}", {"name": "Deck two"}, timeout=60)
        world.alice.say(deck, "After the heads", timeout=60)
    except (OSError, Refused) as error:
        return [f"Alice cannot write: {error}"]
    took = time.monotonic() - began
    world.note(f"writing took {took:.1f} s")
    return beyond_limits(to_alice, world.alice)


@attack("H4", memory=160 * MEGABYTE)
def epochs_that_do_not_open(world):
    """A member writes 8,000 epochs whose wraps are noise: each makes every reader complain."""
    user, replica, to_alice, to_bob = world.member()
    heads, readers = sorted(replica.heads[MEMBERSHIP]), replica.readers()
    view = bodies.view_id(replica.conversation, readers)
    written = [
        replica.write(user, EPOCH, view + os.urandom(32) + listed(os.urandom(80) for _ in readers), CONTENT, heads=heads)
        for _ in range(8_000)
    ]
    held = len(replica.order)
    harms = written_to_both(world, replica, (to_alice, to_bob), written, "complaints", seconds=25)
    deck = [one for one in world.alice.ask("GET", "/status")["conversations"] if one["conversation"] == replica.conversation.hex()]
    world.note(f"{deck[0]['operations'] - held} operations in answer to 8,000")
    return harms + beyond_limits(to_alice, world.alice) + beyond_limits(to_bob, world.bob)


@attack("beyond")
def extremes_of_time(world):
    """A member's operations claim the first and the last moment that there is."""
    user, replica, to_alice, to_bob = world.member()
    epoch = replica.make_epoch(user, time=LAST_TIME)
    written = [epoch] + [replica.say(user, f"at {when}", epoch, time=when) for when in (LAST_TIME, FIRST_TIME, LAST_TIME)]
    written += [replica.say(user, "on and on", epoch, time=LAST_TIME) for _ in range(50)]
    for peer in (to_alice, to_bob):
        replica.push(peer, written)
    wait_until(lambda: f"at {FIRST_TIME}" in world.bob.texts(replica.conversation.hex()), 10)


@attack("beyond", people=100)
def numbers_at_their_ends(world):
    """Runs, references, times and sequence numbers at the ends of what a number holds."""
    user, replica, to_alice, _ = world.member()
    heads = sorted(replica.heads[MEMBERSHIP])
    device = user.device
    ends = [0, 1, (1 << 31) - 1, 1 << 32, (1 << 54) - 1, 1 << 54, (1 << 63) - 1, 1 << 63, (1 << 64) - 2, (1 << 64) - 1]
    bans = 0

    def batch_of(base=0, run=0, kind=MESSAGE, shift=2 * now(), reference=None, length=0, head_list=0, flags=3):
        entry = bytes([flags]) + number(run) + number(kind) + number(shift)
        entry += listed([] if reference is None else [number(reference)]) + number(head_list)
        entry += number(length) + os.urandom(64)
        runs = listed([user.id + device.key.public + number(base) + (os.urandom(32) if base else b"")])
        return bytes([CONTENT]) + runs + listed([]) + listed([listed(heads)]) + listed([entry])

    cases = [{name: end} for end in ends for name in ("base", "run", "kind", "shift", "reference", "length", "head_list")]
    for case in cases:
        try:
            peer = Peer(world.alice.address, User("Ender")).greeted(3)
        except ChannelEnded:
            bans += 1
            continue
        group = Replica.found(peer.user, peer.credentials)
        peer.send(messages.announce_group(group.conversation))
        place = messages.slot(peer.show(group.conversation), CONTENT)
        peer.send(messages.batch(place, False, batch_of(**case)))
        peer.wait(lambda p=peer: not p.is_connected, 0.2)
        peer.close()
        if not world.alice.is_alive:
            return [f"dead by {case}"]
    if bans:
        world.note(f"{bans} of {len(cases)} could not be tried")
    # Correctly signed ones: a chain that begins far up waits for what is before it.
    for sequence in ((1 << 54) - 1, 1 << 54, (1 << 54) + 1, (1 << 64) - 1):
        operation = replica.write(user, MESSAGE, b"", CONTENT, dependencies=[], previous=(sequence - 1, os.urandom(32)))
        try:
            replica.push(world.connect(world.alice, user), [operation])
        except ChannelEnded:
            world.note(f"refused at sequence number {sequence}")
            break
        wait_until(lambda: not world.alice.is_alive, 0.5)
    return None


@attack("beyond", people=300)
def mutations(world):
    """Messages of every kind with bits turned, pieces cut out, doubled and put elsewhere, from 300 strangers with groups."""
    generator = random.Random(20_261_122)
    for _ in range(300):
        user = User("Mutant")
        try:
            peer = Peer(world.alice.address, user).greeted(3)
        except ChannelEnded:
            wait_until(lambda: False, 0.2)
            continue
        group = Replica.found(user, peer.credentials)
        epoch = group.make_epoch(user)
        group.say(user, "Hello", epoch)
        place = messages.slot(peer.show(group.conversation), CONTENT)
        seeds = [
            messages.batch(messages.slot(0, MEMBERSHIP), False, encode_batch(group.order[:2])),
            messages.batch(place, False, encode_batch(group.order[2:])),
            messages.hello(user.introduction()),
            messages.chains(place, True, group.tips[CONTENT]),
            messages.want(place, {user.device.id: 0, peer.credentials.user: [os.urandom(32)]}),
            messages.receipts(place, [bodies.receipt(user, user.device, group.conversation, now(), now(), [(os.urandom(32), 3, 1)])]),
            messages.typing(place, bodies.typing_signal(user, user.device, group.conversation, epoch.id, bytes(32), bytes(16), 1, now())),
            messages.proof(os.urandom(8), os.urandom(32), os.urandom(64)),
            messages.addresses([(os.urandom(32), "127.0.0.1:9")]),
            messages.receipt_versions(place, {os.urandom(32): (1, bytes(8))}),
            messages.bodies(place, {epoch.id: epoch.body}),
            messages.blob_held(os.urandom(32), b"\xff"),
            messages.chunks_wanted(os.urandom(32), [0, 1, 2]),
            messages.chunk(os.urandom(32), number(0) + os.urandom(100)),
            messages.frontier(place, True, bytes(8), bytes(8), [1, 2]),
        ]
        try:
            peer.send(messages.announce_group(group.conversation), seeds[0])
            mutated = bytearray(generator.choice(seeds))
            for _ in range(generator.randint(1, 3)):
                at, way = generator.randrange(1, len(mutated)), generator.randrange(5)
                if way == 0:
                    mutated[at] ^= 1 << generator.randrange(8)
                elif way == 1:
                    del mutated[at : at + generator.randint(1, 40)]
                elif way == 2:
                    mutated[at:at] = number(generator.choice([1 << 14, 1 << 32, (1 << 63) - 1, (1 << 64) - 1]))
                elif way == 3:
                    mutated[at:at] = mutated[at : at + generator.randint(1, 80)]
                else:
                    mutated[at : at + 1] = bytes([generator.choice([0, 1, 0x7F, 0x80, 0xFF])])
                if len(mutated) < 2:
                    mutated = bytearray(2)
            peer.send(bytes(mutated))
            peer.send(messages.ping(1))
            peer.wait(lambda p=peer: not p.is_connected or p.counts[messages.PONG], 0.5)
        except ChannelEnded:
            pass
        peer.close()
        if not world.alice.is_alive:
            return [f"dead by {bytes(mutated).hex()[:400]}"]
    return None


@attack("beyond", people=600, memory=96 * MEGABYTE)
def people_who_do_not_exist(world):
    """A founder adds made-up people, 250 at a time, to twenty groups that Alice is in: whom does Alice list?"""
    user = User("Mallory")
    peer = world.connect(world.alice, user)
    with Live(world.alice, world.bob, world.ship) as live:
        for _ in range(20):
            others = [User("Straw") for _ in range(250)]
            group = Replica.found(user, peer.credentials, *map(identified, others))
            try:
                peer.send(messages.announce_group(group.conversation))
                group.push(peer, group.order)
            except ChannelEnded:
                break
        time.sleep(5)
    world.note(f"{len(world.alice.people())} people listed")
    return slowness(live, "people added")


@attack("beyond")
def thousands_of_annotations(world):
    """A member edits, pins, reacts to and hangs files on one message 1,000 times each."""
    user, replica, to_alice, to_bob = world.member()
    epoch = replica.make_epoch(user)
    target = replica.say(user, "The target", epoch)
    key = replica.epochs[epoch.id]
    written = [epoch, target]

    def annotate(kind, body):
        written.append(replica.write(user, kind, target.id + body, CONTENT, seal_with=key, epoch=epoch.id, dependencies=[]))

    for index in range(1_000):
        annotate(EDIT, listed([]) + text(f"Version {index}"))
        annotate(REACTION, b"\1" + text(chr(0x1F300 + index % 500)))
        annotate(PIN, bytes([index & 1]))
        annotate(FILE, text(f"{index}.txt") + os.urandom(32) + number(100 << 20) + os.urandom(32) + text("text/plain") + b"\0")
    written.append(replica.write(user, EDIT, written[5].id + listed([]) + text("edit of an edit"), CONTENT, seal_with=key, epoch=epoch.id))
    written.append(replica.write(user, DELETE, written[-1].id, CONTENT, seal_with=key, epoch=epoch.id))
    harms = written_to_both(world, replica, (to_alice, to_bob), written, "annotations", size=2_000)
    began = time.monotonic()
    world.alice.ask("GET", f"/conversations/{replica.conversation.hex()}/messages?limit=100")
    world.note(f"a page takes {time.monotonic() - began:.2f} s")
    return harms


@attack("beyond")
def settings_without_end(world):
    """A founder sets 3,000 fields, and calls their group what no terminal should get."""
    founder = Founder(world)
    written = [founder.write(SET, bodies.setting(founder.authority, f"field {index}", "v" * 1_000)) for index in range(3_000)]
    for name in ("\x1b[31mred\x1b]0;title\x07", "\u202eevil\u200f", "x" * 4_096, " ", "\0", "a\nb", "", "e\u0301" * 2_000):
        written.append(founder.write(SET, bodies.setting(founder.authority, "name", name)))
        written.append(founder.write(SET, bodies.setting(founder.authority, "description", name)))
        written.append(founder.write(SET, bodies.setting(founder.authority, "photo", name)))
    world.watched.append(founder.name)
    return written_to_both(world, founder.replica, (founder.to_alice, founder.to_bob), written, "settings", size=2_000)


@attack("beyond")
def odd_bodies(world):
    """Content bodies that are cut, empty, too long inside, or about things that are not there."""
    user, replica, to_alice, to_bob = world.member()
    epoch = replica.make_epoch(user)
    key, written = replica.epochs[epoch.id], [epoch]
    inner = [b"", b"\0", b"\xff", b"\2" + listed([]), b"\1" + bytes(31), b"\0" + number(1 << 63), b"\0" + text("x" * 16_385)]
    for kind in (MESSAGE, EDIT, DELETE, REACTION, PIN, FILE, 41, 200, 1 << 40):
        for body in inner:
            written.append(replica.write(user, kind, body, CONTENT, seal_with=key, epoch=epoch.id))
    for kind in (EPOCH, COMPLAINT, WRAP):
        for body in (b"", os.urandom(16), os.urandom(64) + number(512), os.urandom(64) + number(1 << 62), bytes(65_536)):
            for named in (None, epoch.id, written[1].id, replica.order[0].id):
                if named != replica.order[0].id:
                    written.append(replica.write(user, kind, body, CONTENT, epoch=named))
    # An epoch that names itself cannot be made; one that names a message, and a message that names a complaint, can.
    complaint = replica.write(user, COMPLAINT, b"", CONTENT, epoch=epoch.id)
    written += [complaint, replica.write(user, MESSAGE, b"", CONTENT, epoch=complaint.id)]
    for peer in (to_alice, to_bob):
        pushed(replica, peer, written)
    if not is_held(world.alice, replica, 15):
        world.note("not all of it is held")


@attack("beyond")
def wraps_for_everybody(world):
    """A member wraps keys for devices that are not there, to keys that are none, thousands of times."""
    user, replica, to_alice, to_bob = world.member()
    epoch = replica.make_epoch(user)
    written = [epoch]
    for index in range(3_000):
        device = world.alice.device if index % 2 else os.urandom(32)
        written.append(replica.write(user, WRAP, device + os.urandom(32) + os.urandom(80), CONTENT, epoch=epoch.id, dependencies=[]))
    return written_to_both(world, replica, (to_alice, to_bob), written, "wraps", conversation=replica.conversation.hex())


@attack("beyond", memory=48 * MEGABYTE, people=0)
def halves_of_messages(world):
    """Forty strangers each send the first 4 MiB of a live and of a bulk message, and never end them."""
    before, peers = world.alice.private_memory(), []
    chunk = os.urandom(16_384)
    for index in range(40):
        try:
            peer = world.connect(world.alice, User(f"Half {index}"))
            for _ in range(255):
                peer.channel.send_raw(b"\x01" + chunk)
                peer.channel.send_raw(b"\x11" + chunk)
            peers.append(peer)
        except ChannelEnded:
            world.note(f"refused at {index}")
            break
    time.sleep(1)
    grown = world.alice.private_memory() - before
    world.note(f"memory + {grown // MEGABYTE} MiB by {len(peers)}")
    for peer in peers:
        peer.close()
    if grown > 48 * MEGABYTE:
        return [f"memory grows by {grown // MEGABYTE} MiB"]


@attack("beyond")
def unfinished_messages_of_others(world):
    """Strangers begin long messages again and again while Alice fetches 24 MiB of Bob: their connection has to stay."""
    user, replica, _, to_bob = world.member()
    world.alice.stop()
    epoch = replica.make_epoch(user)
    written = [epoch] + [replica.write(user, MESSAGE, os.urandom(60_000), CONTENT, epoch=epoch.id) for _ in range(400)]
    pushed(replica, to_bob, written, size=50)
    if not is_held(world.bob, replica, 30):
        world.note("Bob does not hold all")
    world.alice.start()
    stopping, chunk = threading.Event(), os.urandom(16_384)

    def begin(last):
        while not stopping.is_set():
            try:
                peer = Peer(world.alice.address, User("Half"), source=f"127.0.4.{last}")
                for _ in range(250):
                    peer.channel.send_raw(b"\x01" + chunk)
                    peer.channel.send_raw(b"\x11" + chunk)
                stopping.wait(0.2)
                peer.close()
            except ChannelEnded:
                stopping.wait(0.05)

    threads = [threading.Thread(target=begin, args=(last,), daemon=True) for last in range(1, 9)]
    for thread in threads:
        thread.start()
    began = time.monotonic()
    came = is_held(world.alice, replica, 60)
    world.note(f"{time.monotonic() - began:.0f} s")
    stopping.set()
    for thread in threads:
        thread.join(5)
    if not came:
        return ["Alice does not catch up"]


@attack("beyond", people=0)
def chorus_of_strangers(world):
    """Sixty strangers from twenty addresses send what costs most, all at once, for ten seconds."""
    stopping = threading.Event()

    def sing(last):
        while not stopping.is_set():
            user, peer = User("Chorister"), None
            try:
                peer = Peer(world.alice.address, user, source=f"127.0.5.{1 + last // 3}")
                peer.greeted(3)
                group = Replica.found(user, peer.credentials)
                place = messages.slot(peer.show(group.conversation), CONTENT)
                start = now()
                written = [
                    group.write(user, MESSAGE, b"", CONTENT, previous=None, time=start + at, dependencies=[]) for at in range(100)
                ]
                costly = messages.batch(place, False, encode_batch(written))
                peer.send(messages.announce_group(group.conversation))
                while not stopping.is_set() and peer.is_connected:
                    peer.send(costly, messages.hello(user.introduction()), messages.announce_group(os.urandom(32)))
            except ChannelEnded:
                stopping.wait(0.1)
            finally:
                if peer:
                    peer.close()

    threads = [threading.Thread(target=sing, args=(last,), daemon=True) for last in range(60)]
    with Live(world.alice, world.bob, world.ship) as live:
        for thread in threads:
            thread.start()
        time.sleep(10)
        stopping.set()
    for thread in threads:
        thread.join(5)
    world.note(f"p99 {live.quantile(0.99):.2f} s")
    return slowness(live, "the chorus")


@attack("beyond", people=0)
def words_that_were_never_sent(world):
    """Packed messages that name words nobody sent, end too early, or grow to a hundred times their bytes; and as many words as the line takes."""
    # A message of a kind that no node knows is passed over.
    word = b"\x01\xc8\0" + os.urandom(32)
    cases = {
        "a word that was not sent": [b"\x01\x09\x01"],
        "a word beyond all": [word, b"\0\x81\x04"],
        "a word cut off": [word[:-1]],
        "bytes cut off": [b"\x09\x01"],
        "a message longer than a frame": [word + b"\0\x01" * 600],
        "packed within a live message": [b"\x02\x0c\x01"],
    }
    harms = []
    for name, frames in cases.items():
        peer = world.connect(world.alice, User("Packer"))
        try:
            if name == "packed within a live message":
                peer.channel.send_raw(b"\x01\x0c")
            for packed in frames:
                peer.channel.send_raw(b"\x04" + packed)
            peer.wait(lambda: False, 3)
            if peer.is_connected:
                harms.append(f"Alice goes on after {name}")
        except ChannelEnded:
            pass
        peer.close()
    before, peer = world.alice.private_memory(), world.connect(world.alice, User("Teacher"))
    try:
        for _ in range(20_000):
            peer.channel.send_raw(b"\x04\x01\xc8\0" + os.urandom(32))
    except ChannelEnded:
        world.note("the teacher was sent away")
    grown = (world.alice.private_memory() - before) // MEGABYTE
    world.note(f"memory + {grown} MiB")
    if grown > 16:
        harms.append(f"memory grows by {grown} MiB")
    if not survives_ping(world.alice.address, User("Honest")):
        harms.append("Alice greets nobody any more")
    return harms


@attack("beyond", people=0)
def empty_chunks(world):
    """A message of a million empty chunks, and frames that rekey all the time."""
    peer = world.connect(world.alice, User("Drip"))
    before = world.alice.private_memory()
    try:
        for _ in range(200_000):
            peer.channel.send_raw(b"\x01")
    except ChannelEnded:
        world.note("the connection ended")
    world.note(f"memory + {(world.alice.private_memory() - before) // MEGABYTE} MiB")


@attack("beyond")
def devices_of_one_member(world):
    """One member connects with 600 devices, certified by ever newer records; others have to get in all the same."""
    user, _, _, _ = world.member()
    first = user.devices[0]

    def renewed():
        for _ in range(600):
            user.serial += 1
            user.card_version += 1
            user.devices = [first, Device(user.id)]
            yield user

    with Live(world.alice, world.bob, world.ship) as live:
        peers = crowded(world, renewed())
        time.sleep(2)
    kept = staying(world, peers, 600)
    came = dials_in(world)
    for peer in peers:
        peer.close()
    harms = slowness(live, "devices") + ([] if came else ["Bob does not get in"])
    if kept > 520:
        harms.append(f"{kept} devices of one member are connected at once")
    return harms


@attack("beyond", people=0)
def own_conversation_of_alice(world):
    """A stranger announces Alice's conversation with themselves, shows it, asks for it, and writes into it."""
    user = User("Mirror")
    peer = world.connect(world.alice, user)
    alice = world.alice.user
    conversation = direct_conversation(alice, alice)
    peer.send(messages.announce_direct(conversation, alice, alice))
    place = peer.show(conversation)
    wait_until(lambda: False, 0.5)
    before = {one["id"] for one in world.alice.conversations()}
    group = Replica(conversation)
    operation = group.write(user, DEVICE, bodies.device(user.credentials))
    group.push(peer, [operation])
    for lane in (MEMBERSHIP, CONTENT):
        peer.send(messages.chains(messages.slot(place, lane), True, {}), messages.chains_request(messages.slot(place, lane)))
    wait_until(lambda: False, 1)
    harms = []
    if any(peer.about(messages.BATCH, conversation, MEMBERSHIP)) or any(peer.about(messages.CHAINS, conversation, MEMBERSHIP)):
        harms.append("they are served Alice's own conversation")
    if {one["id"] for one in world.alice.conversations()} - before:
        harms.append("Alice lists their own conversation")
    return harms


@attack("beyond", people=1)
def direct_conversation_of_a_stranger(world):
    """A stranger opens a direct conversation with Alice and fills it with 32 MiB."""
    user = User("Letter writer")
    peer = world.connect(world.alice, user)
    conversation = direct_conversation(user.id, world.alice.user)
    direct = Replica(conversation)
    peer.send(messages.announce_direct(conversation, user.id, world.alice.user))
    written = [direct.write(user, DEVICE, bodies.device(user.credentials, [peer.credentials.encoded]))]
    direct.members = [user.id, world.alice.user]
    direct._learn(peer.credentials)
    direct._learn(identified(user))
    direct.push(peer, written)
    epoch = direct.make_epoch(user)
    with Live(world.alice, world.bob, world.ship) as live:
        try:
            direct.push(peer, [epoch])
            for _ in range(16):
                direct.push(peer, [direct.write(user, MESSAGE, os.urandom(65_000), CONTENT, epoch=epoch.id) for _ in range(32)])
        except ChannelEnded:
            world.note("the connection ended")
        time.sleep(5)
    grown = world.alice.disk() - world._before["Alice"][1]
    world.note(f"disk + {grown // MEGABYTE} MiB")
    return slowness(live, "letters") + ([f"a stranger's letters take {grown // MEGABYTE} MiB"] if grown > 16 * MEGABYTE else [])


@attack("beyond", people=0)
def ports_told_on(world):
    """A stranger says ever other ports in their hellos; Bob dials what Alice tells them."""
    user = User("Porter")
    traps = Traps(200)
    peer = world.connect(world.alice, user)
    for place in traps.places:
        user.card_version += 1
        try:
            peer.send(messages.hello(user.introduction(), int(place.split(":")[1])))
        except ChannelEnded:
            break
    most = traps.watch(5)
    traps.close()
    peer.close()
    world.note(f"{most} at once")
    if most > 32:
        return [f"{most} places that a stranger named are dialed at once"]


@attack("beyond", people=1)
def receipts_at_their_ends(world):
    """Receipts with the largest numbers, about devices that are not there, and versions from the end of time."""
    user, replica, to_alice, _ = world.member()
    place = messages.slot(to_alice.show(replica.conversation), CONTENT)
    for version in (1, now(), (1 << 54), (1 << 63) - 1, (1 << 64) - 1):
        entries = [(os.urandom(32), 1 << 54, 1 << 54) for _ in range(1_000)] + [(world.alice.device, 1 << 54, 0)]
        record = bodies.receipt(user, user.device, replica.conversation, version, LAST_TIME, entries)
        to_alice.send(messages.receipts(place, [record]))
        wait_until(lambda: not world.alice.is_alive, 0.3)
    if to_alice.ended:
        world.note("the connection ended")


@attack("beyond", people=1)
def typing_at_its_ends(world):
    """Typing signals with the largest numbers, twice, and of epochs that are none."""
    user, replica, to_alice, to_bob = world.member()
    epoch = replica.make_epoch(user)
    for peer in (to_alice, to_bob):
        replica.push(peer, [epoch])
    key, top = replica.epochs[epoch.id], (1 << 64) - 1
    for written, counter in ((0, 1), (top, top), (top, top), (1 << 54, now()), (0, 0)):
        for name in (epoch.id, replica.order[0].id, os.urandom(32)):
            signal = bodies.typing_signal(user, user.device, replica.conversation, name, key, os.urandom(16), written, counter, b"\xff" * 64)
            to_alice.send(messages.typing(messages.slot(to_alice.show(replica.conversation), CONTENT), signal))
        wait_until(lambda: not world.alice.is_alive, 0.3)
    if to_alice.ended:
        world.note("the connection ended")


@attack("beyond", people=0)
def codes_in_thousands(world):
    """A member shows proofs of invites that are not there, and a joiner by a code is refused by a stranger."""
    code = world.alice.ask("POST", f"/conversations/{world.ship}/codes", {})
    peer = world.connect(world.alice, User("Guesser"))
    tag = messages.tag(bytes.fromhex(world.ship), peer.channel.transcript, 0)
    with Live(world.alice, world.bob, world.ship) as live:
        end = time.monotonic() + 5
        try:
            while time.monotonic() < end:
                peer.send(*(messages.proof(tag, bytes.fromhex(code["id"]), os.urandom(64)) for _ in range(100)))
        except ChannelEnded:
            world.note("the connection ended")
    peer.forget()
    peer.wait(lambda: peer.counts[messages.REFUSAL] > 0, 0.5)
    return slowness(live, "proofs") + (["they get an answer to proofs that prove nothing"] if peer.counts[messages.REFUSAL] else [])
