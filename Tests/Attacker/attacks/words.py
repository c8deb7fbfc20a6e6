"""A member writes what no terminal should get, or text that is made to cost much, wherever there is room for text."""

import os
import re
import subprocess
import time

from moot_client import bodies
from moot_client.encoding import listed, number, text
from moot_client.operations import CONTENT, EDIT, FILE, PIN, REACTION, SET

from .lists import is_held
from .shapes import Founder, written_to_both
from .world import attack

MARKS = "\x1b[31m\x1b]0;title\x07\x9b31m\r\b\x7f\u202e\u2066\u200f\u2028\x00"
"""What colors, titles, erases, turns round and ends lines."""
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def printed(world, *arguments):
    """What a command prints for a person."""
    environment = {key: value for key, value in os.environ.items() if key != "XDG_RUNTIME_DIR"}
    command = [world.moot, *arguments, "--home", str(world.alice.home)]
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    return (done.stdout + done.stderr).decode(errors="replace")


@attack("beyond", people=3)
def words_for_terminals(world):
    """Names, texts, files, emoji, fields and devices hold what a terminal obeys; no command may print it."""
    founder = Founder(world)
    replica, user = founder.replica, founder.user
    user.device.name = "desk" + MARKS
    user.name = "Mallory\u202e"
    fields = ("name", "description", "photo", "odd" + MARKS)
    named = [founder.write(SET, bodies.setting(founder.authority, field, "Trap" + MARKS)) for field in fields]
    epoch = replica.make_epoch(user)
    target = replica.say(user, "Hello" + MARKS, epoch)
    key = replica.epochs[epoch.id]

    def about(kind, body):
        return replica.write(user, kind, target.id + body, CONTENT, seal_with=key, epoch=epoch.id)

    blob = os.urandom(32) + number(10) + os.urandom(32)
    written = [
        epoch,
        target,
        about(REACTION, b"\1" + text("\x1b[2J")),
        about(REACTION, b"\1" + text("\u202e\u200f")),
        about(FILE, text("../../" + MARKS + ".txt") + blob + text("text/plain") + b"\0"),
        about(PIN, b"\1"),
        replica.say(user, "https://example.org/" + MARKS, epoch),
        replica.write(user, EDIT, target.id + listed([]) + text("Changed" + MARKS), CONTENT, seal_with=key, epoch=epoch.id),
    ]
    for operations in (named, written):
        founder.push(operations)
    is_held(world.alice, replica, 10)
    name, harms = founder.name, []
    world.alice.ask("POST", f"/conversations/{name}/messages", {"text": "An answer"})
    said = target.id.hex()
    for arguments in (
        ["status"], ["people"], ["peers"], ["list"], ["info", name], ["read", name], ["pins", name],
        ["files", name], ["receipts", said], ["search", "hello"], ["search", "changed"], ["verify"], ["private", name],
        ["keep", name], ["react", said, "\N{THUMBS UP SIGN}"], ["unpin", said],
        ["rename", name, "New"], ["remove", name, user.id.hex()], ["leave", name],
    ):  # fmt: skip
        output = printed(world, *arguments)
        found = sorted({f"U+{ord(mark):04X}" for mark in FORBIDDEN.findall(output)})
        if found:
            harms.append(f"moot {arguments[0]} prints {', '.join(found)}")
        if "Traceback" in output or "Fatal error" in output:
            harms.append(f"moot {arguments[0]} falls over")
    return harms


@attack("beyond", people=3)
def texts_that_cost(world):
    """Three hundred messages of 16 KiB of what is dear to break into characters, words or lines; then one looks for something."""
    user, replica, to_alice, to_bob = world.member()
    epoch = replica.make_epoch(user)
    pieces = ["\U0001f1e6", "\u0301", "\u200d", "\U0001f468\u200d", "\u0915\u094d", "\u1100\u1161", "\ufdfa"]
    pieces += [" a", "[](", "*_", "http://a.b/", "\u202e", "@"]
    written = [epoch]
    for index in range(300):
        piece = pieces[index % len(pieces)]
        words = piece * (16_384 // len(piece.encode()))
        written.append(replica.say(user, words, epoch))
    written += [
        replica.write(user, REACTION, written[1].id + b"\1" + text(piece * (48 // len(piece.encode()))), CONTENT,
                      seal_with=replica.epochs[epoch.id], epoch=epoch.id)
        for piece in pieces if len(piece.encode()) < 25
    ]  # fmt: skip
    harms = written_to_both(world, replica, (to_alice, to_bob), written, "texts", size=60)
    is_held(world.alice, replica, 30)
    deck, slow = replica.conversation.hex(), []
    of_deck = [f"/conversations/{deck}/messages?limit=100", f"/conversations/{deck}/links"]
    for path in (*of_deck, "/conversations", "/search?q=welcome", "/search?q=a"):
        began = time.monotonic()
        world.alice.ask("GET", path, timeout=60)
        took = time.monotonic() - began
        if took > 1:
            slow.append(f"{path.split('?')[0].split('/')[-1]} {took:.1f} s")
    if slow:
        world.note("slow: " + ", ".join(slow))
    return harms


@attack("beyond")
def pins_of_everything(world):
    """A plain member pins 5,000 messages, which they may not; then Alice looks at what is pinned and at their conversations."""
    user, replica, to_alice, to_bob = world.member()
    epoch = replica.make_epoch(user)
    key, written = replica.epochs[epoch.id], [epoch]
    for index in range(5_000):
        said = replica.say(user, f"{index}", epoch, dependencies=[])
        written.append(said)
        written.append(replica.write(user, PIN, said.id + b"\1", CONTENT, seal_with=key, epoch=epoch.id, dependencies=[]))
    harms = written_to_both(world, replica, (to_alice, to_bob), written, "pins", size=2_000)
    if not is_held(world.alice, replica, 60):
        world.note("not all of it is held")
    deck, times = replica.conversation.hex(), []
    for path in (f"/conversations/{deck}/pins", f"/conversations/{deck}", "/conversations"):
        began = time.monotonic()
        world.alice.ask("GET", path, timeout=60)
        times.append(f"{path.split('/')[-1][:8]} {time.monotonic() - began:.2f} s")
    world.note(", ".join(times))
    return harms
