"""People: who they are, and what one tells of oneself."""

import re

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
    expect(carol.page.get_by_role("button", name="Change photo")).to_be_visible()
    carol.shoot("profile")
    world.alice.go("#/people")
    expect(world.alice.page.get_by_role("main").get_by_role("link", name=re.compile("Carol Clearwater"))).to_be_visible()
    field.fill("Carol")
    carol.page.get_by_role("button", name="Save", exact=True).click()
    wait(lambda: any(each["name"] == "Carol" for each in world.alice.node.people()), "Alice sees the other name")


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
