#!/usr/bin/env python3
"""Makes typing-vectors.json from the words of Protocol.md, without any of Moot's code: signals that somebody types, signed and sealed.

    python3 Tests/Fixtures/typing-vectors.py > Tests/Fixtures/typing-vectors.json
"""
import hashlib
import json
import struct

from plain_cryptography import check_published_vectors, sign, signing_public, xchacha_seal

check_published_vectors()


def drawn(name, size=32):
    return hashlib.blake2b(name.encode(), digest_size=size).digest()


ROOT, DEVICE, KEY = drawn("root"), drawn("device"), drawn("epoch key")
CONVERSATION, EPOCH, REPLICA = drawn("conversation"), drawn("epoch"), drawn("replica", 16)


def number(value):
    digits = b""
    while value >= 0x80:
        digits += bytes([value & 0x7F | 0x80])
        value >>= 7
    return digits + bytes([value])


def bits(places):
    octets = bytearray(max(places, default=-1) // 8 + 1)
    for place in places:
        octets[place // 8] |= 1 << place % 8
    return bytes(octets)


def signal(written, counter, reached):
    user, device = signing_public(ROOT), signing_public(DEVICE)
    head = EPOCH + user + device + REPLICA + number(written) + number(counter)
    device_id = hashlib.blake2b(b"moot/1/device" + user + device, digest_size=32).digest()
    key = hashlib.blake2b(b"moot/1/typing" + CONVERSATION + device_id, key=KEY, digest_size=32).digest()
    nonce = drawn(f"nonce {written} {counter}", 24)
    padded = bits(reached) + b"\x80"
    padded += bytes(-len(padded) % 16)
    sealed = nonce + xchacha_seal(key, nonce, head, padded)
    signed = head + number(len(sealed)) + sealed
    statement = b"moot/1/typing" + b"".join(struct.pack(">I", len(field)) + field for field in (CONVERSATION, signed))
    return {
        "written": written,
        "counter": counter,
        "reached": reached,
        "nonce": nonce.hex(),
        "bytes": (signed + sign(DEVICE, statement)).hex(),
    }


print(json.dumps({
    "root": ROOT.hex(),
    "device": DEVICE.hex(),
    "key": KEY.hex(),
    "conversation": CONVERSATION.hex(),
    "epoch": EPOCH.hex(),
    "replica": REPLICA.hex(),
    "signals": [
        signal(0, 1, []),
        signal(7, 1_795_219_200_000, [0, 2, 9]),
        signal(2**54, 2**53 - 1, list(range(512))),
    ],
}, indent=2))
