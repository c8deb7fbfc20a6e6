import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures
import Testing

/// Carol, a moderator, has certified more devices than one operation can pin.
@Suite("Pins of more chains than an operation names")
struct PinPartsTests {
    private static func pins(_ count: Int) -> [Pin] {
        (0..<count).map { number in
            let name = Digest.hash("test", [UInt8(number & 0xFF), UInt8(number >> 8)])
            return Pin(device: DeviceID(digest: name), sequenceNumber: 1, operation: OperationID(digest: name))
        }
        .sorted { ($0.device, $0.operation) < ($1.device, $1.operation) }
    }

    @Test(arguments: [-1, 0, 1, MembershipBody.maximumPins])
    func `stand in parts that can be read`(surplus: Int) throws {
        let pins = Self.pins(MembershipBody.maximumPins + surplus)
        let parts = Pin.parts(of: pins)
        #expect(parts.count == (surplus > 0 ? 2 : 1))
        #expect(parts.flatMap { $0 } == pins)
        for part in parts {
            let body = MembershipBody.leave(pins: part)
            #expect(body.encoded.count <= Limits.maximumBodyBytes)
            #expect(try MembershipBody.decode(body.encoded, type: .leave) == body)
        }
    }

    @Test func `are at least one part`() {
        #expect(Pin.parts(of: []) == [[]])
    }

    private func delete(by name: String, in circle: inout Circle) throws -> Operation {
        try #require(try circle.write(content: [.init(type: .delete, body: [])], by: name).last)
    }

    @Test func `count as one where one operation directly follows the other`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let carol = circle.user("Carol")
        try circle.decide("Alice") { .promote(under: $0, target: carol, role: .moderator) }
        let seen = try delete(by: "Carol", in: &circle)
        let unseen = try delete(by: "Carol", in: &circle)
        let pin = Pin(device: seen.author.id, sequenceNumber: seen.header.sequenceNumber, operation: seen.id)
        var authority: MembershipBody.Authority?
        try circle.decide("Alice") {
            authority = $0
            return .remove(under: $0, target: carol, pins: Self.pins(3))
        }
        #expect(circle.authorRole(of: seen) == .member)
        try circle.write(by: "Alice", .remove(under: try #require(authority), target: carol, pins: [pin]))
        #expect(circle.group.history.last?.voidReason != nil, "they are out already: what follows only pins")
        #expect(circle.authorRole(of: seen) == .moderator)
        #expect(circle.authorRole(of: unseen) == .member)
    }

    @Test func `count for nothing where something else stands between them, or somebody else wrote them`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let (bob, carol) = (circle.user("Bob"), circle.user("Carol"))
        for user in [bob, carol] { try circle.decide("Alice") { .promote(under: $0, target: user, role: .moderator) } }
        let seen = try delete(by: "Carol", in: &circle)
        let pin = Pin(device: seen.author.id, sequenceNumber: seen.header.sequenceNumber, operation: seen.id)
        var authority: MembershipBody.Authority?
        try circle.decide("Alice") {
            authority = $0
            return .remove(under: $0, target: carol, pins: [])
        }
        let under = try #require(authority)
        try circle.write(by: "Bob", .remove(under: under, target: carol, pins: [pin]))
        try circle.decide("Alice") { .set(under: $0, field: "name", value: "x") }
        try circle.write(by: "Alice", .remove(under: under, target: carol, pins: [pin]))
        #expect(circle.authorRole(of: seen) == .member)
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
        #expect(banned == pins.merging([alice: []]) { first, _ in first })
    }
}
