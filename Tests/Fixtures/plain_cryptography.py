"""Cryptography written out from its specifications, slowly and plainly, for encryption-vectors.py.

X25519 (RFC 7748), Ed25519 (RFC 8032), ChaCha20 and Poly1305 (RFC 8439), HChaCha20 and XChaCha20
(draft-irtf-cfrg-xchacha-03), XSalsa20 ("Extending the Salsa20 nonce") and the boxes of NaCl and libsodium. Only BLAKE2b and
SHA-512 come from Python's own library. `check_published_vectors` compares each with published vectors.
"""
import hashlib
import struct


# Arithmetic modulo 2^255 - 19

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def inverse(number):
    return pow(number, P - 2, P)


# X25519, RFC 7748 section 5


def x25519(scalar, u):
    k = bytearray(scalar)
    k[0] &= 248
    k[31] = k[31] & 127 | 64
    k = int.from_bytes(k, "little")
    x1 = (int.from_bytes(u, "little") & (2**255 - 1)) % P
    x2, z2, x3, z3, swap = 1, 0, x1, 1, 0
    for t in reversed(range(255)):
        bit = k >> t & 1
        if swap ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        a, b = x2 + z2, x2 - z2
        aa, bb = a * a % P, b * b % P
        e = aa - bb
        da, cb = (x3 - z3) * a % P, (x3 + z3) * b % P
        x3, z3 = (da + cb) ** 2 % P, x1 * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
    if swap:
        x2, x3, z2, z3 = x3, x2, z3, z2
    return (x2 * inverse(z2) % P).to_bytes(32, "little")


def agreement_public(secret):
    return x25519(secret, (9).to_bytes(32, "little"))


# Ed25519, RFC 8032 section 5.1: points as (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z


def point_add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def point_times(number, point):
    result = (0, 1, 1, 0)
    while number:
        if number & 1:
            result = point_add(result, point)
        point = point_add(point, point)
        number >>= 1
    return result


def point_bytes(point):
    x, y = point[0] * inverse(point[2]) % P, point[1] * inverse(point[2]) % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def base_point():
    y = 4 * inverse(5) % P
    square = (y * y - 1) * inverse(D * y * y + 1) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x & 1:
        x = P - x
    return x, y, 1, x * y % P


BASE = base_point()


def signing_scalar(seed):
    h = hashlib.sha512(seed).digest()
    return int.from_bytes(h[:32], "little") & ((1 << 254) - 8) | 1 << 254, h[32:]


def signing_public(seed):
    return point_bytes(point_times(signing_scalar(seed)[0], BASE))


def sha512_number(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % L


def sign(seed, message):
    scalar, prefix = signing_scalar(seed)
    r = sha512_number(prefix, message)
    big_r = point_bytes(point_times(r, BASE))
    s = (r + sha512_number(big_r, signing_public(seed), message) * scalar) % L
    return big_r + s.to_bytes(32, "little")


# ChaCha20 and Salsa20


def rotate(word, count):
    return (word << count | word >> 32 - count) & 0xFFFFFFFF


def words(octets):
    return list(struct.unpack("<%dI" % (len(octets) // 4), octets))


def octets(numbers):
    return struct.pack("<%dI" % len(numbers), *[number & 0xFFFFFFFF for number in numbers])


def xor(one, other):
    return bytes(a ^ b for a, b in zip(one, other))


SIGMA = words(b"expand 32-byte k")


def chacha_rounds(state):
    s = list(state)

    def quarter(a, b, c, d):
        s[a] = s[a] + s[b] & 0xFFFFFFFF
        s[d] = rotate(s[d] ^ s[a], 16)
        s[c] = s[c] + s[d] & 0xFFFFFFFF
        s[b] = rotate(s[b] ^ s[c], 12)
        s[a] = s[a] + s[b] & 0xFFFFFFFF
        s[d] = rotate(s[d] ^ s[a], 8)
        s[c] = s[c] + s[d] & 0xFFFFFFFF
        s[b] = rotate(s[b] ^ s[c], 7)

    for _ in range(10):
        for column in range(4):
            quarter(column, 4 + column, 8 + column, 12 + column)
        for column in range(4):
            quarter(column, 4 + (column + 1) % 4, 8 + (column + 2) % 4, 12 + (column + 3) % 4)
    return s


def chacha_block(key, counter, nonce):
    state = SIGMA + words(key) + [counter] + words(nonce)
    return octets([a + b for a, b in zip(state, chacha_rounds(state))])


def hchacha(key, nonce):
    s = chacha_rounds(SIGMA + words(key) + words(nonce))
    return octets(s[:4] + s[12:])


def salsa_rounds(state):
    s = list(state)

    def quarter(a, b, c, d):
        s[b] ^= rotate(s[a] + s[d] & 0xFFFFFFFF, 7)
        s[c] ^= rotate(s[b] + s[a] & 0xFFFFFFFF, 9)
        s[d] ^= rotate(s[c] + s[b] & 0xFFFFFFFF, 13)
        s[a] ^= rotate(s[d] + s[c] & 0xFFFFFFFF, 18)

    for _ in range(10):
        for start in ((0, 4, 8, 12), (5, 9, 13, 1), (10, 14, 2, 6), (15, 3, 7, 11)):
            quarter(*start)
        for start in ((0, 1, 2, 3), (5, 6, 7, 4), (10, 11, 8, 9), (15, 12, 13, 14)):
            quarter(*start)
    return s


def salsa_state(key, middle):
    k = words(key)
    return [SIGMA[0]] + k[:4] + [SIGMA[1]] + words(middle) + [SIGMA[2]] + k[4:] + [SIGMA[3]]


def salsa_block(key, counter, nonce):
    state = salsa_state(key, nonce + struct.pack("<Q", counter))
    return octets([a + b for a, b in zip(state, salsa_rounds(state))])


def hsalsa(key, nonce):
    s = salsa_rounds(salsa_state(key, nonce))
    return octets([s[index] for index in (0, 5, 10, 15, 6, 7, 8, 9)])


def stream(block, key, start, nonce, count):
    blocks = (block(key, start + index, nonce) for index in range((count + 63) // 64))
    return b"".join(blocks)[:count]


# Poly1305 and what is built of it


def poly1305(key, message):
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for start in range(0, len(message), 16):
        total = (total + int.from_bytes(message[start : start + 16] + b"\1", "little")) * r % (2**130 - 5)
    return ((total + int.from_bytes(key[16:], "little")) % 2**128).to_bytes(16, "little")


def chacha_seal(key, nonce, data, plaintext):
    """ChaCha20-Poly1305, RFC 8439 section 2.8: ciphertext, then tag."""
    ciphertext = xor(plaintext, stream(chacha_block, key, 1, nonce, len(plaintext)))

    def whole(text):
        return text + bytes(-len(text) % 16)

    lengths = struct.pack("<QQ", len(data), len(ciphertext))
    return ciphertext + poly1305(chacha_block(key, 0, nonce)[:32], whole(data) + whole(ciphertext) + lengths)


def xchacha_seal(key, nonce, data, plaintext):
    return chacha_seal(hchacha(key, nonce[:16]), bytes(4) + nonce[16:], data, plaintext)


def secret_box(key, nonce, plaintext):
    """XSalsa20-Poly1305 as NaCl has it: tag, then ciphertext."""
    keys = stream(salsa_block, hsalsa(key, nonce[:16]), 0, nonce[16:], 32 + len(plaintext))
    ciphertext = xor(plaintext, keys[32:])
    return poly1305(keys[:32], ciphertext) + ciphertext


def sealed_box(secret, public, ephemeral):
    """crypto_box_seal of libsodium: the fleeting public key, then a box whose nonce is a digest of both public keys."""
    fleeting = agreement_public(ephemeral)
    nonce = hashlib.blake2b(fleeting + public, digest_size=24).digest()
    return fleeting + secret_box(hsalsa(x25519(ephemeral, public), bytes(16)), nonce, secret)


def check_published_vectors():
    h = bytes.fromhex
    # RFC 7748, sections 5.2 and 6.1
    assert x25519(
        h("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"),
        h("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"),
    ) == h("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552")
    alice = h("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    bob = h("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    assert agreement_public(alice) == h("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
    assert agreement_public(bob) == h("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
    shared = h("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
    assert x25519(alice, agreement_public(bob)) == x25519(bob, agreement_public(alice)) == shared

    # RFC 8032, section 7.1, tests 1 and 3
    for seed, public, message, signature in [
        ("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
         "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
         "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595b"
         "be24655141438e7a100b"),
        ("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
         "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
         "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716e"
         "d28dc027beceea1ec40a"),
    ]:
        assert signing_public(h(seed)) == h(public)
        assert sign(h(seed), h(message)) == h(signature)

    # RFC 8439, sections 2.5.2 and 2.8.2
    assert poly1305(
        h("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b"), b"Cryptographic Forum Research Group"
    ) == h("a8061dc1305136c6c22b8baf0c0127a9")
    key, data = bytes(range(0x80, 0xA0)), h("50515253c0c1c2c3c4c5c6c7")
    sunscreen = (
        b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would "
        b"be it.")
    assert chacha_seal(key, h("070000004041424344454647"), data, sunscreen) == h(
        "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e06"
        "0b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d265"
        "86cec64b6116"
        "1ae10b594f09e26a7e902ecbd0600691")

    # draft-irtf-cfrg-xchacha-03, sections 2.2.1 and A.3.1
    assert hchacha(bytes(range(32)), h("000000090000004a0000000031415927")) == h(
        "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc")
    assert xchacha_seal(key, bytes(range(0x40, 0x58)), data, sunscreen) == h(
        "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54"
        "c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f6"
        "15c68b13b52e"
        "c0875924c1c7987947deafd8780acf49")

    # "Cryptography in NaCl", sections 8 to 10, with the keys of RFC 7748
    assert hsalsa(shared, bytes(16)) == h("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389")
    assert secret_box(
        hsalsa(shared, bytes(16)), h("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37"),
        h("be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c0123"
          "3561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924"
          "ca1c60902e52f0a089bc76897040e082f937763848645e0705"),
    ) == h(
        "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0dfc17c98dc"
        "e87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb373"
        "2bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5")
