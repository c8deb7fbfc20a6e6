import LocalAPIModel
import Testing

@testable import Node
@testable import moot

@Suite("The warning of namesakes")
struct NamesakeWarningTests {
    private func person(
        _ id: String, named name: String = "Bob\u{1B}[2J", verified: Bool = false, isMe: Bool = false
    ) -> PersonDescription {
        PersonDescription(
            user: String(repeating: id, count: 64), name: name, nameLook: "bob", presence: .online, verified: verified,
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

    @Test func `names everybody as they write themselves where their names only look the same`() {
        let lines = NamesakeWarning.lines(about: [
            [person("a", named: "Bob", verified: true), person("b", named: "Воb")]
        ])
        #expect(
            lines == [
                "warning: 2 people have names that look the same: Bob aaaaaaaaaaaaaaaa (verified), "
                    + "Воb bbbbbbbbbbbbbbbb (not verified). Check whom you are talking to."
            ])
    }
}
