"""What must hold on every screen: light and dark, narrow and wide, by keyboard, for whoever needs contrast."""

import re

from harness.runner import story, wait
from playwright.sync_api import expect


def addresses(world, group):
    person = world.alice.node.user_id("Bob")
    conversation = f"#/conversation/{group}"
    return {
        "home": "#/",
        "conversation": conversation,
        "info": f"{conversation}/info",
        "files": f"{conversation}/files",
        "statistics": f"{conversation}/statistics",
        "membership": f"{conversation}/membership",
        "search": "#/search?q=ship",
        "people": "#/people",
        "person": f"#/people/{person}",
        "profile": "#/profile",
        "devices": "#/devices",
        "laboratory": "#/laboratory",
        "node": "#/node",
        "doctor": "#/doctor",
    }


def show(user, address):
    user.go(address)
    user.page.wait_for_timeout(250)
    # A busy host takes longer.
    expect(user.page.locator(".loading")).to_have_count(0)


def lively(world):
    """A group with something of everything in it."""
    group = world.group("Every screen")
    for user, text in ((world.bob, "A ship!"), (world.alice, "Where?"), (world.carol, "https://moot.example/there")):
        user.node.say(group, text)
    wait(lambda: world.alice.node.message(group, "https://moot.example/there"), "Alice does not have all")
    return group


@story
def every_screen_is_for_everybody_in_light_and_in_dark(world):
    """axe finds nothing on any of them."""
    for name, address in addresses(world, lively(world)).items():
        show(world.alice, address)
        world.alice.screen(f"screen-{name}")


@story
def every_screen_fits_from_320_pixels_on(world):
    """Nothing is wider than the window, at 320, 640 and 1024 pixels; 640 is also 200 % of 1280."""
    page, group = world.alice.page, lively(world)
    try:
        for name, address in addresses(world, group).items():
            for width in (1024, 640, 320):
                page.set_viewport_size({"width": width, "height": 720})
                show(world.alice, address)
                wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert wide <= 0, f"{name} is {wide} px too wide at {width} px"
                world.alice.shoot(f"screen-{name}-{width}")
            if name in ("conversation", "info", "people"):
                world.alice.check_access(f"{name} at 320 px")
    finally:
        page.set_viewport_size({"width": 1440, "height": 900})


@story
def long_words_fit_in_narrow_dialogs(world):
    """Tags and names of fifty letters are cut at 320 pixels, and push nothing out."""
    page, group = world.alice.page, world.group("W" * 50)
    world.alice.node.ask("PUT", f"/conversations/{group}/private", {"add_tags": ["W" * 32, "M" * 30]})
    try:
        page.set_viewport_size({"width": 320, "height": 720})
        show(world.alice, f"#/conversation/{group}/info")
        page.get_by_role("region", name="Details").get_by_role("button", name="Tags").click()
        dialog = page.get_by_role("dialog", name="Tags")
        for place in (dialog, page.get_by_role("region", name="Details")):
            out = place.evaluate(
                """place => [...place.querySelectorAll('*')].filter((each) => each.scrollWidth > each.clientWidth + 1 &&
                    getComputedStyle(each).overflowX !== 'hidden' && each.clientWidth > 0 && !each.classList.contains('visually-hidden'))
                    .map((each) => each.outerHTML.slice(0, 120))"""
            )
            assert out == [], out
        world.alice.screen("tags-320")
        page.keyboard.press("Escape")
    finally:
        page.set_viewport_size({"width": 1440, "height": 900})


@story
def forced_colors_leave_everything_visible(world):
    """With the colors of the system, as people with low vision set them."""
    group = lively(world)
    world.alice.page.emulate_media(forced_colors="active")
    try:
        for name in ("conversation", "statistics", "membership"):
            show(world.alice, addresses(world, group)[name])
            world.alice.shoot(f"forced-colors-{name}")
        expect(world.alice.row("A ship!")).to_be_visible()
    finally:
        world.alice.page.emulate_media(forced_colors="none")


@story
def who_wants_no_motion_sees_none(world):
    """Nothing on the page is animated for longer than a moment."""
    show(world.alice, "#/")
    world.alice.page.keyboard.press("Control+k")
    expect(world.alice.page.get_by_role("dialog")).to_be_visible()
    longest = world.alice.page.evaluate(
        "Math.max(0, ...document.getAnimations().map(each => each.effect.getComputedTiming().activeDuration))"
    )
    world.alice.page.keyboard.press("Escape")
    assert longest <= 10, f"something moves for {longest} ms"


@story
def a_message_is_written_read_and_answered_by_keyboard_alone(world):
    """From the list into the conversation, to a message, its menu, and back."""
    group = world.group("Keys only")
    world.bob.node.say(group, "By hand?")
    alice, page = world.alice, world.alice.page
    alice.go("#/")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.type("keys onl")
    page.keyboard.press("Enter")
    expect(alice.composer()).to_be_focused()
    expect(alice.row("By hand?")).to_be_visible()
    page.keyboard.press("F6")
    page.keyboard.press("F6")
    expect(page.get_by_role("article").last).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu")).to_be_visible()
    alice.check_access("the menu of a message")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Reply to Bob")).to_be_visible()
    page.keyboard.type("By keys")
    page.keyboard.press("Enter")
    expect(alice.row("By keys").get_by_role("button", name=re.compile("In reply to Bob"))).to_be_visible()


@story
def the_screens_have_landmarks_and_headings(world):
    """What a screen reader goes by: one main part, named navigation, headings in order."""
    for name, address in addresses(world, lively(world)).items():
        show(world.alice, address)
        page = world.alice.page
        expect(page.get_by_role("main")).to_have_count(1)
        expect(page.get_by_role("navigation", name="Conversations")).to_have_count(1)
        expect(page.get_by_role("heading").first, f"{name} has no heading").to_be_attached()


@story
def the_keys_are_told(world):
    """A question mark shows them."""
    show(world.alice, "#/people")
    world.alice.page.get_by_role("heading", name="People").focus()
    world.alice.page.keyboard.press("?")
    dialog = world.alice.page.get_by_role("dialog", name="Keyboard")
    expect(dialog).to_be_visible()
    world.alice.screen("keyboard")
    world.alice.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@story
def the_appearance_is_chosen_and_kept(world):
    """Dark, whatever the system says, also after a reload."""
    page = world.alice.page
    show(world.alice, "#/")
    world.alice.choose(page.get_by_role("button", name="Alice: profile and settings"), "Appearance")
    dialog = page.get_by_role("dialog", name="Appearance")
    world.alice.screen("appearance")
    dialog.get_by_role("radio", name="Dark").check()
    page.keyboard.press("Escape")
    page.reload()
    ground = page.evaluate("getComputedStyle(document.documentElement).colorScheme")
    world.alice.choose(page.get_by_role("button", name="Alice: profile and settings"), "Appearance")
    dialog.get_by_role("radio", name="As the system").check()
    page.keyboard.press("Escape")
    assert ground == "dark", ground
