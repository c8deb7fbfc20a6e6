import Conversations
import Membership
import OperationLog
import OperationLogFixtures
import Testing

/// Alice is the founder. Pat is removed and goes on writing on heads from before the removal: in that past Pat's
/// operations count.
@Suite("What is void lends nobody a say in content")
struct VoidSayTests {
    private func write(_ type: OperationType = .message, by name: String, in circle: inout Circle) throws -> Operation {
        try #require(try circle.write(content: [.init(type: type, body: [1])], by: name).last)
    }

    /// Takes in what was written elsewhere.
    private func meet(_ other: Circle, saying content: [Operation], in circle: inout Circle) throws {
        try circle.meet(other)
        try circle.meet(content: content)
    }

    @Test func `not to whom a removed admin brings in, however much they are promoted`() throws {
        var circle = try Circle("Alice", "Bob", "Pat", outsiders: ["Sam"])
        let (pat, sam) = (circle.user("Pat"), circle.user("Sam"))
        try circle.decide("Alice") { .promote(under: $0, target: pat, role: .admin) }
        var elsewhere = circle
        try circle.remove("Pat", by: "Alice")
        try elsewhere.add("Sam", by: "Pat")
        try elsewhere.decide("Pat") { .promote(under: $0, target: sam, role: .moderator) }
        let message = try write(by: "Sam", in: &elsewhere)
        let deletion = try write(.delete, by: "Sam", in: &elsewhere)
        #expect(elsewhere.authorRole(of: deletion) == .moderator && !elsewhere.isCutOff(message))
        try meet(elsewhere, saying: [message, deletion], in: &circle)
        #expect(!circle.group.isMember(sam))
        #expect(circle.isCutOff(message) && circle.isCutOff(deletion))
        #expect(circle.authorRole(of: deletion) == .outsider)
    }

    @Test func `not more than they have to a member whom a removed admin promotes`() throws {
        var circle = try Circle("Alice", "Bob", "Pat", "Mia")
        let (pat, mia) = (circle.user("Pat"), circle.user("Mia"))
        try circle.decide("Alice") { .promote(under: $0, target: pat, role: .admin) }
        var elsewhere = circle
        try circle.remove("Pat", by: "Alice")
        try elsewhere.decide("Pat") { .promote(under: $0, target: mia, role: .moderator) }
        let deletion = try write(.delete, by: "Mia", in: &elsewhere)
        #expect(elsewhere.authorRole(of: deletion) == .moderator)
        try meet(elsewhere, saying: [deletion], in: &circle)
        #expect(circle.authorRole(of: deletion) == .member)
        #expect(!circle.isCutOff(deletion), "a member they are by another grant")
    }

    @Test func `not to whom a removed member brings in where everybody may`() throws {
        var circle = try Circle("Alice", "Bob", "Pat", outsiders: ["Sam"])
        try circle.set(AddSetting.field, to: AddSetting.everyone, by: "Alice")
        var elsewhere = circle
        try circle.remove("Pat", by: "Alice")
        try elsewhere.add("Sam", by: "Pat")
        let message = try write(by: "Sam", in: &elsewhere)
        try meet(elsewhere, saying: [message], in: &circle)
        #expect(circle.isCutOff(message))
        #expect(circle.authorRole(of: message) == .outsider)
    }

    @Test func `but whom the remover had seen brought in keeps theirs`() throws {
        var circle = try Circle("Alice", "Bob", "Pat", outsiders: ["Sam"])
        let (pat, sam) = (circle.user("Pat"), circle.user("Sam"))
        try circle.decide("Alice") { .promote(under: $0, target: pat, role: .admin) }
        try circle.add("Sam", by: "Pat")
        let message = try write(by: "Sam", in: &circle)
        try circle.remove("Pat", by: "Alice")
        #expect(circle.group.isMember(sam) && !circle.isCutOff(message))
        #expect(circle.authorRole(of: message) == .member)
    }

    @Test func `and the acting admin has theirs, also if something void made them admin as well`() throws {
        var circle = try Circle("Alice", "Bob", "Pat")
        let (bob, pat) = (circle.user("Bob"), circle.user("Pat"))
        try circle.decide("Alice") { .promote(under: $0, target: pat, role: .admin) }
        var elsewhere = circle
        try circle.remove("Pat", by: "Alice")
        try elsewhere.decide("Pat") { .promote(under: $0, target: bob, role: .admin) }
        try circle.meet(elsewhere)
        try circle.write(by: "Alice", .leave(pins: []))
        let deletion = try write(.delete, by: "Bob", in: &circle)
        #expect(circle.group.actingAdmin == bob)
        #expect(circle.authorRole(of: deletion) == .moderator && !circle.isCutOff(deletion))
    }

    @Test(arguments: [OperationType.message, .edit, .file])
    func `where only moderators write, a member who does is cut off`(type: OperationType) throws {
        var circle = try Circle("Alice", "Bob", "Mia")
        let mia = circle.user("Mia")
        try circle.decide("Alice") { .promote(under: $0, target: mia, role: .moderator) }
        let before = try write(type, by: "Bob", in: &circle)
        try circle.set(Group.announcementField, to: "on", by: "Alice")
        let said = try write(type, by: "Bob", in: &circle)
        let reaction = try write(.reaction, by: "Bob", in: &circle)
        let byModerator = try write(type, by: "Mia", in: &circle)
        try circle.set(Group.announcementField, to: "off", by: "Alice")
        let after = try write(type, by: "Bob", in: &circle)
        #expect(
            [before, said, reaction, byModerator, after].map(circle.isCutOff) == [false, true, false, false, false])
    }

    @Test func `and a void setting keeps nobody from writing`() throws {
        var circle = try Circle("Alice", "Bob", "Pat")
        let pat = circle.user("Pat")
        try circle.decide("Alice") { .promote(under: $0, target: pat, role: .admin) }
        var elsewhere = circle
        try circle.remove("Pat", by: "Alice")
        try elsewhere.set(Group.announcementField, to: "on", by: "Pat")
        let message = try write(by: "Bob", in: &elsewhere)
        #expect(elsewhere.isCutOff(message))
        try meet(elsewhere, saying: [message], in: &circle)
        #expect(!circle.isCutOff(message))
    }
}
