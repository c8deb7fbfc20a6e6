#!/usr/bin/env python3
"""Measures how fast `moot chat` is on a pseudo terminal, and prints each figure with its goal.

    python3 Tests/Chat/speed.py [--moot FILE] [--messages 100000] [--conversations 1000] [--json]

`moot-bench --only chat` starts this. Use a release build: the figures are of the node and the client together.
"""

import argparse
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import sys
import tempfile
import termios
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Attacker"))

from moot_client.node import Node, wait_until  # noqa: E402

ROWS, COLUMNS = 40, 120
PAGE_UP = b"\x1b[5~"
# For how many seconds nothing is done: a hundredth of one is the least that can be seen.
IDLE = 60
# How many pages are read back.
PAGES = 2_700


class Chat:
    """`moot chat` on a terminal of its own."""

    def __init__(self, moot, home, *arguments):
        self.began = time.monotonic()
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", LANG="C.UTF-8")
            os.execv(moot, [moot, "chat", *arguments, "--home", str(home)])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def read(self, seconds):
        """What is drawn within a time, at most; empty if nothing is."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return b""
        try:
            return os.read(self.terminal, 1 << 16)
        except OSError:
            return b""

    def until(self, seen, seconds=20.0):
        """Reads until something that is drawn satisfies `seen`, and returns how long that took in milliseconds."""
        began, drawn = time.monotonic(), b""
        while time.monotonic() - began < seconds:
            drawn += self.read(0.5)
            if seen(drawn):
                return (time.monotonic() - began) * 1_000
        raise RuntimeError(f"it was not drawn within {seconds} s: {drawn[-400:]}")

    def drain(self, quiet=0.3):
        """Reads until nothing is drawn for a while."""
        while self.read(quiet):
            pass

    def type(self, keys):
        os.write(self.terminal, keys)

    def memory(self):
        """Bytes that the process alone has written."""
        text = pathlib.Path(f"/proc/{self.pid}/smaps_rollup").read_text()
        return int(re.search(r"Private_Dirty: +(\d+) kB", text)[1]) * 1024

    def processor_seconds(self):
        """How long all its threads have run, those that ended among them, in hundredths of a second."""
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def visible(drawn):
    """What is drawn without the sequences that move and color."""
    return re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][0-9A-B]|\x1b[=>78]", b"", drawn)


def starting(moot, node, newest, listed):
    """How long until the list, and until a conversation with many messages, can be read; medians of five."""
    for what, arguments, sign in (("the list", (), listed), ("a conversation", ("Many",), newest)):
        times = []
        for _ in range(5):
            chat = Chat(moot, node.home, *arguments)
            chat.until(lambda drawn: sign in visible(drawn))
            times.append((time.monotonic() - chat.began) * 1_000)
            chat.end()
        tell(f"start → {what} can be read", percentile(times, 0.5), "ms", 100)


def echoing(chat, sender, many):
    """How soon each key is on the screen while 5,000 messages of somebody else arrive."""
    total = 5_000
    arrived = threading.Event()

    def send():
        for start in range(0, total, 100):
            sender.ask("POST", f"/conversations/{many}/messages", {"texts": [f"flood {start + each}" for each in range(100)]})
        arrived.set()

    thread = threading.Thread(target=send)
    thread.start()
    times, typed = [], ""
    while not arrived.is_set():
        letter = "abcdefghij"[len(times) % 10]
        typed += letter
        began = time.monotonic()
        chat.type(letter.encode())
        chat.until(lambda drawn, typed=typed: typed[-12:].encode() in visible(drawn))
        times.append((time.monotonic() - began) * 1_000)
        if len(typed) >= 60:
            chat.type(b"\x15")
            typed = ""
        chat.drain(0.02)
    thread.join()
    chat.type(b"\x15")
    tell(f"a key is shown while {total:,} messages arrive (p95)", percentile(times, 0.95), "ms", 20)
    tell("the longest of them", max(times), "ms", 50)


def scrolling(chat, pages):
    """How soon each page of older messages is on the screen."""
    times = []
    for _ in range(pages):
        chat.type(PAGE_UP)
        times.append(chat.until(lambda drawn: len(visible(drawn)) > 200))
        chat.drain(0.01)
    return times


def settle(node):
    """Waits until a node has handed on what was written, for two minutes at most."""
    def share():
        before, began = node.processor_seconds(), time.monotonic()
        time.sleep(2)
        return (node.processor_seconds() - before) / (time.monotonic() - began)

    end = time.monotonic() + 120
    while share() > 0.02 and time.monotonic() < end:
        pass


def measure(moot, node, sender, many, newest, listed):
    settle(node)
    starting(moot, node, newest, listed)
    chat = Chat(moot, node.home, "Many")
    chat.until(lambda drawn: newest in visible(drawn))
    chat.drain()
    tell("memory, the newest messages", chat.memory() / 1e6, "MB", 25)
    time.sleep(2)
    before, began = chat.processor_seconds(), time.monotonic()
    while time.monotonic() - began < IDLE:
        chat.read(1)
    tell("idle", (chat.processor_seconds() - before) / IDLE * 100, "% of a core", 0.05)
    times = scrolling(chat, PAGES)
    tell("a page of older messages (p95)", percentile(times, 0.95), "ms", 50)
    tell("the longest of them", max(times), "ms", 50)
    tell(f"memory, after {PAGES:,} pages", chat.memory() / 1e6, "MB", 25)
    chat.end()
    chat = Chat(moot, node.home, "Many")
    chat.until(lambda drawn: newest in visible(drawn))
    chat.drain()
    echoing(chat, sender, many)
    chat.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moot", type=pathlib.Path, default=ROOT / ".build/release/moot")
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--conversations", type=int, default=1_000)
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each figure")
    arguments = parser.parse_args()
    tell.as_json = arguments.json
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    moot = str(arguments.moot.resolve())
    folder = pathlib.Path(tempfile.mkdtemp(prefix="moot-chat-speed-"))
    nodes = []
    try:
        for name in ("Alice", "Bob", "Carol"):
            nodes.append(Node(moot, folder / name.lower(), name, [node.place for node in nodes]))
        everybody = {node.user for node in nodes}
        for node in nodes:
            wait_until(lambda node=node: node.peer_users() >= everybody - {node.user}, 60)
        node, *others = nodes
        members = [other.user.hex() for other in others]

        def group(name):
            return node.ask("POST", "/conversations", {"kind": "group", "name": name, "members": members})["id"]

        many = group("Many")
        # Of a group that nobody accepted not all would be taken.
        for other in others:
            wait_until(lambda other=other: any(each["id"] == many for each in other.conversations()), 60)
            other.ask("POST", f"/conversations/{many}/messages", {"text": "Here I am"})
        for each in range(arguments.conversations - 1):
            group(f"Group {each}")
        for start in range(0, arguments.messages, 4_000):
            count = min(4_000, arguments.messages - start)
            texts = [f"{start + each:,} ends " + "the tide is at noon and the wind is from the west " * (each % 4) for each in range(count)]
            node.ask("POST", f"/conversations/{many}/messages", {"texts": texts})
        wait_until(lambda: all(each["state"] == "synced" for node in nodes for each in node.ask("GET", "/status")["conversations"] if each["conversation"] == many), 120)
        newest, listed = f"{arguments.messages - 1:,} ends", f"Group {arguments.conversations - 2}"
        measure(moot, node, others[0], many, newest.encode(), listed.encode())
    finally:
        for node in nodes:
            node.stop()
        shutil.rmtree(folder, ignore_errors=True)


def tell(what, value, unit, goal):
    """Prints a figure beside its goal."""
    if tell.as_json:
        return print(json.dumps({"what": what, "value": value, "unit": unit, "goal": goal}), flush=True)
    print(f"{what:56} {value:10,.2f} {unit:12} goal {goal:,}   {value / goal:.2f} ×" + ("" if value <= goal else "   MISSED"), flush=True)


tell.as_json = False

if __name__ == "__main__":
    main()
