import LocalAPIClient
import Testing

@testable import moot

@Suite("Names that a shell completes")
struct LiveNamesTests {
    @Test func `are those that mean one thing, in order`() {
        #expect(
            LiveNames.offered(["Ship", "Boat", "Ship", "", "Family Group", "Zoë", "世界"]) == [
                "Boat", "Family Group", "Zoë", "世界",
            ])
    }

    @Test func `are none that look alike, and none that a command takes for something else`() {
        #expect(
            LiveNames.offered(["Bob", "Воb", "20261128", "Deleted User", "me", "Notes to yourself", "Boat"]) == [
                "Boat", "Notes to yourself",
            ])
    }

    @Test(arguments: [
        "$(touch /tmp/x)", "`id`", "a$HOME", "a\\b", "a'b", "a\"b", "a\nb", "a;b", "a|b", "a&b", "<(id)", "a*", "~root",
        "-h",
        "a:b", "{a,b}", "!1", " a", "a\u{202E}b", "a\u{2028}b", "a\u{1B}[31m",
    ])
    func `have nothing in them that a shell would act on`(name: String) {
        #expect(LiveNames.offered([name, "Bob"]) == ["Bob"])
    }

    @Test func `are none where the node takes too long or is not there`() async {
        let late = await LiveNames.answer(within: .milliseconds(50)) {
            try await Task.sleep(for: .seconds(600))
            return ["Bob"]
        }
        #expect(late.isEmpty)
        #expect(await LiveNames.answer(within: .seconds(60)) { throw CancellationError() }.isEmpty)
        #expect(await LiveNames.answer(within: .seconds(60)) { ["Bob"] } == ["Bob"])
    }

    @Test(arguments: [
        (["moot", "read", "--home", "/a", ""], "/a/moot.sock"), (["moot", "read", "--home=/b", ""], "/b/moot.sock"),
    ])
    func `come from the node that the command line names`(words: [String], socket: String) {
        #expect(LiveNames.client(for: words).socketPath == socket)
    }
}
