import Cryptography
import Membership
import OperationLog
import OperationLogFixtures
import Testing

@testable import Conversations

@Suite("What is named of the content of a revoked device")
struct NamedContentTests {
    /// What ``Group/namedContent(of:of:)`` says in its own words.
    private func plain(of device: DeviceID, of user: UserID, in circle: Circle) -> Set<OperationID>? {
        let effective = circle.group.history.filter { $0.voidReason == nil }
        let revocations = effective.compactMap { entry -> (OperationID, DeviceRevocation)? in
            guard case .revoke(let revocation) = entry.body, revocation.device == device, revocation.user == user else {
                return nil
            }
            return (entry.operation.id, revocation)
        }
        guard !revocations.isEmpty else { return nil }
        var named = Set(revocations.flatMap(\.1.messages))
        for entry in effective where entry.operation.author.user != user {
            let past = Set(circle.log.membership.operations(through: [entry.operation.id]).map(\.id))
            guard !revocations.contains(where: { past.contains($0.0) }) else { continue }
            named.formUnion((entry.pins(of: user) ?? []).filter { $0.device == device }.map(\.operation))
        }
        return named
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `is what its user and those name who took them out, whatever became void`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var whole = try Circle("Alice", "Bob", "Carol", "Dave", seed: seed)
        for admin in ["Bob", "Carol"] {
            let user = whole.user(admin)
            try whole.decide("Alice") { .promote(under: $0, target: user, role: .admin) }
        }
        let dave = whole.person("Dave")
        let devices = ([dave.device] + (0..<2).map { _ in Person(root: dave.root, using: &random).device }).sorted()
        let ids = (0..<6).map { OperationID(digest: .hash("content", [UInt8($0)])) }
        var sides = [whole, whole, whole]
        let authors = ["Alice", "Bob", "Carol"]
        for step in 0..<24 {
            let side = Int.random(in: 0..<3, using: &random)
            let pins = devices.filter { _ in Bool.random(using: &random) }.map { device in
                Pin(
                    device: device, sequenceNumber: UInt64.random(in: 1...9, using: &random),
                    operation: ids.randomElement(using: &random) ?? ids[0])
            }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: try sides[side].meet(sides[(side + 1) % 3])
            case 1:
                let target = sides[side].user(authors[(side + 1) % 3])
                try sides[side].decide(authors[side]) { .remove(under: $0, target: target, pins: []) }
            case 2:
                let revocation = DeviceRevocation(
                    root: dave.root, of: devices[step % 3], in: whole.log.conversation, keeping: [], [ids[step % 6]])
                try sides[side].write(by: authors[side], .revoke(revocation))
            case 3: try sides[side].decide(authors[side]) { .add(under: $0, targets: [dave.credentials]) }
            default: try sides[side].decide(authors[side]) { .remove(under: $0, target: dave.user, pins: pins) }
            }
            for device in devices {
                let named = sides[side].group.namedContent(of: device, of: dave.user)
                #expect(named == plain(of: device, of: dave.user, in: sides[side]), "seed \(seed)")
            }
        }
    }

    @Test func `is looked for where the device is pinned, and not in all that took its user out`() throws {
        var circle = try Circle("Alice", "Bob", "Carol")
        let carol = circle.person("Carol")
        var random = SplitMix64(seed: 2)
        let devices = (0..<20).map { _ in Person(root: carol.root, using: &random).device }
        let creation = try #require(circle.lane.first).id
        let founder = MembershipBody.Authority.grant(operation: creation, slot: 0)
        for device in devices {
            let pin = Pin(device: device, sequenceNumber: 1, operation: creation)
            try circle.write(by: "Alice", .remove(under: founder, target: carol.user, pins: [pin]))
            try circle.write(by: "Alice", .add(under: founder, targets: [carol.credentials]))
        }
        #expect(circle.group.exits(of: carol.user).count == devices.count)
        for device in devices { #expect(circle.group.exits(of: carol.user, pinning: device).count == 1) }
    }
}
