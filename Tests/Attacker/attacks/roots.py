"""Somebody tells of conversations that are not what their ids say, or brings more people than they have a right to."""

import os

from moot_client import bodies, messages
from moot_client.node import Refused, wait_until
from moot_client.operations import CONTENT, DEVICE, MEMBERSHIP, direct_conversation
from moot_client.people import User
from moot_client.replica import Replica

from .world import attack


@attack("beyond", people=0)
def direct_conversation_told_as_a_group(world):
    """A stranger tells Alice and Bob of a group whose id is that of their direct conversation, before they begin it."""
    direct = direct_conversation(world.alice.user, world.bob.user)
    own = direct_conversation(world.alice.user, world.alice.user)
    for node in world.nodes:
        peer = world.connect(node, User("Sower"))
        for conversation in (direct, own):
            peer.show(conversation)
            peer.send(messages.announce_group(conversation))
    wait_until(lambda: False, 1)
    try:
        begun = world.alice.ask("POST", "/conversations", {"kind": "direct", "members": [world.bob.user.hex()]})["id"]
    except Refused as error:
        return [f"Alice cannot write to Bob: {error}"]
    if begun != direct.hex():
        return [f"the direct conversation is called {begun}"]
    try:
        world.alice.say(begun, "Only for you")
    except Refused as error:
        return [f"Alice cannot write to Bob: {error}"]
    if not wait_until(lambda: "Only for you" in world.bob.texts(begun), 10):
        return ["what Alice writes to Bob does not come"]
    try:
        world.alice.ask("PUT", f"/conversations/{world.ship}/private", {"pinned": True})
        mine = world.alice.ask("POST", "/conversations", {"kind": "direct", "members": [world.alice.user.hex()]})["id"]
        world.alice.say(mine, "Note to myself")
    except Refused as error:
        world.note(f"a note to themselves: {error}")
    world.watched.append(begun)


@attack("beyond", people=1)
def groups_with_ids_of_others(world):
    """A stranger shows the creation of their group under other ids, and operations of one conversation in another."""
    user = User("Forger")
    for node in world.nodes:
        peer = world.connect(node, user)
        group = Replica.found(user, peer.credentials)
        name = group.conversation
        for conversation in (os.urandom(32), bytes.fromhex(world.ship), direct_conversation(user.id, node.user)):
            peer.send(messages.announce_group(conversation))
            group.conversation = conversation
            group.push(peer, group.order[:2])
            # A group's operation in a direct conversation, and the other way about.
            other = Replica(conversation)
            other.members = [user.id, node.user]
            other._learn(peer.credentials)
            group.push(peer, [other.write(user, DEVICE, bodies.device(user.credentials))])
            wait_until(lambda: False, 0.3)
        group.conversation = name
        if not peer.is_connected:
            world.note("the connection ended")
    wait_until(lambda: False, 1)
    extra = [one for one in world.alice.conversations() if one["id"] not in (world.ship,)]
    if len(extra) > 1:
        return [f"Alice lists {len(extra)} conversations more"]


@attack("beyond", people=1)
def lanes_and_slots_confused(world):
    """A stranger shows 8,192 tags, announces what they showed, and speaks about slots and lanes that mean nothing."""
    user = User("Confuser")
    peer = world.connect(world.alice, user)
    peer.send(messages.tags([os.urandom(8) for _ in range(4_096)]), messages.tags([os.urandom(8) for _ in range(4_000)]))
    group = Replica.found(user, peer.credentials)
    tag = messages.tag(group.conversation, peer.channel.transcript, 0)
    # One tag twice, so two slots of one conversation; the other lane's status and batches in each.
    peer.send(messages.tags([tag, tag, tag]), messages.announce_group(group.conversation))
    for index in (8_096, 8_097, 8_098, 8_099, (1 << 62)):
        peer.send(messages.statuses(index, os.urandom(8), os.urandom(8)))
        for lane in (MEMBERSHIP, CONTENT):
            place = messages.slot(index, lane)
            peer.send(messages.status(place, os.urandom(8)), messages.chains(place, True, {}), messages.done(place))
    # Lanes that there are not end the connection.
    peer.send(messages.status(messages.slot(8_096, 2), os.urandom(8)), messages.done(messages.slot(8_096, 255)))
    wait_until(lambda: False, 2)
    world.note("the connection ended" if not peer.is_connected else "the connection stands")
