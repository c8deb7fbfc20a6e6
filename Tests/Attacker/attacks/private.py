"""A stolen device of Alice's lies about what she keeps for herself."""

import os

from moot_client import messages, private
from moot_client.encoding import number
from moot_client.node import wait_until
from moot_client.people import now
from moot_client.private import BLOCKED, CONVERSATION, VERIFIED, YES

from .household import Household
from .world import MEGABYTE, attack

DAY = 86_400_000


def writes(device):
    """What a liar says of conversations: {what it is: (the state, the names of the registers that count, or None for none of it)}."""
    say, late = device.register, now() + DAY + 3_600_000
    made = private.preferences
    pinned = say(YES)
    return {
        "a write": (made(pinned=pinned), {"pinned"}),
        "the longest draft": (made(draft=say(private.draft("x" * 16_384))), {"draft"}),
        "a draft that is too long": (made(pinned=pinned, draft=say(private.draft("x" * 16_385))), None),
        "64 tags": (made({f"{index:02}": pinned for index in range(64)}), {b"%02d" % index for index in range(64)}),
        "65 tags": (made({f"{index:02}": pinned for index in range(65)}), None),
        "a tag that is too long": (made({"x" * 513: pinned}), None),
        "a tag that nobody wrote": (made({"a": b"\0"}, pinned=pinned), None),
        "a tag twice": (made(pinned=pinned)[:-1] + number(2) + (b"\1a" + pinned) * 2, None),
        "a tag of no text": (made({b"\xff": pinned}), None),
        "a pin that is no answer": (made(pinned=say(b"\2")), None),
        "an archive that is no answer": (made(archived=say(b"\3")), None),
        "a mute of no kind": (made(mute=say(b"\3\0")), None),
        "a mute until before there was time": (made(mute=say(b"\1" + number(1))), None),
        "a version that comes later": (made(pinned=pinned, version=4), None),
        "no version": (b"", None),
        "version 2 without receipts": (made(pinned=pinned, version=2), None),
        "bytes behind the end": (made(pinned=pinned) + b"\0", None),
        "more than a day ahead": (made(pinned=say(YES, late), draft=say(private.draft("now"))), {"draft"}),
        "the last time": (made(pinned=say(YES, 1 << 48), archived=say(YES)), {"archived"}),
        "after the last time": (made(pinned=say(YES, (1 << 48) + 1), archived=say(YES)), None),
        "a time that is no number": (made(pinned=b"\1" + b"\xff" * 10 + device.device.id + YES), None),
        "noise": (os.urandom(200), None),
    }


@attack("38-44", people=0)
def lies_about_conversations(world):
    """A stolen device writes what is too long, too much, too late or nothing at all into Alice's private state."""
    device, harms = Household(world, world.alice), []
    for what, (state, counting) in writes(device).items():
        name = os.urandom(32)
        device.write(CONVERSATION, name, state)
        held = device.held(CONVERSATION, name)
        found = set(private.read_preferences(held)) if held else None
        if found != counting:
            harms.append(f"{what}: {found} is kept, not {counting}")
    # In a conversation that is here: nothing of the lie is shown, and what Alice says counts.
    ship = bytes.fromhex(world.ship)
    device.write(CONVERSATION, ship, private.preferences(pinned=device.register(YES, now() + 2 * DAY)))
    device.preferences(ship)
    if world.alice.ask("GET", f"/conversations/{world.ship}")["pinned"]:
        harms.append("a pin of the day after tomorrow is shown")
    device.write(CONVERSATION, ship, private.preferences(pinned=device.register(YES, now() + DAY // 2)))
    device.preferences(ship)
    if not world.alice.ask("GET", f"/conversations/{world.ship}")["pinned"]:
        harms.append("a pin of half a day ahead is not taken")
    world.alice.ask("PUT", f"/conversations/{world.ship}/private", {"pinned": False})
    if device.preferences(ship).get("pinned", (1,))[0] != 0:
        harms.append("Alice's word does not come after that of the liar")
    return harms + agreement(device)


def agreement(device):
    """Whether the device is let in again, and the digest that the node says then is that of what it told."""
    device.peer.close()
    device.peer = device.connect()
    pieces = {piece: device.held(*piece) for piece in device.inventory()}
    device.peer.close()
    device.peer = device.connect()
    device.peer.wait(lambda: device.peer.of_kind(messages.PRIVATE_DIGEST))
    said = device.peer.of_kind(messages.PRIVATE_DIGEST)
    if not said or said[0][1:] != private.digest(pieces):
        return [f"{device.node.name} says another digest of {len(pieces)} pieces"]
    return []


@attack("38-44", people=0)
def lies_about_people(world):
    """A stolen device marks Alice herself, in lists that are too long, of kinds that are unknown, and not in order."""
    device, harms = Household(world, world.alice), []
    mark, me, bob = device.register(YES), world.alice.user, world.bob.user
    for kind in (BLOCKED, VERIFIED):
        device.write(kind, me, mark)
        if device.held(kind, me):
            harms.append(f"Alice herself is marked as {kind}")
        device.write(kind, bob, device.register(YES, now() + 2 * DAY))
        device.write(kind, bob, mark + b"\0")
        device.write(kind, bob, device.register(b"\2"))
        if device.held(kind, bob):
            harms.append(f"Bob is marked as {kind} by a mark that is none")
    listed = world.alice.ask("GET", f"/people/{bob.hex()}")
    if listed["blocked"] or listed["verified"]:
        harms.append(f"Bob is listed as {listed}")
    device.write(3, bob, mark)
    crowd = {(BLOCKED, os.urandom(32)): mark for _ in range(1_025)}
    device.peer.send(messages.private_states(crowd))
    device.peer.send(messages.private_states({(CONVERSATION, bob): bytes(65_537)}))
    device.peer.send(messages.private_versions(bytes(32), {(0, os.urandom(32)): bytes(8) for _ in range(4_097)}))
    if device.held(*next(iter(crowd))) or not device.peer.is_connected:
        harms.append("a message of 1,025 states is not passed over")
    # Of Bob it counts, and what Alice says afterwards does.
    device.write(BLOCKED, bob, mark)
    if not wait_until(lambda: world.alice.ask("GET", f"/people/{bob.hex()}")["blocked"], 3):
        harms.append("a mark as it should be is not taken")
    world.alice.ask("PUT", f"/people/{bob.hex()}/blocked", {"blocked": False})
    harms += agreement(device)
    # What no honest device could send ends the connection, and the node stays.
    forms = {
        "pieces that are not in order": private_states_as_they_are([(BLOCKED, b"\2" * 32, mark), (BLOCKED, b"\1" * 32, mark)]),
        "a digest that is cut": bytes([messages.PRIVATE_DIGEST]) + bytes(15),
        "a summary with a bucket too few": messages.private_summary(private.bucket_bits([1, 2]) + bytes(8)),
        "a version in a bucket that is not named": messages.private_versions(bytes(32), {(0, os.urandom(32)): bytes(8)}),
    }
    for what, form in forms.items():
        other = Household(world, world.alice)
        other.peer.send(form)
        if not other.peer.wait(lambda peer=other.peer: not peer.is_connected):
            harms.append(f"{what} is no offense")
        other.retire()
    device.retire()
    return harms


def private_states_as_they_are(pieces):
    encoded = b"".join(bytes([kind]) + name + number(len(state)) + state for kind, name, state in pieces)
    return bytes([messages.PRIVATE_STATES]) + number(len(pieces)) + encoded


@attack("38-44", people=0, disk=96 * MEGABYTE, takes_long=True)
def private_state_without_end(world):
    """Two stolen devices fill the private state: one with 20 MiB of drafts at Alice's, one with 17,000 pieces at Bob's."""
    wide, many = Household(world, world.alice), Household(world, world.bob)
    words = wide.register(private.draft("x" * 16_000))
    for _ in range(6):
        wide.peer.send(messages.private_states({(CONVERSATION, os.urandom(32)): private.preferences(draft=words) for _ in range(220)}))
    pin = many.register(YES)
    for _ in range(17):
        many.peer.send(messages.private_states({(CONVERSATION, os.urandom(32)): private.preferences(pinned=pin) for _ in range(1_000)}))
    harms = []
    held = len(wide.inventory()) * 16_000
    world.note(f"{held >> 20} MiB")
    if not 15 * MEGABYTE < held <= 16 * MEGABYTE:
        harms.append(f"{held} bytes of drafts are kept")
    held = len(many.inventory())
    world.note(f"{held} pieces")
    if not 16_000 < held <= 16_384:
        harms.append(f"{held} pieces are kept")
    # What the user says here has room.
    for node, device in ((world.alice, wide), (world.bob, many)):
        node.ask("PUT", f"/conversations/{world.ship}/private", {"pinned": True, "draft": "There is room"})
        if "draft" not in device.preferences(bytes.fromhex(world.ship)):
            harms.append(f"{node.name}'s own word has no room")
    for device in (wide, many):
        device.retire()
    return harms


@attack("38-44", people=0)
def lies_about_reading(world):
    """A stolen device says that everything was read that is to come, gives false keys, and has a conversation kept for a day."""
    device, ship, harms = Household(world, world.alice), bytes.fromhex(world.ship), []
    peer = device.peer
    place = messages.slot(peer.show(ship), 1)
    if not peer.wait(lambda: peer.node_slot(ship) is not None):
        return ["the device is not shown the conversation"]

    def unread():
        return world.alice.ask("GET", f"/conversations/{world.ship}")["unread"]

    before = unread()
    # Too many, and of devices that nobody has.
    peer.send(messages.read_marks(place, {os.urandom(32): 1 << 54 for _ in range(4_097)}))
    for _ in range(15):
        peer.send(messages.read_marks(place, {os.urandom(32): 1 << 54 for _ in range(4_096)}))
    peer.send(messages.keys(place, {os.urandom(32): os.urandom(32) for _ in range(256)}))
    peer.send(messages.keys(place, {os.urandom(32): os.urandom(32) for _ in range(257)}))
    peer.send(messages.keys_wanted(place, {os.urandom(32) for _ in range(256)}))
    peer.send(messages.retention(place, 1), messages.retention(place, 3_651), *[messages.opened(place)] * 100)
    # Up to here Bob's words are news to her.
    world.bob.say(world.ship, "Before the lie")
    if not wait_until(lambda: unread() == before + 1, 5):
        harms.append(f"after marks of devices that nobody has, {unread()} are unread")
    if not peer.is_connected:
        return [*harms, f"what is only too long is an offense: {peer.ended}"]
    after = world.alice.ask("GET", f"/conversations/{world.ship}")
    if "keep_days" in after:
        harms.append(f"Alice keeps her conversation for {after['keep_days']} days")
    # What the user may have read elsewhere counts as read, until the device is taken out.
    peer.send(messages.read_marks(place, {world.bob.device: 1 << 54}))
    if not wait_until(lambda: unread() == 0, 5):
        harms.append(f"{unread()} are unread although another device read them")
    world.bob.say(world.ship, "During the lie")
    if not wait_until(lambda: "During the lie" in world.alice.texts(world.ship), 5) or unread() != 0:
        harms.append(f"{unread()} are unread although the marks are ahead")
    # What is remembered for what is to come costs little when something comes.
    device.settle()
    spent = -world.alice.processor_seconds()
    for _ in range(100):
        peer.send(messages.read_marks(place, {os.urandom(32): 1}))
    device.settle()
    spent += world.alice.processor_seconds()
    world.note(f"100 marks took {spent:.1f} s of processor")
    if spent > 2:
        harms.append(f"100 marks take {spent:.1f} s of processor")
    device.revoke()
    world.bob.say(world.ship, "After the lie")
    if not wait_until(lambda: unread() == 1, 5):
        harms.append(f"a device that is out silences Bob: {unread()} are unread")
    return harms


@attack("38-44", people=0)
def forms_of_words_between_devices(world):
    """A stolen device sends words with numbers that cannot be: the connection ends, and nothing else does."""
    ship, harms = bytes.fromhex(world.ship), []
    forms = {
        "a mark of nothing": lambda place: messages.read_marks(place, {bytes(32): 0}),
        "a mark beyond every chain": lambda place: messages.read_marks(place, {bytes(32): (1 << 54) + 1}),
        "no days": lambda place: messages.retention(place, 0),
        "words behind the end": lambda place: messages.opened(place) + b"\0",
    }
    for what, form in forms.items():
        device = Household(world, world.alice)
        place = messages.slot(device.peer.show(ship), 1)
        device.peer.send(form(place))
        if device.peer.settle():
            harms.append(f"{what} is no offense")
        if world.alice.ask("GET", f"/conversations/{world.ship}").get("keep_days"):
            harms.append(f"{what} counts")
        device.retire()
    return harms


