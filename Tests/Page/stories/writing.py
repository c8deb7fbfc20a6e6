"""Writing: what is typed, and what becomes of it."""

import json
import re

from harness.runner import story, wait
from playwright.sync_api import expect


@story
def an_own_message_is_there_at_once_and_soon_at_the_others(world):
    """The bubble comes with the key; Bob has it within a second; its state goes on to read."""
    group = world.group("Quay")
    alice, bob = world.alice, world.bob
    bob.open(group)
    box = alice.open(group)
    box.fill("Cast off")
    box.press("Enter")
    expect(alice.row("Cast off")).to_be_visible(timeout=300)
    expect(bob.row("Cast off")).to_be_visible(timeout=1_000)
    expect(box).to_have_value("")
    expect(alice.page.get_by_role("article", name=re.compile("Cast off.*Read by"))).to_be_visible()


@story
def shift_and_enter_break_a_line(world):
    """Enter sends; with Shift it does not."""
    group = world.group("Two lines")
    box = world.alice.open(group)
    box.press_sequentially("First")
    box.press("Shift+Enter")
    box.press_sequentially("Second")
    expect(box).to_have_value("First\nSecond")
    box.press("Enter")
    expect(world.alice.row("First Second")).to_be_visible()
    wait(lambda: world.alice.node.message(group, "First\nSecond"), "the line break is lost")


@story
def enter_that_ends_a_composition_sends_nothing(world):
    """Whoever writes Japanese confirms a word with Enter."""
    group = world.group("Kana")
    box = world.alice.open(group)
    box.fill("かな")
    box.evaluate(
        "field => field.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', isComposing: true, bubbles: true, cancelable: true}))"
    )
    world.alice.page.wait_for_timeout(200)
    expect(box).to_have_value("かな")
    assert world.alice.node.message(group, "かな") is None


@story
def markup_stays_text(world):
    """What looks like markup is shown as it was typed, and does nothing."""
    group = world.group("Plain")
    text = '<img src=x onerror="window.harmed = 1"><script>window.harmed = 2</script>'
    world.bob.open(group)
    world.alice.open(group)
    world.alice.say(text)
    expect(world.bob.page.get_by_role("main").get_by_text(text, exact=True)).to_be_visible()
    assert world.bob.page.evaluate("window.harmed") is None
    world.bob.node.ask("PATCH", f"/conversations/{world.bob.node.ask('POST', '/conversations', {'kind': 'group', 'name': '<b>Bold</b>', 'members': [world.bob.node.user_id('Alice'), world.bob.node.user_id('Carol')]})['id']}", {"description": "<i>x</i>"})
    expect(world.alice.link("<b>Bold</b>")).to_be_visible()


@story
def only_addresses_of_the_web_are_links(world):
    """http and https lead out without telling from where; javascript: is text."""
    group = world.group("Links")
    world.bob.open(group)
    world.alice.node.say(group, "See https://moot.example/a_(b), or javascript:alert(1) and data:text/html,x.")
    row = world.bob.row("See https")
    link = row.get_by_role("link")
    expect(link).to_have_count(1)
    expect(link).to_have_attribute("href", "https://moot.example/a_(b)")
    expect(link).to_have_attribute("rel", "noopener noreferrer")


@story
def ten_fast_messages_keep_their_order(world):
    """However fast somebody types, everybody reads in that order."""
    group = world.group("Fast")
    world.bob.open(group)
    box = world.alice.open(group)
    for number in range(10):
        box.fill(f"number {number}")
        box.press("Enter")
    for user in (world.alice, world.bob):
        rows = user.page.get_by_role("article", name=re.compile("number [0-9]"))
        expect(rows).to_have_count(10)
        names = [row.get_attribute("aria-label") for row in rows.all()]
        assert [int(re.search("number ([0-9])", name)[1]) for name in names] == list(range(10)), names


@story
def a_draft_survives_a_reload_and_stays_where_it_was_begun(world):
    """Half a message is there again, and in no other conversation."""
    one, other = world.group("Draft here"), world.group("No draft here")
    box = world.alice.open(one)
    box.fill("Half a th")
    wait(lambda: world.alice.node.ask("GET", f"/conversations/{one}").get("draft") == "Half a th", "the draft is not kept")
    expect(world.alice.open(other)).to_have_value("")
    expect(world.alice.link("Draft here")).to_contain_text("Draft: Half a th")
    world.alice.page.reload()
    expect(world.alice.open(one)).to_have_value("Half a th")


@story
def what_is_too_long_is_told_before_it_is_sent(world):
    """Near 16 KiB the page counts; above, Send does nothing."""
    group = world.group("Long")
    box = world.alice.open(group)
    box.fill("x" * 16_300)
    expect(world.alice.page.get_by_text("84 bytes left")).to_be_visible()
    box.fill("x" * 16_385)
    expect(world.alice.page.get_by_text("1 byte too long")).to_be_visible()
    expect(world.alice.page.get_by_role("button", name="Send", exact=True)).to_be_disabled()
    box.fill("")
    wait(lambda: "draft" not in world.alice.node.ask("GET", f"/conversations/{group}"), "the draft stays")


@story
def somebody_is_mentioned_with_the_keyboard(world):
    """@ offers people, Enter takes one, and the message names them."""
    group = world.group("Mentions")
    box = world.alice.open(group)
    box.press_sequentially("Hello @bo")
    expect(world.alice.page.get_by_role("listbox", name="People to mention").get_by_role("option", name="Bob")).to_be_visible()
    box.press("Enter")
    box.press_sequentially("!")
    box.press("Enter")
    wait(lambda: any("@Bob" in (m.get("text") or "") and m["mentions"] for m in world.bob.node.ask("GET", f"/conversations/{group}/messages")["messages"]), "Bob is not mentioned")


@story
def who_types_is_told_and_nothing_moves(world):
    """The line has its place already; it goes when they stop."""
    group = world.group("Typing")
    world.alice.node.say(group, "Anybody here?")
    world.alice.open(group)
    row = world.alice.row("Anybody here?")
    expect(row).to_be_visible()
    before = row.bounding_box()
    world.bob.open(group).press_sequentially("Yes I", delay=30)
    expect(world.alice.page.get_by_text("Bob is typing...")).to_be_visible()
    assert row.bounding_box() == before, "the messages moved"
    world.bob.composer().fill("")
    expect(world.alice.page.get_by_text("Bob is typing...")).to_have_count(0, timeout=6_000)


@story
def a_repeated_request_makes_no_second_message(world):
    """The answer to a message is lost; it is sent again, and everybody has it once."""
    group = world.group("Once")
    alice = world.alice
    alice.open(group)
    lost = []

    def lose(route):
        if route.request.method != "POST" or lost:
            return route.continue_()
        lost.append(route.fetch())
        route.abort()

    pattern = f"**/conversations/{group}/messages"
    with alice.tolerating("ERR_FAILED|Failed to load"):
        alice.page.route(pattern, lose)
        alice.say("Only once")
        retry = alice.page.get_by_role("button", name="Retry")
        wait(lambda: lost and alice.node.message(group, "Only once"), "the node did not get it")
        alice.page.wait_for_timeout(700)
        if retry.count():
            retry.first.click()
        expect(alice.row("Only once")).to_have_count(1)
        expect(alice.page.get_by_role("article", name=re.compile("Only once.*(Delivered|Sent|Read)"))).to_have_count(1)
        alice.page.unroute(pattern)
    texts = alice.node.texts(group)
    assert texts.count("Only once") == 1, texts


@story
def a_message_that_was_refused_is_tried_again(world):
    """It says why it failed; Retry sends it, once."""
    group = world.group("Second try")
    alice = world.alice
    alice.open(group)
    refusal = json.dumps({"error": {"code": "disk_full", "message": "The disk is full"}})
    pattern = f"**/conversations/{group}/messages"
    alice.page.route(pattern, lambda route: route.fulfill(status=507, body=refusal) if route.request.method == "POST" else route.continue_())
    with alice.tolerating("507"):
        alice.say("Try again")
        expect(alice.row("Try again")).to_contain_text("Failed: The disk is full")
        alice.check_access("a message that failed")
        alice.shoot("failed")
    alice.page.unroute_all(behavior="ignoreErrors")
    alice.page.get_by_role("button", name="Retry").click()
    expect(alice.page.get_by_role("article", name=re.compile("Try again.*(Delivered|Read)"))).to_have_count(1)
    expect(alice.page.get_by_role("button", name="Retry")).to_have_count(0)
    assert alice.node.texts(group).count("Try again") == 1


@story
def a_link_of_anybody_asks_for_nothing_else_than_what_it_shows(world):
    """What stands in the place of an id leads nowhere, also where it spells the path of another request."""
    alice = world.alice
    alice.go("#/")
    asked = []
    alice.page.on("request", lambda request: asked.append((request.method, request.url)))
    for place in ["..%2Fprofile%23", "..%2Flock%23", "..", "%2e%2e%2fprofile%3f", "__proto__"]:
        alice.go(f"#/conversation/{place}")
        alice.go("#/people")
        alice.go(f"#/conversation/{place}/constructor")
    alice.go("#/people")
    expect(alice.page.get_by_role("heading", name="People").first).to_be_visible()
    assert alice.node.ask("GET", "/profile")["name"] == "Alice"
    written = [each for each in asked if each[0] not in ("GET", "HEAD") and not each[1].endswith("/web/tickets")]
    assert written == [], written
