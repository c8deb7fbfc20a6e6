"""Somebody who was removed, or is only invited, takes more than they are given."""

import os
import time

from moot_client import bodies, messages
from moot_client.channel import ChannelEnded
from moot_client.node import wait_until
from moot_client.operations import CONTENT, EDIT, MEMBERSHIP, MESSAGE, REMOVE, direct_conversation, encode_batch
from moot_client.people import User
from moot_client.replica import Replica

from .lists import is_held
from .world import MEGABYTE, attack

ASKING = {"done", "chains_request"}
"""Messages that tell nothing about a lane."""


def removed(world, replica, user, to_alice):
    """Has Alice remove them, and learns of the removal as their removal proof tells it."""
    deck = replica.conversation.hex()
    world.alice.ask("DELETE", f"/conversations/{deck}/members/{user.id.hex()}")
    wait_until(lambda: False, 1)
    for _ in range(4):
        if any(operation.type == REMOVE for operation in replica.order):
            return deck
        peer = to_alice if to_alice.is_connected else world.connect(world.alice, user)
        place = messages.slot(peer.show(replica.conversation), MEMBERSHIP)
        replica._pull(peer, place, MEMBERSHIP, 3)
        wait_until(lambda: False, 0.5)
    world.note("the removal proof did not tell of the removal")
    return deck


class Accomplices:
    """Mallory, who said something in the group Deck, and Eve, who stays in it and carries what they write when they are out."""

    def __init__(self, world, count=1, role=None):
        self.world = world
        eve, self.eve_peer = world.friend()
        self.user, self.replica, self.to_alice, self.to_bob = world.member(friends=[eve])
        self.deck = self.replica.conversation.hex()
        if role:
            world.alice.ask("PATCH", f"/conversations/{self.deck}/members/{self.user.id.hex()}", {"role": role})
            place = messages.slot(self.to_alice.show(self.replica.conversation), MEMBERSHIP)
            wait_until(lambda: False, 1)
            self.replica._pull(self.to_alice, place, MEMBERSHIP, 5)
        self.heads = sorted(self.replica.heads[MEMBERSHIP])
        self.epoch = self.replica.make_epoch(self.user)
        self.said = [self.replica.say(self.user, f"While I was one of you {index}", self.epoch) for index in range(count)]
        self.replica.push(self.to_alice, [self.epoch, *self.said])
        is_held(world.alice, self.replica, 10)

    def part(self):
        """Has Alice remove Mallory."""
        removed(self.world, self.replica, self.user, self.to_alice)
        return self

    def write(self, kind, plaintext, **fields):
        """Mallory writes as if they had not heard of their removal."""
        key = self.replica.epochs[self.epoch.id]
        return self.replica.write(
            self.user, kind, plaintext, CONTENT, heads=self.heads, seal_with=key, epoch=self.epoch.id, **fields
        )

    def carry(self, *operations):
        """Eve passes on what they wrote."""
        self.replica.push(self.eve_peer, list(operations))
        wait_until(lambda: False, 2)

    def shown(self):
        """What Alice is shown of the group."""
        return self.world.alice.ask("GET", f"/conversations/{self.deck}/messages?limit=100")["messages"]


def served(peer, conversation, lane):
    """What a node answers to every question about a lane, as the names of its messages."""
    place = messages.slot(peer.show(conversation), lane)
    wait_until(lambda: False, 0.5)
    peer.forget()
    peer.send(
        messages.chains_request(place),
        messages.chains(place, True, {}),
        messages.frontier(place, True, bytes(8), bytes(8), []),
        messages.want(place, {}),
        messages.status(place, bytes(8)),
        messages.statuses(peer.show(conversation), bytes(8), bytes(8)),
        messages.receipt_digest(place, bytes(8)),
        messages.receipt_versions(place, {}),
    )
    wait_until(lambda: False, 2)
    kept = set()
    for message in list(peer.received):
        kind = message[0]
        if kind in (messages.PING, messages.PONG, messages.ADDRESSES):
            continue
        if messages.STATUS <= kind <= messages.DONE or kind in (messages.RECEIPT_DIGEST, messages.RECEIPT_VERSIONS, messages.RECEIPTS):
            _, found, _ = messages.read_slot(message)
            if found == lane:
                kept.add(messages.NAMES[kind])
    return kept


@attack("C4", people=2)
def epoch_of_the_removed(world):
    """Somebody removed writes the epoch of the view that leaves them out, and the others seal under it."""
    eve, eve_peer = world.friend()
    user, replica, to_alice, to_bob = world.member(friends=[eve])
    deck = removed(world, replica, user, to_alice)
    epoch = replica.make_epoch(user)
    for peer in (to_alice, to_bob):
        if peer.is_connected:
            replica.push(peer, [epoch])
    replica.push(eve_peer, [epoch])
    wait_until(lambda: False, 2)
    world.alice.say(deck, "They must not read this")
    wait_until(lambda: False, 1)
    replica.pull(eve_peer)
    written = [operation for operation in replica.order if operation.type == MESSAGE and operation.user == world.alice.user]
    if not written:
        return ["Alice's message does not come to Eve"]
    if written[-1].epoch == epoch.id:
        return ["Alice seals under the key of somebody removed"]


@attack("13", people=2)
def message_of_the_removed(world):
    """Somebody removed writes on under old heads; a member carries it; it must not look like any other message."""
    pair = Accomplices(world).part()
    pair.carry(pair.write(MESSAGE, bodies.message("I am still here")))
    both = {message["text"]: message for message in pair.shown() if message.get("text", "").startswith(("While I", "I am still"))}
    if "I am still here" not in both:
        return None
    here, there = both["I am still here"], both.get("While I was one of you 0", {})
    fields = ("id", "text", "sent_at", "received_at", "state")
    differs = {key for key in here.keys() | there.keys() if key not in fields and here.get(key) != there.get(key)}
    if not differs:
        return ["it is shown without a mark"]
    world.note(f"marked by {sorted(differs)}")


@attack("6", people=2)
def questions_of_the_removed(world):
    """Somebody removed asks about the content lane."""
    user, replica, to_alice, _ = world.member()
    deck = removed(world, replica, user, to_alice)
    world.alice.say(deck, "Not for them")
    peer = to_alice if to_alice.is_connected else world.connect(world.alice, user)
    told = served(peer, replica.conversation, CONTENT) - ASKING
    fresh = world.connect(world.alice, user)
    told |= served(fresh, replica.conversation, CONTENT) - ASKING
    if told:
        return [f"they are told about the content lane: {', '.join(sorted(told))}"]


@attack("6", people=2)
def questions_of_an_invitee(world):
    """Somebody invited asks about the content lane before they join."""
    user = User("Ivan")
    peer = world.connect(world.alice, user)
    world.alice.learns(user.id)
    world.alice.ask("POST", f"/conversations/{world.ship}/invites", {"user": user.id.hex()})
    conversation = bytes.fromhex(world.ship)
    if not peer.wait(lambda: peer.node_slot(conversation) is not None):
        return ["they are not shown the conversation"]
    told = served(peer, conversation, CONTENT) - ASKING
    replica = Replica(conversation)
    if not replica._pull(peer, messages.slot(peer.show(conversation), MEMBERSHIP), MEMBERSHIP, 5):
        return ["they are not served the membership lane"]
    if told:
        return [f"they are told about the content lane: {', '.join(sorted(told))}"]


@attack("H6c", people=2)
def oracle_of_announces(world):
    """A stranger asks by announces whether Alice has a conversation with Bob."""
    world.alice.ask("POST", "/conversations", {"kind": "direct", "members": [world.bob.user.hex()]})
    direct = direct_conversation(world.alice.user, world.bob.user)
    world.alice.say(direct.hex(), "Between us")
    somebody = User("Nobody").id

    def answers(conversation, announce):
        peer = world.connect(world.alice, User("Asker"))
        wait_until(lambda: False, 0.5)
        peer.forget()
        peer.send(messages.tags([messages.tag(conversation, peer.channel.transcript, 0)]))
        peer.own_slots[conversation] = 0
        peer.send(announce, messages.statuses(0, bytes(8), bytes(8)))
        for lane in (MEMBERSHIP, CONTENT):
            place = messages.slot(0, lane)
            peer.send(messages.status(place, bytes(8)), messages.chains_request(place), messages.chains(place, True, {}))
        wait_until(lambda: False, 1.5)
        ignored = (messages.PING, messages.PONG, messages.ADDRESSES)
        found = sorted(messages.NAMES[kind] for kind, count in peer.counts.items() for _ in range(count) if kind not in ignored)
        found.append(f"{len(peer.node_tags)} tags")
        peer.close()
        return found

    harms = []
    known = answers(direct, messages.announce_direct(direct, world.alice.user, world.bob.user))
    unknown_id = direct_conversation(world.alice.user, somebody)
    unknown = answers(unknown_id, messages.announce_direct(unknown_id, world.alice.user, somebody))
    if known != unknown:
        harms.append(f"of a direct conversation: {known} where it is there, {unknown} where not")
    group = bytes.fromhex(world.ship)
    known, made_up = answers(group, messages.announce_group(group)), User().id
    unknown = answers(made_up, messages.announce_group(made_up))
    if known != unknown:
        harms.append(f"of a group: {known} where it is there, {unknown} where not")
    world.watched.append(direct.hex())
    return harms


@attack("C4", people=2)
def ground_epoch_of_the_removed(world):
    """The same, ground until its id is smaller than the honest one's, after the honest one is there."""
    eve, eve_peer = world.friend()
    user, replica, to_alice, to_bob = world.member(friends=[eve])
    deck = removed(world, replica, user, to_alice)
    world.alice.say(deck, "The honest epoch")
    wait_until(lambda: False, 1)
    replica.pull(eve_peer)
    honest = [operation for operation in replica.order if operation.user == world.alice.user and operation.epoch]
    smallest = honest[-1].epoch
    tips = {name: set(found) for name, found in replica.tips[CONTENT].items()}
    heads = set(replica.heads[CONTENT])
    end = time.monotonic() + 20
    while True:
        replica.tips[CONTENT] = {name: set(found) for name, found in tips.items()}
        replica.heads[CONTENT] = set(heads)
        epoch = replica.make_epoch(user, dependencies=[])
        if epoch.id < smallest or time.monotonic() > end:
            break
        del replica.operations[epoch.id]
        replica.order.remove(epoch)
    for peer in (to_alice, to_bob, eve_peer):
        if peer.is_connected:
            replica.push(peer, [epoch])
    wait_until(lambda: False, 2)
    world.alice.say(deck, "They must not read this")
    wait_until(lambda: False, 1)
    replica.pull(eve_peer)
    written = [operation for operation in replica.order if operation.type == MESSAGE and operation.user == world.alice.user]
    if written[-1].epoch == epoch.id:
        return ["Alice seals under the key of somebody removed"]


@attack("13", people=2)
def edits_of_the_removed(world):
    """Somebody removed edits and deletes what they wrote before, on old heads, through a member."""
    pair = Accomplices(world).part()
    pair.carry(pair.write(EDIT, pair.said[0].id + b"\0" + bodies.text("Changed afterwards")))
    if any(message.get("text") == "Changed afterwards" for message in pair.shown()):
        return ["their edit changes what others had read"]


@attack("13", people=2)
def message_that_knows_of_the_removal(world):
    """Somebody removed writes under heads that have their removal in their past: from nobody is that taken."""
    pair = Accomplices(world).part()
    replica, user = pair.replica, pair.user
    after = replica.say(user, "I know that I am out", pair.epoch)
    epoch = replica.make_epoch(user)
    again = replica.say(user, "With my own key", epoch)
    for peer in (pair.to_alice, pair.to_bob):
        if peer.is_connected:
            replica.push(peer, [after, epoch, again])
    pair.carry(after, epoch, again)
    shown = [message["text"] for message in pair.shown() if message.get("text") in ("I know that I am out", "With my own key")]
    if shown:
        return [f"it is shown: {shown}"]


@attack("10", people=2, disk=24 << 20)
def flood_of_the_removed(world):
    """Somebody removed writes 40 MiB on under old heads; a friend carries it."""
    pair = Accomplices(world).part()
    place = {"heads": pair.heads, "epoch": pair.epoch.id, "dependencies": []}
    try:
        for _ in range(40):
            pair.replica.push(pair.eve_peer, [pair.replica.write(pair.user, MESSAGE, bytes(60_000), CONTENT, **place) for _ in range(17)])
    except ChannelEnded:
        world.note("Eve's connection ended")
    wait_until(lambda: False, 5)
    for node in world.nodes:
        world.note(f"{node.name}'s disk + {(node.disk() - world._before[node.name][1]) // MEGABYTE} MiB")


@attack("10", people=2)
def bodies_and_files_for_outsiders(world):
    """Somebody removed, and a stranger, ask for bodies and files that were sent when they were not in."""
    user, replica, to_alice, _ = world.member()
    deck = removed(world, replica, user, to_alice)
    said = bytes.fromhex(world.alice.say(deck, "Not for them")["id"])
    world.alice.say(deck, "Nor this")
    epochs = [operation.id for operation in replica.order if operation.lane == CONTENT]
    harms = []
    for asker in (user, User("Stranger")):
        peer = world.connect(world.alice, asker)
        place = messages.slot(peer.show(replica.conversation), CONTENT)
        wait_until(lambda: False, 0.5)
        peer.forget()
        peer.send(messages.bodies_wanted(place, [said, *epochs]), messages.blob_wanted(place, said))
        wait_until(lambda: False, 1.5)
        for reader in peer.about(messages.BODIES, replica.conversation, CONTENT):
            names = [reader.id() for _ in range(min(1, reader.number()))]
            if said in names or (asker is not user and names):
                harms.append("they get bodies that are not for them")
        if peer.counts[messages.BLOB_HELD]:
            harms.append("they are told of files")
    return harms


@attack("beyond")
def own_creation_elsewhere(world):
    """A member shows Alice the creation that they wrote, as an operation of another conversation: no copy of their home wrote it."""
    user, replica, to_alice, to_bob = world.member()
    creation = replica.order[0]
    trap = Replica.found(user, to_alice.credentials, to_bob.credentials)
    to_alice.send(messages.announce_group(trap.conversation))
    trap.push(to_alice, trap.order)
    wait_until(lambda: False, 1)
    for conversation in (trap.conversation, direct_conversation(user.id, world.alice.user), os.urandom(32)):
        place = messages.slot(to_alice.show(conversation), MEMBERSHIP)
        for is_answer in (False, True):
            to_alice.send(messages.batch(place, is_answer, encode_batch([creation])))
        wait_until(lambda: False, 0.5)
    # All of Alice's own operations once more, where they belong and where they do not.
    own = [operation for operation in replica.order if operation.device == world.alice.device and operation.lane == MEMBERSHIP]
    for name in (replica.conversation, trap.conversation):
        to_alice.send(messages.batch(messages.slot(to_alice.show(name), MEMBERSHIP), True, encode_batch(own)))
    wait_until(lambda: False, 1)
    if to_alice.ended:
        world.note("the connection ended")
    return None
