"""Operations and batches (sections 3 and 6)."""

import dataclasses

from .encoding import Reader, ascending, difference, listed, number, option
from .sodium import H, blake2b

MEMBERSHIP, CONTENT = 0, 1

CREATE, ADD, INVITE, JOIN, DECLINE, CANCEL, REMOVE, PROMOTE, DEMOTE, SET, RATIFY, DEVICE, MERGE, LEAVE, STEPDOWN, REVOKE = range(1, 17)
MESSAGE, EPOCH, COMPLAINT, WRAP, EDIT, DELETE, REACTION, PIN, FILE = range(32, 41)


def direct_conversation(one, other):
    return H("moot/1/direct", min(one, other), max(one, other))


@dataclasses.dataclass
class Operation:
    """An operation; without a body where it came, or is meant to go, without one."""

    type: int
    conversation: bytes | None
    lane: int
    device: bytes
    sequence: int
    previous: bytes | None
    dependencies: list
    heads: list
    epoch: bytes | None
    time: int
    body: bytes | None
    user: bytes
    device_key: bytes
    body_length: int = 0
    digest: bytes = b""
    signature: bytes | None = None
    _id: bytes | None = None

    def __post_init__(self):
        self.dependencies = sorted(self.dependencies)
        self.heads = sorted(self.heads)
        if self.body is not None:
            self.body_length = len(self.body)
            self.digest = H("moot/1/body", self.body)

    @property
    def up_to_digest(self):
        """The header up to, not including, the body digest: what a closed body is bound to."""
        return (
            number(1)
            + number(self.type)
            + option(self.conversation if self.type != CREATE else None)
            + bytes([self.lane])
            + self.device
            + number(self.sequence)
            + (self.previous if self.sequence > 1 else b"")
            + ascending(self.dependencies)
            + (ascending(self.heads) + option(self.epoch) if self.lane == CONTENT else b"")
            + number(self.time)
            + number(self.body_length)
        )

    @property
    def header(self):
        return self.up_to_digest + self.digest

    @property
    def id(self):
        if self._id is None:
            self._id = H("moot/1/op", self.header)
        return self._id

    def sign(self, device):
        self.signature = device.key.sign("moot/1/sig", self.id)
        return self


def encode_batch(operations):
    """A batch of operations of one lane, in causal order. In the content lane only the last of each run keeps its signature."""
    lane = operations[0].lane
    places, runs, run_of_tip, entry_runs = {}, [], {}, []
    for index, operation in enumerate(operations):
        run = run_of_tip.pop(operation.previous, None) if operation.previous else None
        if run is None:
            run = len(runs)
            runs.append([operation, index])
        runs[run][1] = index
        run_of_tip[operation.id] = run
        entry_runs.append(run)
        places[operation.id] = index
    lasts = {last for _, last in runs}

    table, table_places, head_lists, head_places = [], {}, [], {}

    def reference(at, name):
        place = places.get(name)
        if place is not None and place < at:
            return number(2 * (at - place - 1))
        if name not in table_places:
            table_places[name] = len(table)
            table.append(name)
        return number(2 * table_places[name] + 1)

    entries, previous_time = [], 0
    for index, operation in enumerate(operations):
        is_signed = lane == MEMBERSHIP or index in lasts
        flags = (operation.body is not None) | is_signed << 1 | (operation.epoch is not None) << 2
        entry = bytearray([flags])
        entry += number(entry_runs[index]) + number(operation.type) + difference(operation.time - previous_time)
        previous_time = operation.time
        entry += listed(reference(index, name) for name in operation.dependencies)
        if lane == CONTENT:
            heads = tuple(operation.heads)
            if heads not in head_places:
                head_places[heads] = len(head_lists)
                head_lists.append(heads)
            entry += number(head_places[heads])
        if operation.epoch is not None:
            entry += reference(index, operation.epoch)
        entry += number(operation.body_length) + (operation.body if operation.body is not None else operation.digest)
        if is_signed:
            entry += operation.signature
        entries.append(bytes(entry))

    encoded_runs = (
        first.user + first.device_key + number(first.sequence - 1) + (first.previous if first.sequence > 1 else b"")
        for first, _ in runs
    )
    return (
        bytes([lane])
        + listed(encoded_runs)
        + listed(table)
        + (listed(ascending(heads) for heads in head_lists) if lane == CONTENT else b"")
        + listed(entries)
    )


def decode_batch(encoded, conversation):
    """The operations of a batch that an honest node sent. Signatures are not checked."""
    reader = Reader(encoded)
    lane = reader.u8()
    runs = []
    for _ in range(reader.number()):
        user, key, base = reader.id(), reader.take(32), reader.number()
        runs.append([user, key, base, reader.id() if base else None])
    table = reader.ids()
    head_lists = reader.list(reader.ids) if lane == CONTENT else []
    operations, time = [], 0
    for at in range(reader.number()):

        def reference(at=at):
            value = reader.number()
            return table[value >> 1] if value & 1 else operations[at - (value >> 1) - 1].id

        flags, run, kind = reader.u8(), runs[reader.number()], reader.number()
        time += reader.difference()
        dependencies = reader.list(reference)
        heads = head_lists[reader.number()] if lane == CONTENT else []
        epoch = reference() if flags & 4 else None
        length = reader.number()
        body = reader.take(length) if flags & 1 else None
        digest = b"" if flags & 1 else reader.id()
        run[2] += 1
        operation = Operation(
            type=kind,
            conversation=None if kind == CREATE else conversation,
            lane=lane,
            device=H("moot/1/device", run[0], run[1]),
            sequence=run[2],
            previous=run[3],
            dependencies=dependencies,
            heads=heads,
            epoch=epoch,
            time=time,
            body=body,
            user=run[0],
            device_key=run[1],
            body_length=length,
            digest=digest,
        )
        if flags & 2:
            operation.signature = reader.take(64)
        run[3] = operation.id
        operations.append(operation)
    return operations


def lane_digest(chains):
    """The digest of section 10, of {device: [(sequence, id), …]}."""
    parts = []
    for device in sorted(chains):
        tips = sorted(chains[device])
        parts.append(device + number(len(tips)) + b"".join(number(sequence) + name for sequence, name in tips))
    return blake2b(b"".join(parts), 16)
