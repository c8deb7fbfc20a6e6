"""Bodies of operations (section 4) and how closed ones are sealed (section 5)."""

import os

from .encoding import ascending, data, listed, number, option, text
from .sodium import H, blake2b, box_seal, xchacha_open, xchacha_seal

MEMBER, MODERATOR, ADMIN, FOUNDER = range(4)

ACTING = b"\0"


def grant(operation, slot):
    """The authority of a grant."""
    return b"\1" + operation + number(slot)


def create(credentials):
    return os.urandom(16) + credentials


def add(authority, targets):
    return authority + listed(targets)


def invite_person(authority, credentials):
    return authority + b"\0" + credentials


def invite_by_code(authority, key, end):
    return authority + b"\1" + key + number(end)


def join(invite, credentials, proof=None):
    return invite + credentials + option(proof)


def pins(entries):
    """`entries`: (device, sequence number, operation id)."""
    ordered = sorted(entries, key=lambda entry: (entry[0], entry[2]))
    return listed(device + number(sequence) + name for device, sequence, name in ordered)


def remove(authority, user, entries=()):
    return authority + user + pins(entries)


def promote(authority, user, role):
    return authority + user + bytes([role])


def setting(authority, field, value):
    return authority + text(field) + text(value)


def device(credentials, others=(), tombstones=()):
    return credentials + listed(others) + (listed(sorted(tombstones)) if tombstones else b"")


def revoke(root, conversation, tombstone, decisions=(), messages=()):
    """What a root says of a device that was stolen, of which it says so in the tombstone, too."""
    lists = ascending(decisions), ascending(messages)
    return tombstone + b"".join(lists) + root.sign("moot/1/revoke", conversation, tombstone[:32], tombstone[32:64], *lists)


def view_id(conversation, readers, departed=()):
    """`readers`: {(user, device): wrap key}; `departed`: (user, device) of those with a tombstone."""
    plain = H("moot/1/view", conversation, *(user + device + readers[user, device] for user, device in sorted(readers)))
    return H("moot/1/view-without", plain, *(user + device for user, device in sorted(departed))) if departed else plain


def commitment(key, conversation, author, heads, view):
    return blake2b(b"moot/1/commit" + conversation + author + ascending(heads) + view, 32, key)


def epoch(key, conversation, author, heads, readers, departed=()):
    view = view_id(conversation, readers, departed)
    wraps = (box_seal(readers[reader], key) for reader in sorted(readers))
    return view + commitment(key, conversation, author, heads, view) + listed(wraps)


def padded(plaintext):
    plaintext += b"\x80"
    return plaintext + bytes(-len(plaintext) % 16)


def message_key(key, operation):
    content = b"moot/1/msg" + operation.conversation + operation.device + number(operation.sequence)
    return blake2b(content, 32, key)


def close(key, operation, plaintext):
    """Gives an operation its closed body. It needs its place in the chain, its heads and its time before."""
    content = padded(plaintext)
    operation.body_length = 24 + len(content) + 16
    nonce = os.urandom(24)
    operation.body = nonce + xchacha_seal(message_key(key, operation), nonce, content, operation.up_to_digest)
    operation.digest = H("moot/1/body", operation.body)
    return operation


def open_closed(key, operation):
    """The plaintext of a closed body."""
    content = xchacha_open(message_key(key, operation), operation.body[:24], operation.body[24:], operation.up_to_digest)
    return content[: content.rindex(b"\x80")]


def message(words):
    return b"\0" + text(words)


def message_text(plaintext):
    """The text of a message without an answer or mentions; of others nothing."""
    from .encoding import Reader

    reader = Reader(plaintext)
    parts = reader.u8()
    if parts & 1:
        reader.id()
    if parts & 2:
        reader.ids()
    return reader.text()


def receipt(user, signer, conversation, version, time, entries=()):
    """`entries`: (device, received, read)."""
    content = user.id + signer.key.public + number(version) + number(time)
    content += listed(name + number(received) + number(received - read) for name, received, read in sorted(entries))
    return content + signer.key.sign("moot/1/receipt", conversation, content)


def typing_signal(user, signer, conversation, epoch_id, key, replica_epoch, written, counter, reached=b""):
    head = epoch_id + user.id + signer.key.public + replica_epoch + number(written) + number(counter)
    nonce = os.urandom(24)
    typing_key = blake2b(b"moot/1/typing" + conversation + signer.id, 32, key)
    signal = head + data(nonce + xchacha_seal(typing_key, nonce, padded(reached), head))
    return signal + signer.key.sign("moot/1/typing", conversation, signal)
