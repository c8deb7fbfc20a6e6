"""The messages of section 10, as bytes."""

import os

from .encoding import Reader, data, listed, number, option, text
from .sodium import blake2b

HELLO, TAGS, ANNOUNCE, STATUS, FRONTIER, CHAINS, CHAINS_REQUEST, WANT, BATCH, DONE, CREDIT, PING, PONG = range(1, 14)
ADDRESSES, BODIES_WANTED, BODIES, RECEIPT_DIGEST, RECEIPT_VERSIONS, RECEIPTS, TYPING, PROOF, REFUSAL = range(14, 23)
BLOB_WANTED, BLOB_HELD, CHUNKS_WANTED, CHUNK, PHOTO_WANTED, CARD_DIGEST, CARD_VERSIONS, CARDS = range(23, 31)
UNREACHABLE, PARTING, KEYS_WANTED, KEYS, READ_MARKS, REACHABILITY_WANTED, REACHABILITY, TOMBSTONES = range(31, 39)
PRIVATE_DIGEST, PRIVATE_SUMMARY, PRIVATE_VERSIONS, PRIVATE_STATES, OPENED, RETENTION = range(39, 45)

BOTH_LANES = 2  # where a status names a lane: the digest of each follows

NAMES = (
    "- hello tags announce status frontier chains chains_request want batch done credit ping pong addresses "
    "bodies_wanted bodies receipt_digest receipt_versions receipts typing proof refusal blob_wanted blob_held "
    "chunks_wanted chunk photo_wanted card_digest card_versions cards unreachable parting keys_wanted keys read_marks "
    "reachability_wanted reachability tombstones private_digest private_summary private_versions private_states opened retention"
).split()


def slot(index, lane):
    return number(index) + bytes([lane])


def hello(introduction, port=0, replica_epoch=None):
    return bytes([HELLO]) + (replica_epoch or os.urandom(16)) + number(port) + data(introduction)


def tag(conversation, transcript, role):
    return blake2b(transcript + bytes([role]), 8, conversation)


def tags(values):
    return bytes([TAGS]) + listed(values)


def announce_group(conversation):
    return bytes([ANNOUNCE]) + conversation + b"\0"


def announce_direct(conversation, one, other):
    return bytes([ANNOUNCE]) + conversation + b"\1" + min(one, other) + max(one, other)


def said(digest, transcript):
    """A digest of 16 bytes as it is said on a connection."""
    return blake2b(transcript, 8, digest)


def status(lane_slot, digest):
    return bytes([STATUS]) + lane_slot + digest


def statuses(index, membership_digest, content_digest):
    """What is held of both lanes of a conversation, named by its slot's index."""
    return bytes([STATUS]) + slot(index, BOTH_LANES) + membership_digest + content_digest


def frontier(lane_slot, is_wanted, digest, chain_list_digest, numbers):
    return bytes([FRONTIER]) + lane_slot + bytes([is_wanted]) + digest + chain_list_digest + listed(map(number, numbers))


def chains(lane_slot, is_wanted, tips, after=None, is_last=True):
    """One part: `tips`, {device: [(sequence number, id), …]}, of the devices above `after`."""
    encoded = (
        device + listed(number(sequence) + name for sequence, name in sorted(tips[device])) for device in sorted(tips)
    )
    return bytes([CHAINS]) + lane_slot + bytes([is_wanted]) + option(after) + bytes([is_last]) + listed(encoded)


def chains_request(lane_slot):
    return bytes([CHAINS_REQUEST]) + lane_slot


def want(lane_slot, wanted):
    """`wanted`: {device: the last sequence number held, or a list of own tips}."""
    encoded = (
        device + (b"\0" + number(what) if isinstance(what, int) else b"\1" + listed(sorted(what)))
        for device, what in sorted(wanted.items())
    )
    return bytes([WANT]) + lane_slot + listed(encoded)


def batch(lane_slot, is_answer, encoded, reached=b""):
    """`reached`: a bit for each reader of the view to whom a push goes, without zeros at the end."""
    return bytes([BATCH]) + lane_slot + bytes([is_answer]) + data(reached) + encoded


def done(lane_slot):
    return bytes([DONE]) + lane_slot


def credit(count):
    return bytes([CREDIT]) + number(count)


def ping(value):
    return bytes([PING]) + number(value)


def pong(value):
    return bytes([PONG]) + number(value)


def reachability_wanted(question):
    return bytes([REACHABILITY_WANTED]) + number(question)


def addresses(places):
    """`places`: pairs of a device id and `host:port`."""
    return bytes([ADDRESSES]) + listed(device + text(place) for device, place in places)


def bodies_wanted(lane_slot, names):
    return bytes([BODIES_WANTED]) + lane_slot + listed(sorted(names))


def bodies(lane_slot, found):
    """`found`: {operation id: body}."""
    return bytes([BODIES]) + lane_slot + listed(name + data(found[name]) for name in sorted(found))


def receipt_digest(lane_slot, digest):
    return bytes([RECEIPT_DIGEST]) + lane_slot + digest


def receipt_versions(lane_slot, versions):
    """`versions`: {device: (version, the first 8 bytes of the record's hash)}."""
    encoded = (device + number(version) + start for device, (version, start) in sorted(versions.items()))
    return bytes([RECEIPT_VERSIONS]) + lane_slot + listed(encoded)


def receipts(lane_slot, records, absent=()):
    """`absent`: devices for which the receiver is to keep the sender's own record."""
    return bytes([RECEIPTS]) + lane_slot + listed(map(data, records)) + listed(sorted(absent))


def typing(lane_slot, signal):
    return bytes([TYPING]) + lane_slot + signal


def proof(conversation_tag, invite, signature):
    return bytes([PROOF]) + conversation_tag + invite + signature


def refusal(invite, reason):
    return bytes([REFUSAL]) + invite + bytes([reason])


def blob_wanted(lane_slot, operation):
    return bytes([BLOB_WANTED]) + lane_slot + operation


def blob_held(root, bits):
    return bytes([BLOB_HELD]) + root + data(bits)


def chunks_wanted(root, indices):
    return bytes([CHUNKS_WANTED]) + root + listed(map(number, indices))


def chunk(root, rest):
    return bytes([CHUNK]) + root + rest


def photo_wanted(user):
    return bytes([PHOTO_WANTED]) + user


def cards(encoded):
    return bytes([CARDS]) + listed(map(data, encoded))


def keys_wanted(lane_slot, epochs):
    return bytes([KEYS_WANTED]) + lane_slot + listed(sorted(epochs))


def keys(lane_slot, found):
    """`found`: {epoch id: key}."""
    return bytes([KEYS]) + lane_slot + listed(name + found[name] for name in sorted(found))


def read_marks(lane_slot, marks):
    """`marks`: {device id: sequence number}."""
    return bytes([READ_MARKS]) + lane_slot + listed(device + number(marks[device]) for device in sorted(marks))


def tombstones(encoded):
    return bytes([TOMBSTONES]) + listed(encoded)


def read_tombstones(message):
    """The tombstones of a message."""
    reader = Reader(message[1:])
    return reader.list(lambda: reader.take(129))


def private_digest(digest):
    return bytes([PRIVATE_DIGEST]) + digest


def private_summary(summary):
    return bytes([PRIVATE_SUMMARY]) + summary


def private_versions(buckets, versions):
    """`versions`: {(kind, id): 8 bytes}."""
    named = sorted(versions)
    return bytes([PRIVATE_VERSIONS]) + buckets + listed(bytes([kind]) + name + versions[kind, name] for kind, name in named)


def private_states(states):
    """`states`: {(kind, id): state}."""
    return bytes([PRIVATE_STATES]) + listed(bytes([kind]) + name + data(states[kind, name]) for kind, name in sorted(states))


def opened(lane_slot):
    return bytes([OPENED]) + lane_slot


def retention(lane_slot, days):
    return bytes([RETENTION]) + lane_slot + number(days)


def read_slot(message):
    """The slot's index and lane of a message that has one, and a reader of what follows."""
    reader = Reader(message)
    reader.u8()
    return reader.number(), reader.u8(), reader


def by_lane(message):
    """A status of both lanes as one of each; any other message as it is."""
    if message[0] != STATUS:
        return [message]
    index, lane, reader = read_slot(message)
    if lane != BOTH_LANES:
        return [message]
    return [status(slot(index, lane), reader.take(8)) for lane in (0, 1)]


def read_chains(reader):
    """Whether an answer is wanted, and the tips, of what follows the slot in `chains`."""
    is_wanted = reader.u8()
    reader.option(reader.id)
    reader.u8()
    tips = {}
    for _ in range(reader.number()):
        device = reader.id()
        tips[device] = [(reader.number(), reader.id()) for _ in range(reader.number())]
    return is_wanted, tips
