"""Several devices of one person."""

import contextlib
import os
import re
import subprocess

from harness.nodes import WebNode
from harness.runner import story, wait
from playwright.sync_api import expect


@contextlib.contextmanager
def linked(world, name):
    """Another host of Alice's, which runs until the story ends."""
    alice, home = world.alice.node, world.folder / name
    environment = {key: value for key, value in os.environ.items() if key != "XDG_RUNTIME_DIR"} | {"HOME": str(world.folder)}
    said = world.folder / f"{name}.link"
    with open(said, "w") as place:
        newcomer = subprocess.Popen([alice.moot, "link", "--home", str(home), "--listen", "127.0.0.1:0", "--yes"], env=environment, stdin=subprocess.DEVNULL, stdout=place, stderr=place)
    node = None
    try:
        wait(lambda: re.search(r"moot:link:\S+", said.read_text()), "no code is shown")
        code = re.search(r"moot:link:\S+", said.read_text())[0]
        subprocess.run([alice.moot, "devices", "add", code, "--name", name, "--yes", "--home", str(alice.home)], env=environment, check=True, timeout=60)
        newcomer.wait(30)
        user = WebNode.by_name["Alice"]
        node = WebNode(alice.moot, home, "Alice", [alice.place])
        assert WebNode.by_name["Alice"] == user, "it is somebody else"
        yield node
    finally:
        if newcomer.poll() is None:
            newcomer.kill()
        if node:
            node.stop()


def device(world, name):
    return world.alice.page.get_by_role("listitem").filter(has_text=name)


@story
def devices_are_listed_renamed_and_taken_out(world):
    """Others see them on the page of the person. One that was taken out is so for good."""
    alice, bob = world.alice, world.bob
    group = world.group("Two hosts of Alice")
    with linked(world, "laptop") as laptop:
        wait(lambda: laptop.has(group), "the laptop has no group")
        alice.go("#/profile")
        alice.page.get_by_role("link", name="All your devices").click()
        expect(device(world, "laptop")).to_contain_text("online")
        alice.screen("devices")
        device(world, "laptop").get_by_role("button", name="Rename laptop").click()
        dialog = alice.page.get_by_role("dialog", name="Rename the device")
        dialog.get_by_label(re.compile("^Name")).fill("kitchen")
        dialog.get_by_role("button", name="Rename").click()
        expect(device(world, "kitchen")).to_be_visible()

        bob.go(f"#/people/{bob.node.user_id('Alice')}")
        expect(bob.page.get_by_role("region", name="Devices").get_by_text("kitchen")).to_be_visible()

        device(world, "kitchen").get_by_role("button", name="Take kitchen out").click()
        dialog = alice.page.get_by_role("dialog", name="Take kitchen out?")
        alice.screen("devices-take-out")
        dialog.get_by_role("button", name="It is lost, sold or replaced").click()
        gone = alice.page.get_by_role("region", name="Taken out").get_by_role("listitem").filter(has_text="kitchen")
        expect(gone).to_contain_text("what it wrote counts")
        expect(bob.page.get_by_role("region", name="Devices").get_by_role("listitem").filter(has_text="kitchen")).to_contain_text("taken out")


@story
def a_stolen_device_is_cut_off(world):
    """What falls with it is said first. What the owner held of it stays, and others see no more of it."""
    alice, bob = world.alice, world.bob
    group = world.group("One host is stolen")
    with linked(world, "tablet") as tablet:
        wait(lambda: tablet.has(group), "the tablet has no group")
        tablet.say(group, "Written by Alice")
        wait(lambda: alice.node.message(group, "Written by Alice"), "it does not come")
        alice.go("#/devices")
        device(world, "tablet").get_by_role("button", name="Take tablet out").click()
        alice.page.get_by_role("dialog", name="Take tablet out?").get_by_role("button", name="Somebody else has it").click()
        question = alice.page.get_by_role("dialog", name="Cut tablet off?")
        expect(question).to_contain_text("This cannot be undone.")
        alice.screen("devices-cut-off")
        question.get_by_role("button", name="Cut it off").click()
        gone = alice.page.get_by_role("region", name="Taken out").get_by_role("listitem").filter(has_text="tablet")
        expect(gone).to_contain_text("stolen, and cut off")
        bob.open(group)
        expect(bob.row("Written by Alice")).to_be_visible()
