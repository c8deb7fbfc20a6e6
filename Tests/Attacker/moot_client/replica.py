"""Our copy of one conversation: enough to write into it as anybody whose keys we have, and to read it.

It judges no authority: whoever attacks needs to know what is there, not what counts.
"""

import os

from . import bodies, messages
from .encoding import Reader
from .operations import (
    ADD,
    CONTENT,
    CREATE,
    DEVICE,
    EPOCH,
    JOIN,
    LEAVE,
    MEMBERSHIP,
    MESSAGE,
    REMOVE,
    REVOKE,
    SET,
    Operation,
    decode_batch,
    encode_batch,
    lane_digest,
)
from .people import Credentials, now
from .sodium import box_open


class Replica:
    """A conversation. `operations` is in causal order; `tips` are of each chain, `heads` of each lane."""

    def __init__(self, conversation=None):
        self.conversation = conversation
        self.operations, self.order = {}, []
        self.tips = {MEMBERSHIP: {}, CONTENT: {}}
        self.heads = {MEMBERSHIP: set(), CONTENT: set()}
        self.members, self.credentials, self.wrap_keys = [], {}, {}
        # (user, device) of the tombstones in the lane.
        self.departed = set()
        self.epochs = {}

    # What is there

    def apply(self, operation):
        if operation.id in self.operations:
            return
        self.operations[operation.id] = operation
        self.order.append(operation)
        tips = self.tips[operation.lane].setdefault(operation.device, set())
        tips.discard((operation.sequence - 1, operation.previous))
        tips.add((operation.sequence, operation.id))
        heads = self.heads[operation.lane]
        heads.difference_update([operation.previous, operation.epoch, *operation.dependencies])
        heads.add(operation.id)
        if operation.lane == MEMBERSHIP and operation.body is not None:
            self._follow(operation)

    def _follow(self, operation):
        reader = Reader(operation.body)
        if operation.type == CREATE:
            reader.take(16)
            self._admit(Credentials.read(reader))
        elif operation.type == ADD:
            self._authority(reader)
            for _ in range(reader.number()):
                self._admit(Credentials.read(reader))
        elif operation.type == JOIN:
            reader.id()
            self._admit(Credentials.read(reader))
        elif operation.type == DEVICE:
            self._learn(Credentials.read(reader))
            for _ in range(reader.number()):
                self._learn(Credentials.read(reader))
            if reader.at < len(operation.body):
                for _ in range(reader.number()):
                    self._depart(reader.take(129))
        elif operation.type == REVOKE:
            self._depart(reader.take(129))
        elif operation.type == REMOVE:
            self._authority(reader)
            self._dismiss(reader.id())
        elif operation.type == LEAVE:
            self._dismiss(operation.user)

    @staticmethod
    def _authority(reader):
        if reader.u8():
            reader.id()
            reader.number()

    def _admit(self, credentials):
        self._learn(credentials)
        if credentials.user not in self.members:
            self.members.append(credentials.user)

    def _dismiss(self, user):
        if user in self.members:
            self.members.remove(user)

    def _depart(self, tombstone):
        self.departed.add((tombstone[:32], tombstone[32:64]))

    def _learn(self, credentials):
        known = self.credentials.get(credentials.user)
        if known is None or credentials.serial >= known.serial:
            self.credentials[credentials.user] = credentials
        for device, (counter, key) in credentials.wrap_keys.items():
            if counter >= self.wrap_keys.get(device, (0, None))[0]:
                self.wrap_keys[device] = (counter, key)

    def readers(self, without=()):
        """The view now: {(user, device): wrap key}."""
        return {
            (user, device): self.wrap_keys[device][1]
            for user in self.members
            if user not in without
            for device in self.credentials[user].device_keys
            if device in self.wrap_keys and (user, device) not in self.departed
        }

    def grant_of(self, user):
        """The authority of the last operation that admitted the user with an id."""
        for operation in reversed(self.order):
            if operation.type == CREATE and operation.user == user:
                return bodies.grant(operation.id, 0)
            if operation.type == JOIN and operation.user == user:
                return bodies.grant(operation.id, 0)
            if operation.type == ADD:
                reader = Reader(operation.body)
                self._authority(reader)
                targets = [Credentials.read(reader).user for _ in range(reader.number())]
                if user in targets:
                    return bodies.grant(operation.id, targets.index(user) + 1)
        return bodies.ACTING

    def digest(self, lane):
        return lane_digest(self.tips[lane])

    def said(self, lane, peer):
        """What is held of a lane, as it is said to a peer."""
        return messages.said(self.digest(lane), peer.channel.transcript)

    # Writing

    def write(self, user, kind, body, lane=MEMBERSHIP, device=None, heads=None, previous="tip", seal_with=None, **fields):
        """Makes an operation after everything that is there (or after `previous`), signs it, and keeps it.

        With `seal_with` the body is closed under that epoch's key.
        """
        device = device or user.device
        tips = sorted(self.tips[lane].get(device.id, ()))
        tip = (tips[-1] if tips else None) if previous == "tip" else previous
        dependencies = fields.pop("dependencies", None)
        if dependencies is None:
            dependencies = sorted(self.heads[lane])[:16] if kind != CREATE else []
        parents = {tip and tip[1], fields.get("epoch")} if lane == CONTENT else {tip and tip[1]}
        operation = Operation(
            type=kind,
            conversation=self.conversation,
            lane=lane,
            device=device.id,
            sequence=tip[0] + 1 if tip else 1,
            previous=tip[1] if tip else None,
            dependencies=[name for name in dependencies if name not in parents],
            heads=(sorted(self.heads[MEMBERSHIP] if heads is None else heads)[:16]) if lane == CONTENT else [],
            epoch=fields.get("epoch"),
            time=fields.get("time") or now(),
            body=None if seal_with else body,
            user=user.id,
            device_key=device.key.public,
        )
        if seal_with:
            bodies.close(seal_with, operation, body)
        operation.sign(device)
        if kind == CREATE:
            self.conversation = operation.id
        self.apply(operation)
        return operation

    @classmethod
    def found(cls, user, *others):
        """A group founded by a user, with others in it."""
        replica = cls()
        creation = replica.write(user, CREATE, bodies.create(user.credentials))
        if others:
            replica.write(user, ADD, bodies.add(bodies.grant(creation.id, 0), [other.encoded for other in others]))
        return replica

    def name(self, user, value):
        return self.write(user, SET, bodies.setting(self.grant_of(user.id), "name", value))

    def make_epoch(self, user, device=None, without=(), **fields):
        """Writes an epoch for the view of now, and remembers its key."""
        device = device or user.device
        key = os.urandom(32)
        heads = sorted(self.heads[MEMBERSHIP])
        departed = {(user, name) for user, name in self.departed if user in self.members and user not in without}
        body = bodies.epoch(key, self.conversation, device.id, heads, self.readers(without), departed)
        operation = self.write(user, EPOCH, body, CONTENT, device, **fields)
        self.epochs[operation.id] = key
        return operation

    def say(self, user, words, epoch, device=None, kind=MESSAGE, **fields):
        plaintext = bodies.message(words)
        key = self.epochs[epoch.id]
        return self.write(user, kind, plaintext, CONTENT, device, seal_with=key, epoch=epoch.id, **fields)

    def open_epoch(self, operation, device):
        """Our key of an epoch that somebody else made, or None."""
        reader = Reader(operation.body)
        reader.take(64)
        wraps = [reader.take(80) for _ in range(reader.number())]
        for wrap in wraps:
            try:
                self.epochs[operation.id] = box_open(device.wrap_key, wrap)
                return self.epochs[operation.id]
            except ValueError:
                continue
        return None

    # Exchange

    def push(self, peer, operations, is_answer=False):
        """Sends operations of one lane as one batch."""
        place = messages.slot(peer.show(self.conversation), operations[0].lane)
        peer.send(messages.batch(place, is_answer, encode_batch(operations)), is_bulk=is_answer)

    def offer(self, peer, timeout=10.0):
        """Announces the conversation, and serves whatever the node asks for until its digests are ours."""
        peer.send(messages.announce_group(self.conversation))
        place = peer.show(self.conversation)
        peer.wait(lambda: peer.node_slot(self.conversation) is not None, timeout)
        for lane in (MEMBERSHIP, CONTENT):
            operations = [operation for operation in self.order if operation.lane == lane]
            if operations:
                self.push(peer, operations)
            peer.send(messages.status(messages.slot(place, lane), self.said(lane, peer)))
            if not self.is_equal(peer, lane, timeout):
                return False
        return True

    def is_equal(self, peer, lane, timeout=5.0):
        """Waits until the node's last status of a lane is ours."""

        def equal():
            digests = [reader.take(8) for reader in peer.about(messages.STATUS, self.conversation, lane)]
            return bool(digests) and digests[-1] == self.said(lane, peer)

        return peer.wait(equal, timeout)

    def pull(self, peer, timeout=10.0):
        """Fetches both lanes from a node that shows the conversation. Returns whether it said that it was done."""
        place = peer.show(self.conversation)
        if not peer.wait(lambda: peer.node_slot(self.conversation) is not None, timeout):
            return False
        return all(self._pull(peer, messages.slot(place, lane), lane, timeout) for lane in (MEMBERSHIP, CONTENT))

    def _pull(self, peer, place, lane, timeout):
        seen_done = len(list(peer.about(messages.DONE, self.conversation, lane)))
        taken = 0
        peer.send(messages.chains(place, True, {name: sorted(tips) for name, tips in self.tips[lane].items()}))
        while True:
            before = len(peer.received)
            batches = list(peer.about(messages.BATCH, self.conversation, lane))
            for reader in batches[taken:]:
                is_answer = reader.u8()
                reader.data()
                encoded = reader.rest()
                for operation in decode_batch(encoded, self.conversation):
                    self.apply(operation)
                if is_answer:
                    peer.send(messages.credit(len(encoded)))
            taken = len(batches)
            if len(list(peer.about(messages.DONE, self.conversation, lane))) > seen_done:
                return True
            if not peer.wait(lambda before=before: len(peer.received) > before, timeout):
                return False

