"""Several devices of one person."""

import contextlib
import os
import re
import subprocess
import types

from harness.nodes import WebNode
from harness.runner import story, wait
from playwright.sync_api import expect

from .lists import STAND_IN


class NewHost:
    """A host on which Alice typed `moot link`."""

    def __init__(self, world, name, *options):
        alice = world.alice.node
        environment = {key: value for key, value in os.environ.items() if key != "XDG_RUNTIME_DIR"} | {"HOME": str(world.folder)}
        self.moot, self.home, self._said = alice.moot, world.folder / name, world.folder / f"{name}.link"
        with open(self._said, "w") as place:
            command = [alice.moot, "link", "--home", str(self.home), "--listen", "127.0.0.1:0", *options]
            self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, text=True, stdout=place, stderr=place)
        self.code = self.says(r"moot:link:\S+")

    def says(self, pattern):
        """What it shows, once it does."""
        wait(lambda: re.search(pattern, self._said.read_text()), f"it does not say {pattern}: {self._said.read_text()}")
        return re.search(pattern, self._said.read_text())[0]

    def digits(self):
        return self.says(r"\d{3} \d{3}")

    def answer(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def is_linked(self):
        """Whether it is a device of Alice's when the command ends."""
        wait(lambda: self.process.poll() is not None, f"the {self.home.name} host does not end: {self._said.read_text()}", 40)
        return self.process.returncode == 0

    def is_refused(self):
        """Whether it is none, and says that the other side did not want it."""
        return not self.is_linked() and "On the other host somebody said no" in self._said.read_text()


@contextlib.contextmanager
def new_host(world, name, *options):
    """Another host that waits for the one where Alice's key is; the command does not outlive the story."""
    host = NewHost(world, name, *options)
    try:
        yield host
    finally:
        host.process.kill()
        host.process.wait()
        host.process.stdin.close()


@contextlib.contextmanager
def running(world, host):
    """The node of a host that was linked, until the story ends."""
    user = WebNode.by_name["Alice"]
    node = WebNode(host.moot, host.home, "Alice", [world.alice.node.place])
    try:
        assert WebNode.by_name["Alice"] == user, "it is somebody else"
        yield node
    finally:
        node.stop()


@contextlib.contextmanager
def linked(world, name):
    """Another host of Alice's, which runs until the story ends."""
    alice = world.alice.node
    with new_host(world, name, "--yes") as host:
        subprocess.run([alice.moot, "devices", "add", host.code, "--name", name, "--yes", "--home", str(alice.home)], check=True, timeout=60)
        assert host.is_linked()
        with running(world, host) as node:
            yield node


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


def adding(alice):
    """Opens the dialog by which Alice adds a device."""
    alice.page.get_by_role("button", name="Add a device").click()
    return alice.page.get_by_role("dialog", name="Add a device")


def meeting(alice, code):
    """The same, up to the digits."""
    dialog = adding(alice)
    dialog.get_by_role("textbox").fill(code)
    dialog.get_by_role("button", name="Go on").click()
    expect(dialog.get_by_label(re.compile("^The digits: "))).to_be_visible()
    return dialog


def active(world):
    """The names of Alice's devices, as their node tells them."""
    return [each["name"] for each in world.alice.node.ask("GET", "/devices") if each["state"] == "active"]


def retire(world, name):
    """Takes a device out: eight are the most."""
    [device] = [each["id"] for each in world.alice.node.ask("GET", "/devices") if each["name"] == name and each["state"] == "active"]
    world.alice.node.ask("POST", f"/devices/{device}/retirement")


def everywhere(alice, name):
    """A picture of a dialog at both widths, in light and in dark."""
    alice.screen(name)
    try:
        alice.page.set_viewport_size({"width": 320, "height": 720})
        dialog = alice.page.get_by_role("dialog")
        out = dialog.evaluate("dialog => [...dialog.querySelectorAll('.content, .content *, footer')].filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0 && each.tagName !== 'TEXTAREA').map((each) => each.outerHTML.slice(0, 120))")
        assert out == [], out
        alice.screen(f"{name}-320")
    finally:
        alice.page.set_viewport_size({"width": 1440, "height": 900})


def is_kept(alice, secret):
    """Whether something secret is left in the page, in what it keeps, or in its address."""
    return secret in alice.page.evaluate(
        """() => [document.documentElement.outerHTML, ...[...document.querySelectorAll('input, textarea')].map((each) => each.value),
            JSON.stringify({...localStorage, ...sessionStorage}), JSON.stringify(history.state), location.href].join(' ')"""
    )


@story
def a_host_is_linked_from_the_page(world):
    """Both show the same digits and ask. A code works once."""
    alice = world.alice
    alice.go("#/devices")
    with alice.tolerating("Failed to load"), new_host(world, "garden") as host:
        dialog = adding(alice)
        everywhere(alice, "devices-add")
        # As a narrow terminal breaks it, with the command before it.
        dialog.get_by_role("textbox").fill(f"  moot devices add {host.code[:40]}\n{host.code[40:]}\n")
        dialog.get_by_role("button", name="Go on").click()
        expect(dialog.get_by_label(f"The digits: {host.digits()}")).to_be_focused()
        expect(dialog).to_contain_text("Does the new host show the same digits, and your name, Alice?")
        assert not is_kept(alice, host.code[10:30]), "the code is kept"
        host.says("Alice .* wants to make this host a device of theirs")
        name = dialog.get_by_role("textbox", name=re.compile("^Its name"))
        expect(name).to_have_attribute("placeholder", f"device {len(active(world)) + 1}")
        expect(dialog.get_by_role("checkbox")).to_have_count(0)
        everywhere(alice, "devices-compare")
        name.fill("garden")
        dialog.get_by_role("button", name="They are the same").click()
        expect(dialog.get_by_role("status").first).to_have_text("Waiting for the new host. Where it shows the same, say yes there, too.")
        expect(dialog.get_by_label(f"The digits: {host.digits()}")).to_be_visible()
        everywhere(alice, "devices-waiting")
        host.answer("y")
        expect(dialog).to_contain_text("garden is a device of yours now")
        everywhere(alice, "devices-linked")
        assert host.is_linked()
        dialog.get_by_role("button", name="Done").click()
        expect(device(world, "garden")).to_be_visible()

        dialog = adding(alice)
        dialog.get_by_role("textbox").fill(host.code)
        dialog.get_by_role("textbox").press("Enter")
        expect(dialog.get_by_role("alert")).to_contain_text("'moot link' must still run there")
        everywhere(alice, "devices-refusal")
        expect(dialog.get_by_role("textbox")).to_be_focused()
        expect(dialog.get_by_role("textbox")).to_have_value(host.code)
        alice.page.keyboard.press("Escape")
        assert not is_kept(alice, host.code[10:30]), "the code is kept"
        expect(alice.page.get_by_role("button", name="Add a device")).to_be_focused()

        with running(world, host) as garden:
            expect(device(world, "garden")).to_contain_text("online")
            [here] = [each for each in garden.ask("GET", "/devices") if each["is_this"]]
            assert here["holds_root"] is False, here
        retire(world, "garden")


@story
def a_host_is_linked_by_keyboard_alone(world):
    """And does not get the key of the identity: that leaves in a terminal, and the page says how."""
    alice, page = world.alice, world.alice.page
    alice.go("#/people")
    alice.go("#/devices")

    def tab_to(place):
        for _ in range(12):
            if place.evaluate("each => each === document.activeElement"):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{place} is not reached by the keyboard")

    expect(page.get_by_role("heading", name="Your devices")).to_be_focused()
    with new_host(world, "attic") as host:
        tab_to(page.get_by_role("button", name="Add a device"))
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Add a device")
        expect(dialog.get_by_role("textbox")).to_be_focused()
        page.keyboard.insert_text(host.code)
        page.keyboard.press("Enter")
        expect(dialog.get_by_label(f"The digits: {host.digits()}")).to_be_focused()
        # To press Enter once too often is not to agree.
        page.keyboard.press("Enter")
        tab_to(dialog.get_by_role("textbox", name=re.compile("^Its name")))
        page.keyboard.type("attic")
        expect(dialog.get_by_text("moot devices add CODE --with-root")).to_be_visible()
        tab_to(dialog.get_by_role("button", name="They are the same"))
        page.keyboard.press("Enter")
        expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
        host.answer("yes")
        expect(dialog.get_by_role("button", name="Done")).to_be_focused()
        expect(dialog).to_contain_text("attic is a device of yours now.")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Add a device")).to_be_focused()
        expect(device(world, "attic")).to_be_visible()
        assert host.is_linked()
        with running(world, host) as attic:
            [here] = [each for each in attic.ask("GET", "/devices") if each["is_this"]]
            assert here["holds_root"] is False, here
        retire(world, "attic")


@story
def a_link_is_refused_from_each_side(world):
    """Whichever says no, and however: no device comes of it, and each side is told."""
    alice = world.alice
    alice.go("#/devices")
    before = active(world)
    with alice.tolerating("Failed to load"):
        with new_host(world, "first", "--yes") as host:
            meeting(alice, host.code).get_by_role("button", name="They differ").click()
            expect(alice.page.get_by_role("dialog")).to_have_count(0)
            expect(alice.page.get_by_text("Nothing was given to the new host")).to_be_visible()
            assert host.is_refused()

        # The page is closed before it has answered, and while it waits.
        with new_host(world, "second", "--yes") as host:
            meeting(alice, host.code)
            alice.page.keyboard.press("Escape")
            assert host.is_refused()
        with new_host(world, "third") as host:
            dialog = meeting(alice, host.code)
            dialog.get_by_role("button", name="They are the same").click()
            # Before the node has heard of it, a yes on the new host may come first.
            with alice.page.expect_response(lambda answer: answer.request.method == "DELETE" and "/device-links/" in answer.url):
                dialog.get_by_role("button", name="Cancel").click()
            expect(dialog).to_have_count(0)
            host.answer("y")
            assert host.is_refused()
        for leave in (lambda: alice.page.go_back(), lambda: alice.page.reload()):
            alice.go("#/people")
            alice.go("#/devices")
            with new_host(world, "fourth", "--yes") as host:
                meeting(alice, host.code)
                leave()
                expect(alice.page.get_by_role("dialog")).to_have_count(0)
                assert host.is_refused()
        alice.go("#/devices")

        # The other host says no: after the page has agreed, and before.
        with new_host(world, "fifth") as host:
            dialog = meeting(alice, host.code)
            dialog.get_by_role("button", name="They are the same").click()
            expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
            host.answer("n")
            expect(dialog.get_by_role("alert")).to_contain_text("On the other host somebody said no. Nothing was given away.")
            assert not host.is_linked()
        # From there it goes on with another code.
        with new_host(world, "sixth") as host:
            dialog.get_by_role("textbox").fill(host.code)
            dialog.get_by_role("textbox").press("Enter")
            expect(dialog.get_by_label(f"The digits: {host.digits()}")).to_be_focused()
            host.answer("n")
            assert not host.is_linked()
            dialog.get_by_role("button", name="They are the same").click()
            expect(dialog.get_by_role("alert")).to_contain_text("On the other host somebody said no")
            alice.page.keyboard.press("Escape")
        expect(alice.page.get_by_role("button", name="Add a device")).to_be_focused()
    assert active(world) == before, active(world)


@story
def a_code_that_is_none_is_refused_with_a_hint(world):
    """What was typed stays, so that it can be corrected."""
    alice = world.alice
    alice.go("#/devices")
    with alice.tolerating("Failed to load"), new_host(world, "nowhere", "--yes") as host:
        dialog = adding(alice)
        field, alert = dialog.get_by_role("textbox"), dialog.get_by_role("alert")
        for wrong in ("moot:link:abc", "hello", host.code[:-1] + ("a" if host.code[-1] != "a" else "b"), host.code[:-3]):
            field.fill(wrong)
            field.press("Enter")
            expect(alert).to_contain_text("'moot link' on the new host prints one that is whole")
            expect(field).to_have_value(wrong)
            field.fill("")
        field.fill(host.code)
        field.press("Enter")
        expect(dialog.get_by_label(f"The digits: {host.digits()}")).to_be_visible()
        expect(alert).to_have_count(0)
        alice.page.keyboard.press("Escape")
        assert not host.is_linked()


@story
def adding_a_device_asks_for_the_passphrase(world):
    """Before anything is dialed; and nothing of it stays."""
    alice = world.alice
    with alice.tolerating("Failed to load|ERR_"), passphrase(world, "correct horse"), new_host(world, "cellar", "--yes") as host:
        alice.go("#/devices")
        dialog = adding(alice)
        dialog.get_by_role("textbox").fill(host.code)
        dialog.get_by_role("button", name="Go on").click()
        question = alice.page.get_by_role("dialog", name="Your passphrase")
        question.get_by_role("button", name="Cancel").click()
        expect(dialog.get_by_role("textbox")).to_have_value(host.code)
        expect(dialog.get_by_role("button", name="Go on")).to_be_focused()
        dialog.get_by_role("button", name="Go on").click()
        question.get_by_label("Passphrase").fill("battery staple")
        question.get_by_role("button", name="Go on").click()
        expect(question.get_by_role("alert")).to_contain_text("This is not the passphrase of the home")
        question.get_by_label("Passphrase").fill("correct horse")
        question.get_by_label("Passphrase").press("Enter")
        expect(dialog.get_by_label(f"The digits: {host.digits()}")).to_be_focused()
        assert not is_kept(alice, "correct horse"), "the passphrase is kept"
        dialog.get_by_role("button", name="They are the same").click()
        expect(dialog).to_contain_text("is a device of yours now")
        dialog.get_by_role("button", name="Done").click()
        assert host.is_linked()

        # What goes wrong after it is right is told where the code is.
        dialog = adding(alice)
        dialog.get_by_role("textbox").fill(host.code)
        dialog.get_by_role("button", name="Go on").click()
        question.get_by_label("Passphrase").fill("correct horse")
        question.get_by_label("Passphrase").press("Enter")
        expect(dialog.get_by_role("alert")).to_contain_text("Nobody answers at")
        expect(question).to_have_count(0)
        alice.page.keyboard.press("Escape")
    [name] = [each for each in active(world) if each.startswith("device ")][-1:]
    retire(world, name)


@story
def what_somebody_is_about_to_press_stays_while_a_device_comes_and_goes(world):
    """The focus, what is selected, and what was typed into the dialog."""
    alice, page = world.alice, world.alice.page
    with linked(world, "shed") as shed:
        alice.go("#/devices")
        expect(device(world, "shed")).to_contain_text("online")
        button = device(world, "shed").get_by_role("button", name="Rename shed")
        button.focus()
        page.evaluate("() => { window.kept = document.activeElement; getSelection().selectAllChildren(kept.parentElement.querySelector('strong')); }")

        def is_undisturbed():
            return page.evaluate("document.activeElement === window.kept && window.kept.isConnected && String(getSelection()) === 'shed'")

        shed.stop()
        expect(device(world, "shed")).not_to_contain_text("online")
        assert is_undisturbed(), "the focus or the selection is lost"
        shed.start()
        expect(device(world, "shed")).to_contain_text("online")
        assert is_undisturbed(), "the focus or the selection is lost"

        dialog = adding(alice)
        page.keyboard.type("moot:li")
        shed.stop()
        expect(device(world, "shed")).not_to_contain_text("online")
        page.keyboard.type("nk:")
        expect(dialog.get_by_role("textbox")).to_have_value("moot:link:")
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Add a device")).to_be_focused()
        button.click()
        shed.start()
        expect(device(world, "shed")).to_contain_text("online")
        page.keyboard.press("Escape")
        expect(button).to_be_focused()
        retire(world, "shed")


BELLS = """
    window.Notification = class extends window.Notification {
        constructor(title, options) { super(title, options); (window.bells ??= []).push(this); }
    };
"""


@story
def the_notification_of_a_new_device_opens_the_devices(world):
    """On another device, which adds none itself and says where that is done."""
    with linked(world, "parlor") as parlor, new_host(world, "loft", "--yes") as host:
        guest = world.guest(types.SimpleNamespace(node=parlor))
        guest.context.add_init_script(STAND_IN + BELLS)
        guest.enter()
        meeting(go_to_devices(world.alice), host.code).get_by_role("button", name="They are the same").click()
        world.alice.page.get_by_role("dialog").get_by_role("button", name="Done").click()
        wait(lambda: guest.page.evaluate("(window.bells ?? []).length"), "nobody was told")
        assert guest.page.evaluate("window.told")[0][0] == "You have a new device", guest.page.evaluate("window.told")
        guest.page.evaluate("window.bells[0].dispatchEvent(new Event('click'))")
        expect(guest.page.get_by_role("heading", name="Your devices")).to_be_visible()
        expect(guest.page.get_by_role("main")).to_contain_text("Devices are added, renamed and taken out on the one that holds the key of your identity.")
        expect(guest.page.get_by_role("button", name=re.compile("Add a device|Rename|Take"))).to_have_count(0)
        guest.screen("devices-without-the-key")
        # Their node ends with the story, which the page would complain of.
        guest.page.goto("about:blank")
        names = set(active(world)) - {"parlor"}
        retire(world, "parlor")
        retire(world, next(each for each in names if each.startswith("device ")))


def go_to_devices(user):
    user.go("#/devices")
    return user


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
