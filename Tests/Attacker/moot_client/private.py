"""What a user keeps for themselves, on all of their devices (sections 4 and 10)."""

from .encoding import Reader, data, listed, number, text
from .sodium import H, blake2b

CONVERSATION, BLOCKED, VERIFIED = range(3)

NO, YES = b"\0", b"\1"

NOTHING = {CONVERSATION: b"\1" + bytes(5), BLOCKED: b"\0", VERIFIED: b"\0"}
"""The state of each kind in which nothing is written: whoever holds more answers it with what they hold."""

BASIC = ("pinned", "archived", "mute", "draft")


def register(value, time, device):
    """One in which a device wrote."""
    return b"\1" + number(time) + device + value


def draft(words):
    return text(words)


def preferences(tags=None, version=None, **registers):
    """What is kept about a conversation: the registers by name, and `tags`, {tag: register}."""
    unwritten = b"\0"
    later = version or (3 if {"asking", "consent"} & registers.keys() else 2 if "receipts" in registers else 1)
    names = [*BASIC, *("receipts",)[: later >= 2], *("asking", "consent")[: 2 * (later >= 3)]]
    tags = {tag.encode() if isinstance(tag, str) else tag: found for tag, found in (tags or {}).items()}
    return (
        bytes([later])
        + b"".join(registers.get(name, unwritten) for name in names)
        + listed(data(tag) + tags[tag] for tag in sorted(tags))
    )


def read_preferences(state):
    """The registers that are written, as {name: (value, time, device)}; tags are named with their bytes."""
    reader, found = Reader(state), {}

    def take(name, value):
        if reader.u8():
            time, device = reader.number(), reader.id()
            found[name] = (value(), time, device)

    def mute():
        kind = reader.u8()
        return kind, reader.number() if kind else None

    version = reader.u8()
    take("pinned", reader.u8)
    take("archived", reader.u8)
    take("mute", mute)
    take("draft", reader.text)
    if version >= 2:
        take("receipts", reader.u8)
    if version >= 3:
        take("asking", reader.u8)
        take("consent", reader.id)
    for _ in range(reader.number()):
        take(reader.data(), reader.u8)
    return found


def state_version(kind, name, state):
    return H("moot/1/private", bytes([kind]) + name + state)[:8]


def bucket_bits(buckets):
    """The 32 bytes that name buckets."""
    bits = bytearray(32)
    for bucket in buckets:
        bits[bucket // 8] |= 1 << bucket % 8
    return bytes(bits)


ALL_BUCKETS = bucket_bits(range(256))


def summary(pieces):
    """The content of a summary of {(kind, id): state}."""
    buckets = {}
    for kind, name in sorted(pieces):
        version = state_version(kind, name, pieces[kind, name])
        buckets[name[0]] = buckets.get(name[0], b"") + bytes([kind]) + name + version
    return bucket_bits(buckets) + b"".join(blake2b(buckets[bucket], 8) for bucket in sorted(buckets))


def digest(pieces):
    return blake2b(summary(pieces), 16)


def read_states(message):
    """{(kind, id): state} of a message of states."""
    reader = Reader(message[1:])
    found = {}
    for _ in range(reader.number()):
        kind, name = reader.u8(), reader.id()
        found[kind, name] = reader.data()
    return found


def read_versions(message):
    """{(kind, id): version} of a message of versions."""
    reader = Reader(message[1:])
    reader.take(32)
    return {(reader.u8(), reader.id()): reader.take(8) for _ in range(reader.number())}
