#!/usr/bin/env python3
"""Makes blob-vectors.json from the words of Protocol.md, without any of Moot's code: files, sealed and hashed into trees.

    python3 Tests/Fixtures/blob-vectors.py > Tests/Fixtures/blob-vectors.json
"""
import hashlib
import json

from plain_cryptography import chacha_seal, check_published_vectors

check_published_vectors()

CHUNK = 64 * 1024
TYPE = b"image/jpeg"
KEY = hashlib.blake2b(b"blob key", digest_size=32).digest()


def digest(label, *parts):
    return hashlib.blake2b(label + b"".join(parts), digest_size=32).digest()


def number(n):
    """Seven bits a byte, the least significant first; the top bit says that more follow."""
    return bytes([n]) if n < 128 else bytes([n % 128 | 128]) + number(n // 128)


def file(length):
    """Bytes that nobody has to store: the digests of the numbers from 0 on, 64 bytes each."""
    blocks = (hashlib.blake2b(n.to_bytes(8, "big")).digest() for n in range(length // 64 + 1))
    return b"".join(blocks)[:length]


def top(digests):
    """The largest power of two below the number stands on the left, as RFC 6962 says."""
    if len(digests) == 1:
        return digests[0], [[]]
    left = 1
    while left * 2 < len(digests):
        left *= 2
    (a, proofs_a), (b, proofs_b) = top(digests[:left]), top(digests[left:])
    return digest(b"moot/1/blob-node", a, b), [p + [b] for p in proofs_a] + [p + [a] for p in proofs_b]


def blob(length):
    plain = file(length)
    pieces = [plain[n:n + CHUNK] for n in range(0, length, CHUNK)] or [b""]
    sealed = [chacha_seal(KEY, bytes(4) + n.to_bytes(8, "little"), b"", piece) for n, piece in enumerate(pieces)]
    root, proofs = top([digest(b"moot/1/blob-leaf", piece) for piece in sealed])
    return {
        "length": length,
        "content": content(plain),
        "reference": (root + number(length) + KEY + number(len(TYPE)) + TYPE).hex(),
        "root": digest(b"moot/1/blob-root", length.to_bytes(8, "big"), root).hex(),
        "proofs": ["".join(node.hex() for node in proof) for proof in proofs],
        "tags": [piece[-16:].hex() for piece in sealed],
    }


def content(plain):
    """The file itself where it is short; of a long one the first and last bytes and the digest, since `rule` makes it."""
    if len(plain) <= 64:
        return {"bytes": plain.hex()}
    return {
        "first": plain[:64].hex(), "last": plain[-64:].hex(),
        "digest": hashlib.blake2b(plain, digest_size=32).hexdigest()}


print(json.dumps({
    "rule": "A file of n bytes is the first n of BLAKE2b-512(0), BLAKE2b-512(1), ...: the 64-byte digests of the numbers from 0 on, "
            "each as eight bytes, most significant first. Chunk i is bytes 65536 i up to at most 65535 further; its sealed form ends "
            "with the tag given. Proofs are the neighbours of each chunk, from the leaf up.",
    "key": KEY.hex(),
    "blobs": [blob(length) for length in (0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 5, 7 * CHUNK)],
}, indent=2))
