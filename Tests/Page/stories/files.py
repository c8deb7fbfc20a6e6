"""Files and photos: sent, shown, saved."""

import contextlib
import re
import zipfile

from harness.paintings import PHOTOS, png
from harness.pictures import put
from harness.runner import story, wait
from playwright.sync_api import Error, expect

SMALL = png(60, 40, PHOTOS["morning.png"][2])


def attach(user, *files):
    with user.page.expect_file_chooser() as chooser:
        user.page.get_by_role("button", name="Attach files").click()
    chooser.value.set_files([{"name": name, "mimeType": kind, "buffer": content} for name, kind, content in files])


@story
def a_photo_is_attached_shown_before_and_sent(world):
    """It stands in the composer first; Bob sees it in his conversation."""
    group = world.group("Album")
    world.bob.open(group)
    world.alice.open(group)
    attach(world.alice, ("sails.png", "image/png", SMALL))
    attached = world.alice.page.get_by_role("list", name="Attached files")
    expect(attached.get_by_role("listitem")).to_have_count(1)
    world.alice.shoot("attached")
    world.alice.say("New sails")
    expect(world.bob.row("New sails").get_by_role("button", name=re.compile("Photo sails"))).to_be_visible()
    expect(attached.get_by_role("listitem")).to_have_count(0)


@story
def what_is_dropped_or_pasted_is_attached(world):
    """A file from the desktop, and a picture from the clipboard."""
    group = world.group("Dropped")
    box = world.alice.open(group)
    for kind in ("paste", "drop"):
        box.evaluate(
            """(field, kind) => {
                const data = new DataTransfer();
                data.items.add(new File(['ahoy'], kind + '.txt', {type: 'text/plain'}));
                if (kind === 'paste') field.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
                else for (const name of ['dragenter', 'dragover', 'drop']) field.dispatchEvent(new DragEvent(name, {dataTransfer: data, bubbles: true, cancelable: true}));
            }""",
            kind,
        )
        expect(world.alice.page.get_by_role("list", name="Attached files").get_by_text(f"{kind}.txt")).to_be_visible()
    attached = world.alice.page.get_by_role("list", name="Attached files")
    attached.get_by_role("button", name=re.compile("paste.txt")).last.click()
    expect(attached.get_by_text("paste.txt")).to_have_count(0)
    world.alice.composer().press("Enter")
    wait(lambda: any(f["name"] == "drop.txt" for m in world.bob.node.all_messages(group) for f in m["files"]), "Bob has no file")


@story
def a_file_is_saved_as_it_was_sent(world):
    """The same bytes under the same name."""
    group = world.group("Papers")
    content = bytes(range(256)) * 40
    world.alice.node.ask("POST", f"/conversations/{group}/messages", {"text": "The papers", "files": [put(world.alice.node, content, "papers.bin", "application/octet-stream")]})
    wait(lambda: any(f["state"] == "here" for m in world.bob.node.all_messages(group) for f in m["files"]), "Bob has no file")
    world.bob.open(group)
    with world.bob.page.expect_download() as download:
        world.bob.row("The papers").get_by_role("link", name=re.compile("papers.bin")).click()
    assert download.value.suggested_filename == "papers.bin"
    with open(download.value.path(), "rb") as file:
        assert file.read() == content


@story
def one_file_of_several_is_deleted(world):
    """By the menu of its message; Bob sees it go, and the rest stays."""
    group = world.group("Too many")
    node = world.alice.node
    files = [put(node, name.encode(), name, "text/plain") for name in ("keep.txt", "wrong.txt")]
    node.ask("POST", f"/conversations/{group}/messages", {"text": "The lists", "files": files})
    world.bob.open(group)
    row = world.bob.row("The lists")
    expect(row.get_by_text("wrong.txt")).to_be_visible()
    world.alice.open(group)
    page = world.alice.page
    world.alice.row("The lists").focus()
    page.keyboard.press("Enter")
    page.get_by_role("menuitem", name="Delete a file").click()
    page.get_by_role("menuitem", name="wrong.txt").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    for user in (world.alice, world.bob):
        expect(user.row("The lists").get_by_text("wrong.txt")).to_have_count(0)
        expect(user.row("The lists").get_by_text("keep.txt")).to_be_visible()


@story
def the_gallery_shows_many_files_page_by_page(world):
    """The newest hundred first; the rest when it is asked for. What comes meanwhile stands first."""
    group = world.group("Archive")
    node = world.alice.node
    for start in range(0, 128, 16):
        files = [put(node, f"{number}".encode(), f"paper-{number:03}.txt", "text/plain") for number in range(start, start + 16)]
        node.ask("POST", f"/conversations/{group}/messages", {"text": f"From {start}", "files": files})
    alice = world.alice
    alice.open(group)
    alice.go(f"#/conversation/{group}/files/file")
    panel = alice.page.get_by_role("tabpanel")
    expect(panel.get_by_role("listitem")).to_have_count(100)
    expect(panel.get_by_role("listitem").first).to_contain_text("paper-127.txt")
    node.ask("POST", f"/conversations/{group}/messages", {"text": "One more", "files": [put(node, b"new", "new.txt", "text/plain")]})
    expect(panel.get_by_role("listitem").first).to_contain_text("new.txt")
    panel.get_by_role("button", name="Show earlier ones").click()
    expect(panel.get_by_role("listitem")).to_have_count(129)
    expect(panel.get_by_role("button", name="Show earlier ones")).to_have_count(0)


@story
def the_gallery_shows_photos_files_and_links(world):
    """Each kind has a tab; a photo opens large, arrow keys turn, Escape closes."""
    group = world.group("Gallery")
    node = world.bob.node
    for name in ("one.png", "two.png"):
        shade = 1 if name == "one.png" else 0.5
        picture = png(60, 40, lambda x, y, shade=shade: (x * shade, y, 0.6))
        node.ask("POST", f"/conversations/{group}/messages", {"text": name[:3], "files": [put(node, picture, name)]})
    node.ask("POST", f"/conversations/{group}/messages", {"text": "https://moot.example/chart", "files": [put(node, b"tides", "tides.txt", "text/plain")]})
    wait(lambda: sum(f["state"] == "here" for m in world.alice.node.all_messages(group) for f in m["files"]) == 3, "Alice does not have all")
    alice = world.alice
    alice.open(group)
    alice.go(f"#/conversation/{group}/files")
    photos = alice.page.get_by_role("tabpanel").get_by_role("button", name=re.compile("^Photo"))
    expect(photos).to_have_count(2)
    alice.shoot("gallery")
    photos.first.click()
    viewer = alice.page.get_by_role("dialog")
    first = viewer.get_by_role("heading").inner_text()
    alice.shoot("viewer")
    alice.page.keyboard.press("ArrowRight")
    expect(viewer.get_by_role("heading")).not_to_have_text(first)
    alice.check_access("the viewer")
    alice.page.keyboard.press("Escape")
    expect(viewer).to_have_count(0)
    alice.page.get_by_role("tab", name="Photos").focus()
    for tab, role, name in (("Files", "link", "Save tides.txt"), ("Links", "link", "https://moot.example/chart")):
        alice.page.get_by_role("tab", name=tab).click()
        expect(alice.page.get_by_role("tabpanel").get_by_role(role, name=name, exact=True)).to_be_visible()
        alice.check_access(f"the tab {tab}")


@story
def several_photos_are_saved_at_once(world):
    """Chosen ones, in one archive with each under its name."""
    group = world.group("Several")
    node = world.alice.node
    for number in range(3):
        picture = png(30, 20, lambda x, y, number=number: (number / 3, x, y))
        node.ask("POST", f"/conversations/{group}/messages", {"text": str(number), "files": [put(node, picture, f"several-{number}.png")]})
    world.alice.open(group)
    world.alice.go(f"#/conversation/{group}/files")
    page = world.alice.page
    page.get_by_role("button", name="Choose", exact=True).click()
    boxes = page.get_by_role("checkbox", name=re.compile("^Choose"))
    expect(boxes).to_have_count(3)
    boxes.nth(0).check()
    boxes.nth(2).check()
    expect(page.get_by_role("tabpanel").get_by_role("status")).to_have_text("2 chosen")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save", exact=True).click()
    assert download.value.suggested_filename == "Several.zip"
    with zipfile.ZipFile(download.value.path()) as archive:
        names = archive.namelist()
        assert archive.testzip() is None and len(names) == 2 and all(name.startswith("several-") for name in names), names


@story
def a_photo_is_saved_with_a_ticket_of_now(world):
    """The browser keeps pictures longer than the tickets by which it was shown them are good."""
    group = world.group("Long open")
    world.alice.node.ask("POST", f"/conversations/{group}/messages", {"text": "Look", "files": [put(world.alice.node, SMALL, "look.png")]})
    world.alice.go(f"#/conversation/{group}/files")
    page = world.alice.page
    expect(page.get_by_role("tabpanel").get_by_role("button", name=re.compile("^Photo look"))).to_be_visible()
    wait(lambda: page.evaluate("[...document.querySelectorAll('.tile img')].every((each) => each.complete)"), "the photo is not shown")
    fresh = page.evaluate(
        """async () => {
            const { session } = await import(document.querySelector('script[type=module]').src.replace('main.js', 'api.js'));
            await session.renew();
            return session.ticketed('');
        }"""
    )
    page.get_by_role("button", name="Choose", exact=True).click()
    page.get_by_role("checkbox", name=re.compile("^Choose look")).check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save", exact=True).click()
    assert download.value.suggested_filename.startswith("look."), download.value.suggested_filename
    assert download.value.url.endswith(fresh), download.value.url


@story
def an_upload_is_canceled(world):
    """What is taken away before it was sent is sent to nobody."""
    group = world.group("Second thoughts")
    world.alice.open(group)
    attach(world.alice, ("secret.txt", "text/plain", b"x" * 1_000), ("kept.txt", "text/plain", b"y"))
    attached = world.alice.page.get_by_role("list", name="Attached files")
    attached.get_by_role("button", name=re.compile("secret.txt")).last.click()
    expect(attached.get_by_role("listitem")).to_have_count(1)
    world.alice.say("Only one")
    wait(lambda: world.bob.node.message(group, "Only one"), "Bob has no message")
    assert [file["name"] for file in world.bob.node.message(group, "Only one")["files"]] == ["kept.txt"]


@story
def a_picture_that_comes_late_moves_nothing(world):
    """What somebody reads below a photo stays where it is when the photo comes."""
    group = world.group("Late")
    node = world.bob.node
    node.ask("POST", f"/conversations/{group}/messages", {"text": "Slow", "files": [put(node, png(400, 300, PHOTOS["fog.png"][2]), "slow.png")]})
    node.ask("POST", f"/conversations/{group}/messages", {"texts": [f"below {number}" for number in range(4)]})
    wait(lambda: any(f["state"] == "here" for m in world.alice.node.all_messages(group) for f in m["files"]), "Alice has no photo")
    wait(lambda: world.alice.node.message(group, "below 3"), "Alice does not have all")
    world.alice.node.ask("POST", f"/conversations/{group}/read")
    held = []
    world.alice.page.route("**/blobs/**", lambda route: held.append(route))
    world.alice.open(group)
    row = world.alice.row("below 3")
    expect(row).to_be_in_viewport()
    wait(lambda: held, "the photo was not asked for")
    before = row.bounding_box()["y"]
    for route in list(held):
        # The browser may have taken a request back, to ask again.
        with contextlib.suppress(Error):
            route.continue_()
    world.alice.page.unroute_all(behavior="ignoreErrors")
    world.alice.page.wait_for_timeout(600)
    assert abs(row.bounding_box()["y"] - before) <= 1, f"it moved by {row.bounding_box()['y'] - before} px"


@story
def a_film_is_not_read_before_somebody_plays_it(world):
    """It is made by others, and a browser has much code that reads films: to scroll past one runs none of it."""
    from .steadiness import sound

    group = world.group("Not played")
    alice, asked = world.alice, []
    alice.node.ask("POST", f"/conversations/{group}/messages", {"text": "Hear and see", "files": [put(alice.node, sound(), "bell.wav", "audio/wav"), put(alice.node, b"no film", "wave.webm", "video/webm")]})
    alice.page.on("request", lambda request: asked.append(request) if request.resource_type == "media" else None)
    alice.open(group)
    for kind, name in (("audio", "bell.wav"), ("video", "wave.webm")):
        player = alice.row("Hear and see").locator(kind)
        expect(player).to_have_attribute("aria-label", name)
        expect(player).to_have_attribute("preload", "none")
    alice.page.wait_for_timeout(300)
    assert asked == [], "it was asked for before somebody pressed it"
