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


@contextlib.contextmanager
def passphrase(world, text):
    """A passphrase guards the keys of Alice's home until the story ends, while their node runs."""
    alice = world.alice.node
    file = world.folder / "passphrase"
    file.write_text(text + "\n")
    file.chmod(0o600)
    alice.stop()
    subprocess.run([alice.moot, "passphrase", "set", "--home", str(alice.home), "--new-passphrase-file", str(file)], check=True, timeout=60)
    alice.options += ["--passphrase-file", str(file)]
    alice.start()
    # A browser is let in until the node ends.
    world.alice.enter()
    try:
        yield
    finally:
        alice.stop()
        subprocess.run([alice.moot, "passphrase", "remove", "--home", str(alice.home), "--passphrase-file", str(file)], check=True, timeout=60)
        del alice.options[-2:]
        alice.start()
        world.alice.enter()


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
        dialog.get_by_role("textbox", name=re.compile("^Name")).fill("kitchen")
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
    with alice.tolerating("Failed to load"), linked(world, "tablet") as tablet:
        wait(lambda: tablet.has(group), "the tablet has no group")
        tablet.say(group, "Written by Alice")
        wait(lambda: alice.node.message(group, "Written by Alice"), "it does not come")
        alice.go("#/devices")
        device(world, "tablet").get_by_role("button", name="Take tablet out").click()
        alice.page.get_by_role("dialog", name="Take tablet out?").get_by_role("button", name="Somebody else has it").click()
        question = alice.page.get_by_role("dialog", name="Cut tablet off?")
        expect(question).to_contain_text("This cannot be undone.")
        expect(question).to_contain_text("Nothing that is held here falls.")
        question.get_by_label("When was it stolen?").select_option("Within the last hour")
        # The host is younger than that.
        expect(question).to_contain_text("it cannot tell what is older")
        expect(question.get_by_role("button", name=re.compile("Cut it off"))).to_be_disabled()
        alice.screen("devices-cut-off")
        question.get_by_label("When was it stolen?").select_option("Only now")
        expect(question).to_contain_text("Nothing that is held here falls.")
        question.get_by_role("button", name="Cut it off").click()
        gone = alice.page.get_by_role("region", name="Taken out").get_by_role("listitem").filter(has_text="tablet")
        expect(gone).to_contain_text("stolen, and cut off")
        bob.open(group)
        expect(bob.row("Written by Alice")).to_be_visible()


@story
def changing_devices_asks_for_the_passphrase(world):
    """Every time, and until it is right. Without it nothing changes."""
    alice = world.alice
    with alice.tolerating("Failed to load|ERR_"), passphrase(world, "correct horse"):
        alice.go("#/devices")
        here = alice.page.get_by_role("listitem").filter(has_text="this one")

        def rename(name):
            here.get_by_role("button", name=re.compile("^Rename ")).click()
            dialog = alice.page.get_by_role("dialog", name="Rename the device")
            dialog.get_by_role("textbox", name=re.compile("^Name")).fill(name)
            dialog.get_by_role("button", name="Rename").click()
            question = alice.page.get_by_role("dialog", name="Your passphrase")
            expect(question.get_by_label("Passphrase")).to_have_attribute("type", "password")
            return question

        question = rename("study")
        alice.screen("devices-passphrase")
        question.get_by_label("Passphrase").fill("battery staple")
        question.get_by_role("button", name="Go on").click()
        expect(question.get_by_role("alert")).to_contain_text("This is not the passphrase of the home")
        question.get_by_label("Passphrase").fill("correct horse")
        question.get_by_label("Passphrase").press("Enter")
        expect(here).to_contain_text("study")

        question = rename("attic")
        expect(question.get_by_label("Passphrase")).to_have_value("")
        question.get_by_role("button", name="Cancel").click()
        expect(question).not_to_be_visible()
        expect(here).to_contain_text("study")


@story
def notes_to_oneself_are_opened_on_the_profile(world):
    """They are a conversation in which nobody else is."""
    alice = world.alice
    alice.go("#/profile")
    alice.page.get_by_role("button", name="Open your notes").click()
    alice.say("Remember the milk")
    expect(alice.row("Remember the milk")).to_be_visible()
    expect(alice.link("Notes to yourself")).to_contain_text("Remember the milk")
    alice.screen("notes")
    alice.page.get_by_role("link", name=re.compile("open info$")).click()
    expect(alice.page.get_by_role("heading", name="Notes to yourself", level=3)).to_be_visible()
    alice.screen("notes-info")
