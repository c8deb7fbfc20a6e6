"""The list of conversations."""

import re

from harness.runner import story, wait
from playwright.sync_api import expect


def titles(user):
    """What the conversations in the list are called, in their order."""
    shown = user.page.get_by_role("navigation", name="Conversations").aria_snapshot()
    return re.findall(r"link \"(.*?)(?: \d+:\d\d|\")", shown)


@story
def the_latest_activity_is_first(world):
    """Whatever was written in last stands on top."""
    one, other = world.group("Aft"), world.group("Bow")
    world.alice.go("#/")
    world.bob.node.say(one, "Here")
    expect(world.alice.link("Aft")).to_contain_text("Bob: Here")
    shown = titles(world.alice)
    assert shown.index("Aft") < shown.index("Bow"), shown
    world.bob.node.say(other, "There")
    expect(world.alice.link("Bow")).to_contain_text("Bob: There")
    shown = titles(world.alice)
    assert shown.index("Bow") < shown.index("Aft"), shown


@story
def a_group_without_a_name_is_called_by_its_people(world):
    """Bob and Carol, for whom it is Alice's."""
    node = world.alice.node
    group = node.ask("POST", "/conversations", {"kind": "group", "members": [node.user_id("Bob"), node.user_id("Carol")]})["id"]
    node.say(group, "Nameless")
    world.alice.open(group)
    expect(world.alice.page.get_by_role("heading", level=1)).to_have_text("Bob, Carol")


@story
def pin_mute_tag_and_archive_survive_a_reload(world):
    """Each from the menu of the conversation, and each is there afterwards."""
    group = world.group("Private marks")
    alice = world.alice
    alice.open(group)
    more = alice.page.get_by_role("button", name="More about this conversation")
    alice.choose(more, "Pin to the top")
    expect(alice.link("Private marks").get_by_role("img", name="Pinned")).to_be_visible()
    more.click()
    alice.page.get_by_role("menuitem", name="Mute…").click()
    alice.shoot("mute")
    alice.page.get_by_role("dialog").get_by_text("8 hours").click()
    expect(alice.link("Private marks").get_by_role("img", name=re.compile("Muted until"))).to_be_visible()
    alice.node.ask("PUT", f"/conversations/{group}/private", {"add_tags": ["deck"]})
    alice.page.reload()
    row = alice.link("Private marks")
    expect(row).to_contain_text("deck")
    expect(row.get_by_role("img", name="Pinned")).to_be_visible()
    assert titles(alice)[0] == "Private marks"
    alice.choose(more, "Archive")
    wait(lambda: alice.node.ask("GET", f"/conversations/{group}")["archived"], "it is not archived")
    alice.go("#/")
    alice.page.reload()
    expect(alice.link("Private marks")).to_have_count(0)
    alice.page.get_by_role("button", name=re.compile("^Archived")).click()
    expect(alice.link("Private marks")).to_be_visible()
    alice.page.get_by_role("button", name="All conversations").click()


@story
def the_search_of_the_list_finds_by_a_part_of_the_name(world):
    """Case and accents make no difference; Enter opens the first."""
    world.group("Crêperie")
    world.alice.go("#/")
    field = world.alice.page.get_by_role("navigation").get_by_role("searchbox")
    field.fill("crepe")
    expect(world.alice.link("Crêperie")).to_be_visible()
    field.press("Enter")
    expect(world.alice.page.get_by_role("heading", level=1, name="Crêperie")).to_be_visible()


@story
def control_k_goes_to_a_conversation(world):
    """A few letters and Enter, from anywhere."""
    world.group("Lighthouse")
    world.alice.go("#/people")
    expect(world.alice.page.get_by_role("heading", name="People")).to_be_visible()
    world.alice.page.keyboard.press("Control+k")
    expect(world.alice.page.get_by_role("dialog")).to_be_visible()
    world.alice.page.keyboard.type("lightho")
    world.alice.shoot("switcher")
    world.alice.page.keyboard.press("Enter")
    expect(world.alice.page.get_by_role("heading", level=1, name="Lighthouse")).to_be_visible()


@story
def alt_and_arrows_go_through_the_list(world):
    """Down to the next conversation, up to the one before."""
    world.alice.go("#/")
    shown = titles(world.alice)
    world.alice.page.keyboard.press("Alt+ArrowDown")
    expect(world.alice.page.get_by_role("heading", level=1)).to_have_text(shown[0])
    world.alice.page.keyboard.press("Alt+ArrowDown")
    expect(world.alice.page.get_by_role("heading", level=1)).to_have_text(shown[1])
    world.alice.page.keyboard.press("Alt+ArrowUp")
    expect(world.alice.page.get_by_role("heading", level=1)).to_have_text(shown[0])


@story
def ten_tabs_share_one_stream_of_events(world):
    """A browser opens six connections to a place: a stream for each tab would use them up."""
    group = world.group("Tabs")

    def streams():
        from moot_client.node import _Local

        connection = _Local(str(world.alice.node.home / "moot.sock"), 10)
        connection.request("GET", "/api/v1/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        return int(re.search(r"^moot_event_streams(?:{[^}]*})? ([0-9]+)", text, re.M)[1])

    before = streams()
    pages = [world.alice.context.new_page() for _ in range(9)]
    for page in pages:
        world.alice.open(group, page)
    world.bob.node.say(group, "To all tabs")
    for page in (pages[0], pages[8]):
        expect(world.alice.row("To all tabs", page)).to_be_visible()
    assert streams() <= before, f"{streams()} streams, and {before} before"


STAND_IN = """
    window.told = [];
    window.Notification = class extends EventTarget {
        static permission = 'granted';
        static requestPermission() { return Promise.resolve('granted'); }
        constructor(title, options) { super(); window.told.push([title, options.body]); }
        close() {}
    };
    // An empty page has none.
    if (location.protocol === 'http:') localStorage.setItem('moot-notify', 'on');
"""


@story
def several_tabs_notify_once(world):
    """A message that nobody looks at makes one notification, however many tabs are open."""
    group = world.group("Bell")
    world.alice.go("#/")
    guest = world.guest(world.alice)
    guest.context.add_init_script(STAND_IN)
    guest.enter()
    pages = [guest.page, guest.context.new_page(), guest.context.new_page()]
    for page in pages[1:]:
        guest.go("#/people", page)
        expect(page.get_by_role("heading", name="People")).to_be_visible()
    world.bob.node.say(group, "Ring")

    def told():
        return [each for page in pages for each in page.evaluate("window.told")]

    wait(lambda: told(), "nobody was told")
    guest.page.wait_for_timeout(500)
    assert told() == [["Bob in Bell", "Ring"]], told()
