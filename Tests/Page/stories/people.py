"""People: who they are, and what one tells of oneself."""

import re
import zlib

from harness.paintings import FACES, png
from harness.runner import story, wait
from playwright.sync_api import expect


@story
def everybody_is_listed_with_their_presence(world):
    """And found by a part of the name."""
    world.alice.go("#/people")
    page = world.alice.page
    for name in ("Bob", "Carol"):
        expect(page.get_by_role("main").get_by_role("link", name=re.compile(f"{name}.*online"))).to_be_visible()
    page.get_by_role("searchbox", name="Search people").fill("car")
    expect(page.get_by_role("main").get_by_role("link", name=re.compile("^Bob"))).to_have_count(0)
    page.get_by_role("searchbox", name="Search people").fill("")
    world.alice.shoot("people")


@story
def two_people_compare_codes_and_mark_each_other(world):
    """Both see the same digits; the mark shows in the list."""
    alice, bob = world.alice, world.bob
    alice.go(f"#/people/{alice.node.user_id('Bob')}")
    bob.go(f"#/people/{bob.node.user_id('Alice')}")
    digits = [user.page.get_by_label(re.compile("^The code: ")).get_attribute("aria-label") for user in (alice, bob)]
    assert digits[0] == digits[1] and re.search(r"\d{5}( \d{5}){5}", digits[0]), digits
    alice.shoot("person")
    alice.page.get_by_role("button", name="The codes are the same").click()
    expect(alice.page.get_by_role("button", name="Take the mark back")).to_be_visible()
    alice.go("#/people")
    expect(alice.page.get_by_role("main").get_by_role("link", name=re.compile("Bob.*Verified"))).to_be_visible()


@story
def somebody_is_blocked_and_heard_again(world):
    """Their messages are folded meanwhile; nobody is told."""
    group = world.group("Folded")
    alice = world.alice
    alice.go(f"#/people/{alice.node.user_id('Carol')}")
    alice.page.get_by_role("button", name="Block").click()
    expect(alice.page.get_by_role("button", name="Unblock")).to_be_visible()
    world.carol.node.say(group, "You do not hear me")
    alice.open(group)
    expect(alice.row("Message from somebody you blocked")).to_be_visible()
    expect(alice.page.get_by_role("main").get_by_text("You do not hear me")).to_have_count(0)
    alice.go(f"#/people/{alice.node.user_id('Carol')}")
    alice.page.get_by_role("button", name="Unblock").click()
    alice.open(group)
    expect(alice.row("You do not hear me")).to_be_visible()


@story
def several_messages_of_somebody_who_is_blocked_are_one_row(world):
    """It tells how many, unfolds, and folds again; a link to one of them unfolds it."""
    group = world.group("Folded rows")
    alice, carol = world.alice, world.carol.node.user_id("Carol")
    alice.node.ask("PUT", f"/people/{carol}/blocked", {"blocked": True})
    try:
        world.bob.node.say(group, "Heard")
        wait(lambda: world.carol.node.message(group, "Heard"), "Carol has no message")
        for text in ("One", "Two", "Three"):
            world.carol.node.say(group, text)
        wait(lambda: len([each for each in alice.node.all_messages(group) if each["readability"] == "blocked"]) == 3, "Alice does not have all")
        alice.open(group)
        row = alice.row("3 messages of someone you blocked")
        each = alice.row("Message from somebody you blocked")
        expect(row).to_be_visible()
        expect(each).to_have_count(0)
        alice.screen("folded")
        button = row.get_by_role("button", name="3 messages of someone you blocked")
        expect(button).to_have_attribute("aria-expanded", "false")
        button.click()
        expect(each).to_have_count(3)
        expect(button).to_have_attribute("aria-expanded", "true")
        expect(button).to_be_focused()
        button.press("Enter")
        expect(each).to_have_count(0)
        blocked = [each for each in alice.node.all_messages(group) if each["readability"] == "blocked"]
        alice.go(f"#/conversation/{group}/{blocked[1]['id']}")
        expect(each).to_have_count(3)
    finally:
        alice.node.ask("PUT", f"/people/{carol}/blocked", {"blocked": False})


@story
def a_name_and_a_photo_are_changed_and_others_see_them(world):
    """51 characters are refused before they are sent."""
    carol = world.carol
    carol.go("#/profile")
    field = carol.page.get_by_role("textbox", name="Your name")
    field.fill("C" * 51)
    expect(carol.page.get_by_text("51/50 characters")).to_be_visible()
    expect(carol.page.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    field.fill("Carol Clearwater")
    carol.page.get_by_role("button", name="Save", exact=True).click()
    wait(lambda: any(each["name"] == "Carol Clearwater" for each in world.alice.node.people()), "Alice sees the old name")
    with carol.page.expect_file_chooser() as chooser:
        carol.page.get_by_role("button", name="Add a photo").click()
    chooser.value.set_files([{"name": "me.png", "mimeType": "image/png", "buffer": png(128, 128, FACES["Carol"])}])
    carol.page.get_by_role("button", name="Use this part").click()
    expect(carol.page.get_by_role("button", name="Change photo")).to_be_visible()
    carol.shoot("profile")
    world.alice.go("#/people")
    expect(world.alice.page.get_by_role("main").get_by_role("link", name=re.compile("Carol Clearwater"))).to_be_visible()
    field.fill("Carol")
    carol.page.get_by_role("button", name="Save", exact=True).click()
    wait(lambda: any(each["name"] == "Carol" for each in world.alice.node.people()), "Alice sees the other name")


def dotted():
    """A PNG of 64 by 64 that one sees through, but for a square in its middle."""
    def chunk(kind, content):
        return len(content).to_bytes(4, "big") + kind + content + zlib.crc32(kind + content).to_bytes(4, "big")

    rows = b"".join(b"\0" + b"".join(b"\xff\0\0\xff" if 28 <= x < 36 and 28 <= y < 36 else bytes(4) for x in range(64)) for y in range(64))
    head = (64).to_bytes(4, "big") * 2 + bytes([8, 6, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@story
def a_photo_that_one_sees_through_is_cropped_without_traces(world):
    """Nothing stays where it was before it was moved; and what the browser cannot cut is said."""
    guest = world.guest(world.bob)
    guest.enter()
    guest.go("#/profile")
    page = guest.page
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=re.compile("^(Add a|Change) photo")).click()
    chooser.value.set_files([{"name": "dot.png", "mimeType": "image/png", "buffer": dotted()}])
    dialog = page.get_by_role("dialog", name="Choose the part to show")
    stage = dialog.get_by_role("application", name="The part of the photo that is shown")
    expect(stage).to_be_focused()
    covered = """canvas => {
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
        let count = 0;
        for (let at = 3; at < data.length; at += 4) if (data[at] > 128) count++;
        return count;
    }"""
    for _ in range(5):
        page.keyboard.press("+")
    before = stage.evaluate(covered)
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    after = stage.evaluate(covered)
    assert 0 < after <= before * 1.05, f"{before} and then {after} points"
    page.evaluate("() => { HTMLCanvasElement.prototype.toBlob = (done) => done(null); }")
    dialog.get_by_role("button", name="Use this part").click()
    expect(dialog.get_by_role("alert").filter(has_text="could not cut the photo")).to_be_visible()
    expect(dialog.get_by_role("button", name="Use this part")).to_be_enabled()
    guest.screen("crop-refused")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@story
def a_photo_is_cropped_before_it_is_sent(world):
    """A square of it is chosen by drag or by keys; the node gets the square and nothing else."""
    bob, page = world.bob, world.bob.page

    def choose():
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name=re.compile("^(Add a|Change) photo")).click()
        # Red on the left, blue on the right.
        chooser.value.set_files([{"name": "wide.png", "mimeType": "image/png", "buffer": png(240, 80, lambda x, y: (1, 0, 0) if x < 0.5 else (0, 0, 1))}])
        dialog = page.get_by_role("dialog", name="Choose the part to show")
        expect(dialog).to_be_visible()
        return dialog

    def photo():
        return bob.node.ask("GET", "/profile").get("photo")

    def color():
        """That of the middle of the photo as it is shown."""
        return page.evaluate(
            """async (address) => {
                const canvas = new OffscreenCanvas(1, 1), context = canvas.getContext('2d');
                const photo = await createImageBitmap(await (await fetch(address)).blob());
                context.drawImage(photo, photo.width / 2, photo.height / 2, 1, 1, 0, 0, 1, 1);
                const [red, , blue] = context.getImageData(0, 0, 1, 1).data;
                return red > blue ? 'red' : 'blue';
            }""",
            page.get_by_role("main").locator(".avatar.huge img").get_attribute("src"),
        )

    bob.go("#/profile")
    dialog = choose()
    stage = dialog.get_by_role("application", name="The part of the photo that is shown")
    expect(stage).to_be_focused()
    for _ in range(30):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("+")
    expect(dialog.get_by_role("slider", name="Zoom")).to_have_value("110")
    bob.screen("crop")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    wait(photo, "there is no photo")
    first = photo()
    assert first["width"] == first["height"] and first["width"] < 80, first
    expect(page.get_by_role("button", name="Change photo")).to_be_visible()
    wait(lambda: color() == "red", "the photo is not red")
    dialog = choose()
    box = stage.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 5, box["y"] + 50)
    page.mouse.down()
    page.mouse.move(box["x"] + 5, box["y"] + 60, steps=5)
    page.mouse.up()
    dialog.get_by_role("button", name="Use this part").click()
    wait(lambda: photo() and photo()["id"] != first["id"], "the photo is the first one")
    wait(lambda: color() == "blue", "the photo is not blue")
    dialog = choose()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Remove").click()
    wait(lambda: photo() is None, "the photo stays")


@story
def what_others_learn_is_switched(world):
    """Read receipts off: the node keeps it."""
    carol = world.carol
    carol.go("#/profile")
    box = carol.page.get_by_role("switch", name="Tell others what you read")
    box.uncheck()
    wait(lambda: carol.node.ask("GET", "/profile")["receipts"] is False, "it is still on")
    box.check()
    wait(lambda: carol.node.ask("GET", "/profile")["receipts"] is True, "it is still off")


@story
def the_contact_code_is_there_to_be_given_away(world):
    """The same as `moot contact` prints; a wrong one is refused in words."""
    world.bob.go("#/people")
    code = world.bob.node.ask("GET", "/profile/contact")["code"]
    field = world.bob.page.get_by_role("textbox", name="Your contact code")
    expect(field).to_have_value(re.compile("^moot:contact:"))
    assert field.input_value()[:40] == code[:40]
    with world.bob.tolerating("400|422"):
        world.bob.page.get_by_role("textbox", name="Their contact code").fill("moot:contact:NOTHING")
        world.bob.page.get_by_role("button", name="Add", exact=True).click()
        expect(world.bob.page.get_by_role("main").get_by_role("alert").filter(has_text=re.compile("."))).to_be_visible()


@story
def two_people_of_one_name_are_told_of(world):
    """Whoever calls themselves like somebody else is noticed before they are trusted."""
    world.carol.node.ask("PATCH", "/profile", {"name": "bob"})
    try:
        wait(lambda: [each["name"].lower() for each in world.alice.node.people()].count("bob") == 2, "Alice sees no namesake")
        world.alice.go("#/people")
        expect(world.alice.page.get_by_role("note")).to_contain_text("2 people are called Bob.", ignore_case=True)
        world.alice.shoot("namesakes")
    finally:
        world.carol.node.ask("PATCH", "/profile", {"name": "Carol"})
        wait(lambda: any(each["name"] == "Carol" for each in world.alice.node.people()), "Alice sees the other name")
