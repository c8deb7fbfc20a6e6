#!/usr/bin/env python3
"""Makes private-vectors.json from the descriptions of the formats, without any of Moot's code.

Alice keeps something for herself about two conversations and two people, on a desk and a laptop. Then the laptop is stolen, and she revokes
it in a conversation. The cryptography is that of plain_cryptography.py.

    python3 Tests/Fixtures/private-vectors.py > Tests/Fixtures/private-vectors.json
"""
import hashlib
import json
import struct

from plain_cryptography import check_published_vectors, sign, signing_public

check_published_vectors()

CONVERSATION, BLOCK, VERIFICATION = range(3)
NO, YES = b"\0", b"\1"
UNWRITTEN = b"\0"
TIME = 1_764_000_000_000


def digest(label, *parts):
    return hashlib.blake2b(label.encode("ascii") + b"".join(parts), digest_size=32).digest()


def short(size, *parts):
    return hashlib.blake2b(b"".join(parts), digest_size=size).digest()


def statement(label, *fields):
    return label.encode("ascii") + b"".join(struct.pack(">I", len(field)) + field for field in fields)


def number(value):
    digits = b""
    while value >= 0x80:
        digits += bytes([value & 0x7F | 0x80])
        value >>= 7
    return digits + bytes([value])


def text(words):
    return number(len(words.encode())) + words.encode()


def listed(elements):
    return number(len(elements)) + b"".join(elements)


def drawn(name):
    """A secret that is the same in every run."""
    return hashlib.blake2b(name.encode("ascii"), digest_size=32).digest()


root = drawn("Alice root")
user = signing_public(root)


def device(label):
    return digest("moot/1/device", user, signing_public(drawn(label + " device")))


desk, laptop = device("desk"), device("laptop")


def register(value, time, by):
    return b"\1" + number(time) + by + value


def tagged(tags):
    return listed([text(tag) + tags[tag] for tag in sorted(tags, key=lambda tag: tag.encode())])


boat, notes = digest("Boat"), digest("moot/1/direct", user, user)
bob, carol = digest("Bob"), digest("Carol")

# A state as it is on the desk, and one that the laptop wrote without having seen it: two writes with one stamp among them.
at_desk = (
    b"\1" + register(YES, TIME, desk) + register(b"\2", TIME + 1, desk) + register(b"\2" + number(TIME + 86_400_000), TIME, desk)
    + UNWRITTEN + tagged({"boat": register(YES, TIME, desk), "z": register(NO, TIME + 3, desk)})
)
at_laptop = (
    b"\2" + register(NO, TIME + 1, laptop) + register(b"\1", TIME + 1, desk) + register(b"\1" + number(0), TIME - 1, laptop)
    + register(text("See you at the p\u00efer"), TIME + 2, laptop) + register(NO, TIME, laptop)
    + tagged({"z": register(YES, TIME + 2, laptop), "\u00e9": register(YES, TIME, laptop)})
)
merged = (
    b"\2" + register(NO, TIME + 1, laptop) + register(b"\2", TIME + 1, desk) + register(b"\2" + number(TIME + 86_400_000), TIME, desk)
    + register(text("See you at the p\u00efer"), TIME + 2, laptop) + register(NO, TIME, laptop)
    + tagged({"boat": register(YES, TIME, desk), "z": register(NO, TIME + 3, desk), "\u00e9": register(YES, TIME, laptop)})
)
of_notes = b"\3" + UNWRITTEN * 5 + register(YES, TIME, desk) + register(digest("an operation"), TIME + 5, desk) + listed([])

states = {
    (CONVERSATION, boat): merged,
    (CONVERSATION, notes): of_notes,
    (BLOCK, bob): register(YES, TIME, laptop),
    (VERIFICATION, bob): register(NO, TIME + 7, desk),
    (VERIFICATION, carol): register(YES, TIME + 8, desk),
}


def version(kind, about):
    return digest("moot/1/private", bytes([kind]), about, states[kind, about])[:8]


def name(piece):
    return bytes([piece[0]]) + piece[1]


def bits(buckets):
    return sum(1 << bucket for bucket in buckets).to_bytes(32, "little")


pieces = sorted(states)
buckets = sorted({about[0] for _, about in pieces})
summary = bits(buckets) + b"".join(
    short(8, *(name(piece) + version(*piece) for piece in pieces if piece[1][0] == bucket)) for bucket in buckets
)

conversation = digest("a conversation")
taken = user + laptop + b"\1"
tombstone = taken + sign(root, statement("moot/1/tombstone", taken))
decisions = listed(sorted(digest("a decision", bytes([index])) for index in range(2)))
messages = listed([digest("a message")])
revoke = tombstone + decisions + messages
revoke += sign(root, statement("moot/1/revoke", conversation, user, laptop, decisions, messages))
empty = tombstone + listed([]) * 2
empty += sign(root, statement("moot/1/revoke", conversation, user, laptop, listed([]), listed([])))

print(json.dumps({
    "about": "Made by private-vectors.py, independently of the code under test. Values are hexadecimal.",
    "atDesk": at_desk.hex(),
    "atLaptop": at_laptop.hex(),
    "merged": merged.hex(),
    "pieces": [
        {"kind": kind, "id": about.hex(), "state": states[kind, about].hex(), "version": version(kind, about).hex()} for kind, about in pieces
    ],
    "digest": short(16, summary).hex(),
    "messages": {
        "digest": (b"\x27" + short(16, summary)).hex(),
        "summary": (b"\x28" + summary).hex(),
        "versions": (b"\x29" + bits(buckets) + listed([name(piece) + version(*piece) for piece in pieces])).hex(),
        "states": (b"\x2a" + listed([name(piece) + number(len(states[piece])) + states[piece] for piece in pieces])).hex(),
    },
    "root": root.hex(),
    "conversation": conversation.hex(),
    "device": laptop.hex(),
    "decisions": sorted(digest("a decision", bytes([index])).hex() for index in range(2)),
    "counting": [digest("a message").hex()],
    "revoke": revoke.hex(),
    "revokeOfNothing": empty.hex(),
}, indent=1))
