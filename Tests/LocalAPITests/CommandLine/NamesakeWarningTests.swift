import LocalAPIModel
import Testing

@testable import Node
@testable import moot

@Suite("The warning of namesakes")
struct NamesakeWarningTests {
    private func person(_ id: String, verified: Bool = false, isMe: Bool = false) -> PersonDescription {
        PersonDescription(
            user: String(repeating: id, count: 64), name: "Bob\u{1B}[2J", presence: .online, verified: verified,
            blocked: false,
            devices: [], isMe: isMe)
    }

    @Test func `names everybody with their id and how sure we are of them`() {
        let lines = NamesakeWarning.lines(about: [[person("a", verified: true), person("b"), person("c", isMe: true)]])
        #expect(
            lines == [
                "warning: 3 people are called Bob[2J: aaaaaaaaaaaaaaaa (verified), bbbbbbbbbbbbbbbb (not verified), "
                    + "cccccccccccccccc (you). Check whom you are talking to."
            ])
        #expect(NamesakeWarning.lines(about: []).isEmpty)
    }
}
