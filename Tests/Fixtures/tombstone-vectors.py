#!/usr/bin/env python3
"""Makes tombstone-vectors.json from the descriptions of the formats, without any of Moot's code.

Alice has two devices and took two others out, one of them because it was stolen. The cryptography is that of plain_cryptography.py.

    python3 Tests/Fixtures/tombstone-vectors.py > Tests/Fixtures/tombstone-vectors.json
"""
import hashlib
import json
import struct

from plain_cryptography import agreement_public, check_published_vectors, sign, signing_public

check_published_vectors()


def digest(label, *parts):
    return hashlib.blake2b(label.encode("ascii") + b"".join(parts), digest_size=32).digest()


def statement(label, *fields):
    return label.encode("ascii") + b"".join(struct.pack(">I", len(field)) + field for field in fields)


def drawn(name):
    """A secret that is the same in every run."""
    return hashlib.blake2b(name.encode("ascii"), digest_size=32).digest()


root = drawn("Alice root")
user = signing_public(root)
conversation = digest("a conversation")


def device(label):
    key = signing_public(drawn(label + " device"))
    return {"key": key, "id": digest("moot/1/device", user, key), "wrap": agreement_public(drawn(label + " wrap key"))}


def tombstone(device, kind):
    body = user + device["id"] + bytes([kind])
    return body + sign(root, statement("moot/1/tombstone", body))


readers = sorted((device(label) for label in ["desk", "laptop"]), key=lambda reader: reader["id"])
gone = sorted((device(label) for label in ["phone", "tablet"]), key=lambda departed: departed["id"])
plain = digest("moot/1/view", conversation, *(user + reader["id"] + reader["wrap"] for reader in readers))
without = digest("moot/1/view-without", plain, *(user + departed["id"] for departed in gone))
tombstones = [tombstone(departed, kind) for kind, departed in enumerate(gone)]

print(json.dumps({
    "about": "Made by tombstone-vectors.py, independently of the code under test. Values are hexadecimal.",
    "root": root.hex(),
    "conversation": conversation.hex(),
    "readers": [{"key": r["key"].hex(), "wrapKey": r["wrap"].hex()} for r in readers],
    "gone": [d["id"].hex() for d in gone],
    "tombstones": [t.hex() for t in tombstones],
    "view": plain.hex(),
    "viewWithout": without.hex(),
    "message": (bytes([38, len(tombstones)]) + b"".join(tombstones)).hex(),
}, indent=1))
