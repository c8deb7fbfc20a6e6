import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures
import Testing

/// Carol, a moderator, may have certified more devices than one operation can pin.
@Suite("Pins that an operation names")
struct PinLimitTests {
    private static func pins(_ count: Int) -> [Pin] {
        (0..<count).map { number in
            let name = Digest.hash("test", [UInt8(number & 0xFF), UInt8(number >> 8)])
            return Pin(device: DeviceID(digest: name), sequenceNumber: 1, operation: OperationID(digest: name))
        }
        .sorted { ($0.device, $0.operation) < ($1.device, $1.operation) }
    }

    @Test func `are those of the longest chains`() throws {
        let long = Digest.hash("test", [9])
        let pins =
            Self.pins(MembershipBody.maximumPins + 1)
            + [Pin(device: DeviceID(digest: long), sequenceNumber: 7, operation: OperationID(digest: long))]
        let named = Pin.fitting(pins)
        #expect(named.count == MembershipBody.maximumPins && named.contains { $0.sequenceNumber == 7 })
        let body = MembershipBody.leave(pins: named)
        #expect(body.encoded.count <= Limits.maximumBodyBytes)
        #expect(try MembershipBody.decode(body.encoded, type: .leave) == body)
        #expect(Pin.fitting([]) == [])
    }

    private func delete(by name: String, in circle: inout Circle) throws -> Operation {
        try #require(try circle.write(content: [.init(type: .delete, body: [])], by: name).last)
    }

    @Test func `are those of one operation: another one that takes the same person out adds nothing`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let carol = circle.user("Carol")
        try circle.decide("Alice") { .promote(under: $0, target: carol, role: .moderator) }
        let seen = try delete(by: "Carol", in: &circle)
        let pin = Pin(device: seen.author.id, sequenceNumber: seen.header.sequenceNumber, operation: seen.id)
        var authority: MembershipBody.Authority?
        try circle.decide("Alice") {
            authority = $0
            return .remove(under: $0, target: carol, pins: Self.pins(3))
        }
        try circle.write(by: "Alice", .remove(under: try #require(authority), target: carol, pins: [pin]))
        #expect(circle.authorRole(of: seen) == .member)
    }

    @Test func `of a leave that follows a leave add nothing`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let carol = circle.user("Carol")
        try circle.decide("Alice") { .promote(under: $0, target: carol, role: .moderator) }
        let unseen = try delete(by: "Carol", in: &circle)
        let pin = Pin(device: unseen.author.id, sequenceNumber: unseen.header.sequenceNumber, operation: unseen.id)
        try circle.write(by: "Carol", .leave(pins: []))
        #expect(circle.authorRole(of: unseen) == .member)
        try circle.write(by: "Carol", .leave(pins: [pin]))
        #expect(circle.authorRole(of: unseen) == .member)
    }

    @Test(arguments: [-1, 0, 1])
    func `fit the bodies of a ratification, besides everybody who is kept`(surplus: Int) throws {
        var circle = try Circle("Alice", "Bob", "Carol", "Dave")
        let (alice, bob) = (circle.user("Alice"), circle.user("Bob"))
        let (carol, dave) = (circle.user("Carol"), circle.user("Dave"))
        try circle.decide("Alice") { .promote(under: $0, target: bob, role: .admin) }
        for user in [carol, dave] { try circle.decide("Alice") { .remove(under: $0, target: user, pins: []) } }
        try circle.write(by: "Alice", .leave(pins: []))
        let pins = [carol: Self.pins(MembershipBody.maximumPins + surplus), dave: Self.pins(1)]
        let owed = try #require(circle.group.ratification(owedBy: bob) { pins[$0] ?? [] })
        let bodies = owed(.acting)
        #expect(bodies.count == (surplus < 0 ? 1 : 2))
        var banned: [UserID: [Pin]] = [:]
        for body in bodies {
            #expect(body.encoded.count <= Limits.maximumBodyBytes)
            #expect(try MembershipBody.decode(body.encoded, type: .ratify) == body)
            guard case .ratify(_, _, let bans) = body else { continue }
            for ban in bans { banned[ban.user, default: []] += ban.pins }
        }
        #expect(banned == pins.mapValues(Pin.fitting).merging([alice: []]) { first, _ in first })
    }
}
