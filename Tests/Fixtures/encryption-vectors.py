#!/usr/bin/env python3
"""Makes encryption-vectors.json from the descriptions of the formats, without any of Moot's code.

Alice founds a group, adds Bob and Carol, and writes under epochs, good ones and bad ones. What a device must see of each message
stands under `readings`, bytes that must not be accepted under `refusals`. The cryptography is that of plain_cryptography.py.

    python3 Tests/Fixtures/encryption-vectors.py > Tests/Fixtures/encryption-vectors.json
"""
import hashlib
import json
import struct

from plain_cryptography import (
    P, agreement_public, check_published_vectors, sealed_box, sign, signing_public, xchacha_seal)

check_published_vectors()


# Encodings, Protocol.md section 1


def number(value):
    digits = bytearray()
    while value >= 0x80:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    digits.append(value)
    return bytes(digits)


def data(field):
    return number(len(field)) + field


def items(elements):
    return number(len(elements)) + b"".join(elements)


def ascending(ids):
    return items(sorted(ids))


def option(value):
    return b"\0" if value is None else b"\1" + value


def digest(label, *parts):
    return hashlib.blake2b(label.encode("ascii") + b"".join(parts), digest_size=32).digest()


def keyed(key, label, *parts):
    return hashlib.blake2b(label.encode("ascii") + b"".join(parts), key=key, digest_size=32).digest()


def statement(label, *fields):
    return label.encode("ascii") + b"".join(struct.pack(">I", len(field)) + field for field in fields)


def drawn(name, size=32):
    """A secret that is the same in every run."""
    return hashlib.blake2b(name.encode("ascii"), digest_size=size).digest()


# Identity


class Device:
    def __init__(self, user, name, label, counter=None):
        self.label, self.name, self.counter = label, name, counter
        self.seed = drawn(label + " device")
        self.key = signing_public(self.seed)
        self.id = digest("moot/1/device", user, self.key)
        self.wrap_secret = drawn(label + " wrap key")
        self.wrap_key = agreement_public(self.wrap_secret)
        self.wrap_record = None if counter is None else self.signed_wrap_record(number(counter), self.wrap_key)
        self.tips = {}

    def signed_wrap_record(self, counter, key, seed=None):
        body = self.id + counter + key
        return body + sign(seed or self.seed, statement("moot/1/wrap-record", body))


def blob_reference(label, length):
    """A file that nobody has: the top of its tree, its length, its key and its type."""
    return drawn(label + " top") + number(length) + drawn(label + " key") + data(b"image/jpeg")


class Person:
    def __init__(self, name, serial, devices, photo=b""):
        self.name, self.serial, self.photo = name, serial, photo
        self.root = drawn(name + " root")
        self.user = signing_public(self.root)
        self.devices = sorted((Device(self.user, *device) for device in devices), key=lambda device: device.id)
        body = self.user + number(serial) + items([d.key + data(d.name.encode()) for d in self.devices])
        self.identity = body + sign(self.root, statement("moot/1/identity", body))
        self.wraps = [device.wrap_record for device in self.devices if device.wrap_record]
        self.credentials = self.credentials_with(self.wraps)
        self.card = self.card_with(photo)
        self.introduction = data(self.card) + items([data(record) for record in self.wraps])

    def card_with(self, photo):
        card = number(3) + data(self.name.encode()) + data(photo) + data(self.identity)
        return card + sign(self.root, statement("moot/1/card", card))

    def credentials_with(self, wraps):
        return data(self.identity) + items([data(record) for record in wraps])

    def json(self):
        return {
            "name": self.name, "root": self.root.hex(), "user": self.user.hex(), "serial": self.serial,
            "devices": [
                {"label": d.label, "name": d.name, "seed": d.seed.hex(), "id": d.id.hex(), "counter": d.counter,
                 "wrapSecret": d.wrap_secret.hex(), "wrapKey": d.wrap_key.hex(),
                 "wrapRecord": d.wrap_record and d.wrap_record.hex()}
                for d in self.devices],
            "credentials": self.credentials.hex(), "cardVersion": 3, "photo": self.photo.hex(),
            "introduction": self.introduction.hex(),
        }


alices_photo = blob_reference("alice picture", 300_000) + blob_reference("alice thumbnail", 9_000)
alice = Person("Alice", 1, [("desk", "alice-desk", 1)], alices_photo)
bob = Person("Bob", 300, [("laptop", "bob-laptop", 7), ("phone", "bob-phone", 200)])
carol = Person("Carol", 2, [("tablet", "carol-tablet")])
people = [alice, bob, carol]
devices = {device.label: device for person in people for device in person.devices}
desk, laptop, phone, tablet = (devices[label] for label in ["alice-desk", "bob-laptop", "bob-phone", "carol-tablet"])


# Operations

CREATE, ADD, REMOVE, MESSAGE, EPOCH, COMPLAINT, WRAP = 1, 2, 7, 32, 33, 34, 35
MEMBERSHIP, CONTENT = 0, 1
operations, chapters = {}, []
clock = 1_800_000_000_000


def header_up_to_digest(
    type, conversation, lane, device, sequence, previous, dependencies, heads, epoch, time, length):
    octets = number(1) + number(type) + option(conversation) + bytes([lane]) + device + number(sequence)
    if sequence > 1:
        octets += previous
    octets += ascending(dependencies)
    if lane == CONTENT:
        octets += ascending(heads) + option(epoch)
    return octets + number(time) + number(length)


class Place:
    """Where an operation stands: its header before the body is known, and what keys are bound to."""

    def __init__(self, type, conversation, lane, device, sequence, previous, dependencies, heads, epoch, time, length):
        self.fields = dict(
            type=type, conversation=conversation, lane=lane, device=device, sequence=sequence, previous=previous,
            dependencies=dependencies, heads=heads, epoch=epoch, time=time, length=length)
        self.conversation, self.device, self.sequence, self.heads = conversation, device, sequence, heads
        self.up_to_digest = header_up_to_digest(**self.fields)

    def but(self, **changes):
        return Place(**{**self.fields, **changes})


def write(name, device, type, body, length=None, lane=CONTENT, dependencies=(), heads=(), epoch=None, signer=None):
    """Writes on top of the device's chain; `body` may be bytes, or a function of the place."""
    global clock
    clock += 60_000
    sequence, previous = device.tips.get(lane, (0, None))
    place = Place(
        type, conversation if type != CREATE else None, lane, device.id, sequence + 1, previous, list(dependencies),
        list(heads), epoch, clock, len(body) if length is None else length)
    content = body if isinstance(body, bytes) else body(place)
    assert length is None or length == len(content)
    header = place.up_to_digest + digest("moot/1/body", content)
    id = digest("moot/1/op", header)
    device.tips[lane] = (sequence + 1, id)
    operations[name] = {
        "author": device.label, "header": header.hex(), "id": id.hex(), "body": content.hex(),
        "signature": sign(device.seed, statement("moot/1/sig", id)).hex()}
    chapters.append(name)
    return id, place, content


# What is encrypted


def view_of(readers):
    """`readers`: pairs of person and device, in any order."""
    readers = sorted(((person.user, device.id, device.wrap_key) for person, device in readers))
    return readers, digest("moot/1/view", conversation, *[part for reader in readers for part in reader])


def commitment(key, place, view):
    return keyed(key, "moot/1/commit", place.conversation, place.device, ascending(place.heads), view)


def message_key(key, place):
    return keyed(key, "moot/1/msg", place.conversation, place.device, number(place.sequence))


def pad(text):
    """ISO/IEC 7816-4 to a multiple of 16: always at least the byte 0x80."""
    return text + b"\x80" + bytes(-(len(text) + 1) % 16)


def sealed_length(text):
    return 24 + len(pad(text)) + 16


def seal_padded(key, place, nonce, padded):
    return nonce + xchacha_seal(message_key(key, place), nonce, place.up_to_digest, padded)


def seal(key, place, nonce, text):
    return seal_padded(key, place, nonce, pad(text))


def message_text(text, reply_to=None):
    return option(reply_to) + data(text.encode("utf-8"))


def fleeting(label):
    return drawn(label + " ephemeral")


def wraps_for(key, readers, name):
    """The key sealed for each reader of a view, each time with a fleeting key of its own."""
    return [sealed_box(key, reader[2], fleeting("%s %d" % (name, index))) for index, reader in enumerate(readers)]


def epoch_body(view, commit, wraps):
    return view + commit + items(wraps)


def write_epoch(name, heads, view, key, wraps, dependencies=(), committed=None, view_id=None):
    return write(
        name, desk, EPOCH,
        lambda place: epoch_body(view_id or view[1], commitment(committed or key, place, view_id or view[1]), wraps),
        length=64 + len(items(wraps)), heads=heads, dependencies=dependencies)


def write_message(name, device, epoch, key, text, heads, nonce=None, body=None, length=None, **more):
    nonce = nonce or drawn(name + " nonce", 24)
    return write(
        name, device, MESSAGE, body or (lambda place: seal(key, place, nonce, text)),
        length=sealed_length(text) if length is None else length, heads=heads, epoch=epoch, **more)


# The story: Alice founds a group and adds Bob, who has two devices, and Carol, whose device published no key

conversation = None
nonce = drawn("create nonce", 16)
conversation = write("create", desk, CREATE, nonce + alice.credentials, lane=MEMBERSHIP)[0]
alone = view_of([(alice, desk)])
epoch_key = drawn("epoch key")
listen = message_text("Do you hear me?")
early, _, _ = write_epoch(
    "early-epoch", [conversation], alone, epoch_key, wraps_for(epoch_key, alone[0], "early"))
write_message("before-the-others", desk, early, epoch_key, listen, [conversation])
write(
    "add", desk, ADD,
    b"\1" + conversation + number(0) + items([bob.credentials, carol.credentials]), lane=MEMBERSHIP)
added = desk.tips[MEMBERSHIP][1]
everybody = view_of([(alice, desk), (bob, laptop), (bob, phone)])
heads = [added]

epoch_wraps = wraps_for(epoch_key, everybody[0], "epoch")
epoch, epoch_place, _ = write_epoch("epoch", heads, everybody, epoch_key, epoch_wraps)

hello = message_text("Hello, Bob. Shall we meet at nine?")
hello_nonce = drawn("message nonce", 24)
message, message_place, message_body = write_message(
    "message", desk, epoch, epoch_key, hello, heads, nonce=hello_nonce)
answer = message_text("At nine, gladly. ☕", message)
reply, _, _ = write_message("reply", phone, epoch, epoch_key, answer, heads, dependencies=[message])

readings = []


def reading(about, reader, of, sees, after=("epoch",), text=None):
    readings.append({
        "about": about, "reader": reader.label, "after": list(after), "operation": of, "sees": sees,
        "plaintext": text and text.hex()})


for device in (desk, laptop, phone):
    reading("a message under an epoch, on " + device.label, device, "message", "open", text=hello)
    reading("an answer, on " + device.label, device, "reply", "open", text=answer)
reading("a message for a device that published no key", tablet, "message", "closed")

# A wrap for another key: it does not open, until somebody who holds the key seals it once more
deaf_key = drawn("deaf key")
deaf_wraps = [
    sealed_box(deaf_key, tablet.wrap_key if reader[1] == laptop.id else reader[2], fleeting("deaf %d" % index))
    for index, reader in enumerate(everybody[0])]
deaf, _, _ = write_epoch("deaf-epoch", heads, everybody, deaf_key, deaf_wraps, dependencies=[reply])
deaf_message, _, _ = write_message("deaf-message", desk, deaf, deaf_key, listen, heads)
complaint, _, _ = write(
    "complaint", laptop, COMPLAINT, b"", heads=heads, epoch=deaf, dependencies=[deaf_message])
again = sealed_box(deaf_key, laptop.wrap_key, fleeting("again"))
write("wrap", desk, WRAP, laptop.id + laptop.wrap_key + again, heads=heads, epoch=deaf, dependencies=[complaint])
reading("a wrap that is for another key", laptop, "deaf-message", "wrap_broken", after=["deaf-epoch"])
reading("the wrap beside it", phone, "deaf-message", "open", after=["deaf-epoch"], text=listen)
reading("a wrap that is for another key, after a complaint", laptop, "deaf-message", "wrap_broken",
        after=["deaf-epoch", "complaint"])
reading("a key that was sealed once more", laptop, "deaf-message", "open", after=["deaf-epoch", "complaint", "wrap"],
        text=listen)
write("useless-wrap", desk, WRAP, laptop.id + laptop.wrap_key + sealed_box(deaf_key, tablet.wrap_key, fleeting("useless")),
      heads=heads, epoch=deaf)
reading("a key that was sealed once more, again for another key", laptop, "deaf-message", "wrap_broken",
        after=["deaf-epoch", "complaint", "useless-wrap"])
reading("a useless wrap before a good one", laptop, "deaf-message", "open",
        after=["deaf-epoch", "complaint", "useless-wrap", "wrap"], text=listen)

bent_wraps = [wrap[:-1] + bytes([wrap[-1] ^ 1]) for wrap in wraps_for(drawn("bent key"), everybody[0], "bent")]
bent, _, _ = write_epoch("bent-epoch", heads, everybody, drawn("bent key"), bent_wraps)
write_message("bent-message", desk, bent, drawn("bent key"), listen, heads)
reading("wraps with one bit changed", phone, "bent-message", "wrap_broken", after=["bent-epoch"])

# A commitment of another key, and another key for one of the readers
swapped, _, _ = write_epoch(
    "other-commitment", heads, everybody, drawn("swapped key"),
    wraps_for(drawn("swapped key"), everybody[0], "swapped"), committed=drawn("never sealed"))
write_message("under-other-commitment", desk, swapped, drawn("swapped key"), listen, heads)
for device in (desk, phone):
    reading("a commitment of another key, on " + device.label, device, "under-other-commitment", "commit_broken",
            after=["other-commitment"])
two_wraps = [
    sealed_box(drawn("his key" if reader[1] == laptop.id else "their key"), reader[2], fleeting("two %d" % index))
    for index, reader in enumerate(everybody[0])]
two, _, _ = write_epoch("two-keys", heads, everybody, drawn("their key"), two_wraps)
write_message("under-two-keys", desk, two, drawn("their key"), listen, heads)
reading("another key than the others were given", laptop, "under-two-keys", "commit_broken", after=["two-keys"])
reading("the key that the others were given", phone, "under-two-keys", "open", after=["two-keys"], text=listen)
moved, _, _ = write(
    "moved-commitment", desk, EPOCH,
    epoch_body(everybody[1], commitment(epoch_key, epoch_place.but(device=phone.id), everybody[1]), epoch_wraps),
    heads=heads)
write_message("under-moved-commitment", desk, moved, epoch_key, listen, heads)
reading("a commitment by another author", phone, "under-moved-commitment", "commit_broken", after=["moved-commitment"])

# Epochs that are not for the view at their heads
false, _, _ = write_epoch(
    "other-view", heads, everybody, epoch_key, wraps_for(epoch_key, everybody[0], "other view"), view_id=alone[1])
write_message("under-other-view", desk, false, epoch_key, listen, heads)
reading("an epoch that names another view", desk, "under-other-view", "false_epoch", after=["other-view"])
few, _, _ = write_epoch("wrap-missing", heads, everybody, epoch_key, epoch_wraps[:2])
write_message("under-wrap-missing", desk, few, epoch_key, listen, heads)
reading("an epoch with a wrap too few", desk, "under-wrap-missing", "false_epoch", after=["wrap-missing"])
torn, _, _ = write("torn-epoch", desk, EPOCH, epoch_body(everybody[1], bytes(32), epoch_wraps)[:-1], heads=heads)
write_message("under-torn-epoch", desk, torn, epoch_key, listen, heads)
reading("an epoch with a body that ends early", desk, "under-torn-epoch", "false_epoch", after=["torn-epoch"])

# Messages that name the wrong epoch, or none
write_message("under-early-epoch", desk, early, epoch_key, listen, heads)
reading("an epoch of the time before the others were added", desk, "under-early-epoch", "wrong_epoch",
        after=["early-epoch"])
reading("a message from before the others were added, on alice-desk", desk, "before-the-others", "open",
        after=["early-epoch"], text=listen)
reading("a message from before the others were added, on bob-phone", phone, "before-the-others", "closed",
        after=["early-epoch"])
write_message("under-a-message", desk, message, epoch_key, listen, heads)
reading("a message named as the epoch", desk, "under-a-message", "not_an_epoch")
write("in-the-clear", desk, MESSAGE, listen, heads=heads)
reading("a text that was not encrypted", desk, "in-the-clear", "no_epoch")

# Bodies that do not open
other_key = drawn("another epoch key")
other, _, _ = write_epoch("other-epoch", heads, everybody, other_key, wraps_for(other_key, everybody[0], "other"))
write_message("under-other-key", desk, epoch, other_key, listen, heads)
reading("a body under another epoch's key", phone, "under-other-key", "broken_seal", after=["epoch", "other-epoch"])
cut_nonce = drawn("cut nonce", 24)
for name, size in [("cut-by-one", -1), ("cut-to-a-tag", 40), ("cut-to-a-nonce", 24), ("cut-to-nothing", 0)]:
    length = sealed_length(hello)
    kept = length + size if size < 0 else size
    write_message(
        name, desk, epoch, epoch_key, hello, heads, length=kept,
        body=lambda place: seal(epoch_key, place, cut_nonce, hello)[:kept])
    reading("a body of %d bytes instead of %d" % (kept, length), phone, name, "broken_seal")
for name, padded in [
    ("unpadded", listen), ("padded-with-zeros", listen.ljust(32, b"\0")),
    ("padded-with-ones", listen.ljust(32, b"\1")),
    ("padded-too-short", (listen + b"\x80").ljust(31, b"\0")), ("padded-to-nothing", b""),
    ("padded-by-a-block-too-many", (listen + b"\x80").ljust(64, b"\0")),
]:
    write_message(
        name, desk, epoch, epoch_key, listen, heads, length=40 + len(padded),
        body=lambda place: seal_padded(epoch_key, place, drawn(name, 24), padded))
    reading("what was sealed is " + name.replace("-", " "), phone, name, "broken_seal")

# A header that is not the one the body was sealed for
write_message("signed-by-another", phone, epoch, epoch_key, hello, heads, body=message_body, length=len(message_body))
reading("the body of Alice, signed by Bob as Bob's own", desk, "signed-by-another", "broken_seal")
write_message("said-again", desk, epoch, epoch_key, hello, heads, body=message_body, length=len(message_body))
reading("a body that its author signs a second time", phone, "said-again", "broken_seal")
for name, changes in [
    ("type", dict(type=MESSAGE + 64)), ("conversation", dict(conversation=drawn("another conversation"))),
    ("device", dict(device=phone.id)), ("sequence-number", dict(sequence=400)), ("previous", dict(previous=message)),
    ("dependencies", dict(dependencies=[reply])), ("membership-heads", dict(heads=[conversation, added])),
    ("epoch", dict(epoch=other)), ("time", dict(time=clock)), ("body-length", dict(length=97)),
]:
    write_message(
        "changed-" + name, desk, epoch, epoch_key, listen, heads,
        body=lambda place: seal(epoch_key, place.but(**changes), drawn(name, 24), listen))
    reading("one field of the header changed: " + name.replace("-", " "), phone, "changed-" + name, "broken_seal")


# An epoch by somebody to whom its key is not sealed
outside_key = drawn("outside key")
outside_wraps = wraps_for(outside_key, everybody[0], "outside")
outside, _, _ = write(
    "epoch-by-no-reader", tablet, EPOCH,
    lambda place: epoch_body(everybody[1], commitment(outside_key, place, everybody[1]), outside_wraps),
    length=64 + len(items(outside_wraps)), heads=heads)
write_message("under-epoch-by-no-reader", desk, outside, outside_key, listen, heads)
reading("a sound epoch by a device that is no reader of its view", phone, "under-epoch-by-no-reader", "false_epoch",
        after=["epoch-by-no-reader"])

# Content of somebody who is no member under the heads it names: no replica takes it

removed = write(
    "remove", desk, REMOVE, b"\1" + conversation + number(0) + bob.user + items([]), lane=MEMBERSHIP,
    dependencies=[])[0]
write_message("before-hearing-of-it", laptop, epoch, epoch_key, listen, heads)
inadmissible = []
for name, type, body in [
    ("message-after-removal", MESSAGE, seal(epoch_key, message_place, drawn("after removal", 24), listen)),
    ("epoch-after-removal", EPOCH, epoch_body(alone[1], bytes(32), wraps_for(drawn("his"), alone[0], "after"))),
    ("complaint-after-removal", COMPLAINT, b""),
]:
    kept = dict(phone.tips)
    write(name, phone, type, body, heads=[removed], epoch=None if type == EPOCH else epoch)
    # Their chain goes on from what was taken.
    phone.tips = kept
    inadmissible.append({"operation": name, "code": "not_a_member"})


# Headers and texts of every shape


def seals():
    """What one key makes of texts and headers, long numbers and lists among them."""
    def ids(name, count):
        return sorted(drawn("%s %d" % (name, index)) for index in range(count))

    chain = Place(
        MESSAGE, conversation, CONTENT, phone.id, 300, drawn("previous"), ids("dependency", 2), ids("head", 3), epoch,
        clock, 0)
    first = chain.but(sequence=1, previous=None, dependencies=[])
    for about, place, text in [
        ("no text", first, b""), ("31 bytes", first, bytes(31)), ("32 bytes", first, bytes(32)),
        ("33 bytes, the last 0x80", first, bytes(32) + b"\x80"), ("a long chain", chain, hello),
        ("16 dependencies, 16 heads", chain.but(dependencies=ids("d", 16), heads=ids("h", 16)), hello),
        ("a number of 2^40", chain.but(sequence=2**40), hello),
        ("a type of a later version", chain.but(type=1000), bytes(range(256)) * 5),
    ]:
        place = place.but(length=sealed_length(text))
        nonce = drawn(about, 24)
        body = seal(epoch_key, place, nonce, text)
        view = drawn(about + " view")
        yield {
            "about": about, "header": (place.up_to_digest + digest("moot/1/body", body)).hex(), "nonce": nonce.hex(),
            "messageKey": message_key(epoch_key, place).hex(), "plaintext": text.hex(), "body": body.hex(),
            "view": view.hex(), "commitment": commitment(epoch_key, place, view).hex()}


# Bytes that are refused


def flipped(octets, index):
    changed = bytearray(octets)
    changed[index] ^= 1
    return bytes(changed)


def refusals():
    first, second = bob.wraps
    owner = bob.devices[0]
    records = bob.credentials_with

    def signed_by_owner(counter, key):
        return records([owner.signed_wrap_record(counter, key)])

    yield "credentials", "a wrap record with a changed signature", records([flipped(first, -1)]), "bad_signature"
    yield "credentials", "a wrap record with a changed key", records([flipped(first, -65)]), "bad_signature"
    yield (
        "credentials", "a wrap record signed by another device of the user",
        records([owner.signed_wrap_record(number(9), owner.wrap_key, seed=bob.devices[1].seed)]), "bad_signature")
    yield "credentials", "a wrap record of somebody else's device", records([desk.wrap_record]), "invalid_value"
    yield "credentials", "wrap records that do not ascend", records([second, first]), "unsorted"
    yield "credentials", "one wrap record twice", records([first, first]), "unsorted"
    yield "credentials", "more wrap records than devices", records([first, second, second]), "too_long"
    yield (
        "credentials", "a counter that is not in its shortest form", signed_by_owner(b"\x87\0", owner.wrap_key),
        "non_canonical_number")
    for about, key in [
        ("zero", bytes(32)), ("one", number(1).ljust(32, b"\0")), ("p - 1", (P - 1).to_bytes(32, "little")),
        ("p", P.to_bytes(32, "little")), ("p + 1", (P + 1).to_bytes(32, "little")),
        ("zero with the highest bit set", (2**255).to_bytes(32, "little")),
    ]:
        yield "credentials", "a wrap key of small order: " + about, signed_by_owner(number(7), key), "invalid_value"
    yield "credentials", "a byte that follows", bob.credentials + b"\0", "trailing_bytes"
    yield "credentials", "an end too early", bob.credentials[:-1], "truncated"
    yield "introduction", "a card without the list of keys", data(bob.card), "truncated"
    yield "introduction", "keys of another person", data(bob.card) + items([data(desk.wrap_record)]), "invalid_value"
    yield (
        "introduction", "a card with one bit of its signature changed",
        data(flipped(bob.card, -1)) + items([]), "bad_signature")
    yield "introduction", "a photo of 407 bytes", data(bob.card_with(bytes(407))) + items([]), "too_long"
    yield "introduction", "a byte that follows", bob.introduction + b"\0", "trailing_bytes"
    body = epoch_body(everybody[1], bytes(32), epoch_wraps)
    yield "epoch", "a body that ends early", body[:-1], "truncated"
    yield "epoch", "a byte that follows", body + b"\0", "trailing_bytes"
    yield "epoch", "a count that is not in its shortest form", body[:64] + b"\x83\0" + body[65:], "non_canonical_number"
    yield "epoch", "more wraps than a view may have readers", body[:64] + number(513) + bytes(513 * 80), "too_long"
    yield "wrap", "a body that ends early", (laptop.id + laptop.wrap_key + again)[:-1], "truncated"
    yield "wrap", "a byte that follows", laptop.id + laptop.wrap_key + again + b"\0", "trailing_bytes"
    up_to_digest, rest = message_place.up_to_digest, digest("moot/1/body", message_body)
    fields = message_place.fields
    # The byte that says whether an epoch follows stands before the epoch's 32 bytes, the time and the length.
    mark = len(up_to_digest) - len(number(fields["time"]) + number(fields["length"])) - 33
    yield (
        "header", "an epoch that is neither there nor absent",
        up_to_digest[:mark] + b"\2" + up_to_digest[mark + 1 :] + rest, "invalid_value")
    yield "header", "no membership heads", message_place.but(heads=[]).up_to_digest + rest, "invalid_value"
    yield "header", "a digest that ends early", up_to_digest + rest[:-1], "truncated"


# What all this is built of


def primitives():
    key, nonce, other = drawn("cipher key"), drawn("cipher nonce", 24), agreement_public(drawn("receiver"))
    ciphers = [
        {"key": key.hex(), "nonce": nonce.hex(), "data": text_data.hex(), "plaintext": text.hex(),
         "sealed": (nonce + xchacha_seal(key, nonce, text_data, text)).hex()}
        for text_data, text in [
            (b"", b""), (b"data", b""), (b"", b"x"), (bytes(12), bytes(63)), (bytes(16), bytes(64)),
            (bytes(17), bytes(65)), (drawn("long", 64) * 3, drawn("text", 64) * 5)]]
    boxes = [
        {"secretKey": drawn("receiver").hex(), "publicKey": other.hex(), "ephemeral": fleeting(str(size)).hex(),
         "plaintext": drawn("secret", size).hex(),
         "sealed": sealed_box(drawn("secret", size), other, fleeting(str(size))).hex()}
        for size in (1, 16, 32, 33, 64)]
    paddings = [{"plaintext": bytes(range(1, size + 1)).hex(), "padded": pad(bytes(range(1, size + 1))).hex()}
                for size in (0, 1, 30, 31, 32, 33, 63, 64)]
    return {"ciphers": ciphers, "sealedBoxes": boxes, "paddings": paddings}


def view_json(heads, view):
    return {
        "heads": [id.hex() for id in heads],
        "readers": [{"user": user.hex(), "device": id.hex(), "wrapKey": key.hex()} for user, id, key in view[0]],
        "id": view[1].hex()}


print(json.dumps({
    "about": "Made by encryption-vectors.py, independently of the code under test. Values are hexadecimal.",
    "primitives": primitives(),
    "people": [person.json() for person in people],
    "conversation": conversation.hex(),
    "operations": [{"name": name, **operations[name]} for name in chapters],
    "views": [view_json([conversation], alone), view_json(heads, everybody)],
    "epoch": {
        "operation": "epoch", "key": epoch_key.hex(), "view": everybody[1].hex(),
        "upToDigest": epoch_place.up_to_digest.hex(),
        "commitment": commitment(epoch_key, epoch_place, everybody[1]).hex(),
        "ephemerals": [fleeting("epoch %d" % index).hex() for index in range(3)],
        "wraps": [wrap.hex() for wrap in epoch_wraps]},
    "message": {
        "operation": "message", "text": "Hello, Bob. Shall we meet at nine?",
        "upToDigest": message_place.up_to_digest.hex(),
        "messageKey": message_key(epoch_key, message_place).hex(), "nonce": hello_nonce.hex(),
        "plaintext": hello.hex(), "padded": pad(hello).hex()},
    "complaint": {"operation": "complaint", "epoch": deaf.hex()},
    "wrap": {
        "operation": "wrap", "epoch": deaf.hex(), "key": deaf_key.hex(), "device": laptop.id.hex(),
        "ephemeral": fleeting("again").hex(), "wrap": again.hex()},
    "seals": {"key": epoch_key.hex(), "cases": list(seals())},
    "readings": readings,
    "inadmissible": inadmissible,
    "refusals": [{"kind": kind, "about": about, "bytes": octets.hex(), "code": code}
                 for kind, about, octets, code in refusals()],
}, indent=1))
