#!/usr/bin/env python3
"""Makes message-vectors.json from the words of Protocol.md, without any of Moot's code: what messages and annotations say
before it is closed.

    python3 Tests/Fixtures/message-vectors.py > Tests/Fixtures/message-vectors.json
"""
import hashlib
import json

ALICE, BOB, CAROL = sorted(hashlib.blake2b(name, digest_size=32).digest() for name in (b"Alice", b"Bob", b"Carol"))
TARGET = hashlib.blake2b(b"target", digest_size=32).digest()
FILE = hashlib.blake2b(b"file", digest_size=32).digest()
ANSWERED = hashlib.blake2b(b"answered", digest_size=32).digest()


def number(value):
    digits = b""
    while value >= 0x80:
        digits += bytes([value & 0x7F | 0x80])
        value >>= 7
    return digits + bytes([value])


def text(value):
    encoded = value.encode("utf-8")
    return number(len(encoded)) + encoded


def ascending(ids):
    return number(len(ids)) + b"".join(sorted(ids))


def message(words, answered=None, mentions=()):
    parts = (1 if answered else 0) | (2 if mentions else 0)
    encoded = bytes([parts]) + (answered or b"") + (ascending(mentions) if mentions else b"") + text(words)
    return {
        "type": 32,
        "text": words,
        "reply_to": answered.hex() if answered else None,
        "mentions": [user.hex() for user in sorted(mentions)],
        "body": encoded.hex(),
    }


def edit(words, mentions=()):
    return {
        "type": 36,
        "target": TARGET.hex(),
        "text": words,
        "mentions": [user.hex() for user in sorted(mentions)],
        "body": (TARGET + ascending(mentions) + text(words)).hex(),
    }


def delete(target):
    """Of a message, or of the operation by which it carries a file."""
    return {"type": 37, "target": target.hex(), "body": target.hex()}


def reaction(emoji, given):
    return {
        "type": 38,
        "target": TARGET.hex(),
        "text": emoji,
        "flag": given,
        "body": (TARGET + bytes([given]) + text(emoji)).hex(),
    }


def pin(pinned):
    return {"type": 39, "target": TARGET.hex(), "flag": pinned, "body": (TARGET + bytes([pinned])).hex()}


print(
    json.dumps(
        {
            "bodies": [
                message("hello"),
                message("yes", answered=ANSWERED),
                message("@Alice @Bob", mentions=[BOB, ALICE]),
                message("ä" * 100, answered=ANSWERED, mentions=[CAROL]),
                edit("hello again"),
                edit("@Carol", mentions=[CAROL]),
                delete(TARGET),
                delete(FILE),
                reaction("\U0001F680", True),
                reaction("\u2764\ufe0f", False),
                pin(True),
                pin(False),
            ]
        },
        indent=1,
    )
)
