"""Another user of the host takes the port of the page, as soon as the node gives it up. Where root tells the stories, they have another account."""

import contextlib
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import types

from harness.nodes import WebNode
from harness.runner import story, wait
from playwright.sync_api import expect

INTRUDER = pathlib.Path(__file__).resolve().parents[1] / "harness/intruder.py"


class Intruder:
    """Loops until the port is free, and answers whoever asks there then."""

    def __init__(self, port, folder):
        self._file = pathlib.Path(folder) / "heard"
        self._file.touch()
        self._file.chmod(0o666)
        pathlib.Path(folder).chmod(0o755)
        command = [sys.executable, "-c", INTRUDER.read_text(), str(port), str(self._file)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.says("ready")

    def says(self, word):
        assert self.process.stdout.readline().strip() == word

    def give_back(self):
        self.process.stdin.write("give\n")
        self.process.stdin.flush()
        self.says("given")

    @property
    def heard(self):
        return [json.loads(line) for line in self._file.read_text().splitlines()]

    def end(self):
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def solitary(world):
    """A node of somebody whom nobody else knows, and their browser."""
    with tempfile.TemporaryDirectory(prefix="moot-intruder-") as folder:
        node = WebNode(world.alice.node.moot, pathlib.Path(folder) / "home", "Dora")
        intruder = Intruder(node.web_port, folder)
        try:
            yield node, world.guest(types.SimpleNamespace(node=node)), intruder
        finally:
            intruder.end()
            node.stop()


@story
def whoever_takes_the_port_for_a_moment_learns_nothing_and_does_not_stay(world):
    """An open page tells them nothing and loads nothing of theirs. What they plant after that is in an origin that is over."""
    with solitary(world) as (node, guest, intruder), guest.tolerating(".*"):
        guest.enter()
        page, secrets = guest.page, guest.page.evaluate("Object.values(localStorage)")
        cookie = guest.context.cookies()[0]["value"]
        notes = node.ask("POST", "/conversations", {"kind": "direct", "members": ["me"]})["id"]
        guest.open(notes).fill("my PIN is 1234")
        wait(lambda: node.ask("GET", f"/conversations/{notes}").get("draft") == "my PIN is 1234", "the draft is not kept")
        page.evaluate("window.isTheSame = true")

        def is_silent():
            told = json.dumps([each for each in intruder.heard if each["target"] not in ("/stolen", "/bare", "/favicon.ico")])
            return not any(secret in told for secret in (*secrets, cookie, "1234", "ticket=", "claim="))

        before = node.origin
        node.stop()
        intruder.says("taken")
        expect(page.get_by_text("Moot was started again.")).to_be_visible()
        wait(lambda: len(intruder.heard) >= 3, "the page does not ask for a proof")
        assert {each["target"] for each in intruder.heard} == {"/api/v1/web/proof"}, intruder.heard
        assert not any(field.lower().startswith(("cookie:", "moot-key:")) for each in intruder.heard for field in each["fields"])
        assert is_silent() and page.evaluate("window.isTheSame"), "the page loaded something"
        # It is loaded by hand in another tab. What that leaves for all pages of the origin makes this one believe nobody.
        tab = guest.context.new_page()
        tab.goto(before + "/bare")
        tab.evaluate(
            """localStorage.setItem("moot-node", "00".repeat(32));
            new BroadcastChannel("moot-events").postMessage({kind: "state", state: "online"});"""
        )
        guest.composer().fill("my PIN is 1234, and hers is 5678")
        page.wait_for_timeout(1500)
        asked = {each["target"] for each in intruder.heard}
        assert asked <= {"/api/v1/web/proof", "/bare", "/favicon.ico"}, asked
        tab.close()
        guest.composer().fill("my PIN is 1234")

        # A screen that was not shown yet comes from nobody else.
        page.evaluate("location.hash = '#/people'")
        expect(page.get_by_role("heading", name="This could not be shown")).to_be_visible()
        assert is_silent() and page.title() != "Poisoned", intruder.heard

        # Somebody loads it anew by hand. What was typed is not in what the tab keeps.
        page.goto("about:blank")
        page.goto(before + "/")
        expect(page).to_have_title("Planted")
        stolen = [each["body"] for each in intruder.heard if each["target"].endswith("/stolen")]
        assert stolen and not any("1234" in each for each in stolen), stolen

        intruder.give_back()
        node.start()
        count = len(intruder.heard)
        guest.enter()
        assert node.origin != before
        assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
        assert page.evaluate("navigator.serviceWorker.controller") is None
        expect(guest.open(notes)).to_have_value("my PIN is 1234")
        guest.say("back again")
        expect(guest.row("back again")).to_be_visible()
        assert len(intruder.heard) == count, intruder.heard[count:]
        assert not guest.page.evaluate("document.title").startswith(("Planted", "Poisoned", "Intruder"))

        # While the node runs, nobody has the other address of the page's name.
        with socket.socket(socket.AF_INET6) as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                other.bind(("::1", node.web_port))
                other.listen()
                raise AssertionError("somebody else has [::1]")
        page.goto("about:blank")


@story
def a_planted_worker_is_told_to_go(world):
    """A browser that asks for one is told to forget what it keeps of the origin, and the user is told."""
    alice = world.alice
    refused = alice.page.evaluate("() => navigator.serviceWorker.register('/worker.js').then(() => 'taken', (error) => error.name)")
    assert refused != "taken", "the page may leave a worker"
    alice.wrongs.clear()
    answer = alice.context.request.get(alice.node.origin + "/worker.js", headers={"Service-Worker": "script"})
    assert answer.status == 404 and '"storage"' in answer.headers["clear-site-data"], answer.headers
    alice.enter()
