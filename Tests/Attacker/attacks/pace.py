"""A member decides how fast others catch up, and what it costs them."""

import os
import threading
import time

from moot_client import bodies, messages
from moot_client.channel import Channel, ChannelEnded
from moot_client.node import Live, wait_until
from moot_client.operations import COMPLAINT, CONTENT, DEVICE, MEMBERSHIP, MERGE, MESSAGE, encode_batch
from moot_client.people import Credentials, User, now
from moot_client.replica import Replica

from .lists import UNKNOWN, is_held, pushed
from .strangers import slowness
from .world import MEGABYTE, attack


@attack("H7")
def dribbling_source(world):
    """A member becomes the source of a lane, and repeats old answers forever."""
    user, replica, _, to_bob = world.member()
    deck = replica.conversation.hex()
    first = [operation for operation in replica.order if operation.lane == CONTENT]
    world.bob.stop()
    for index in range(50):
        world.alice.say(deck, f"While you were away {index}")
    world.alice.stop()
    world.bob.start()
    to_bob = world.connect(world.bob, user)
    slots = [messages.slot(to_bob.show(replica.conversation), lane) for lane in (MEMBERSHIP, CONTENT)]
    to_bob.wait(lambda: to_bob.node_slot(replica.conversation) is not None, 10)
    answer = messages.batch(slots[1], True, encode_batch(first))
    to_bob.send(*(messages.chains_request(slot) for slot in slots))
    to_bob.send(messages.status(slots[1], os.urandom(8)))
    world.alice.start()
    # A digest that differs and an answer every second and a half: the source that never comes to an end.
    began, came = time.monotonic(), None
    while time.monotonic() - began < 20:
        try:
            to_bob.send(answer, messages.chains_request(slots[1]))
        except ChannelEnded:
            world.note("the connection ended")
            break
        if "While you were away 49" in world.bob.texts(deck):
            came = time.monotonic() - began
            break
        time.sleep(1.0)
    to_bob.close()
    if came is None:
        return ["Bob does not catch up while somebody dribbles"]
    world.note(f"caught up after {came:.0f} s")


@attack("H9a", memory=128 * MEGABYTE)
def many_merges(world):
    """A plain member writes 40,000 merges."""
    user, replica, to_alice, to_bob = world.member()
    merges = [replica.write(user, MERGE, b"") for _ in range(40_000)]
    began = time.monotonic()
    with Live(world.alice, world.bob, world.ship, interval=0.5) as live:
        pushed(replica, to_alice, merges, size=2_000)
        if not is_held(world.alice, replica, 120):
            world.note("the merges were not taken")
    world.note(f"{time.monotonic() - began:.0f} s, live {live.quantile(0.99):.1f} s")


@attack("H14", memory=320 * MEGABYTE)
def more_decisions_than_have_room(world):
    """A plain member writes 70,000 merges, more than a node takes of what one person decided, to two nodes on two branches."""
    user, replica, to_alice, to_bob = world.member(devices=2)
    deck, root = replica.conversation.hex(), set(replica.heads[MEMBERSHIP])
    with Live(world.alice, world.bob, world.ship, interval=0.5) as live:
        for peer, device in zip((to_alice, to_bob), user.devices):
            replica.heads[MEMBERSHIP] = set(root)
            pushed(replica, peer, [replica.write(user, MERGE, b"", device=device) for _ in range(70_000)], size=2_000)
        wait_until(lambda: False, 30)
        held = {node: decided(node, deck) for node in (world.alice, world.bob)}
    world.note(f"of 140,000 merges Alice holds {held[world.alice]} and Bob {held[world.bob]}; live {live.quantile(0.99):.1f} s")
    if max(held.values()) > 120_000:
        return ["a node takes whatever one member decides"]
    world.alice.ask("DELETE", f"/conversations/{deck}/members/{user.id.hex()}")
    if not wait_until(lambda: user.id not in members(world.bob, deck), 60):
        return ["Bob's node has no room for the removal of whoever used it up"]


@attack("H14", people=20, memory=192 * MEGABYTE)
def room_filled_in_a_group_of_ones_own(world):
    """A plain member founds another group, where 18 made-up people bring 280 MiB of decisions. An admin removes them from the first."""
    user, replica, to_alice, to_bob = world.member()
    deck = replica.conversation.hex()
    world.bob.say(deck, "Here I am")
    large = [replica.write(user, UNKNOWN, os.urandom(65_000)) for _ in range(80)]
    for peer in (to_alice, to_bob):
        pushed(replica, peer, large, limit=1_000_000)
    if not wait_until(lambda: all(decided(node, deck) >= 80 for node in (world.alice, world.bob)), 30):
        world.note("more than in any case was not taken")
    puppets = [User(f"Puppet {number}") for number in range(18)]
    own = Replica.found(user, to_bob.credentials, *(Credentials(puppet.credentials) for puppet in puppets))
    own.offer(to_bob, 10)
    root = set(own.heads[MEMBERSHIP])

    def bring(puppet, written):
        try:
            pushed(Replica(own.conversation), world.connect(world.bob, puppet), written, size=2_000, limit=900_000)
            wait_until(lambda: False, 15)
        except ChannelEnded:
            pass

    threads = []
    for puppet in puppets:
        own.heads[MEMBERSHIP] = set(root)
        written = [own.write(puppet, UNKNOWN, os.urandom(65_000)) for _ in range(240)]
        threads.append(threading.Thread(target=bring, args=(puppet, written), daemon=True))
        threads[-1].start()
    for thread in threads:
        thread.join(30)
    held = decided(world.bob, own.conversation.hex())
    world.note(f"of {18 * 240} decisions Bob holds {held}")
    world.alice.ask("DELETE", f"/conversations/{deck}/members/{user.id.hex()}")
    harms = [] if held < 1_000 else ["a node takes whatever made-up people decide"]
    if not wait_until(lambda: user.id not in members(world.bob, deck), 20):
        harms.append("Bob's node has no room for the removal of whoever used it up in another group")
    return harms


def decided(node, conversation):
    """How many operations a node holds."""
    return sum(one["operations"] for one in node.ask("GET", "/status")["conversations"] if one["conversation"] == conversation)


def members(node, conversation):
    return {bytes.fromhex(one["user"]) for one in node.ask("GET", f"/conversations/{conversation}/members")["members"]}


@attack("H9b")
def views_of_two_branches(world):
    """Content on ever new heads of two branches: each operation has its own membership past to be judged."""
    user, replica, to_alice, _ = world.member(devices=2)
    one, other = user.devices
    root = set(replica.heads[MEMBERSHIP])
    branches, written = [], []
    for device in (one, other):
        replica.heads[MEMBERSHIP] = set(root)
        branch = []
        for _ in range(800):
            operation = replica.write(user, MERGE, b"", device=device)
            replica.heads[MEMBERSHIP] = {operation.id}
            branch.append(operation)
        branches.append(branch)
        written += branch
    pushed(replica, to_alice, written, size=2_000)
    wait_until(lambda: False, 5)
    content = []
    for left, right in zip(*branches, strict=True):
        content.append(replica.write(user, MESSAGE, b"", CONTENT, one, heads=[left.id], dependencies=[]))
        content.append(replica.write(user, MESSAGE, b"", CONTENT, other, heads=[right.id], dependencies=[]))
    with Live(world.alice, world.bob, world.ship) as live:
        pushed(replica, to_alice, content, size=4_000)
        time.sleep(5)
    return slowness(live, "operations on ever new heads")


def _content(world, replica, user, peer, count, size):
    """Content that Alice's node holds, for questions about it."""
    epoch = replica.make_epoch(user)
    operations = [epoch]
    operations += [replica.write(user, MESSAGE, os.urandom(size), CONTENT, epoch=epoch.id) for _ in range(count)]
    pushed(replica, peer, operations, size=60, limit=3_000_000)
    wait_until(lambda: False, 3)
    return operations[1:]


@attack("11")
def wants_that_nobody_reads(world):
    """A member asks for everything 3,000 times, and reads nothing."""
    user, replica, to_alice, _ = world.member()
    _content(world, replica, user, to_alice, 64, 60_000)
    channel = Channel(world.alice.address, user, user.device, receive_buffer=4_096)
    channel.send(messages.hello(user.introduction()))
    channel.send(messages.tags([messages.tag(replica.conversation, channel.transcript, 0)]))
    place = messages.slot(0, CONTENT)
    with Live(world.alice, world.bob, world.ship) as live:
        try:
            for _ in range(60):
                channel.send(*([messages.want(place, {user.device.id: 0})] * 50), messages.credit(1 << 20))
                time.sleep(0.02)
        except ChannelEnded:
            world.note("the connection ended")
        time.sleep(4)
    channel.close()
    return slowness(live, "wants")


@attack("11")
def bodies_wanted_again_and_again(world):
    """A member asks for the same 64 bodies for five seconds."""
    user, replica, to_alice, _ = world.member()
    names = [operation.id for operation in _content(world, replica, user, to_alice, 64, 60_000)]
    asker = world.connect(world.alice, user)
    question = messages.bodies_wanted(messages.slot(asker.show(replica.conversation), CONTENT), names)
    sent = 0
    with Live(world.alice, world.bob, world.ship) as live:
        end = time.monotonic() + 5
        try:
            while time.monotonic() < end:
                asker.send(*([question] * 10))
                sent += 10
        except ChannelEnded:
            world.note("the connection ended")
    world.note(f"{sent} questions")
    return slowness(live, "questions for bodies")


@attack("H7")
def catching_up_among_chatter(world):
    """A member sends statuses that differ all the time; Bob catches up with Alice all the same."""
    user, replica, _, to_bob = world.member()
    deck = replica.conversation.hex()
    place = messages.slot(to_bob.show(replica.conversation), CONTENT)
    end = time.monotonic() + 5
    with Live(world.alice, world.bob, deck) as live:
        try:
            while time.monotonic() < end:
                to_bob.send(*(messages.status(place, os.urandom(8)) for _ in range(20)))
                time.sleep(0.01)
        except ChannelEnded:
            world.note("the connection ended")
    return slowness(live, "statuses")


@attack("H4")
def complaints_without_end(world):
    """A member complains about an epoch again and again: what it makes the others write is bounded."""
    user, replica, to_alice, to_bob = world.member()
    epoch = [operation for operation in replica.order if operation.epoch is None and operation.lane == CONTENT][0]
    processor = world.alice.processor_seconds()
    complaints = [replica.write(user, COMPLAINT, b"", CONTENT, epoch=epoch.id, dependencies=[]) for _ in range(8_000)]
    for peer in (to_alice, to_bob):
        pushed(replica, peer, complaints, size=4_000)
    wait_until(lambda: False, 10)
    before = len(replica.order)
    asker = world.connect(world.alice, user)
    replica.pull(asker)
    world.note(f"{len(replica.order) - before} operations in answer, {world.alice.processor_seconds() - processor:.0f} s")


@attack("5", memory=160 * MEGABYTE)
def records_issued_again(world):
    """A member issues their identity record 1,000 times: each is a view of its own."""
    user, replica, to_alice, _ = world.member()
    written = []
    for serial in range(2, 1_002):
        user.serial = serial
        written.append(replica.write(user, DEVICE, bodies.device(user.credentials)))
    pushed(replica, to_alice, written, size=500)
    if not is_held(world.alice, replica, 60):
        world.note("the records were not taken")
    start = now()
    content = [
        replica.write(user, MESSAGE, b"", CONTENT, heads=[operation.id], dependencies=[], time=start) for operation in written
    ]
    with Live(world.alice, world.bob, world.ship) as live:
        pushed(replica, to_alice, content)
        time.sleep(5)
    return slowness(live, "content on each of them")
