import Testing

@testable import moot

@Suite("Programs of the system")
struct ReadOnlyCommandTests {
    @Test func `say what they print, or that they fail, or are not there`() {
        #expect(ReadOnlyCommand.run("sh", ["-c", "echo one; echo two >&2"]) == .printed("one\n"))
        #expect(ReadOnlyCommand.run("sh", ["-c", "echo one; exit 3"]) == .refused)
        #expect(ReadOnlyCommand.run("moot-no-such-program", []) == .missing)
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["sleep 300", "exec >&-; exec sleep 300", "trap '' TERM; sleep 300", "sleep 300 & exit 0"])
    func `are not waited for when they stay, whether they print or not`(script: String) {
        let start = ContinuousClock.now
        #expect(ReadOnlyCommand.run("sh", ["-c", script]) == .refused)
        #expect(.now - start < .seconds(20))
    }
}
