"""Devices that were taken out, who says so, and a root that is in other hands."""

import contextlib
import os

from moot_client import bodies, messages, private
from moot_client.channel import ChannelEnded
from moot_client.encoding import Reader
from moot_client.node import Refused, wait_until
from moot_client.operations import CONTENT, DEVICE, MEMBERSHIP, REVOKE
from moot_client.peer import Peer
from moot_client.people import LAST_SERIAL, RETIRED, REVOKED, User, now, sign_record, sign_tombstone
from moot_client.private import BLOCKED, CONVERSATION, YES
from moot_client.replica import Replica
from moot_client.sodium import SigningKey

from .household import SENTINEL, Household
from .world import attack


def words_between_devices(place):
    """A well-formed message of every kind that only devices of one user send each other."""
    somebody = os.urandom(32)
    state = private.register(YES, now(), somebody)
    return [
        messages.keys_wanted(place, [somebody]),
        messages.keys(place, {somebody: somebody}),
        messages.read_marks(place, {somebody: 1 << 54}),
        messages.private_digest(bytes(16)),
        messages.private_summary(private.summary({})),
        messages.private_versions(private.ALL_BUCKETS, {}),
        messages.private_states({(BLOCKED, somebody): state, (CONVERSATION, somebody): private.preferences(pinned=state)}),
        messages.opened(place),
        messages.retention(place, 1),
    ]


def is_let_in(node, user, device):
    """Whether a device is heard by a node: one that was refused is let in no more."""
    try:
        peer = Peer(node.address, user, device)
    except ChannelEnded:
        return False
    try:
        peer.wait(lambda: peer.credentials is not None, 3)
        return peer.credentials is not None
    finally:
        peer.close()


def said_privately(node):
    """What a node shows of private state, and of devices taken out."""
    conversations = {one["id"]: {key: one.get(key) for key in ("pinned", "archived", "draft", "tags", "keep_days", "unread")}
                     for one in node.conversations()}
    people = {one["user"]: (one["blocked"], one["verified"]) for one in node.people() if one["name"] in ("Bob", "Alice", "Carol")}
    return conversations, people, [one["state"] for one in node.ask("GET", "/devices")]


@attack("38-44", people=2)
def private_words_of_others(world):
    """A stranger, and a member of a group, speak as devices of Alice's: before their hello, after it, and about a conversation."""
    eve, eve_peer = world.friend("Eve", 8)
    user, replica, to_alice, to_bob = world.member(devices=8, friends=[eve])
    before, harms = said_privately(world.alice), []
    count = len(words_between_devices(b""))

    def speaks(what, index, user, device, says_hello, conversation=None):
        peer = Peer(world.alice.address, user, device, says_hello=says_hello)
        place = 7
        if says_hello:
            peer.greeted()
        if conversation:
            place = peer.show(conversation)
            if not peer.wait(lambda: peer.node_slot(conversation) is not None):
                harms.append(f"{what}: the conversation is not recognized")
        word = words_between_devices(messages.slot(place, CONTENT))[index]
        answers = (messages.PRIVATE_VERSIONS, messages.PRIVATE_STATES, messages.KEYS)
        # Of a connection that is over nothing can be said any more.
        with contextlib.suppress(ChannelEnded):
            peer.send(word)
        named = f"{messages.NAMES[word[0]]} of {what}"
        if peer.settle():
            harms.append(f"{named} is no offense")
        if any(peer.counts[answer] for answer in answers):
            harms.append(f"{named} is answered")
        peer.close()
        if is_let_in(world.alice, user, device):
            harms.append(f"after {named} they are let in again")

    for index in range(count):
        for says_hello in (False, True):
            stranger = User("Stranger")
            speaks(f"a stranger {'after' if says_hello else 'before'} hello", index, stranger, stranger.device, says_hello)
    # Mallory's first device is the one that is connected.
    devices = [(user, device) for device in user.devices[1:]] + [(eve, device) for device in eve.devices[1:]]
    for index in range(count):
        speaks("a member", index, *devices.pop(), True, replica.conversation)
    speaks("a member before hello", 6, *devices.pop(), False)
    if said_privately(world.alice) != before:
        harms.append(f"what Alice keeps for herself is {said_privately(world.alice)}, not {before}")
    if not (to_alice.is_connected and to_bob.is_connected and eve_peer.is_connected):
        harms.append("other devices of who offended are cut off")
    return harms


@attack("38-44", people=2)
def tombstones_of_others(world):
    """A stranger and a member show tombstones: of Alice, of Bob, of themselves, with signatures of nobody, too many, and none."""
    eve, _ = world.friend("Eve", 8)
    user, replica, to_alice, _ = world.member(devices=8, friends=[eve])
    alice, bob, harms = world.alice, world.bob, []
    liar = SigningKey()

    def shows(what, who, device, is_offense, *contents):
        with contextlib.suppress(ChannelEnded):
            peer = Peer(alice.address, who, device).greeted()
            peer.send(*contents)
            ended = not peer.settle()
            peer.close()
            if ended != is_offense:
                harms.append(f"{what} is {'an' if ended else 'no'} offense")
            if is_let_in(alice, who, device) == is_offense:
                harms.append(f"after {what} they are {'let in' if is_offense else 'refused'}")

    own = sign_tombstone(liar, alice.device, REVOKED, alice.user)
    of_bob = sign_tombstone(liar, bob.device, RETIRED, bob.user)
    strangers = [User("Stranger") for _ in range(6)]
    some = [sign_tombstone(user.root, os.urandom(32)) for _ in range(258)]
    of_stranger = [sign_tombstone(strangers[2].root, os.urandom(32)) for _ in range(256)]
    cases = [
        ("a false one of Alice's device by a stranger", True, own),
        ("a false one of Bob's device by a stranger", False, of_bob),
        ("256 of the stranger's own", False, *of_stranger),
        ("one of another kind", True, own[:64] + b"\2" + own[65:]),
        ("none", True),
        ("257 of them", False, *some[:257]),
    ]
    for stranger, (what, is_offense, *encoded) in zip(strangers, cases, strict=True):
        shows(what, stranger, stranger.device, is_offense, messages.tombstones(encoded))
    # Of members one that is false counts as one.
    shows("a false one of Bob's device by a member", user, user.devices[1], True, messages.tombstones([of_bob]))
    shows("a false one of Eve's by a member", user, user.devices[2], True,
          messages.tombstones([sign_tombstone(user.root, eve.device.id, RETIRED, eve.id)]))
    # Their own count, 256 of them, those with the smallest devices.
    to_alice.send(messages.tombstones(some[:256]), messages.tombstones(some[256:]))
    smallest = sorted(one[32:64] for one in some)[:256]

    def shown(to, device):
        """The devices of Mallory that are shown as taken out."""
        peer = world.connect(alice, to, device)
        found = [one for message in peer.of_kind(messages.TOMBSTONES) for one in messages.read_tombstones(message)]
        peer.close()
        return sorted(one[32:64] for one in found if one[:32] == user.id)

    if not wait_until(lambda: shown(user, user.devices[3]) == smallest, 5):
        harms.append(f"{len(shown(user, user.devices[3]))} tombstones of Mallory are kept, or others than those of the smallest devices")
    if shown(User("Passer-by"), None):
        harms.append("a stranger is shown tombstones")
    # One of a device of theirs that is connected parts them at once.
    gone = world.connect(alice, eve, eve.devices[4])
    to_alice.send(messages.tombstones([sign_tombstone(eve.root, gone.device.id)]))
    if not gone.wait(lambda: not gone.is_connected) or not gone.of_kind(messages.TOMBSTONES):
        harms.append("a device of Eve's that is out is not told and let go")
    states = {one["state"] for node in (alice, bob) for one in node.ask("GET", "/devices")}
    if states != {"active"}:
        harms.append(f"devices of Alice and Bob are {states}")
    return harms


@attack("38-44", people=0)
def devices_taken_out(world):
    """A stolen device is taken out and comes back: with what it wrote, with the record from before, and with one that its root signs."""
    other, device, harms = Household(world, world.alice, "phone"), Household(world, world.alice, "laptop", with_root=True), []
    ship = bytes.fromhex(world.ship)
    old = device.user.introduction()
    device.write(CONVERSATION, ship, private.preferences(draft=device.register(private.draft("As it was"))))
    device.settle()
    device.retire()
    if not device.peer.wait(lambda: not device.peer.is_connected) or not device.peer.of_kind(messages.TOMBSTONES):
        harms.append("it is not told and let go")
    kept = other.preferences(ship).get("draft")
    if not kept or kept[0] != "As it was" or kept[2] != world.alice.device:
        harms.append(f"of what it wrote {kept} is kept")

    def comes_back(what, speaks):
        """Comes as the device that is out, and either listens or says all at once that a device of the user says."""
        try:
            peer = Peer(world.alice.address, device.user)
        except ChannelEnded:
            return
        if speaks:
            with contextlib.suppress(ChannelEnded):
                peer.send(*words_between_devices(messages.slot(peer.show(ship), CONTENT)))
                pinned = private.preferences(pinned=device.register(YES))
                peer.send(messages.private_states({(CONVERSATION, ship): pinned}))
        if not peer.wait(lambda: not peer.is_connected):
            harms.append(f"with {what} it stays")
        if not speaks and not peer.of_kind(messages.TOMBSTONES):
            harms.append(f"with {what} it is not told")
        if any(peer.counts[kind] for kind in (messages.HELLO, messages.TAGS, messages.PRIVATE_STATES, messages.PRIVATE_DIGEST)):
            harms.append(f"with {what} it is told {dict(peer.counts)}")
        peer.close()

    def returns(what):
        comes_back(what, False)
        comes_back(what, True)

    returns("the old record")
    device.user.sign(now() + 1_000, device.user.entries)
    returns("a record of later")
    alone = [entry for entry in device.user.entries if entry[0] == device.device.key.public]
    device.user.sign(now() + 10 * 365 * 86_400_000, alone)
    returns("a record of later that names it alone")
    active = {one for one, state in other.devices().items() if state == "active"}
    if active != {world.alice.device, other.device.id}:
        harms.append(f"a record of later that names it alone leaves {len(active)} devices, or others")
    # What it wrote is passed over, whoever carries it; and so are its old cards.
    other.write(CONVERSATION, ship, private.preferences(pinned=device.register(YES), archived=other.register(YES)))
    if set(other.preferences(ship)) != {"draft", "archived"}:
        harms.append(f"what another device carries of it counts: {set(other.preferences(ship))}")
    other.peer.send(messages.cards([Reader(old).data(), device.user.card]))
    replica = Replica(ship)
    if not replica.pull(other.peer):
        harms.append("the other device does not get the conversation")
    again = replica.write(other.user, DEVICE, bodies.device(other.user.credentials, [device.user.credentials]))
    replica.push(other.peer, [again])
    other.peer.send(messages.tombstones([sign_tombstone(device.user.root, device.device.id)]))
    other.settle()
    if not wait_until(lambda: again.id.hex() in {one["id"] for one in world.bob.ask("GET", f"/conversations/{world.ship}/membership")}, 5):
        harms.append("an operation with a record that names it does not come to Bob")
    at_bob = {one["id"]: one["state"] for one in world.bob.ask("GET", f"/people/{world.alice.user.hex()}/devices")}
    states = {other.devices().get(device.device.id), at_bob.get(device.device.id.hex())}
    if states != {"retired"}:
        harms.append(f"after records that name it, it is {states}")
    # A larger kind counts, the smaller one then no more.
    other.peer.send(messages.tombstones([sign_tombstone(device.user.root, device.device.id, REVOKED)]))
    other.peer.send(messages.tombstones([sign_tombstone(device.user.root, device.device.id)]))
    other.settle()
    if other.devices().get(device.device.id) != "revoked":
        harms.append(f"after both kinds it is {other.devices().get(device.device.id)}")
    world.alice.ask("PUT", f"/conversations/{world.ship}/private", {"archived": False, "draft": None})
    return harms


@attack("38-44", people=0)
def record_shown_in_passing(world):
    """Somebody who has Alice's root proves a device with a record that leaves out all others, and goes before they say hello."""
    other, device, harms = Household(world, world.alice, "phone"), Household(world, world.alice, "laptop", with_root=True), []
    device.peer.close()
    alone = [entry for entry in device.user.entries if entry[0] == device.device.key.public]
    device.user.sign(device.user.serial + 60_000, alone)
    peer = Peer(world.alice.address, device.user, says_hello=False)
    peer.settle()
    peer.close()
    everybody = {world.alice.device, other.device.id, device.device.id}

    def active():
        return {one for one, state in other.devices().items() if state == "active"}

    # A device may have more to say before its record is settled.
    if not wait_until(lambda: everybody <= active(), 8):
        harms.append(f"{len(active())} devices are left of {len(everybody)}")
    if not other.peer.is_connected or other.preferences(SENTINEL) is None:
        harms.append("another device is heard no more")
    return harms


@attack("38-44")
def tombstones_of_a_stolen_root(world):
    """A device that holds Dora's root shows 300 tombstones of hers, and false ones."""
    dora, harms = world.another("Dora", world.alice), []
    wait_until(lambda: dora.people())
    device = Household(world, dora, with_root=True)
    root = device.user.root
    for what, false in {
        "by nobody": sign_tombstone(SigningKey(), os.urandom(32), RETIRED, dora.user),
        "of another kind": sign_tombstone(root, os.urandom(32), 2),
    }.items():
        other = Household(world, dora)
        other.peer.send(messages.tombstones([false]))
        if not other.peer.wait(lambda peer=other.peer: not peer.is_connected):
            harms.append(f"a tombstone {what} is no offense")
    some = [sign_tombstone(root, os.urandom(32)) for _ in range(300)]
    device.peer.send(messages.tombstones(some[:257]))
    device.settle()
    if device.tombstones():
        harms.append("a message of 257 tombstones is not passed over")
    device.peer.send(messages.tombstones(some[:150]), messages.tombstones(some[150:]))
    device.settle()
    held = device.tombstones()
    if held != sorted(one[32:64] for one in some)[:256]:
        harms.append(f"{len(held)} tombstones are kept, or others than those of the smallest devices")
    # With all places taken a user takes no device out any more; what they write goes on.
    try:
        device.retire()
        harms.append("a 257th device can be taken out")
    except Refused:
        pass
    return harms


@attack("38-44", people=0)
def records_of_a_stolen_root(world):
    """Somebody who has Dora's root signs records without end, ones that nobody can exceed, and takes out the device that Dora has."""
    dora = world.another("Dora")
    harms = []
    own = Household(world, dora, with_root=True)
    user, entries = own.user, own.user.entries
    record = user.identity_record

    def serial_shown():
        """The serial of the record that Dora's node shows a stranger."""
        peer = world.connect(dora, User("Passer-by"))
        peer.close()
        return peer.credentials.serial

    before = serial_shown()
    # Above the year 2100 it is no record: nobody is let in with it, and nothing of it is believed.
    user.identity_record = sign_record(user.root, LAST_SERIAL + 1, entries)
    if is_let_in(dora, user, user.device):
        harms.append("a record of after the year 2100 is let in")
    user.identity_record = record
    for serial in (LAST_SERIAL + 1, 1 << 62, (1 << 64) - 1):
        lying = Household(world, dora)
        lying.user.root = user.root
        lying.user.sign(serial, entries)
        lying.peer.send(messages.hello(lying.user.introduction()))
        lying.peer.settle()
        lying.peer.close()
    shown = serial_shown()
    if not before <= shown <= now() + 60_000:
        harms.append(f"Dora's record has the serial {shown}")
    # A record of the last serial names the liar alone. Dora's node lives, and whatever counts, it says so to everybody.
    user.sign(LAST_SERIAL, [entry for entry in entries if entry[0] == user.device.key.public], user.card_version + 10)
    with contextlib.suppress(ChannelEnded):
        peer = Peer(dora.address, user).greeted()
        peer.settle()
        peer.close()
    if not dora.is_alive:
        return [*harms, f"Dora's node died: {dora.last_words()}"]
    for ask in (lambda: dora.ask("PATCH", f"/devices/{dora.device.hex()}", {"name": "desk"}),
                lambda: Household(world, dora, "one more"),
                lambda: dora.ask("GET", "/devices")):
        with contextlib.suppress(Refused):
            ask()
    dora.restart()
    if not dora.is_alive or not dora.ask("GET", "/status"):
        harms.append("Dora's node does not start again")
    return harms


@attack("38-44", people=1)
def tombstone_of_the_node_itself(world):
    """Somebody who has Dora's root takes out the device that Dora has: it writes nothing more, keeps what it has, and starts again."""
    dora = world.another("Dora", world.alice)
    if not wait_until(lambda: dora.people()):
        return ["Dora does not meet Alice"]
    direct = dora.ask("POST", "/conversations", {"kind": "direct", "members": [world.alice.user.hex()]})["id"]
    dora.say(direct, "Before")
    wait_until(lambda: "Before" in world.alice.texts(direct), 5)
    own, harms = Household(world, dora, with_root=True), []
    own.peer.send(messages.tombstones([sign_tombstone(own.user.root, dora.device)]))
    for when in ("at once", "after a restart"):
        code = "nothing"

        def is_refused():
            nonlocal code
            try:
                dora.say(direct, "Written by a device that is out")
            except Refused as refused:
                code = str(refused)
            return "device_taken_out" in code

        if not wait_until(is_refused, 3):
            harms.append(f"{when} a device that is out says {code}")
        if "Before" not in dora.texts(direct):
            harms.append(f"{when} it has not kept what it had")
        dora.restart()
    # Alice hears of it by the stolen device, and lets go of Dora's.
    thief = world.connect(world.alice, own.user)
    thief.send(messages.tombstones([sign_tombstone(own.user.root, dora.device)]))
    thief.settle()
    thief.close()
    world.alice.say(direct, "After")
    wait_until(lambda: False, 1)
    if "After" in dora.texts(direct):
        harms.append("a device that is out is told what comes later")
    return harms


@attack("16", people=2)
def revocations_of_others(world):
    """A member carries revocations of Alice's devices by their own root, of another conversation, and with other pins."""
    user, replica, to_alice, to_bob = world.member()
    own = Household(world, world.alice, with_root=True)
    root, deck = own.user.root, replica.conversation.hex()
    place = messages.slot(to_alice.show(replica.conversation), MEMBERSHIP)
    wait_until(lambda: False, 0.3)
    replica._pull(to_alice, place, MEMBERSHIP, 5)
    tombstone = sign_tombstone(root, own.device.id, REVOKED)
    honest = bodies.revoke(root, replica.conversation, tombstone)
    tips = sorted(replica.heads[MEMBERSHIP])
    false = {
        "by their own root": bodies.revoke(user.root, replica.conversation, tombstone),
        "in Alice's name": bodies.revoke(user.root, replica.conversation, sign_tombstone(user.root, own.device.id, REVOKED, own.user.id)),
        "of another conversation": bodies.revoke(root, bytes.fromhex(world.ship), tombstone),
        "of a device that is only retired": bodies.revoke(root, replica.conversation, sign_tombstone(root, own.device.id)),
        "with other decisions": tombstone + bodies.listed(tips[:1]) + honest[130:],
        "with 17 decisions": bodies.revoke(root, replica.conversation, tombstone, [os.urandom(32) for _ in range(17)]),
        "with bytes behind its end": honest + b"\0",
    }
    harms = []
    count = world.alice.ask("GET", f"/conversations/{deck}/membership")
    for what, body in false.items():
        liar = Replica(replica.conversation)
        for operation in replica.order:
            liar.apply(operation)
        peer = world.connect(world.alice, user)
        peer.show(replica.conversation)
        peer.wait(lambda peer=peer: peer.node_slot(replica.conversation) is not None)
        liar.push(peer, [liar.write(user, REVOKE, body)])
        peer.settle()
        peer.close()
        if world.alice.ask("GET", f"/conversations/{deck}/membership") != count:
            harms.append(f"a revocation {what} is taken into the lane")
        if own.devices().get(own.device.id) != "active":
            harms.append(f"a revocation {what} takes the device out")
    # What the root said of this conversation counts, whoever carries it.
    peer = world.connect(world.alice, user)
    peer.show(replica.conversation)
    peer.wait(lambda: peer.node_slot(replica.conversation) is not None)
    replica.push(peer, [replica.write(user, REVOKE, honest)])
    peer.settle()
    if own.devices().get(own.device.id) != "revoked":
        harms.append(f"after the root's own statement the device is {own.devices().get(own.device.id)}")
    return harms


@attack("16", people=0)
def revocations_with_invented_pins(world):
    """Somebody who has Alice's root carries a revocation that names nothing, and one that names what was never there."""
    own = Household(world, world.alice, with_root=True)
    ship, harms = bytes.fromhex(world.ship), []
    replica = Replica(ship)
    wait_until(lambda: own.device.id in own.devices(), 5)
    if not replica.pull(own.peer):
        return ["the device does not get the conversation"]
    tombstone = sign_tombstone(own.user.root, own.device.id, REVOKED)
    epoch = replica.make_epoch(own.user)
    said = replica.say(own.user, "By the stolen device", epoch)
    replica.push(own.peer, [epoch, said])
    if not wait_until(lambda: "By the stolen device" in world.bob.texts(world.ship), 5):
        harms.append("what the device writes before it is out does not come")
    other = Household(world, world.alice)
    replica.pull(other.peer)
    invented = bodies.revoke(own.user.root, ship, tombstone, [os.urandom(32)], [os.urandom(32)])
    # Its carrier is the other device of Alice's.
    void = replica.write(other.user, REVOKE, invented)
    replica.push(other.peer, [void])

    def verdicts(node):
        return {entry["id"]: entry for entry in node.ask("GET", f"/conversations/{world.ship}/membership")}

    if not wait_until(lambda: void.id.hex() in verdicts(world.alice), 5):
        return [*harms, "the revocation does not come"]
    if verdicts(world.alice)[void.id.hex()].get("rule") != "pin_unknown":
        harms.append(f"with invented pins it is {verdicts(world.alice)[void.id.hex()]}")
    # Its tombstone counts all the same: with it the device is gone.
    counts = replica.write(other.user, REVOKE, bodies.revoke(own.user.root, ship, tombstone))
    replica.push(other.peer, [counts])
    for node in (world.alice, world.bob):
        if not wait_until(lambda node=node: "By the stolen device" not in node.texts(world.ship), 5):
            harms.append(f"{node.name} shows what nothing of the revocations names")
    if not own.peer.wait(lambda: not own.peer.is_connected):
        harms.append("the device stays connected")
    return harms
