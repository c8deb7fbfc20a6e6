"""Somebody who is not, not yet, or no longer in a group goes on sending as if they were."""

import os
import time

from moot_client import bodies, messages
from moot_client.channel import ChannelEnded
from moot_client.encoding import number
from moot_client.node import Live, wait_until
from moot_client.operations import CONTENT, JOIN, MEMBERSHIP, MERGE, MESSAGE, encode_batch
from moot_client.people import User, now
from moot_client.replica import Replica
from moot_client.sodium import SigningKey

from .authority import removed
from .lists import UNKNOWN, is_held
from .strangers import slowness
from .world import MEGABYTE, attack


@attack("beyond", people=2, disk=24 * MEGABYTE)
def membership_of_the_removed(world):
    """Somebody removed writes 40 MiB into the membership lane, on old heads, to Alice directly."""
    user, replica, to_alice, _ = world.member()
    heads = set(replica.heads[MEMBERSHIP])
    removed(world, replica, user, to_alice)
    peer = to_alice if to_alice.is_connected else world.connect(world.alice, user)
    replica.heads[MEMBERSHIP] = heads
    try:
        for _ in range(40):
            replica.push(peer, [replica.write(user, UNKNOWN, os.urandom(64_000)) for _ in range(16)])
    except ChannelEnded:
        world.note("the connection ended")
    wait_until(lambda: False, 5)


@attack("beyond", people=3, disk=24 * MEGABYTE)
def membership_of_an_invitee(world):
    """Somebody invited, who never joins, writes 40 MiB into the membership lane."""
    user = User("Ivan")
    peer = world.connect(world.alice, user)
    world.alice.learns(user.id)
    world.alice.ask("POST", f"/conversations/{world.ship}/invites", {"user": user.id.hex()})
    replica = Replica(bytes.fromhex(world.ship))
    peer.wait(lambda: peer.node_slot(replica.conversation) is not None)
    replica._pull(peer, messages.slot(peer.show(replica.conversation), MEMBERSHIP), MEMBERSHIP, 5)
    try:
        for _ in range(40):
            replica.push(peer, [replica.write(user, UNKNOWN, os.urandom(64_000)) for _ in range(16)])
    except ChannelEnded:
        world.note("the connection ended")
    wait_until(lambda: False, 5)


@attack("beyond", people=3)
def words_of_outsiders(world):
    """Somebody removed, and a stranger, send receipts, typing, bodies, chunks and content of a group they are not in."""
    user, replica, to_alice, to_bob = world.member()
    epoch = replica.make_epoch(user)
    replica.push(to_alice, [epoch])
    is_held(world.alice, replica, 10)
    deck = removed(world, replica, user, to_alice)
    said = bytes.fromhex(world.alice.say(deck, "After they went")["id"])
    wait_until(lambda: False, 1)
    harms, key = [], replica.epochs[epoch.id]
    for somebody in (user, User("Stranger")):
        peer = world.connect(world.alice, somebody)
        place = messages.slot(peer.show(replica.conversation), CONTENT)
        record = bodies.receipt(somebody, somebody.device, replica.conversation, now() + 60_000, now(), [(world.alice.device, 99, 99)])
        signal = bodies.typing_signal(somebody, somebody.device, replica.conversation, epoch.id, key, os.urandom(16), 99, now(), b"\xff")
        try:
            peer.send(
                messages.receipts(place, [record]), messages.typing(place, signal), messages.bodies(place, {said: os.urandom(100)}),
                messages.chunk(os.urandom(32), number(0) + os.urandom(80)), messages.blob_held(os.urandom(32), b"\1"),
                messages.receipt_versions(place, {}), messages.bodies_wanted(place, [said]),
            )  # fmt: skip
        except ChannelEnded:
            pass
        peer.wait(lambda p=peer: p.counts[messages.RECEIPTS] or p.counts[messages.BODIES], 1)
        if peer.counts[messages.RECEIPTS] or peer.counts[messages.BODIES]:
            harms.append("they are given what is not for them")
    told = world.alice.ask("GET", f"/messages/{said.hex()}/receipts")
    names = {entry.get("user") for part in told.values() if isinstance(part, list) for entry in part if isinstance(entry, dict)}
    if user.id.hex() in names:
        harms.append("somebody who is out is said to have got what was written after it")
    return harms


@attack("beyond", people=4)
def code_for_two(world):
    """Two join by one code at once, a third repeats their proofs: one of them is in, on both nodes alike, and the thief is not."""
    made = world.alice.ask("POST", f"/conversations/{world.ship}/codes", {})
    content = _decoded(made["code"])
    conversation, invite, key = content[1:33], content[33:65], SigningKey(content[65:97])
    joiners, proofs = [User("First"), User("Second")], []
    for joiner, node in zip(joiners, (world.alice, world.bob), strict=True):
        peer = world.connect(node, joiner)
        proof = key.sign("moot/1/invite", conversation, invite, joiner.id)
        proofs.append(proof)
        peer.send(messages.proof(messages.tag(conversation, peer.channel.transcript, 0), invite, proof))
        replica = Replica(conversation)
        if not peer.wait(lambda p=peer: p.node_slot(conversation) is not None):
            world.note(f"{node.name} does not open for {joiner.name}")
            continue
        replica._pull(peer, messages.slot(peer.show(conversation), MEMBERSHIP), MEMBERSHIP, 5)
        joined = replica.write(joiner, JOIN, bodies.join(invite, joiner.credentials, proof))
        replica.push(peer, [joined])
    thief = User("Thief")
    harms = []
    for node in world.nodes:
        peer = world.connect(node, thief)
        for proof in proofs:
            peer.send(messages.proof(messages.tag(conversation, peer.channel.transcript, 0), invite, proof))
        if peer.wait(lambda p=peer: p.node_slot(conversation) is not None, 2):
            harms.append(f"{node.name} opens for somebody with another's proof")
        replica = Replica(conversation)
        for proof in proofs:
            replica.tips[MEMBERSHIP], replica.heads[MEMBERSHIP] = {}, {invite}
            replica.push(peer, [replica.write(thief, JOIN, bodies.join(invite, thief.credentials, proof))])
    wait_until(lambda: False, 3)

    def members(node):
        return {one["user"] for one in node.ask("GET", f"/conversations/{world.ship}/members")["members"]}

    wait_until(lambda: members(world.alice) == members(world.bob), 10)
    inside = members(world.alice)
    if inside != members(world.bob):
        harms.append("Alice and Bob do not have the same members")
    if thief.id.hex() in inside:
        harms.append("the thief is in")
    in_by_code = [one.name for one in joiners if one.id.hex() in inside]
    world.note(f"in: {', '.join(in_by_code)}")
    return harms + (["two are in by one code"] if len(in_by_code) > 1 else [])


def _decoded(code):
    import base64

    text = code.split(":")[-1]
    return base64.b32decode(text + "=" * (-len(text) % 8))


@attack("beyond", people=1)
def batches_of_others(world):
    """A member sends again and again, as pushes and as answers, half a batch of another, and batches of chains that nobody began."""
    user, replica, to_alice, to_bob = world.member()
    others = [operation for operation in replica.order if operation.user != user.id and operation.signature]
    place = {lane: messages.slot(to_bob.show(replica.conversation), lane) for lane in (MEMBERSHIP, CONTENT)}
    with Live(world.alice, world.bob, replica.conversation.hex()) as live:
        end = time.monotonic() + 5
        try:
            while time.monotonic() < end:
                for operation in others:
                    single = messages.batch(place[operation.lane], bool(os.urandom(1)[0] & 1), encode_batch([operation]))
                    to_bob.send(single, messages.done(place[operation.lane]))
                start = replica.write(user, MESSAGE, b"", CONTENT, previous=(7, os.urandom(32)), dependencies=[os.urandom(32)])
                to_bob.send(messages.batch(place[CONTENT], False, encode_batch([start])))
                wrong = replica.write(user, MERGE, b"", dependencies=[os.urandom(32)])
                to_bob.send(messages.batch(place[MEMBERSHIP], True, encode_batch([wrong])))
                time.sleep(0.01)
        except ChannelEnded:
            world.note("the connection ended")
    return slowness(live, "batches")
