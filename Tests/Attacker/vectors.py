#!/usr/bin/env python3
"""Compares what the attacker's client makes with known answers in Tests/Fixtures, which neither it nor a node made.

Exit status 1 if any differs.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from moot_client import bodies, messages, private  # noqa: E402
from moot_client.people import sign_tombstone  # noqa: E402
from moot_client.sodium import H, SigningKey  # noqa: E402

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "Fixtures"
of_hex = bytes.fromhex


def load(name):
    return json.loads((FIXTURES / name).read_text())


def of_private_state():
    vectors = load("private-vectors.json")
    pieces = {(piece["kind"], of_hex(piece["id"])): of_hex(piece["state"]) for piece in vectors["pieces"]}
    versions = {piece: private.state_version(*piece, state) for piece, state in pieces.items()}
    summary = private.summary(pieces)
    made = {
        "digest": messages.private_digest(private.digest(pieces)),
        "summary": messages.private_summary(summary),
        "versions": messages.private_versions(summary[:32], versions),
        "states": messages.private_states(pieces),
    }
    for name, message in made.items():
        yield f"message of private {name}", message, of_hex(vectors["messages"][name])
    for piece in vectors["pieces"]:
        yield "version of a state", versions[piece["kind"], of_hex(piece["id"])], of_hex(piece["version"])
        if piece["kind"] == private.CONVERSATION:
            yield "registers of a state", written_again(of_hex(piece["state"])), of_hex(piece["state"])
    yield "states of a message", private.read_states(made["states"]), pieces

    root, conversation = SigningKey(of_hex(vectors["root"])), of_hex(vectors["conversation"])
    tombstone = sign_tombstone(root, of_hex(vectors["device"]), 1)
    pins = [list(map(of_hex, vectors[name])) for name in ("decisions", "counting")]
    yield "revocation", bodies.revoke(root, conversation, tombstone, *pins), of_hex(vectors["revoke"])
    yield "revocation of all", bodies.revoke(root, conversation, tombstone), of_hex(vectors["revokeOfNothing"])


def written_again(state):
    """A state of a conversation, from its registers."""
    values = {
        "mute": lambda value: bytes([value[0]]) + (private.number(value[1]) if value[0] else b""),
        "draft": private.draft,
        "consent": lambda value: value,
    }
    registers, tags = {}, {}
    for name, (value, time, device) in private.read_preferences(state).items():
        encoded = private.register(values.get(name, lambda one: bytes([one]))(value), time, device)
        (tags if isinstance(name, bytes) else registers)[name] = encoded
    return private.preferences(tags, **registers)


def of_tombstones():
    vectors = load("tombstone-vectors.json")
    root, conversation = SigningKey(of_hex(vectors["root"])), of_hex(vectors["conversation"])
    gone = list(map(of_hex, vectors["gone"]))
    made = [sign_tombstone(root, device, kind) for kind, device in enumerate(gone)]
    yield "tombstones", made, list(map(of_hex, vectors["tombstones"]))
    yield "message of tombstones", messages.tombstones(made), of_hex(vectors["message"])
    readers = {
        (root.public, H("moot/1/device", root.public, of_hex(reader["key"]))): of_hex(reader["wrapKey"])
        for reader in vectors["readers"]
    }
    departed = [(root.public, device) for device in gone]
    yield "view", bodies.view_id(conversation, readers), of_hex(vectors["view"])
    yield "view without", bodies.view_id(conversation, readers, departed), of_hex(vectors["viewWithout"])


def main():
    answers = [*of_private_state(), *of_tombstones()]
    wrong = [name for name, made, known in answers if made != known]
    print(f"{len(answers) - len(wrong)} known answers, and other ones of: {', '.join(wrong) or 'nothing'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
