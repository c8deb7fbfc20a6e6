#!/usr/bin/env python3
"""Makes people-vectors.json from the words of Protocol.md, without any of Moot's code.

Argon2id comes from its reference implementation (Debian: libargon2-1), the rest from Python's own library.

    python3 Tests/Fixtures/people-vectors.py > Tests/Fixtures/people-vectors.json
"""
import base64
import ctypes
import hashlib
import ipaddress
import json
import struct

from plain_cryptography import sign, signing_public

argon2 = ctypes.CDLL("libargon2.so.1")
argon2.argon2id_hash_raw.argtypes = [ctypes.c_uint32] * 3 + [ctypes.c_void_p, ctypes.c_size_t] * 3


def blake2b_256(label, *parts):
    return hashlib.blake2b(label.encode("ascii") + b"".join(parts), digest_size=32).digest()


def half(user):
    salt = blake2b_256("moot/1/compare")[:16]
    out = ctypes.create_string_buffer(32)
    # 2 passes, 64 MiB, 1 lane.
    assert argon2.argon2id_hash_raw(2, 65536, 1, user, len(user), salt, len(salt), out, 32) == 0
    return "%015d" % (int.from_bytes(out.raw[:8], "big") % 10**15)


def comparison(one, other):
    digits = half(min(one, other)) + half(max(one, other))
    return {
        "users": [one.hex(), other.hex()],
        "code": " ".join(digits[start : start + 5] for start in range(0, 30, 5)),
    }


def number(value):
    out = b""
    while value >= 128:
        out, value = out + bytes([value % 128 + 128]), value // 128
    return out + bytes([value])


def places(addresses):
    out = bytes([len(addresses)])
    for text in addresses:
        host, port = text.rsplit(":", 1)
        address = ipaddress.ip_address(host.strip("[]"))
        out += bytes([address.version]) + address.packed + struct.pack(">H", int(port))
    return out


def line(prefix, domain, content):
    checked = content + blake2b_256(domain, content)[:4]
    return prefix + base64.b32encode(checked).decode("ascii").rstrip("=")


def contact(user, device, addresses):
    code = line("moot:contact:", "moot/1/contact", bytes([1]) + user + device + places(addresses))
    return {"user": user.hex(), "device": device.hex(), "addresses": addresses, "code": code}


def invite(conversation, operation, user, seed, end, device, addresses):
    content = bytes([1]) + conversation + operation + seed + number(end) + device + places(addresses)
    statement = b"moot/1/invite"
    for field in (conversation, operation, user):
        statement += struct.pack(">I", len(field)) + field
    return {
        "conversation": conversation.hex(),
        "invite": operation.hex(),
        "user": user.hex(),
        "seed": seed.hex(),
        "end": end,
        "device": device.hex(),
        "addresses": addresses,
        "code": line("moot:invite:", "moot/1/invite-code", content),
        "key": signing_public(seed).hex(),
        "proof": sign(seed, statement).hex(),
    }


def recovery(seed):
    content = bytes([1]) + seed
    letters = base64.b32encode(content + blake2b_256("moot/1/recovery", content)[:2]).decode("ascii")
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    groups = []
    for number, start in enumerate(range(0, 56, 4), start=1):
        group = letters[start : start + 4]
        check = number + sum(weight * alphabet.index(letter) for weight, letter in zip((1, 3, 5, 7), group))
        groups.append(group + alphabet[check % 32])
    return {"seed": seed.hex(), "user": signing_public(seed).hex(), "code": "-".join(groups)}


alice = blake2b_256("Alice")
bob = blake2b_256("Bob")
low = bytes(32)
# Somebody whose half begins with a zero.
zero = next(user for user in (bytes([n]) * 32 for n in range(256)) if half(user)[0] == "0")

print(
    json.dumps(
        {
            "comparisons": [comparison(alice, bob), comparison(bob, alice), comparison(low, alice), comparison(zero, alice)],
            "contacts": [
                contact(alice, bob, ["192.0.2.7:47470"]),
                contact(bob, alice, ["[2001:db8::7]:1", "10.0.0.7:65535"]),
                contact(low, low, ["127.0.0.1:1", "[::1]:1", "[fd00::7]:47470", "198.51.100.1:80"]),
            ],
            "invites": [
                invite(alice, bob, zero, blake2b_256("seed"), 1_800_000_000_000, blake2b_256("laptop"), ["192.0.2.7:47470"]),
                invite(bob, low, alice, low, 946_684_800_000, alice, ["[2001:db8::7]:1", "10.0.0.7:65535"]),
            ],
            "recoveries": [recovery(blake2b_256("seed")), recovery(low), recovery(bytes([255]) * 32)],
        },
        indent=2,
    )
)
