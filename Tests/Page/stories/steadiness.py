"""What must not change: what somebody plays, selects, types or reads while something else happens."""

import contextlib
import io
import json
import re
import wave

from harness.browser import APP
from harness.pictures import put
from harness.runner import story, wait
from playwright.sync_api import Error, expect

from .groups import info


def sound(seconds=3):
    """A sound without a sound."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setparams((1, 2, 8_000, 0, "NONE", ""))
        writer.writeframes(bytes(2 * 8_000 * seconds))
    return file.getvalue()


def many(world, group, count, name="line"):
    """Messages of Bob's, all of them at Alice's node and read."""
    world.bob.node.ask("POST", f"/conversations/{group}/messages", {"texts": [f"{name} {number}" for number in range(count)]}, timeout=120)
    wait(lambda: world.alice.node.message(group, f"{name} {count - 1}"), "Alice does not have all", 60)
    world.alice.node.ask("POST", f"/conversations/{group}/read")


def message_id(user, group, text):
    return next(each["id"] for each in user.node.all_messages(group) if each["text"] == text)


def resync(user):
    """Lets the page hear that events were lost, as it does when it was away for long."""
    other = user.context.new_page()
    user.go("#/", other)
    other.evaluate("new BroadcastChannel('moot-events').postMessage({kind: 'events', events: [JSON.stringify({type: 'resync'})]})")
    other.wait_for_timeout(50)
    other.close()


@story
def a_receipt_leaves_alone_what_is_played_and_selected(world):
    """Bob reads what Alice plays and selects: only the mark of her message changes."""
    group = world.group("Undisturbed")
    alice = world.alice
    world.bob.go("#/")
    alice.node.ask("POST", f"/conversations/{group}/messages", {"text": "Listen", "files": [put(alice.node, sound(), "bell.wav", "audio/wav")]})
    alice.open(group)
    row = alice.row("Listen")
    expect(alice.page.get_by_role("article", name=re.compile("Listen.*Delivered to 2"))).to_be_visible()
    row.evaluate(
        """row => {
            row.querySelector('audio').currentTime = 1.5;
            getSelection().selectAllChildren(row.querySelector('.text'));
        }"""
    )
    world.bob.open(group)
    expect(alice.page.get_by_role("article", name=re.compile("Listen.*Read by 1"))).to_be_visible()
    assert alice.page.evaluate("String(getSelection())") == "Listen", "the selection is lost"
    assert row.evaluate("row => row.querySelector('audio').currentTime") == 1.5, "the sound began again"


@story
def what_is_sent_among_older_messages_is_there_at_once(world):
    """The bubble does not wait for the messages between."""
    group = world.group("From afar")
    many(world, group, 200)
    alice = world.alice
    alice.open(group)
    alice.go(f"#/conversation/{group}/{message_id(alice, group, 'line 3')}")
    expect(alice.row("line 3").first).to_be_in_viewport()
    expect(alice.row("line 199")).to_have_count(0)
    # The page of the newest messages comes only after the bubble was seen.
    held = []
    alice.page.route(re.compile(f"conversations/{group}/messages\\?limit=60$"), lambda route: held.append(route))
    alice.say("Here I am")
    expect(alice.row("Here I am")).to_be_in_viewport()
    # It stays when the node has it.
    expect(alice.page.get_by_role("article", name=re.compile("Here I am, (Sent|Delivered|Read)"))).to_be_in_viewport()
    expect(alice.row("line 199")).to_have_count(0)
    wait(lambda: held, "the newest messages were not asked for")
    for route in held:
        route.continue_()
    expect(alice.row("line 199")).to_be_visible()
    expect(alice.row("Here I am")).to_have_count(1)
    expect(alice.row("Here I am")).to_be_in_viewport()
    alice.page.unroute_all(behavior="ignoreErrors")


@story
def a_page_that_was_on_its_way_takes_nothing_back(world):
    """What came while the messages were fetched is there when they are."""
    group = world.group("Overtaken")
    world.bob.node.say(group, "Before")
    wait(lambda: world.alice.node.message(group, "Before"), "Alice has no message")
    alice, held = world.alice, []
    alice.go("#/")
    pattern = f"**/conversations/{group}/messages?*"
    alice.page.route(pattern, lambda route: held.append((route, route.fetch())))
    alice.go(f"#/conversation/{group}")
    wait(lambda: held, "the messages were not asked for")
    world.bob.node.say(group, "Meanwhile")
    expect(alice.link("Overtaken")).to_contain_text("Meanwhile")
    # No page but this one comes: what is asked for later waits.
    held[0][0].fulfill(response=held[0][1])
    expect(alice.row("Before")).to_be_visible()
    expect(alice.row("Meanwhile")).to_be_visible()
    alice.page.unroute_all(behavior="ignoreErrors")
    for route, answer in held[1:]:
        with contextlib.suppress(Error):
            route.fulfill(response=answer)


@story
def drafts_in_two_tabs_do_not_take_each_others_place(world):
    """Each tab keeps what was typed in it, also over a reload."""
    group = world.group("Two tabs")
    alice = world.alice
    other = alice.context.new_page()
    first, second = alice.open(group), alice.open(group, other)
    for tab, text in ((first, "From the first tab"), (second, "From the second tab")):
        tab.fill(text)
        # Each tab waits a little before it keeps what is typed: two at once would be kept in any order.
        wait(lambda text=text: alice.node.ask("GET", f"/conversations/{group}").get("draft") == text, f"the draft is not kept: {text}")
    alice.page.bring_to_front()
    for page, text in ((alice.page, "From the first tab"), (other, "From the second tab")):
        expect(alice.composer(page)).to_have_value(text)
        page.reload()
        expect(alice.composer(page)).to_have_value(text)
    # Once it is sent, the tab has nothing of its own.
    alice.composer().press("Enter")
    expect(alice.row("From the first tab")).to_be_visible()
    other.close()
    alice.page.reload()
    expect(alice.row("From the first tab")).to_be_visible()
    expect(alice.composer()).not_to_have_value("From the first tab")
    alice.composer().fill("")
    wait(lambda: "draft" not in alice.node.ask("GET", f"/conversations/{group}"), "the draft stays")


@story
def what_was_typed_outlives_a_page_that_goes_while_it_asks(world):
    """What breaks because the page goes is no word about the node."""
    group = world.group("On the go")
    alice, held = world.alice, []
    alice.page.route("**/typing", lambda route: held.append(route))
    alice.page.route("**/private", lambda route: held.append(route))
    alice.open(group).fill("Half a thought")
    wait(lambda: len(held) > 1, "nothing is on its way")
    alice.page.reload()
    expect(alice.composer()).to_have_value("Half a thought")
    alice.page.unroute_all(behavior="ignoreErrors")
    alice.composer().fill("")
    wait(lambda: "draft" not in alice.node.ask("GET", f"/conversations/{group}"), "the draft stays")


@story
def a_draft_that_was_sent_from_elsewhere_does_not_come_back(world):
    """The node has it, so a tab that left the conversation keeps nothing of its own."""
    group = world.group("Two places")
    alice = world.alice
    alice.open(group).fill("Begun here")
    wait(lambda: alice.node.ask("GET", f"/conversations/{group}").get("draft") == "Begun here", "the draft is not kept")
    alice.page.wait_for_timeout(100)
    alice.go("#/")
    expect(alice.page.get_by_role("heading", name="Choose a conversation")).to_be_visible()
    alice.node.ask("POST", f"/conversations/{group}/messages", {"text": "Begun here", "clear_draft": True})
    expect(alice.link("Two places")).to_contain_text("You: Begun here")
    box = alice.open(group)
    expect(alice.row("Begun here")).to_be_visible()
    expect(box).to_have_value("")


@story
def the_list_is_read_on_after_the_newest_messages_could_not_be_fetched(world):
    """Whoever sent something among older messages was on the way to them."""
    group = world.group("Not there yet")
    many(world, group, 200)
    alice = world.alice
    alice.open(group)
    alice.go(f"#/conversation/{group}/{message_id(alice, group, 'line 3')}")
    expect(alice.row("line 3").first).to_be_in_viewport()
    asked = []
    alice.page.route(re.compile(f"conversations/{group}/messages\\?limit=60$"), lambda route: asked.append(route))
    with alice.tolerating("500"):
        alice.say("On the way")
        expect(alice.row("On the way")).to_be_in_viewport()
        # The list has come to rest before the answer is here: nothing scrolls any more.
        alice.page.wait_for_timeout(300)
        for route in asked:
            route.fulfill(status=500, body=json.dumps({"error": {"code": "internal", "message": "Not now"}}))
        refused = alice.page.get_by_role("alert").filter(has_text="Not now")
        expect(refused).to_be_visible()
        refused.get_by_role("button", name="Dismiss").click()
    alice.page.unroute_all(behavior="ignoreErrors")

    def is_at_end():
        alice.page.evaluate("() => { const list = document.querySelector('.list'); list.scrollTop = list.scrollHeight; }")
        return alice.row("line 199").count() == 1

    wait(is_at_end, "what is later does not come")
    expect(alice.row("On the way")).to_have_count(1)


@story
def after_a_break_what_is_shown_is_asked_for_again(world):
    """Also far above the end, where somebody reads: an event of the change may be lost."""
    group = world.group("Away")
    many(world, group, 200)
    alice = world.alice
    alice.open(group)
    alice.go(f"#/conversation/{group}/{message_id(alice, group, 'line 5')}")
    row = alice.row("line 5").first
    expect(row).to_be_in_viewport()
    before = row.bounding_box()["y"]

    def changed(route):
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('"line 5"', '"line five"'))

    alice.page.route(f"**/conversations/{group}/messages?*", changed)
    resync(alice)
    expect(alice.row("line five")).to_be_in_viewport()
    alice.page.unroute_all(behavior="ignoreErrors")
    assert abs(alice.row("line five").bounding_box()["y"] - before) <= 1, "the messages moved"


@story
def the_focus_stays_when_the_details_change(world):
    """Whoever goes through them by keyboard is where they were after somebody else changed the group."""
    group = world.group("Focus")
    alice = world.alice
    panel = info(alice, group)
    for name, role in (("Archive", "button"), ("Every member adds people", "switch"), ("Edit group", "button")):
        control = panel.get_by_role(role, name=name)
        control.focus()
        alice.node.ask("PATCH", f"/conversations/{group}", {"description": f"Changed while {name} has the focus"})
        expect(panel.get_by_text(f"Changed while {name} has the focus")).to_be_visible()
        expect(control).to_be_focused()


@story
def the_focus_stays_on_a_toast(world):
    """Another one does not take it away, and one that has it does not go away by itself; dismissed, the next has it."""
    alice = world.alice
    alice.go("#/")
    toasts = alice.page.get_by_role("button", name="Dismiss")
    alice.page.evaluate(f"async () => {APP}.toast('The first')")
    expect(toasts).to_have_count(1)
    toasts.first.focus()
    alice.page.evaluate(f"async () => {APP}.toast('The second')")
    expect(toasts).to_have_count(2)
    expect(toasts.first).to_be_focused()
    alice.page.keyboard.press("Enter")
    expect(toasts).to_have_count(1)
    expect(toasts.first).to_be_focused()
    alice.page.keyboard.press("Enter")
    expect(toasts).to_have_count(0)


@story
def what_goes_wrong_behind_a_dialog_is_said_in_it(world):
    """The rest of the page is neither seen nor heard then."""
    group = world.group("Behind")
    alice = world.alice
    alice.open(group)
    alice.choose(alice.page.get_by_role("button", name="More about this conversation"), "Tags…")
    dialog = alice.page.get_by_role("dialog", name="Tags")
    refusal = {"error": {"code": "disk_full", "message": "The disk is full"}}
    alice.page.route("**/private", lambda route: route.fulfill(status=507, body=json.dumps(refusal)) if route.request.method == "PUT" else route.continue_())
    with alice.tolerating("507"):
        dialog.get_by_role("button", name="Save").click()
        expect(dialog.get_by_role("alert")).to_contain_text("The disk is full")
        expect(dialog.get_by_role("alert")).to_be_in_viewport()
        alice.check_access("a dialog with an error")
        alice.shoot("dialog-error")
    alice.page.unroute_all(behavior="ignoreErrors")
    # The toast is a part of the dialog, so pressing it leaves the dialog open.
    dialog.get_by_role("button", name="Dismiss").click()
    expect(dialog.get_by_role("alert")).to_have_count(0)
    expect(dialog).to_be_visible()
    alice.page.keyboard.press("Escape")


@story
def a_link_to_where_one_is_leads_there_again(world):
    """The message that it names may be far away by now."""
    group = world.group("Again")
    many(world, group, 80)
    alice = world.alice
    wanted = message_id(alice, group, "line 2")
    world.bob.node.say(group, f"As said: moot://conversation/{group}/{wanted}")
    alice.open(group)
    for _ in range(2):
        link = alice.row("As said").get_by_role("link")
        expect(link).to_be_in_viewport()
        link.click()
        expect(alice.row("line 2").first).to_be_in_viewport()
        expect(link).not_to_be_in_viewport()
        alice.page.get_by_role("button", name="To the newest messages").click()


@story
def a_file_dropped_beside_its_place_does_not_replace_the_page(world):
    """The browser would open it: a drop is taken everywhere, and means something only in a conversation."""
    world.alice.go("#/people")
    expect(world.alice.page.get_by_role("heading", name="People")).to_be_visible()
    for role in ("navigation", "main"):
        taken = world.alice.page.get_by_role(role).first.evaluate(
            """element => ['dragover', 'drop'].map((name) => {
                const data = new DataTransfer();
                data.items.add(new File(['x'], 'x.txt'));
                return !element.dispatchEvent(new DragEvent(name, {dataTransfer: data, bubbles: true, cancelable: true}));
            })"""
        )
        assert taken == [True, True], f"{role}: {taken}"


@story
def letters_work_with_caps_lock(world):
    """On a message P pins and E edits, whatever the case."""
    group = world.group("Capitals")
    alice = world.alice
    alice.node.say(group, "Watch this")
    alice.open(group)
    row = alice.row("Watch this")
    expect(row).to_be_visible()
    row.focus()
    row.press("P")
    expect(alice.page.get_by_role("button", name=re.compile("Pinned message.*Watch this", re.S))).to_be_visible()
    row.focus()
    row.press("E")
    expect(alice.page.get_by_role("main").get_by_text("Edit message")).to_be_visible()


@story
def a_choice_that_was_refused_is_as_it_was(world):
    """The list says what holds, and not what somebody wanted."""
    group = world.group("Refused")
    alice = world.alice
    panel = info(alice, group)
    choice = panel.get_by_role("combobox", name="Keep messages")
    alice.page.route("**/retention", lambda route: route.fulfill(status=409, body=json.dumps({"error": {"code": "refused", "message": "Not now"}})))
    with alice.tolerating("409"):
        choice.select_option("7 days")
        expect(alice.page.get_by_role("alert").filter(has_text="Not now")).to_be_visible()
        expect(choice).to_have_value("")
    alice.page.unroute_all(behavior="ignoreErrors")


@story
def what_was_made_for_pictures_is_given_back(world):
    """Attached files, a group's photo and codes as pictures leave nothing behind in the memory of the browser."""
    from .files import SMALL, attach

    group = world.group("Memory")
    guest = world.guest(world.alice)
    guest.context.add_init_script(
        """const made = new Set(); window.kept = made;
        const create = URL.createObjectURL, revoke = URL.revokeObjectURL;
        URL.createObjectURL = (of) => { const address = create(of); made.add(address); return address; };
        URL.revokeObjectURL = (address) => { made.delete(address); revoke(address); };"""
    )
    guest.enter()
    guest.open(group)
    attach(guest, ("one.png", "image/png", SMALL), ("two.png", "image/png", SMALL))
    attached = guest.page.get_by_role("list", name="Attached files")
    expect(attached.get_by_role("listitem")).to_have_count(2)
    attached.get_by_role("button", name="Remove two.png").click()
    guest.say("One is sent")
    expect(attached.get_by_role("listitem")).to_have_count(0)
    panel = info(guest, group)
    panel.get_by_role("button", name="Codes to join").click()
    codes = guest.page.get_by_role("dialog", name="Codes to join")
    codes.get_by_role("button", name="Make a code").click()
    expect(codes.get_by_role("img", name="The code as a QR code")).to_be_visible()
    guest.screen("codes")
    # Without leave for the clipboard the code is chosen, and nothing complains.
    guest.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError')); }")
    codes.get_by_role("button", name="Copy the code").click()
    expect(codes.get_by_role("textbox", name="Code")).to_be_focused()
    guest.page.keyboard.press("Escape")
    wait(lambda: guest.page.evaluate("[...window.kept].filter((each) => { const icon = document.querySelector('link[rel=icon]'); return each !== icon.href && each !== icon.dataset.original; }).length") == 0, "something is kept")
