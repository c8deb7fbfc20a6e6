"""Makes the pictures of the documents: a month aboard, lived by three real nodes whose clock runs ahead of itself.

    Tests/Page/run --pictures docs/pictures
"""

import contextlib
import os
import pathlib
import random
import shutil
import struct
import subprocess
import tempfile
import time

from .nodes import connected_nodes, wait_until
from .paintings import FACES, PHOTOS, png

ROOT = pathlib.Path(__file__).resolve().parents[3]
DAY = 86_400

LINES = [
    ("Bob", "Engines are warm."),
    ("Carol", "Wind from the north-west, four."),
    ("Alice", "We leave with the tide."),
    ("Bob", "Two crates of oranges came aboard."),
    ("Carol", "The pump in the bow drips again."),
    ("Alice", "Noted. Who has the spare seals?"),
    ("Bob", "Second drawer on the left."),
    ("Carol", "Found them, thank you."),
    ("Alice", "Supper at seven."),
    ("Carol", "Fog bank ahead, I slow down."),
    ("Bob", "Radar sees nothing for six miles."),
    ("Alice", "Good watch, everybody."),
    ("Dan", "Coffee is ready."),
    ("Dan", "I read the barometer: 1013, steady."),
]


class WallClock:
    """The wall clock of the nodes that are started while it is on. Only it is wrong: what they measure stays right."""

    def __init__(self, folder):
        self.file = folder / "clock"
        library = folder / "shift-clock.so"
        subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", str(library), str(ROOT / "Tests/Interposed/ShiftClock.c")], check=True)
        self.library, self.began = library, time.time()
        self.set(0)

    def set(self, seconds):
        with open(self.file, "r+b" if self.file.exists() else "w+b") as file:
            file.write(struct.pack("=q", int(seconds)))

    def at(self, days_ago, hour, minute=0):
        """Puts the clock to an hour of a day."""
        now = time.localtime()
        midnight = time.mktime((now.tm_year, now.tm_mon, now.tm_mday, 0, 0, 0, 0, 0, -1))
        self.set(midnight - days_ago * DAY + hour * 3600 + minute * 60 - time.time())

    @contextlib.contextmanager
    def on(self):
        fields = {"LD_PRELOAD": str(self.library), "MOOT_CLOCK_FILE": str(self.file)}
        os.environ.update(fields)
        try:
            yield
        finally:
            for name in fields:
                del os.environ[name]


def put(node, content, name, media_type="image/png"):
    """Uploads a file; returns its id."""
    from moot_client.node import _Local

    connection = _Local(str(node.home / "moot.sock"), 60)
    connection.request("POST", f"/api/v1/blobs?name={name}", content, {"Content-Type": media_type})
    response = connection.getresponse()
    import json

    value = json.loads(response.read())
    connection.close()
    assert response.status < 300, value
    return value["id"]


def live(nodes, clock):
    """A month in the life of three people; returns the ids of their conversations."""
    alice, bob, carol, dan = nodes
    by_name = {node.name: node for node in nodes}
    for node in nodes[:3]:
        photo = put(node, png(256, 256, FACES[node.name]), "me.png")
        node.ask("PATCH", "/profile", {"photo": photo})
    clock.at(29, 9)
    ship = alice.group("Ship", "Bob", "Carol")
    wait_until(lambda: bob.has(ship) and carol.has(ship), 20)
    chance = random.Random(7)
    for day in range(29, 0, -1):
        # Weekends are quiet, and a few days are full.
        weekday = time.localtime(time.time() - day * DAY).tm_wday
        count = chance.randint(0, 2) if weekday >= 5 else chance.randint(4, 11)
        hours = sorted(chance.choice([7, 8, 8, 9, 10, 12, 12, 13, 16, 18, 18, 19, 19, 20, 21]) for _ in range(count))
        if day == 17:
            clock.at(day, 6)
            alice.ask("POST", f"/conversations/{ship}/members", {"members": [alice.user_id("Dan")]})
            wait_until(lambda: dan.has(ship), 20)
        for hour in (hour for hour in hours if day < 29 or hour > 9):
            name, text = chance.choice(LINES if day <= 17 else [line for line in LINES if line[0] != "Dan"])
            clock.at(day, hour, chance.randint(0, 59))
            by_name[name].say(ship, text)
    return finish(nodes[:3], ship, clock)


def finish(nodes, ship, clock):
    """The last hours: what the pictures show."""
    alice, bob, carol = nodes
    clock.set(-2 * 3600)
    alice.ask("PATCH", f"/conversations/{ship}", {"description": "Everything about the passage. Watches are in the pinned message."})
    alice.ask("PATCH", f"/conversations/{ship}/members/{alice.user_id('Bob')}", {"role": "admin"})
    wait_until(lambda: any(m["user"] == bob.user.hex() and m["role"] == "admin" for m in carol.ask("GET", f"/conversations/{ship}")["members"]), 20)
    alice.ask("PATCH", f"/conversations/{ship}", {"photo": put(alice, png(256, 256, PHOTOS["morning.png"][2]), "ship.png")})

    def send(node, text, **more):
        message = node.ask("POST", f"/conversations/{ship}/messages", {"text": text, **more})
        message = message["messages"][0] if "messages" in message else message
        for other in nodes:
            wait_until(lambda other=other: other.message(ship, text), 20)
        return message["id"]

    for at, (node, name) in enumerate([(bob, "evening.png"), (carol, "fog.png"), (carol, "chart.png"), (alice, "noon.png")]):
        clock.at(4 - at, 19, 12)
        send(node, name.split(".")[0].capitalize(), files=[put(node, png(*PHOTOS[name]), name)])
    step = iter(range(-7000, 0, 420))
    clock.set(next(step))
    watches = send(alice, "Watches tonight: Bob until two, Carol until six, I take the morning.")
    alice.ask("PUT", f"/messages/{watches}/pin")
    clock.set(next(step))
    photo = put(carol, png(*PHOTOS["morning.png"]), "morning.png")
    sent = send(carol, "This is what you two slept through.", files=[photo])
    clock.set(next(step))
    bob.ask("PUT", f"/messages/{sent}/reactions/%F0%9F%98%8D")
    alice.ask("PUT", f"/messages/{sent}/reactions/%F0%9F%98%8D")
    alice.ask("PUT", f"/messages/{sent}/reactions/%E2%9B%B5")
    clock.set(next(step))
    asked = send(bob, "Who has the charts for the strait? The tide turns at half past six, and I would rather see the rocks on paper.")
    clock.set(next(step))
    answer = send(carol, "Here you are. Mind the wreck off the point: https://charts.example/strait", reply_to=asked, files=[put(carol, b"%PDF-1.4 " + os.urandom(183_000), "tides.pdf", "application/pdf")])
    clock.set(next(step))
    bob.ask("PUT", f"/messages/{answer}/reactions/%F0%9F%91%8D")
    send(alice, "Thank you, Carol. Bob, take us past on the north side.")
    clock.set(next(step))
    send(bob, "Aye. 🧭")
    others = [("Galley", "Soup is on."), ("Night watch", "Quiet so far."), ("Harbor", "Pilot comes at nine.")]
    for at, (title, text) in enumerate(others):
        group = carol.group(title, "Alice", "Bob")
        wait_until(lambda group=group: alice.has(group) and bob.has(group), 20)
        clock.set(-3000 + at * 600)
        carol.say(group, text)
        wait_until(lambda group=group, text=text: alice.message(group, text), 20)
    clock.set(-200)
    direct = bob.ask("POST", "/conversations", {"kind": "direct", "members": [bob.user_id("Alice")]})["id"]
    bob.say(direct, "Do you have a minute about the pump?")
    quarrel = a_quarrel(nodes, clock)
    clock.set(0)
    alice.ask("PUT", f"/conversations/{ship}/private", {"pinned": True})
    return {"ship": ship, "quarrel": quarrel}


def a_quarrel(nodes, clock):
    """Bob removes Carol, who goes on as an admin meanwhile and hears nothing of it: what concurrent branches look like."""
    alice, bob, carol = nodes
    group = alice.group("Regatta", "Bob", "Carol")
    for name in ("Bob", "Carol"):
        alice.ask("PATCH", f"/conversations/{group}/members/{alice.user_id(name)}", {"role": "admin"})

    def are_admins(node):
        return sum(m["role"] == "admin" for m in node.ask("GET", f"/conversations/{group}")["members"]) == 2

    for node in nodes:
        wait_until(lambda node=node: node.has(group) and are_admins(node), 20)
    # Each goes on alone: a node that is stopped hears nothing.
    carol.stop(), alice.stop()
    bob.ask("PATCH", f"/conversations/{group}", {"name": "Regatta, spring"})
    bob.ask("DELETE", f"/conversations/{group}/members/{bob.user_id('Carol')}")
    bob.stop()
    with clock.on():
        carol.start()
        carol.ask("PATCH", f"/conversations/{group}", {"name": "Regatta on Sunday"})
        carol.ask("POST", f"/conversations/{group}/members", {"members": [carol.user_id("Dan")]})
        carol.ask("PATCH", f"/conversations/{group}", {"description": "Bring oilskins."})
        bob.start()
        alice.start()
    everybody = {node.user for node in nodes}
    for node in nodes:
        wait_until(lambda node=node: node.peer_users() >= everybody - {node.user}, 60)
    wait_until(lambda: any(not each["effective"] for each in alice.ask("GET", f"/conversations/{group}/membership")), 30)
    return group


@contextlib.contextmanager
def month(moot):
    """Three nodes after their month, and the ids of their conversations."""
    with tempfile.TemporaryDirectory(prefix="moot-page-") as name:
        folder = pathlib.Path(name)
        clock = WallClock(folder)
        nodes = []
        try:
            with clock.on():
                clock.at(29, 9)
                nodes = connected_nodes(moot, folder, "Alice", "Bob", "Carol", "Dan")
            yield nodes, live(nodes, clock)
        finally:
            for node in nodes:
                node.stop()


def take(moot, folder, is_from_source):
    """Takes the pictures of the documents into a folder."""
    from playwright.sync_api import sync_playwright

    from .browser import User
    from .develop import PageServer
    from .runner import chromium

    folder.mkdir(parents=True, exist_ok=True)
    with month(moot) as (nodes, conversations), sync_playwright() as playwright:
        if is_from_source:
            for node in nodes:
                node.stand_in = PageServer(node).address
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--force-color-profile=srgb"])
        alice = User(browser, nodes[0], folder, viewport={"width": 1180, "height": 740})
        alice.enter()
        ship, quarrel = f"#/conversation/{conversations['ship']}", f"#/conversation/{conversations['quarrel']}"
        for title in conversations.values():
            nodes[0].ask("POST", f"/conversations/{title}/read")

        def shoot(name, address, scheme="light", size=(1180, 740), prepare=None):
            alice.page.emulate_media(color_scheme=scheme)
            alice.page.set_viewport_size({"width": size[0], "height": size[1]})
            alice.go("#/")
            alice.go(address)
            # Photos come after their rows.
            alice.page.wait_for_timeout(1_500)
            if prepare:
                prepare(alice.page)
                alice.page.wait_for_timeout(400)
            alice.shoot(name)
            if shutil.which("pngquant"):
                # 256 colors are enough for a page, and a third of the bytes.
                subprocess.run(["pngquant", "--force", "--ext", ".png", "--strip", "--skip-if-larger", str(folder / f"{name}.png")], check=False)
            print(f"{name}.png: {(folder / f'{name}.png').stat().st_size / 1_000:.0f} kB", flush=True)

        def why(page):
            page.get_by_role("button", name="Carol added Dan").click()
            page.get_by_role("button", name="Carol added Dan").scroll_into_view_if_needed()

        bob = nodes[0].by_name["Bob"]
        shoot("page", ship, size=(1180, 900))
        shoot("page-dark", ship, "dark")
        shoot("page-info", f"{ship}/info", size=(1180, 820))
        shoot("page-files", f"{ship}/files")
        shoot("page-statistics", f"{ship}/statistics", size=(420, 900))
        shoot("page-history", f"{quarrel}/membership", size=(420, 900), prepare=why)
        shoot("page-verify", f"#/people/{bob}")
        shoot("page-laboratory", "#/laboratory", size=(1180, 900))
        browser.close()
