"""A member makes what others have to list, cut or pack grow beyond what a message holds."""

import os
import time

from moot_client import bodies, messages
from moot_client.channel import ChannelEnded
from moot_client.node import Refused, wait_until
from moot_client.operations import (
    COMPLAINT,
    CONTENT,
    DEVICE,
    LEAVE,
    MEMBERSHIP,
    MERGE,
    MESSAGE,
    encode_batch,
)
from moot_client.people import Device, User, now
from moot_client.peer import Peer

from .world import attack

UNKNOWN = 99


def pushed(replica, peer, operations, size=4_096, limit=4_000_000):
    """Pushes operations of one lane in batches that fit a message. A cut signs the last operation of each chain in the batch."""
    piece, weight = [], 0
    for operation in operations:
        cost = 200 + (len(operation.body) if operation.body else 0)
        if piece and (len(piece) == size or weight + cost > limit):
            replica.push(peer, piece)
            piece, weight = [], 0
        piece.append(operation)
        weight += cost
    if piece:
        replica.push(peer, piece)


def is_held(node, replica, timeout=60):
    """Waits until a node holds as many operations as we know."""
    name = replica.conversation.hex()

    def held():
        synced = node.ask("GET", "/status")["conversations"]
        return any(one["conversation"] == name and one["operations"] >= len(replica.order) for one in synced)

    return not node.is_alive or wait_until(held, timeout)


def forks(replica, user, count, device=None, lane=CONTENT, kind=MESSAGE):
    """First operations of one chain, of which an honest device writes one."""
    start = now()
    return [
        replica.write(user, kind, os.urandom(8), lane, device, previous=None, time=start + index, dependencies=[])
        for index in range(count)
    ]


def compare(world, conversation):
    """Has Bob's node compare the conversation with Alice's anew."""
    world.bob.restart()
    return world.is_live(conversation)


@attack("C1")
def removal_proof_too_long(world):
    """Somebody who left asks for their removal proof, and it is larger than a message."""
    user, replica, to_alice, _ = world.member()
    noise = [replica.write(user, UNKNOWN, os.urandom(65_536)) for _ in range(66)]
    pushed(replica, to_alice, noise, limit=3_000_000)
    if not is_held(world.alice, replica):
        world.note("the noise was not taken")
    replica.push(to_alice, [replica.write(user, LEAVE, bodies.pins([]))])
    is_held(world.alice, replica, 10)
    return _ask_everything(world, replica, user)


@attack("C1")
def removal_proof_of_many_operations(world):
    """Somebody who left asks for their removal proof, and it has more operations than a batch may."""
    user, replica, to_alice, _ = world.member()
    pushed(replica, to_alice, [replica.write(user, MERGE, b"") for _ in range(4_200)], size=4_000)
    if not is_held(world.alice, replica):
        world.note("the merges were not taken")
    replica.push(to_alice, [replica.write(user, LEAVE, bodies.pins([]))])
    is_held(world.alice, replica, 10)
    return _ask_everything(world, replica, user)


def _ask_everything(world, replica, user):
    """Asks both nodes for all of the membership lane, as one who has nothing of it. Returns what they send beyond the limits."""
    harms = []
    for node in world.nodes:
        try:
            peer = world.connect(node, user)
            place = peer.show(replica.conversation)
            peer.send(messages.chains(messages.slot(place, MEMBERSHIP), True, {}))
            wait_until(lambda p=peer, n=node: list(p.about(messages.DONE, replica.conversation, MEMBERSHIP)) or not n.is_alive, 10)
            harms += beyond_limits(peer, node)
        except ChannelEnded:
            if node.is_alive:
                world.note(f"{node.name} does not let them in")
    return harms


def beyond_limits(peer, node):
    """What an honest node sent that an honest decoder refuses (section 12)."""
    harms = []
    for message in peer.of_kind(messages.BATCH):
        _, lane, reader = messages.read_slot(message)
        reader.u8()
        reader.data()
        reader.u8()
        runs = reader.number()
        if runs > 512:
            harms.append(f"{node.name} sends a batch of {runs} chains")
            continue
        for _ in range(runs):
            reader.take(64)
            if reader.number():
                reader.id()
        table = reader.ids()
        if lane == CONTENT:
            reader.list(reader.ids)
        entries = reader.number()
        if len(table) > 8_192 or entries > 4_096:
            harms.append(f"{node.name} sends a batch of {entries} operations and {len(table)} references")
    for message in peer.of_kind(messages.CHAINS):
        _, _, reader = messages.read_slot(message)
        _, tips = messages.read_chains(reader)
        count = sum(map(len, tips.values()))
        if len(tips) > 4_096 or count > 65_536:
            harms.append(f"{node.name} sends {len(tips)} chains with {count} tips")
    return sorted(set(harms))


@attack("C2", memory=160 << 20)
def bodies_that_come_later(world):
    """A batch without bodies is signed once at its end; its bodies come later, and the stretch no longer fits a message."""
    user, replica, to_alice, _ = world.member(devices=2)
    epoch = replica.make_epoch(user)
    replica.push(to_alice, [epoch])
    noise = {}
    operations = []
    for _ in range(200):
        body = os.urandom(65_536)
        operation = replica.write(user, MESSAGE, body, CONTENT, epoch=epoch.id, dependencies=[])
        noise[operation.id] = body
        operations.append(operation)
    for operation in operations:
        operation.body = None
    replica.push(to_alice, operations)
    place = messages.slot(to_alice.show(replica.conversation), CONTENT)
    names = list(noise)
    for at in range(0, len(names), 60):
        to_alice.send(messages.bodies(place, {name: noise[name] for name in names[at : at + 60]}))
        time.sleep(0.5)
    asker = world.connect(world.alice, user, user.devices[1])
    index = asker.show(replica.conversation)
    asker.send(messages.chains(messages.slot(index, CONTENT), True, {}))
    wait_until(lambda: not world.alice.is_alive or list(asker.about(messages.DONE, replica.conversation, CONTENT)), 20)


@attack("C2, 1")
def cut_that_grows(world):
    """A batch just within the limit, cut in the middle: references become entries of the table, and it grows."""
    user, replica, to_alice, _ = world.member()
    base = replica.make_epoch(user)
    replica.push(to_alice, [base])
    halves = [replica.write(user, MESSAGE, b"", CONTENT, epoch=base.id, dependencies=[]) for _ in range(2_048)]
    size = 2_026  # so the whole takes 4,188,397 bytes
    seconds = [
        replica.write(user, MESSAGE, os.urandom(size), CONTENT, epoch=base.id, dependencies=[earlier.id]) for earlier in halves
    ]
    encoded = encode_batch(halves + seconds)
    world.note(f"a batch of {len(encoded):,} bytes")
    place = messages.slot(to_alice.show(replica.conversation), CONTENT)
    to_alice.send(messages.batch(place, False, encoded))
    is_held(world.alice, replica, 20)
    asker = world.connect(world.alice, user)
    index = asker.show(replica.conversation)
    asker.send(messages.want(messages.slot(index, CONTENT), {user.device.id: halves[-1].sequence}))
    wait_until(lambda: not world.alice.is_alive or asker.of_kind(messages.BATCH), 10)
    return beyond_limits(asker, world.alice) if world.alice.is_alive else []


@attack("C3, 3")
def many_forks(world):
    """A member's chain forks 300 times; whoever compares it lists 300 tips."""
    user, replica, to_alice, _ = world.member()
    replica.push(to_alice, forks(replica, user, 300))
    wait_until(lambda: False, 2)
    compare(world, world.watched[1])
    peer = world.connect(world.alice, user)
    peer.send(messages.chains_request(messages.slot(peer.show(replica.conversation), CONTENT)))
    wait_until(lambda: False, 1)
    return beyond_limits(peer, world.alice)


@attack("C3, 3", memory=160 << 20)
def many_chains(world):
    """A member re-issues their identity record with new devices until nobody's list of chains fits a message."""
    user, replica, to_alice, _ = world.member()
    written = []
    # The membership operations of a device follow its certificate, which the first of the devices of before carries.
    for serial in range(2, 602):
        user.serial = serial
        old = user.devices[0]
        user.devices = [old] + [Device(user.id) for _ in range(7)]
        written.append(replica.write(user, DEVICE, bodies.device(user.credentials), device=old))
        at = written[-1].id
        written += [
            replica.write(user, MERGE, b"", device=device, dependencies=[at], previous=None) for device in user.devices[1:]
        ]
        replica.heads[MEMBERSHIP] = {at}
    pushed(replica, to_alice, written, size=400)
    if not is_held(world.alice, replica, 120):
        world.note("the chains were not taken")
    compare(world, world.watched[1])
    # What is compared is what differs.
    world.bob.stop()
    replica.push(to_alice, [replica.write(user, MERGE, b"", device=user.devices[0], dependencies=[at])])
    world.bob.start()


@attack("2")
def too_many_pins(world):
    """Somebody with 600 branches is removed: whoever removes them names all of them."""
    user, replica, to_alice, _ = world.member()
    for _ in range(2):
        replica.push(to_alice, forks(replica, user, 300))
    is_held(world.alice, replica, 20)
    harms = []
    try:
        world.alice.ask("DELETE", f"/conversations/{replica.conversation.hex()}/members/{user.id.hex()}")
    except (OSError, Refused, ValueError) as error:
        harms.append(f"they cannot be removed: {error or type(error).__name__}")
    return harms


@attack("2", people=3)
def pins_of_a_ratify(world):
    """A removed member's 600 branches come through a friend; then the founder leaves, and the next admin ratifies the ban."""
    eve, eve_peer = world.friend()
    user, replica, _, _ = world.member(friends=[eve])
    deck = replica.conversation.hex()
    world.alice.ask("PATCH", f"/conversations/{deck}/members/{world.bob.user.hex()}", {"role": "admin"})
    world.alice.ask("DELETE", f"/conversations/{deck}/members/{user.id.hex()}")
    for _ in range(2):
        replica.push(eve_peer, forks(replica, user, 300))
    wait_until(lambda: False, 3)
    world.alice.ask("POST", f"/conversations/{deck}/leave")
    world.watched.remove(deck)
    wait_until(lambda: not world.bob.is_alive, 8)


@attack("4", memory=160 << 20)
def too_many_references(world):
    """One node has half of what another has, and the answer to it needs more references than a batch may have."""
    return _halves(world, 4)


@attack("4", memory=160 << 20)
def references_at_the_limit(world):
    """The same with as many references, inside and outside together, as a batch may have."""
    return _halves(world, 3)


def _halves(world, outside):
    user, replica, to_alice, to_bob = world.member(devices=3)
    first, second, third = user.devices
    pool = [replica.write(user, MESSAGE, b"", CONTENT, third, dependencies=[]) for _ in range(2_048 * outside)]
    names = [operation.id for operation in pool]
    halves = [replica.write(user, MESSAGE, b"", CONTENT, first, dependencies=[]) for _ in range(2_048)]
    answers = [
        replica.write(user, MESSAGE, b"", CONTENT, second, dependencies=[earlier.id, *names[outside * at : outside * (at + 1)]])
        for at, earlier in enumerate(halves)
    ]
    for peer in (to_alice, to_bob):
        pushed(replica, peer, pool, size=4_000)
    wait_until(lambda: False, 3)
    replica.push(to_alice, halves + answers)
    replica.push(to_bob, halves)
    for node in world.nodes:
        if not is_held(node, replica, 20):
            world.note(f"{node.name} does not hold all")
    asker = world.connect(world.alice, user)
    index = asker.show(replica.conversation)
    tips = {first.id: halves[-1].sequence, third.id: pool[-1].sequence}
    asker.send(messages.want(messages.slot(index, CONTENT), tips | {second.id: 0}))
    wait_until(lambda: not world.alice.is_alive or asker.of_kind(messages.BATCH), 10)
    return beyond_limits(asker, world.alice)


@attack("H4", memory=200 << 20)
def answers_to_complaints(world):
    """Eight devices complain about a thousand epochs: whoever holds their keys answers 8,000 times in one commit."""
    user, replica, to_alice, to_bob = world.member(devices=8)
    epochs = []
    for _ in range(1_000):
        epochs.append(replica.make_epoch(user))
    for at in range(0, 1_000, 250):
        for peer in (to_alice, to_bob):
            replica.push(peer, epochs[at : at + 250])
    for _ in range(2):
        complaints = [
            replica.write(user, COMPLAINT, b"", CONTENT, device, epoch=epoch.id, dependencies=[])
            for device in user.devices
            for epoch in epochs
        ]
        for peer in (to_alice, to_bob):
            pushed(replica, peer, complaints, size=4_000)
        is_held(world.alice, replica, 20)
        wait_until(lambda: False, 12)
    harms = beyond_limits(to_alice, world.alice) + beyond_limits(to_bob, world.bob)
    before = len(replica.order)
    longest = max((len(message) for message in to_bob.of_kind(messages.BATCH) + to_alice.of_kind(messages.BATCH)), default=0)
    world.note(f"the longest batch has {longest:,} bytes")
    replica.pull(world.connect(world.alice, user))
    world.note(f"{before} operations, {len(replica.order) - before} in answer")
    return harms


@attack("12")
def lists_at_their_limits(world):
    """What a stranger sends beyond a list's limit ends at most their own connection."""
    user = User("Lister")
    place = messages.slot(0, CONTENT)
    cases = {
        "tags": messages.tags([os.urandom(8) for _ in range(4_097)]),
        "addresses": messages.addresses([(os.urandom(32), "127.0.0.1:1")] * 65),
        "chains": messages.chains(place, 0, {os.urandom(32): [(1, os.urandom(32))] for _ in range(4_097)}),
        "bodies wanted": messages.bodies_wanted(place, [os.urandom(32) for _ in range(257)]),
    }
    for name, message in cases.items():
        try:
            peer = Peer(world.alice.address, user).greeted()
        except ChannelEnded:
            return [f"they are banned for a list that is too long, before {name}"]
        peer.send(message)
        peer.wait(lambda p=peer: not p.is_connected, 1)
        world.note(f"{name}: {'connection ended' if peer.ended else 'connection stands'}")
        peer.close()

