"""A real node in a folder of its own, on loopback, and what can be seen of it from outside."""

import contextlib
import http.client
import itertools
import json
import os
import pathlib
import socket
import sqlite3
import subprocess
import threading
import time
import uuid


class Refused(Exception):
    """The local API said no."""


class _Local(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


# By process: what is forked has what its parent had.
_ports = {}


def free_port(host="127.0.0.1"):
    """A port below those that the kernel gives away, each once: who looks for a node that has ended meets no other one there."""
    while True:
        port = 10_000 + next(_ports.setdefault(os.getpid(), itertools.count(os.getpid() * 7919))) % 22_768
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            try:
                probe.bind((host, port))
                return port
            except OSError:
                pass


class Node:
    """An honest node."""

    def __init__(self, moot, home, name, peers=(), host="127.0.0.1", discovers=False, options=()):
        self.options = list(options)
        self.moot, self.home, self.name, self.host = str(moot), pathlib.Path(home), name, host
        self.port, self.peers, self.process, self.discovers = free_port(host), list(peers), None, discovers
        self.log = self.home.with_suffix(".log")
        try:
            self.start()
        except BaseException:
            self.stop()
            raise

    @property
    def address(self):
        return (self.host, self.port)

    @property
    def place(self):
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def start(self):
        command = [self.moot, "up", "--home", str(self.home), "--name", self.name]
        command += ["--interface", "lo"] if self.discovers else ["--no-discovery"]
        command += ["--listen", self.place, "--notify", "off", *self.options]
        for peer in self.peers:
            command += ["--peer", peer]
        environment = {key: value for key, value in os.environ.items() if key != "XDG_RUNTIME_DIR"}
        # A backtrace of a debug build takes a minute, and nobody reads it here.
        environment |= {"HOME": str(self.home.parent), "SWIFT_BACKTRACE": "enable=no"}
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end = time.monotonic() + 60
        while True:
            try:
                status = self.ask("GET", "/status", timeout=5)
                self.user, self.device = bytes.fromhex(status["user"]), bytes.fromhex(status["device"])
                return self
            except (OSError, http.client.HTTPException):
                if time.monotonic() > end or self.process.poll() is not None:
                    raise RuntimeError(f"{self.name} does not start: {self.last_words()}") from None
                time.sleep(0.1)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def restart(self):
        self.stop()
        return self.start()

    @property
    def is_alive(self):
        return self.process.poll() is None

    def last_words(self, count=400):
        try:
            return self.log.read_text(errors="replace")[-count:].strip()
        except OSError:
            return ""

    # The local API

    def ask(self, method, path, body=None, timeout=20):
        connection = _Local(str(self.home / "moot.sock"), timeout)
        try:
            connection.request(method, "/api/v1" + path, None if body is None else json.dumps(body))
            response = connection.getresponse()
            content = response.read()
            answer = json.loads(content) if content else None
            if response.status >= 300:
                raise Refused(f"{method} {path}: {answer and answer.get('error')}")
            return answer
        finally:
            connection.close()

    def events(self, timeout=None):
        """Yields events as they happen; first None when the stream begins."""
        connection = _Local(str(self.home / "moot.sock"), timeout)
        try:
            connection.request("GET", "/api/v1/events")
            response = connection.getresponse()
            value = None
            for line in response:
                field, _, rest = line.decode().rstrip("\r\n").partition(": ")
                if field == "data":
                    value = json.loads(rest)
                elif not field:
                    yield value
                    value = None
        finally:
            connection.close()

    def people(self):
        """The people whom the node lists, without its own user."""
        return [person for person in self.ask("GET", "/people") if not person["is_me"]]

    def learns(self, user):
        """Waits until the node knows a user's devices: they come with the name, a moment after the connection."""
        return wait_until(lambda: user.hex() in {person["user"] for person in self.people() if person["name"] != "Unknown"})

    def conversations(self):
        return self.ask("GET", "/conversations")

    def texts(self, conversation):
        messages = self.ask("GET", f"/conversations/{conversation}/messages?limit=100")["messages"]
        return [message["text"] for message in messages if message.get("text") is not None]

    def say(self, conversation, text, timeout=20):
        return self.ask("POST", f"/conversations/{conversation}/messages", {"text": text}, timeout)

    def peer_users(self):
        return {bytes.fromhex(peer["user"]) for peer in self.ask("GET", "/peers")}

    # What it costs

    def private_memory(self):
        """Bytes of memory that the process alone has written, by the kernel's account."""
        try:
            lines = pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            return 0
        return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Private_Dirty:"))

    def processor_seconds(self):
        try:
            fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            return 0.0

    def descriptors(self):
        try:
            return len(os.listdir(f"/proc/{self.process.pid}/fd"))
        except OSError:
            return 0

    def disk(self):
        """Bytes of the database and its log; of a node that is stopped, when all of the log is in the database."""
        if not self.is_alive:
            with contextlib.closing(sqlite3.connect(self.home / "replica.sqlite")) as database:
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return sum(file.stat().st_size for file in self.home.glob("replica.sqlite*"))


def wait_until(condition, timeout=20.0, pause=0.1):
    """Whether something comes true in time. A node that does not answer is one for which it is not true yet."""
    end = time.monotonic() + timeout
    while True:
        try:
            if condition():
                return True
        except (OSError, Refused, http.client.HTTPException):
            pass
        if time.monotonic() > end:
            return False
        time.sleep(pause)


class Live:
    """Live messages from one node to another: how long from the request to the receiver's event."""

    def __init__(self, sender, receiver, conversation, interval=0.1):
        self.sender, self.receiver, self.conversation, self.interval = sender, receiver, conversation, interval
        self.began, self.took, self.refused = {}, {}, 0
        self._prefix, self._ready = uuid.uuid4().hex[:8], threading.Event()
        self._stopping, self._is_over = threading.Event(), threading.Event()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._listen, self._write)]

    def _listen(self):
        try:
            for event in self.receiver.events():
                self._ready.set()
                if self._is_over.is_set():
                    return
                if event and event["type"] in ("message", "message_changed"):
                    text = event["message"].get("text", "")
                    if text in self.began and text not in self.took:
                        self.took[text] = time.monotonic() - self.began[text]
        except (OSError, http.client.HTTPException, ValueError):
            self._ready.set()

    def _write(self):
        self._ready.wait(10)
        count = 0
        while not self._stopping.is_set():
            text = f"{self._prefix}-{count}"
            count += 1
            self.began[text] = started = time.monotonic()
            try:
                self.sender.say(self.conversation, text, timeout=60)
            except (OSError, Refused, http.client.HTTPException):
                self.refused += 1
            time.sleep(max(0.0, self.interval - (time.monotonic() - started)))

    def _processor_seconds(self):
        return self.sender.processor_seconds() + self.receiver.processor_seconds()

    def __enter__(self):
        self.processor = -self._processor_seconds()
        for thread in self._threads:
            thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, *_):
        self._stopping.set()
        self._threads[1].join(60)
        end = time.monotonic() + 15
        while len(self.took) < len(self.began) and time.monotonic() < end:
            time.sleep(0.05)
        self._is_over.set()
        # On a busy machine a node waits its turn: what it worked tells that from slowness of its own.
        self.processor += self._processor_seconds()

    def quantile(self, share):
        """Seconds; a message that did not come took forever."""
        times = sorted(self.took.get(text, float("inf")) for text in self.began)
        return times[min(len(times) - 1, int(share * len(times)))] if times else float("inf")

    @property
    def lost(self):
        return len(self.began) - len(self.took)
