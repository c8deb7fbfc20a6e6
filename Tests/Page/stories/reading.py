"""Reading: what is new, where one is, and that nothing jumps."""

import re

from harness.runner import story, wait
from playwright.sync_api import expect


@story
def unread_messages_are_counted_until_they_are_seen(world):
    """In the list and in the title of the tab; opening the conversation shows where they begin."""
    group = world.group("Unread")
    world.alice.node.ask("POST", f"/conversations/{group}/read")
    world.alice.go("#/")
    for text in ("One", "Two"):
        world.bob.node.say(group, text)
    expect(world.alice.link("Unread").get_by_role("img", name="2 unread messages")).to_be_visible()
    expect(world.alice.page).to_have_title(re.compile(r"^\([0-9]+\) Moot$"))
    world.alice.open(group)
    expect(world.alice.page.get_by_text("New messages", exact=True)).to_be_visible()
    expect(world.alice.link("Unread").get_by_role("img", name="2 unread messages")).to_have_count(0)


@story
def a_message_that_overtakes_an_answer_stays_in_the_list(world):
    """What a request answers about a conversation may be older than a message that came while it was on its way."""
    group, held = world.group("Overtakes"), []
    alice = world.alice
    alice.go("#/")
    row = alice.link("Overtakes")
    for text, pattern, ask in (
        ("Before the conversation", f"**/api/v1/conversations/{group}", lambda: alice.node.ask("PUT", f"/conversations/{group}/private", {"pinned": True})),
        ("Before the list", "**/api/v1/conversations?members=4", lambda: alice.page.reload(wait_until="commit")),
    ):
        expect(row).to_be_visible()
        alice.page.route(pattern, lambda route: held.append((route, route.fetch())), times=1)
        ask()
        wait(lambda: held, "nothing was asked for")
        world.bob.node.say(group, text)
        expect(row).to_contain_text(text)
        route, answer = held.pop()
        with alice.page.expect_event("requestfinished", lambda request: request is route.request):
            route.fulfill(response=answer)
        expect(row.get_by_role("img", name="Pinned")).to_be_visible()
        alice.page.wait_for_timeout(50)
        expect(row).to_contain_text(text)
    alice.node.ask("PUT", f"/conversations/{group}/private", {"pinned": False})


@story
def what_was_not_on_the_screen_stays_unread(world):
    """Of many long messages only those that were seen are read."""
    group = world.group("Much")
    world.bob.node.ask("POST", f"/conversations/{group}/messages", {"texts": [f"{number}. " + "long " * 300 for number in range(40)]})
    wait(lambda: world.alice.node.ask("GET", f"/conversations/{group}")["unread"] == 40, "Alice does not have all")
    world.alice.open(group)
    wait(lambda: world.alice.node.ask("GET", f"/conversations/{group}")["unread"] < 40, "nothing was read")
    world.alice.page.wait_for_timeout(900)
    unread = world.alice.node.ask("GET", f"/conversations/{group}")["unread"]
    assert 25 < unread, f"{unread} are unread"


@story
def nothing_moves_while_somebody_reads_above(world):
    """A new message does not push away what is read; a button tells of it."""
    group = world.group("Above")
    world.bob.node.ask("POST", f"/conversations/{group}/messages", {"texts": [f"line {number}" for number in range(80)]})
    wait(lambda: world.alice.node.message(group, "line 79"), "Alice does not have all")
    world.alice.node.ask("POST", f"/conversations/{group}/read")
    world.alice.open(group)
    expect(world.alice.row("line 79")).to_be_visible()
    world.alice.row("line 79").focus()
    for _ in range(4):
        world.alice.page.keyboard.press("PageUp")
    world.alice.page.wait_for_timeout(300)
    row = world.alice.page.get_by_role("article").filter(visible=True)
    names = [each for each in row.all() if each.bounding_box()["y"] > 200]
    watched = world.alice.page.get_by_role("article", name=names[0].get_attribute("aria-label"), exact=True)
    before = watched.bounding_box()["y"]
    world.bob.node.say(group, "Something new")
    expect(world.alice.page.get_by_role("button", name="1 new message")).to_be_visible()
    assert abs(watched.bounding_box()["y"] - before) <= 1, "the messages moved"
    world.alice.page.get_by_role("button", name="1 new message").click()
    expect(world.alice.row("Something new")).to_be_in_viewport()


@story
def thousands_of_messages_are_a_window_of_rows(world):
    """2,000 messages open at their end, and the document stays small while somebody walks up."""
    group = world.group("Thousands")
    world.bob.node.ask("POST", f"/conversations/{group}/messages", {"texts": [f"entry {number}" for number in range(2_000)]}, timeout=120)
    wait(lambda: world.alice.node.message(group, "entry 1999"), "Alice does not have all", 60)
    world.alice.node.ask("POST", f"/conversations/{group}/read")
    world.alice.open(group)
    expect(world.alice.row("entry 1999")).to_be_in_viewport()
    world.alice.row("entry 1999").focus()
    for _ in range(25):
        world.alice.page.keyboard.press("PageUp")
        world.alice.page.wait_for_timeout(30)
    rows = world.alice.page.get_by_role("article").count()
    nodes = world.alice.page.evaluate("document.getElementsByTagName('*').length")
    assert rows <= 300 and nodes <= 5_000, f"{rows} rows, {nodes} nodes"


@story
def a_link_to_a_message_opens_it_and_back_returns(world):
    """Deep links work from outside, and Back goes where one came from."""
    group = world.group("Deep")
    world.bob.node.ask("POST", f"/conversations/{group}/messages", {"texts": [f"step {number}" for number in range(300)]})
    wait(lambda: world.alice.node.message(group, "step 299"), "Alice does not have all")
    first = next(each for each in world.alice.node.all_messages(group) if each["text"] == "step 3")
    world.alice.go("#/people")
    expect(world.alice.page.get_by_role("heading", name="People")).to_be_visible()
    world.alice.go(f"#/conversation/{group}/{first['id']}")
    expect(world.alice.row(first["text"]).first).to_be_in_viewport()
    world.alice.page.go_back()
    expect(world.alice.page.get_by_role("heading", name="People")).to_be_visible()


@story
def what_arrives_is_announced_once(world):
    """A screen reader hears who wrote what, without a time, and not what one wrote oneself."""
    group = world.group("Announced")
    world.alice.open(group)
    world.alice.say("My own")
    expect(world.alice.page.get_by_role("article", name=re.compile("My own.*(Delivered|Read)"))).to_be_visible()
    world.bob.node.say(group, "From Bob")
    log = world.alice.page.get_by_role("log")
    expect(log).to_have_text(re.compile("Bob: From Bob"))
    assert log.inner_text().count("From Bob") == 1 and "My own" not in log.inner_text(), log.inner_text()


@story
def hebrew_stands_right_and_english_left(world):
    """Each message has the direction of its words."""
    group = world.group("Directions")
    world.alice.open(group)
    for text in ("שלום לכולם", "Good morning"):
        world.bob.node.say(group, text)
    for text, direction in (("שלום לכולם", "rtl"), ("Good morning", "ltr")):
        shown = world.alice.row(text).get_by_text(text)
        expect(shown).to_be_visible()
        assert shown.evaluate("element => getComputedStyle(element).direction") == direction, text


@story
def no_text_breaks_the_layout(world):
    """16 KiB without a space, thousands of combining marks, zero widths and overrides: all of it wraps."""
    group = world.group("Hostile")
    for text in ("W" * 16_000, "e" + "\u0301" * 5_000, "a\u200b" * 2_000, "\u202egnp.exe", "👩‍👩‍👧‍👦" * 300):
        world.bob.node.say(group, text)
    world.alice.open(group)
    expect(world.alice.page.get_by_role("article").last).to_be_visible()
    for width in (1440, 320):
        world.alice.page.set_viewport_size({"width": width, "height": 800})
        world.alice.page.wait_for_timeout(150)
        wide = world.alice.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{wide} px too wide at {width}"
    world.alice.shoot("hostile-320")
    world.alice.page.set_viewport_size({"width": 1440, "height": 900})
