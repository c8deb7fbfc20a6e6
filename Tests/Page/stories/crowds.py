"""Much of everything: many members, many messages, and how little a browser needs to begin. These make people, so they are late."""

import contextlib
import re
import sys

from harness.runner import story, wait
from playwright.sync_api import expect

from .groups import info, member


@contextlib.contextmanager
def strangers(node, numbers):
    """People whom a node meets: each introduces themselves over a connection, as a node of theirs would. It forgets them when they go,
    unless they are in a group by then; and it talks to few of them at once."""
    from moot_client.peer import Peer
    from moot_client.people import User

    people = [User(f"Guest {number:02}") for number in numbers]
    peers = [Peer(node.address, person) for person in people]
    try:
        for person in people:
            wait(lambda person=person: any(each["user"] == person.id.hex() for each in node.people()), f"{person.name} is not known")
        yield people
    finally:
        for peer in peers:
            peer.channel.close()


@story
def three_people_are_added_in_one_line(world):
    """"Alice added 3 participants" for whoever has not added them."""
    group = world.group("Three more")
    alice, bob = world.alice, world.bob
    bob.open(group)
    with strangers(alice.node, range(1, 4)) as guests:
        panel = info(alice, group)
        panel.get_by_role("button", name="Add", exact=True).click()
        picker = alice.page.get_by_role("dialog")
        for guest in guests:
            picker.get_by_role("checkbox", name=guest.name).check()
        picker.get_by_role("button", name=re.compile(r"^Add \(3\)")).click()
        expect(panel.get_by_role("heading", name="6 participants")).to_be_visible()
    expect(bob.page.get_by_role("article", name="Alice added 3 participants", exact=True)).to_be_visible()


@story
def sixty_members_are_shown_in_pages_and_found(world):
    """Fifty at first, the others on request; a search finds any of them, and what one does with a member works."""
    group = world.group("Sixty")
    alice = world.alice
    for first in range(4, 61, 10):
        with strangers(alice.node, range(first, min(first + 10, 61))) as guests:
            alice.node.ask("POST", f"/conversations/{group}/members", {"members": [guest.id.hex() for guest in guests]}, timeout=60)
    panel = info(alice, group)
    expect(panel.get_by_role("heading", name="60 participants")).to_be_visible()
    members = panel.get_by_role("button", name=re.compile("(online|last seen|not seen yet)"))
    expect(members).to_have_count(50)
    alice.screen("sixty-members")
    panel.get_by_role("button", name="Show more").click()
    expect(members).to_have_count(60)
    panel.get_by_role("searchbox", name="Search participants").fill("guest 41")
    expect(members).to_have_count(1)
    alice.choose(member(alice, "Guest 41"), "Make moderator")
    alice.page.get_by_role("dialog").get_by_role("button", name="Promote").click()
    expect(member(alice, "Guest 41")).to_contain_text("Moderator")
    # The list of conversations does not carry them all.
    expect(alice.page.get_by_role("main").get_by_text("60 participants")).to_be_visible()
    nodes = alice.page.evaluate("document.getElementsByTagName('*').length")
    assert nodes <= 5_000, f"{nodes} elements"


@story
def a_code_lets_somebody_join(world):
    """Alice makes it, and Carol pastes it; then she is in."""
    alice, carol = world.alice, world.carol
    group = world.group("Open door")
    alice.node.ask("DELETE", f"/conversations/{group}/members/{alice.node.user_id('Carol')}")
    wait(lambda: not carol.node.ask("GET", f"/conversations/{group}")["me"]["is_member"], "Carol is still in")
    panel = info(alice, group)
    panel.get_by_role("button", name="Codes to join").click()
    dialog = alice.page.get_by_role("dialog", name="Codes to join")
    dialog.get_by_role("button", name="Make a code").click()
    code = dialog.get_by_role("textbox", name="Code").input_value()
    expect(dialog.get_by_text("By you")).to_be_visible()
    carol.go("#/")
    carol.choose(carol.page.get_by_role("button", name="New message or group"), "Join with a code")
    join = carol.page.get_by_role("dialog", name="Join with a code")
    with carol.tolerating("400|404|422"):
        join.get_by_role("textbox", name="Code").fill("moot:nothing")
        join.get_by_role("button", name="Join").click()
        expect(join.get_by_role("alert").filter(has_text=re.compile("."))).to_be_visible()
    carol.screen("join")
    join.get_by_role("textbox", name="Code").fill(code)
    join.get_by_role("button", name="Join").click()
    expect(carol.page.get_by_role("heading", level=1)).to_have_text("Open door")
    expect(carol.composer()).to_be_enabled()
    # It was for one person, once.
    expect(dialog.get_by_text("By you")).to_have_count(0)
    alice.page.keyboard.press("Escape")


@story
def very_many_messages_are_scrolled_and_dated(world):
    """20,000 of them: the document stays small on the way up, at a day, and back at the end. `speed.py` does it with 100,000."""
    group = world.group("Very many")
    alice, count = world.alice, 20_000
    for start in range(0, count, 4_000):
        alice.node.ask("POST", f"/conversations/{group}/messages", {"texts": [f"entry {number}" for number in range(start, start + 4_000)]}, timeout=120)
    alice.open(group)
    expect(alice.row(f"entry {count - 1}")).to_be_in_viewport()

    def small(where):
        rows = alice.page.get_by_role("article").count()
        nodes = alice.page.evaluate("document.getElementsByTagName('*').length")
        assert rows <= 300 and nodes <= 5_000, f"{where}: {rows} rows, {nodes} elements"

    small("at the end")
    alice.row(f"entry {count - 1}").focus()
    for _ in range(40):
        alice.page.keyboard.press("PageUp")
        alice.page.wait_for_timeout(20)
    small("on the way up")
    first = alice.node.ask("GET", f"/conversations/{group}/messages?at=2020-01-01T00:00:00Z&limit=5")["messages"][1]
    alice.go(f"#/conversation/{group}/{first['id']}")
    expect(alice.page.get_by_role("article", name=re.compile("entry [0-2]$|entry [0-2],")).first).to_be_in_viewport()
    small("at the beginning")
    alice.choose(alice.page.get_by_role("button", name="More about this conversation"), "Go to a day…")
    dialog = alice.page.get_by_role("dialog", name="Go to a day")
    dialog.get_by_role("button", name="Go", exact=True).click()
    expect(dialog).to_have_count(0)
    expect(alice.page.get_by_role("article", name=re.compile("entry [0-9]+")).first).to_be_visible()
    small("at a day")
    alice.page.get_by_role("button", name="To the newest messages").click()
    expect(alice.row(f"entry {count - 1}")).to_be_in_viewport()
    small("back at the end")


@story
def the_first_conversation_needs_few_files(world):
    """At most 16 files and 210 KB until it is shown; what comes later does not hold it up."""
    group = world.group("First sight")
    world.alice.node.say(group, "Here already")
    guest = world.guest(world.alice)
    guest.enter()
    guest.page.goto("about:blank")
    began = []
    # What is asked for after the first row is there is not needed for it.
    guest.page.on("request", lambda request: began.append(request) if request.url == f"{guest.node.origin}/" or "/page/" in request.url else None)
    guest.page.add_init_script(
        """new MutationObserver((_, observer) => {
            if (!document.querySelector('article')) return;
            observer.disconnect();
            window.firstRow = performance.getEntriesByType('resource').filter((each) => each.name.includes('/page/')).map((each) => [each.name.split('/').pop(), each.decodedBodySize]);
            window.firstRow.push(['index.html', performance.getEntriesByType('navigation')[0].decodedBodySize]);
        }).observe(document, {childList: true, subtree: true});"""
    )
    guest.open(group)
    expect(guest.row("Here already")).to_be_visible()
    files = guest.page.evaluate("window.firstRow")
    size = sum(bytes for _, bytes in files)
    print(f"        {len(files)} files, {size / 1_000:.0f} KB until the first conversation is shown", file=sys.stderr)
    assert len(files) <= 16 and size <= 210_000, f"{len(files)} files, {size} bytes: {sorted(files, key=lambda each: -each[1])}"
    # The rest comes by itself.
    wait(lambda: any("info.js" in request.url for request in began), "the rest does not come")
