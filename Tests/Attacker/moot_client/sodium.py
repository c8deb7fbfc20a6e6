"""The primitives of section 1, 2, 5 and 9: BLAKE2b from hashlib, the rest from libsodium through ctypes.

`PyDLL` keeps the interpreter's lock: giving it up for a call of three microseconds costs more than the call.
"""

import ctypes
import ctypes.util
import hashlib
import hmac
import os

_library = ctypes.PyDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
if _library.sodium_init() < 0:
    raise RuntimeError("libsodium does not start")

_length = ctypes.c_ulonglong


def _check(status, what):
    if status != 0:
        raise ValueError(what)


def H(label, *parts):
    """`H(label, x…)` of section 1."""
    digest = hashlib.blake2b(label.encode(), digest_size=32)
    for part in parts:
        digest.update(part)
    return digest.digest()


def blake2b(data, size=32, key=b""):
    return hashlib.blake2b(data, digest_size=size, key=key).digest()


def statement(label, *fields):
    """What is signed: the label, then each field behind its length."""
    return label.encode() + b"".join(len(field).to_bytes(4, "big") + field for field in fields)


class SigningKey:
    """An Ed25519 key pair."""

    def __init__(self, seed=None):
        self.seed = seed or os.urandom(32)
        public, secret = ctypes.create_string_buffer(32), ctypes.create_string_buffer(64)
        _library.crypto_sign_seed_keypair(public, secret, self.seed)
        self.public, self._secret = public.raw, secret.raw

    def sign(self, label, *fields):
        message = statement(label, *fields)
        signature = ctypes.create_string_buffer(64)
        _library.crypto_sign_detached(signature, None, message, _length(len(message)), self._secret)
        return signature.raw


def verify(public, signature, label, *fields):
    message = statement(label, *fields)
    return _library.crypto_sign_verify_detached(signature, message, _length(len(message)), public) == 0


class ExchangeKey:
    """An X25519 key pair."""

    def __init__(self, secret=None):
        self.secret = secret or os.urandom(32)
        public = ctypes.create_string_buffer(32)
        _check(_library.crypto_scalarmult_base(public, self.secret), "no X25519 key")
        self.public = public.raw

    def shared(self, public):
        result = ctypes.create_string_buffer(32)
        _check(_library.crypto_scalarmult(result, self.secret, public), "a shared secret of zero")
        return result.raw


def chacha_seal(key, nonce, data, associated=b""):
    """ChaCha20-Poly1305 of RFC 8439."""
    result = ctypes.create_string_buffer(len(data) + 16)
    _library.crypto_aead_chacha20poly1305_ietf_encrypt(
        result, None, data, _length(len(data)), associated, _length(len(associated)), None, nonce, key
    )
    return result.raw


def chacha_open(key, nonce, data, associated=b""):
    result = ctypes.create_string_buffer(max(0, len(data) - 16) or 1)
    status = _library.crypto_aead_chacha20poly1305_ietf_decrypt(
        result, None, None, data, _length(len(data)), associated, _length(len(associated)), nonce, key
    )
    _check(status, "a sealed text does not open")
    return result.raw[: len(data) - 16]


def xchacha_seal(key, nonce, data, associated):
    result = ctypes.create_string_buffer(len(data) + 16)
    _library.crypto_aead_xchacha20poly1305_ietf_encrypt(
        result, None, data, _length(len(data)), associated, _length(len(associated)), None, nonce, key
    )
    return result.raw


def xchacha_open(key, nonce, data, associated):
    result = ctypes.create_string_buffer(max(0, len(data) - 16) or 1)
    status = _library.crypto_aead_xchacha20poly1305_ietf_decrypt(
        result, None, None, data, _length(len(data)), associated, _length(len(associated)), nonce, key
    )
    _check(status, "a sealed text does not open")
    return result.raw[: len(data) - 16]


def box_seal(public, data):
    """libsodium's `crypto_box_seal`: a wrap."""
    result = ctypes.create_string_buffer(len(data) + 48)
    _check(_library.crypto_box_seal(result, data, _length(len(data)), public), "no wrap can be made for that key")
    return result.raw


def box_open(key, data):
    result = ctypes.create_string_buffer(max(0, len(data) - 48) or 1)
    _check(_library.crypto_box_seal_open(result, data, _length(len(data)), key.public, key.secret), "a wrap does not open")
    return result.raw[: len(data) - 48]


def hkdf(chaining, material, count):
    """Noise's HKDF, over unkeyed 64-byte BLAKE2b."""
    temporary = hmac.new(chaining, material, "blake2b").digest()
    outputs, last = [], b""
    for index in range(1, count + 1):
        last = hmac.new(temporary, last + bytes([index]), "blake2b").digest()
        outputs.append(last)
    return outputs


class FrameSealer:
    """Seals many small frames of one direction after each other, as fast as Python can."""

    def __init__(self, key):
        self.key = key
        self._seal = _library.crypto_aead_chacha20poly1305_ietf_encrypt
        self._buffer = ctypes.create_string_buffer(16_401 + 16)

    def seal(self, counter, plaintext):
        """The frame with its length."""
        length = len(plaintext) + 16
        nonce = b"\0\0\0\0" + counter.to_bytes(8, "little")
        self._seal(self._buffer, None, plaintext, _length(len(plaintext)), None, _length(0), None, nonce, self.key)
        return length.to_bytes(2, "big") + ctypes.string_at(self._buffer, length)
