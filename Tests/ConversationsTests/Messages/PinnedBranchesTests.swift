import Conversations
import Membership
import OperationLog
import OperationLogFixtures
import Testing

@Suite("What a pin leaves of a person's content")
struct PinnedBranchesTests {
    private func write(_ body: UInt8, by name: String, in circle: inout Circle) throws -> Operation {
        try #require(try circle.write(content: [.init(type: .message, body: [body])], by: name).first)
    }

    private func pin(_ operation: Operation, number: UInt64? = nil) -> Pin {
        Pin(
            device: operation.author.id, sequenceNumber: number ?? operation.header.sequenceNumber,
            operation: operation.id)
    }

    @Test func `is its branch, and no fork below it that comes later`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let carol = circle.user("Carol")
        try circle.decide("Alice") { .promote(under: $0, target: carol, role: .moderator) }
        let first = try write(1, by: "Carol", in: &circle)
        var carols = circle
        let seen = [try write(2, by: "Carol", in: &circle), try write(3, by: "Carol", in: &circle)]
        let fork = try write(4, by: "Carol", in: &carols)
        let last = pin(seen[1])
        try circle.decide("Alice") { .remove(under: $0, target: carol, pins: [last]) }
        try circle.meet(content: [fork])
        #expect(fork.header.sequenceNumber < last.sequenceNumber)
        #expect(circle.isCutOff(fork))
        #expect(circle.authorRole(of: fork) == .member)
        for operation in [first] + seen {
            #expect(!circle.isCutOff(operation))
            #expect(circle.authorRole(of: operation) == .moderator)
        }
    }

    @Test func `is nothing that whoever leaves has yet to write`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let seen = try write(1, by: "Carol", in: &circle)
        var carols = circle
        try circle.write(by: "Carol", .leave(pins: [pin(seen, number: 1 << 50)]))
        let unseen = try write(2, by: "Carol", in: &carols)
        try circle.meet(content: [unseen])
        #expect(!circle.isCutOff(seen))
        #expect(circle.isCutOff(unseen))
    }

    /// Its number says nothing about content.
    @Test func `is nothing where it names a decision`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let seen = try write(1, by: "Carol", in: &circle)
        for _ in 0..<3 { try circle.write(by: "Carol", .leave(pins: [])) }
        let decision = try #require(circle.log.membership.operations.last { $0.author.user == circle.user("Carol") })
        var branches = PinnedBranches()
        let headers = [seen.id: seen.header, decision.id: decision.header]
        try #require(decision.header.sequenceNumber > seen.header.sequenceNumber)
        let isCovered = branches.isCovered(pin(decision), seen, in: circle.log.contentFrontier) { headers[$0] }
        #expect(!isCovered)
    }

    @Test func `is nothing while what it names is not here`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let seen = try write(1, by: "Carol", in: &circle)
        var carols = circle
        let next = try write(2, by: "Carol", in: &carols)
        let (carol, last) = (circle.user("Carol"), pin(next))
        try circle.decide("Alice") { .remove(under: $0, target: carol, pins: [last]) }
        #expect(circle.isCutOff(seen))
        try circle.meet(content: [next])
        #expect(!circle.isCutOff(seen) && !circle.isCutOff(next))
    }
}
