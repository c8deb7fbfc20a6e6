#!/usr/bin/env python3
"""Makes crypto-vectors.json from the words of Protocol.md, without any of Moot's code.

Noise (revision 34) and the group arithmetic of Ed25519 (RFC 8032) are written out here; the primitives come from
hashlib and the package `cryptography`. The Noise part is checked against the published vectors in noise-xx.json first.

    python3 Tests/Fixtures/crypto-vectors.py > Tests/Fixtures/crypto-vectors.json
"""
import hashlib
import json
import pathlib
import struct

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305


# Basics: digests, numbers, statements, signatures


def blake2b_256(label, *parts):
    return hashlib.blake2b(label.encode("ascii") + b"".join(parts), digest_size=32).digest()


def varint(number):
    digits = bytearray()
    while number >= 0x80:
        digits.append(number & 0x7F | 0x80)
        number >>= 7
    digits.append(number)
    return bytes(digits)


def data(field):
    return varint(len(field)) + field


def statement(label, *fields):
    return label.encode("ascii") + b"".join(struct.pack(">I", len(field)) + field for field in fields)


def seed(name):
    return hashlib.blake2b(name.encode("ascii"), digest_size=32).digest()


def public_key(secret):
    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def sign(secret, message):
    return Ed25519PrivateKey.from_private_bytes(secret).sign(message)


# Identity


def device_id(user, device):
    return blake2b_256("moot/1/device", user, device)


def identity_record(root, serial, devices):
    """`devices` are pairs of (public key, name)."""
    user = public_key(root)
    devices = sorted(devices, key=lambda entry: device_id(user, entry[0]))
    body = user + varint(serial) + varint(len(devices))
    for key, name in devices:
        body += key + data(name.encode("utf-8"))
    return body + sign(root, statement("moot/1/identity", body))


# Noise_XX_25519_ChaChaPoly_BLAKE2b


def noise_hash(message):
    return hashlib.blake2b(message, digest_size=64).digest()


def noise_hmac(key, message):
    key = key.ljust(128, b"\0")
    inner = noise_hash(bytes(byte ^ 0x36 for byte in key) + message)
    return noise_hash(bytes(byte ^ 0x5C for byte in key) + inner)


def noise_hkdf(chaining_key, material):
    temporary = noise_hmac(chaining_key, material)
    first = noise_hmac(temporary, b"\1")
    return first, noise_hmac(temporary, first + b"\2")


class Cipher:
    def __init__(self, key):
        self.key, self.counter = key, 0

    @staticmethod
    def nonce(counter):
        return b"\0\0\0\0" + struct.pack("<Q", counter)

    def encrypt(self, plaintext, associated=b""):
        sealed = ChaCha20Poly1305(self.key).encrypt(self.nonce(self.counter), plaintext, associated)
        self.counter += 1
        return sealed

    def rekey(self):
        self.key = ChaCha20Poly1305(self.key).encrypt(self.nonce(2**64 - 1), bytes(32), b"")[:32]


class Party:
    def __init__(self, static, ephemeral):
        self.static, self.ephemeral = static, ephemeral

    @staticmethod
    def public(secret):
        return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def agree(secret, public):
    return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(public))


def noise_xx(initiator, responder, prologue, payloads):
    """Returns the three messages, the hash h before each payload, the final h, and both directions' ciphers.

    Each payload is a function of h as it is before that payload.
    """
    chaining_key = h = b"Noise_XX_25519_ChaChaPoly_BLAKE2b".ljust(64, b"\0")
    cipher = None
    h = noise_hash(h + prologue)
    messages, before = [], []

    def send(plaintext):
        nonlocal h
        out = cipher.encrypt(plaintext, h) if cipher else plaintext
        h = noise_hash(h + out)
        return out

    for index, tokens in enumerate([["e"], ["e", "ee", "s", "es"], ["s", "se"]]):
        sender, other = (initiator, responder) if index % 2 == 0 else (responder, initiator)
        message = b""
        for token in tokens:
            if token == "e":
                public = Party.public(sender.ephemeral)
                h = noise_hash(h + public)
                message += public
            elif token == "s":
                message += send(Party.public(sender.static))
            else:
                one = getattr(initiator, {"e": "ephemeral", "s": "static"}[token[0]])
                two = getattr(responder, {"e": "ephemeral", "s": "static"}[token[1]])
                chaining_key, key = noise_hkdf(chaining_key, agree(one, Party.public(two)))
                cipher = Cipher(key[:32])
        before.append(h)
        messages.append(message + send(payloads[index](h)))
    first, second = noise_hkdf(chaining_key, b"")
    return messages, before, h, Cipher(first[:32]), Cipher(second[:32])


def check_published_vectors():
    vectors = json.loads(pathlib.Path(__file__).with_name("noise-xx.json").read_text())["vectors"]
    for vector in vectors:
        get = lambda name: bytes.fromhex(vector[name])
        payloads = [bytes.fromhex(message["payload"]) for message in vector["messages"]]
        expected = [bytes.fromhex(message["ciphertext"]) for message in vector["messages"]]
        messages, _, h, forth, back = noise_xx(
            Party(get("initiatorStatic"), get("initiatorEphemeral")),
            Party(get("responderStatic"), get("responderEphemeral")),
            get("prologue"), [lambda _, payload=payload: payload for payload in payloads[:3]])
        for index, payload in enumerate(payloads[3:], start=3):
            messages.append((forth if index % 2 == 0 else back).encrypt(payload))
        assert messages == expected
        assert "handshakeHash" not in vector or h == get("handshakeHash")


# The channel


def frame(cipher, kind, chunk=b""):
    sealed = cipher.encrypt(bytes([kind]) + chunk)
    return struct.pack(">H", len(sealed)) + sealed


def channel():
    people = {}
    for role, name in enumerate(["initiator", "responder"]):
        root, device = seed(name + " root"), seed(name + " device")
        people[name] = {
            "role": role,
            "root": root,
            "device": device,
            "static": seed(name + " static"),
            "ephemeral": seed(name + " ephemeral"),
            "record": identity_record(root, 1, [(public_key(device), name)]),
        }

    def proof(name):
        person = people[name]
        capabilities = varint(1)

        def make(h):
            signed = statement(
                "moot/1/channel", bytes([person["role"]]), h, Party.public(person["static"]), capabilities)
            person["statement"] = signed
            return data(person["record"]) + public_key(person["device"]) + capabilities + sign(person["device"], signed)

        return make

    initiator, responder = people["initiator"], people["responder"]
    messages, _, h, forth, back = noise_xx(
        Party(initiator["static"], initiator["ephemeral"]), Party(responder["static"], responder["ephemeral"]),
        b"moot/1", [lambda _: b"", proof("responder"), proof("initiator")])
    handshake = [struct.pack(">H", len(message)) + message for message in messages]
    bulk = bytes(index % 251 for index in range(20_000))
    frames = [frame(forth, 0x00, b"hello"), frame(forth, 0x11, bulk[:16_384]), frame(forth, 0x10, bulk[16_384:])]
    frames.append(frame(forth, 0x02))
    forth.rekey()
    frames.append(frame(forth, 0x00, b"under the next key"))
    frames.append(frame(forth, 0x03))
    return {
        name: {
            "root": person["root"].hex(),
            "device": person["device"].hex(),
            "deviceID": device_id(public_key(person["root"]), public_key(person["device"])).hex(),
            "static": person["static"].hex(),
            "ephemeral": person["ephemeral"].hex(),
            "record": person["record"].hex(),
            "statement": person["statement"].hex(),
        }
        for name, person in people.items()
    } | {
        "handshake": [message.hex() for message in handshake],
        "handshakeHash": h.hex(),
        "initiatorFrames": [
            {"about": "live, whole", "message": b"hello".hex(), "frame": frames[0].hex()},
            {"about": "bulk, more follows: bytes 0 to 16,383 of 20,000, byte i being i mod 251", "frame": frames[1].hex()},
            {"about": "bulk, last: the other bytes", "frame": frames[2].hex()},
            {"about": "rekey", "frame": frames[3].hex()},
            {"about": "live, under the next key", "message": b"under the next key".hex(), "frame": frames[4].hex()},
            {"about": "close", "frame": frames[5].hex()},
        ],
        "responderFrame": {"message": b"hello yourself".hex(), "frame": frame(back, 0x00, b"hello yourself").hex()},
    }


# Ed25519 by hand, to sign what no honest library signs


P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def add(one, two):
    (x1, y1), (x2, y2) = one, two
    product = D * x1 * x2 * y1 * y2 % P
    return (
        (x1 * y2 + x2 * y1) * pow(1 + product, P - 2, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - product, P - 2, P) % P)


def multiply(scalar, point):
    result = (0, 1)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def recover(y, sign_bit):
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P:
        return None
    return (P - x if x & 1 != sign_bit else x, y)


def encode(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


BASE = recover(4 * pow(5, P - 2, P) % P, 0)


def order_eight():
    y = 2
    while True:
        point = recover(y, 0)
        if point:
            small = multiply(L, point)
            if multiply(4, small) != (0, 1):
                return small
        y += 1


def challenge(r, key, message):
    return int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L


def ed25519():
    torsion = order_eight()
    secret = int.from_bytes(hashlib.sha512(b"mixed-order secret").digest(), "little") % L
    nonce = int.from_bytes(hashlib.sha512(b"mixed-order nonce").digest(), "little") % L
    mixed = add(multiply(secret, BASE), torsion)
    key, r = encode(mixed), encode(multiply(nonce, BASE))

    def mixed_signature(wanted):
        for index in range(1000):
            message = b"mixed order %d" % index
            h = challenge(r, key, message)
            if wanted(h):
                return message, r + ((nonce + h * secret) % L).to_bytes(32, "little")

    honest_seed = seed("ed25519")
    honest_key, honest_message = public_key(honest_seed), b"an honest message"
    honest = sign(honest_seed, honest_message)
    too_large = int.from_bytes(honest[32:], "little") + L
    strict_message, strict = mixed_signature(lambda h: h % 8 == 0)
    loose_message, loose = mixed_signature(lambda h: h % 8 != 0)
    small = encode(torsion)
    order_two = (0, P - 1)

    def case(about, key, message, signature, verifies):
        return {
            "about": about, "key": key.hex(), "message": message.hex(), "signature": signature.hex(),
            "verifies": verifies}

    def small_key_signature():
        # R is the torsion point's negative times h, so that the equation holds with S = 0 for a suitable message.
        for index in range(1000):
            message = b"small order %d" % index
            if challenge(encode((0, 1)), small, message) % 8 == 0:
                return message, encode((0, 1)) + bytes(32)

    small_message, small_signature = small_key_signature()
    signatures = [
        case("an honest signature", honest_key, honest_message, honest, True),
        case("another message", honest_key, b"another message", honest, False),
        case("S not reduced", honest_key, honest_message, honest[:32] + too_large.to_bytes(32, "little"), False),
        case("a key of mixed order; the equation holds as it stands", key, strict_message, strict, True),
        case("a key of mixed order; the equation holds only times the cofactor", key, loose_message, loose, False),
        case("a key of order 8, the equation holds as it stands", small, small_message, small_signature, False),
    ]
    points = [
        {"about": "an honest key", "key": honest_key.hex(), "valid": True},
        {"about": "the neutral element", "key": encode((0, 1)).hex(), "valid": False},
        {"about": "order 2", "key": encode(order_two).hex(), "valid": False},
        {"about": "order 8", "key": small.hex(), "valid": False},
        {"about": "the base point plus a point of order 2, accepted by libsodium before CVE-2025-69277 was mended",
         "key": encode(add(BASE, order_two)).hex(), "valid": False},
        {"about": "the base point plus a point of order 8", "key": encode(add(BASE, torsion)).hex(), "valid": False},
        {"about": "no point of the curve", "key": next(
            y.to_bytes(32, "little") for y in range(2, 100) if recover(y, 0) is None).hex(), "valid": False},
        {"about": "a coordinate that is not reduced", "key": (P + 3).to_bytes(32, "little").hex(), "valid": False},
    ]
    return {"signatures": signatures, "points": points}


def operations():
    header = bytes(range(45))
    root, device = seed("operation root"), seed("operation device")
    user, key = public_key(root), public_key(device)
    name = blake2b_256("moot/1/op", header)
    other = public_key(seed("other root"))
    signed = statement("moot/1/sig", name)
    return {
        "root": root.hex(), "device": device.hex(), "user": user.hex(), "deviceKey": key.hex(),
        "deviceID": device_id(user, key).hex(),
        "header": header.hex(), "operationID": name.hex(),
        "statement": signed.hex(), "signature": sign(device, signed).hex(),
        "body": b"body".hex(), "bodyDigest": blake2b_256("moot/1/body", b"body").hex(),
        "otherUser": other.hex(), "directConversation": blake2b_256("moot/1/direct", *sorted([user, other])).hex(),
        "deviceName": "laptop", "serial": 300,
        "identityRecord": identity_record(root, 300, [(key, "laptop")]).hex(),
    }


def digests():
    cases = []
    for count in [0, 1, 63, 64, 127, 128, 129, 256, 1000]:
        text = bytes(index % 251 for index in range(count))
        for key in [b"", b"key", bytes(range(64))]:
            for size in [8, 16, 32, 64]:
                result = hashlib.blake2b(text, key=key, digest_size=size).digest()
                cases.append({"count": count, "key": key.hex(), "digest": result.hex()})
    return {
        "about": "BLAKE2b of `count` bytes, byte i being i mod 251, under a key",
        "cases": cases,
        "labeled": {"label": "moot/1/test", "parts": [b"one".hex(), b"two".hex()],
                     "digest": blake2b_256("moot/1/test", b"one", b"two").hex()},
    }


def statements():
    return [
        {"kind": kind, "fields": [field.hex() for field in fields], "bytes": statement(kind, *fields).hex()}
        for kind, fields in [
            ("moot/1/test", []), ("moot/1/test", [b""]), ("moot/1/test", [b"", b""]), ("moot/1/test", [b"ab", b"c"]),
            ("moot/1/test", [b"a", b"bc"]), ("moot/1/test", [bytes(300)])]
    ]


if __name__ == "__main__":
    check_published_vectors()
    print(json.dumps({
        "about": "Made by crypto-vectors.py, independently of the code under test. Values are hexadecimal.",
        "digests": digests(), "statements": statements(), "operations": operations(), "ed25519": ed25519(),
        "channel": channel(),
    }, indent=1))
