"""What a flood consists of. Each kind makes the messages of its next round, of about 64 KiB or more.

A kind is a function of a `Source`, which knows the connection, the user, and for a member the conversation; it yields lists of
messages. A stranger says about a slot that nobody recognizes, or about a group that they made themselves, what a member says about
a conversation that they are in. A device is one of the flooded node's own user that is in other hands.
"""

import itertools
import os

from moot_client import bodies, messages, private
from moot_client.encoding import number
from moot_client.operations import CONTENT, MEMBERSHIP, MERGE, MESSAGE, REVOKE, direct_conversation, encode_batch
from moot_client.people import User, now, sign_tombstone
from moot_client.replica import Replica

KINDS = {}
BOTH = ("stranger", "member")
ALL = (*BOTH, "device")


def kind(*roles, keeps=False):
    """Registers a kind for some roles. `keeps`: what a member sends in it is theirs to say, and stays as their messages do."""

    def register(function):
        function.roles, function.keeps = roles or BOTH, keeps
        KINDS[function.__name__.replace("_", "-")] = function
        return function

    return register


class Source:
    """Who floods over one connection."""

    def __init__(self, peer, user, device, replica=None):
        self.peer, self.user, self.device, self.replica = peer, user, device, replica
        self.is_device = peer.credentials.user == user.id
        if replica is None:
            self.replica = Replica.found(user, peer.credentials)
        self.conversation = self.replica.conversation
        self.index = peer.show(self.conversation)

    def slot(self, lane=CONTENT):
        return messages.slot(self.index, lane)


def again(*contents, count=1):
    """The same messages forever."""
    return itertools.repeat(list(contents) * count)


@kind()
def hello(source):
    return again(messages.hello(source.user.introduction()), count=50)


@kind()
def hello_newer_card(source):
    version = now()
    while True:
        round_of = []
        for _ in range(20):
            version += 1
            source.user.card_version = version
            round_of.append(messages.hello(source.user.introduction()))
        yield round_of


@kind()
def announce_group(_):
    while True:
        yield [messages.announce_group(os.urandom(32)) for _ in range(500)]


@kind()
def announce_direct(source):
    me = source.peer.credentials.user
    while True:
        others = [os.urandom(32) for _ in range(500)]
        yield [messages.announce_direct(direct_conversation(me, other), me, other) for other in others]


@kind()
def tags(_):
    while True:
        yield [messages.tags([os.urandom(8) for _ in range(4_096)]) for _ in range(4)]


@kind()
def addresses(_):
    while True:
        yield [
            messages.addresses([(os.urandom(32), f"127.{a}.{b}.{c}:{1 + c}") for c in range(1, 65)])
            for a, b in zip(os.urandom(8), os.urandom(8), strict=True)
        ]


@kind()
def status(source):
    while True:
        yield [messages.status(source.slot(lane), os.urandom(8)) for lane in (MEMBERSHIP, CONTENT) for _ in range(250)] + [
            messages.statuses(source.index, os.urandom(8), os.urandom(8)) for _ in range(500)
        ]


@kind()
def frontier(source):
    numbers = list(range(4_096))
    while True:
        yield [messages.frontier(source.slot(), True, os.urandom(8), os.urandom(8), numbers) for _ in range(8)]


@kind()
def chains(source):
    while True:
        tips = {os.urandom(32): [(1, os.urandom(32))] for _ in range(1_000)}
        yield [messages.chains(source.slot(), True, tips)] * 4


@kind()
def chains_request(source):
    return again(messages.chains_request(source.slot()), messages.chains_request(source.slot(MEMBERSHIP)), count=500)


@kind()
def want(source):
    nothing = {device: 0 for device in source.replica.tips[CONTENT]} or {source.device.id: 0}
    return again(messages.want(source.slot(), nothing), messages.credit(1 << 16), count=200)


@kind()
def want_branches(source):
    wanted = {source.device.id: [os.urandom(32) for _ in range(256)]}
    return again(messages.want(source.slot(), wanted), count=8)


@kind("stranger")
def batch_of_own_group(source):
    """New operations of a group that the stranger made, with the node's user in it."""
    source.peer.send(messages.announce_group(source.conversation))
    yield [messages.batch(source.slot(MEMBERSHIP), False, encode_batch(source.replica.order))]
    yield from _operations(source)


@kind("member", keeps=True)
def batch_of_new_messages(source):
    yield from _operations(source)


def _operations(source):
    epoch = source.replica.make_epoch(source.user, source.device, dependencies=[], previous=None)
    yield [messages.batch(source.slot(), False, encode_batch([epoch]))]
    while True:
        written = [
            source.replica.write(source.user, MESSAGE, os.urandom(4_096), CONTENT, source.device, epoch=epoch.id, dependencies=[])
            for _ in range(64)
        ]
        source.replica.operations.clear()
        source.replica.order.clear()
        yield [messages.batch(source.slot(), False, encode_batch(written))]


@kind("member", keeps=True)
def batch_of_merges(source):
    while True:
        written = [source.replica.write(source.user, MERGE, b"", device=source.device, dependencies=[]) for _ in range(500)]
        source.replica.order.clear()
        source.replica.operations.clear()
        yield [messages.batch(source.slot(MEMBERSHIP), False, encode_batch(written))]


@kind()
def batch_again(source):
    """The same operations, which are there already or have no place, as pushes and as answers."""
    written = [operation for operation in source.replica.order if operation.lane == MEMBERSHIP]
    encoded = encode_batch(written)
    both = [messages.batch(source.slot(MEMBERSHIP), is_answer, encoded) for is_answer in (False, True)]
    return again(*both, count=50)


@kind()
def batch_of_many_chains(source):
    """The same 200 forks again and again: 200 signatures to check for each message."""
    start = now()
    written = [
        source.replica.write(source.user, MESSAGE, b"", CONTENT, source.device, previous=None, time=start + at, dependencies=[])
        for at in range(200)
    ]
    return again(messages.batch(source.slot(), False, encode_batch(written)), count=4)


@kind()
def batch_that_waits(source):
    """Operations whose dependencies nobody has."""
    while True:
        written = []
        for _ in range(8):
            operation = source.replica.write(
                source.user, MESSAGE, os.urandom(4_000), CONTENT, source.device, dependencies=[os.urandom(32)], heads=[os.urandom(32)]
            )
            written.append(messages.batch(source.slot(), False, encode_batch([operation])))
        source.replica.operations.clear()
        source.replica.order.clear()
        yield written


@kind()
def bodies_wanted(source):
    written = [operation.id for operation in source.replica.order if operation.lane == CONTENT][:256]
    return again(messages.bodies_wanted(source.slot(), written or [os.urandom(32) for _ in range(256)]), count=10)


@kind()
def bodies_unasked(source):
    noise = os.urandom(8_000)
    while True:
        yield [messages.bodies(source.slot(), {os.urandom(32): noise for _ in range(8)})]


@kind()
def done_and_credit(source):
    return again(messages.done(source.slot()), messages.credit(1), messages.done(source.slot(MEMBERSHIP)), count=500)


@kind()
def ping(_):
    return again(*(messages.ping(value) for value in range(1_000)))


@kind()
def receipts(source):
    version = now()
    while True:
        entries = [(device, 1, 1) for device in source.replica.tips[CONTENT] if device != source.device.id]
        records = []
        for _ in range(50):
            version += 1
            records.append(bodies.receipt(source.user, source.device, source.conversation, version, now(), entries))
        yield [messages.receipts(source.slot(), [record]) for record in records]


@kind()
def receipt_questions(source):
    while True:
        versions = {os.urandom(32): (1, os.urandom(8)) for _ in range(200)}
        yield [messages.receipt_digest(source.slot(), os.urandom(8)), messages.receipt_versions(source.slot(), versions)] * 8


@kind()
def typing(source):
    counter, run = now(), os.urandom(16)
    epochs = source.replica.epochs or {os.urandom(32): os.urandom(32)}
    name, key = next(iter(epochs.items()))
    while True:
        signals = []
        for _ in range(100):
            counter += 1
            signals.append(
                bodies.typing_signal(source.user, source.device, source.conversation, name, key, run, 1 << 30, counter)
            )
        yield [messages.typing(source.slot(), signal) for signal in signals]


@kind()
def proofs(source):
    tag = messages.tag(source.conversation, source.peer.channel.transcript, 0)
    while True:
        yield [messages.proof(tag, os.urandom(32), os.urandom(64)) for _ in range(500)]


@kind()
def blob_wanted(source):
    names = [operation.id for operation in source.replica.order][:10] or [os.urandom(32)]
    return again(*(messages.blob_wanted(source.slot(lane), name) for lane in (MEMBERSHIP, CONTENT) for name in names), count=50)


@kind()
def chunk_questions(_):
    while True:
        root = os.urandom(32)
        yield [messages.chunks_wanted(root, range(64)), messages.blob_held(root, b"\xff" * 200)] * 200


@kind()
def chunks_unasked(_):
    noise = os.urandom(65_000)
    while True:
        yield [messages.chunk(os.urandom(32), number(0) + noise)]


@kind()
def photo_wanted(source):
    return again(messages.photo_wanted(source.peer.credentials.user), messages.photo_wanted(User().id), count=500)


@kind(*ALL)
def tombstones(source):
    """Of a user's own, signed by their root, each of a smaller device than all before: it is news, and the 257th pushes one out."""
    return smaller_tombstones(source.user.root)


def smaller_tombstones(root):
    for lowest in range((1 << 63) - now(), 0, -64):
        devices = [(lowest - index).to_bytes(8, "big") + bytes(24) for index in range(64)]
        yield [messages.tombstones([sign_tombstone(root, device) for device in devices])]


@kind(*ALL)
def tombstones_one_by_one(source):
    """The same, each in a message of its own."""
    return ([messages.tombstones([one]) for one in messages.read_tombstones(many)] for (many,) in smaller_tombstones(source.user.root))


@kind(*ALL)
def tombstones_again(source):
    """The same 256 forever, of a user who took none of these devices out: each signature is wrong."""
    user = source.peer.credentials.user if source.is_device else source.user.id
    return again(messages.tombstones([user + os.urandom(32) + b"\0" + bytes(64) for _ in range(256)]), count=4)


def device_state(source):
    return private.preferences(pinned=private.register(private.YES, now(), source.device.id))


@kind(*ALL)
def private_digest(_):
    while True:
        yield [messages.private_digest(os.urandom(16)) for _ in range(500)]


@kind(*ALL)
def private_summary(_):
    while True:
        yield [messages.private_summary(private.ALL_BUCKETS + os.urandom(8 * 256)) for _ in range(30)]


@kind(*ALL)
def private_versions(_):
    while True:
        versions = {(0, os.urandom(32)): bytes(8) for _ in range(4_096)}
        yield [messages.private_versions(private.ALL_BUCKETS, versions)]


@kind(*ALL, keeps=True)
def private_states(source):
    """Pieces that are new, up to the most that are kept."""
    while True:
        state = device_state(source)
        yield [messages.private_states({(0, os.urandom(32)): state for _ in range(1_000)})]


@kind(*ALL, keeps=True)
def private_states_of_one(source):
    """Ever later writes about one conversation, one in each message."""
    time = now()
    while True:
        written = []
        for _ in range(200):
            time += 1
            pinned = private.register(private.YES, time, source.device.id)
            written.append(messages.private_states({(0, source.conversation): private.preferences(pinned=pinned)}))
        yield written


@kind(*ALL, keeps=True)
def private_marks(source):
    """First as many people as are remembered as blocked, then one more at a time."""

    def marks(count):
        return messages.private_states({(1, os.urandom(32)): private.register(private.YES, now(), source.device.id) for _ in range(count)})

    yield [marks(1_000) for _ in range(5)]
    while True:
        yield [marks(1) for _ in range(200)]


@kind(*ALL)
def private_states_that_are_none(_):
    """Long drafts that do not count, and marks of nobody."""
    noise = os.urandom(60_000)
    while True:
        yield [messages.private_states({(kind, os.urandom(32)): noise for kind in range(3)}) for _ in range(2)]


@kind(*ALL)
def keys_wanted(source):
    while True:
        yield [messages.keys_wanted(source.slot(), [os.urandom(32) for _ in range(256)]) for _ in range(8)]


@kind(*ALL)
def keys(source):
    while True:
        yield [messages.keys(source.slot(), {os.urandom(32): os.urandom(32) for _ in range(256)}) for _ in range(4)]


@kind(*ALL)
def read_marks(source):
    """First as many as are remembered, for what never comes; then one at a time."""
    for _ in range(16):
        yield [messages.read_marks(source.slot(), {os.urandom(32): 1 << 54 for _ in range(4_096)})]
    while True:
        yield [messages.read_marks(source.slot(), {os.urandom(32): 1 << 54}) for _ in range(500)]


@kind(*ALL)
def opened(source):
    return again(messages.opened(source.slot()), count=1_000)


@kind(*ALL)
def retention(source):
    return again(*(messages.retention(source.slot(), days) for days in (3_650, 1)), count=500)


@kind("member")
def batch_of_revocations(source):
    """Statements of the member's own root, each about a device that they never had: one in a batch, each signature of it to be checked."""
    while True:
        written = []
        for _ in range(16):
            body = bodies.revoke(source.user.root, source.conversation, sign_tombstone(source.user.root, os.urandom(32), 1))
            written.append(source.replica.write(source.user, REVOKE, body, device=source.device, dependencies=[]))
        source.replica.order.clear()
        source.replica.operations.clear()
        yield [messages.batch(source.slot(MEMBERSHIP), False, encode_batch(written))]


@kind()
def unknown_messages(_):
    return again(bytes([200]) + os.urandom(1_000), count=64)


@kind()
def everything(source):
    """All kinds in turn."""
    names = ["hello", "announce-group", "tags", "addresses", "status", "chains", "want", "bodies-wanted", "ping", "typing", "proofs"]
    turns = [KINDS[name](source) for name in names]
    while True:
        for turn in turns:
            yield next(turn)[:20]
