#!/usr/bin/env python3
"""Makes packing-vectors.json from the words of Protocol.md, without any of Moot's code: messages in the order in which one side of a
channel sends them, and what is left of each in a packed frame.

    python3 Tests/Fixtures/packing-vectors.py > Tests/Fixtures/packing-vectors.json
"""
import hashlib
import json

PLACES = 512
words = []
oldest = 0


def number(value):
    digits = b""
    while value >= 0x80:
        digits += bytes([value & 0x7F | 0x80])
        value >>= 7
    return digits + bytes([value])


def word(name):
    return hashlib.blake2b(str(name).encode(), digest_size=32).digest()


def pack(parts):
    """Packs a message given as parts; each part of 32 bytes is a word. This sender remembers a word when it sends it first."""
    global oldest
    packed, literal = b"", b""
    for part in parts:
        if len(part) != 32:
            literal += part
            continue
        packed += number(len(literal)) + literal
        literal = b""
        if part in words:
            packed += number(words.index(part) + 1)
            continue
        packed += number(0) + part
        if len(words) < PLACES:
            words.append(part)
        else:
            words[oldest] = part
            oldest = (oldest + 1) % PLACES
    if literal:
        packed += number(len(literal)) + literal
    return packed


def push(at, dependencies):
    """Message 9: the batch of one message of one device, which is no answer."""
    references = [word(f"dependency {at} {count}") for count in range(dependencies)] + [word("epoch")]
    entry = bytes([7, 0, 32]) + number(2 * (1_700_000_000_000 + at)) + number(dependencies)
    entry += b"".join(number(2 * index + 1) for index in range(dependencies)) + number(0) + number(2 * dependencies + 1)
    body = hashlib.blake2b(b"body", digest_size=50).digest()
    return (
        [bytes([9]), number(300), bytes([1, 0]), number(2), b"\xff\x03", bytes([1]), number(1)]
        + [word("user"), word("key"), number(at), word(f"previous {at}"), number(len(references))]
        + references
        + [number(1), number(1), word("head"), number(1), entry, number(len(body)), body, bytes(64)]
    )


def receipt(at, devices):
    """Message 19: one receipt, to be kept for one device."""
    record = [word("user"), word("key"), number(1_700_000_000_000 + at), number(1_700_000_000_000 + at), number(devices)]
    for device in sorted(word(f"device {index}") for index in range(devices)):
        record += [device, number(at), number(0)]
    record.append(bytes(64))
    length = sum(map(len, record))
    return [bytes([19]), number(300), bytes([1]), number(1), number(length)] + record + [number(1), word("absent")]


def typing(at):
    """Message 20."""
    return [bytes([20]), number(300), bytes([1]), word("epoch"), word("user"), word("key"), bytes(16), number(at), bytes(80)]


sent = [push(1, 0), push(2, 1), receipt(3, 5), typing(4), push(5, 15), receipt(6, 250), receipt(7, 250), push(8, 0), push(9, 0)]
sent += [push(at, 15) for at in range(10, 30)] + [receipt(30, 5), push(31, 1)]
print(
    json.dumps(
        {"messages": [{"message": b"".join(parts).hex(), "packed": pack(parts).hex()} for parts in sent]}, indent=1
    )
)
