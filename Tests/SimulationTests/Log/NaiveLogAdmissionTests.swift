import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Simulation

/// The log refuses what the naive log finds fault with, and nothing else.
@Suite("The naive log and admission")
struct NaiveLogAdmissionTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `agree on forged operations`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var neighbors = try Neighbors(3, using: &random)
        try neighbors.live(steps: 20, using: &random)
        let stranger = Person(using: &random)
        for _ in 0..<40 {
            let forged = Self.forge(on: neighbors, or: stranger, using: &random)
            let findings = neighbors.oracle(holding: neighbors.held[0].map(\.operation) + [forged])
                .findings(verifyingSignatures: false)
            let isHeld = neighbors.held[0].contains { $0.operation.id == forged.id }
            switch try neighbors.admit(forged, at: 0) {
            case .admitted: #expect(findings == [], "seed \(seed)")
            case .inadmissible(_, let reason): #expect(!findings.isEmpty, "seed \(seed): \(reason)")
            // Waits for what is not here, or for a parent of the other lane, which never comes.
            case .pending: #expect(!findings.isEmpty, "seed \(seed)")
            case .duplicate: #expect(isHeld, "seed \(seed)")
            }
        }
    }

    /// A well-formed operation whose links, author and body were chosen by chance.
    private static func forge(
        on neighbors: Neighbors, or stranger: Person, using random: inout SplitMix64
    ) -> Operation {
        func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }
        let held = neighbors.held[0].map(\.operation)
        let people = chance(0.1) ? [stranger] : neighbors.people
        let author = people[Int.random(in: 0..<people.count, using: &random)]
        let lane: Lane = chance(0.4) ? .membership : .content
        func some(_ lane: Lane, _ limit: Int) -> [OperationID] {
            let choice = held.filter { $0.header.lane == lane }.shuffled(using: &random)
            return choice.prefix(Int.random(in: 0...limit, using: &random)).map(\.id).sorted()
        }
        let own = held.filter { $0.author.id == author.device && $0.header.lane == lane }
        let previous =
            chance(0.8)
            ? own.last : chance(0.5) ? own.randomElement(using: &random) : held.randomElement(using: &random)
        var heads = lane == .content ? some(.membership, 2) : []
        if lane == .content, chance(0.7) || heads.isEmpty {
            heads = neighbors.oracle(of: 0).heads(of: .membership)
        }
        var dependencies = some(lane, 2)
        if chance(0.05) { dependencies = [OperationID(digest: .hash("test", random.bytes(4)))] }
        let (type, body) = said(by: author, or: stranger, in: lane, using: &random)
        let conversation =
            chance(0.05) ? ConversationID(digest: .hash("test", [1])) : neighbors.conversation
        let header = OperationHeader(
            type: type, conversation: conversation, lane: lane, device: author.device,
            sequenceNumber: previous.map { chance(0.95) ? $0.header.sequenceNumber + 1 : 7 } ?? 1,
            previous: previous?.id,
            dependencies: dependencies.filter { $0 != previous?.id }, membershipHeads: heads, time: .earliest,
            bodyLength: body.count, bodyDigest: Operation.digest(of: body))
        return author.author.write(header, body: body)
    }

    private static func said(
        by author: Person, or stranger: Person, in lane: Lane, using random: inout SplitMix64
    ) -> (OperationType, [UInt8]) {
        let body: MembershipBody
        switch (lane, Int.random(in: 0..<8, using: &random)) {
        case (.content, _): return (.message, random.bytes(8))
        case (.membership, 0): return (.set, [9])
        case (.membership, 1): return (OperationType(rawValue: 99), random.bytes(8))
        case (.membership, 2): body = .device(own: Neighbors.credentials(of: author))
        case (.membership, 3): body = .device(own: Neighbors.credentials(of: stranger))
        case (.membership, 4): body = .invite(under: .acting, .person(Neighbors.credentials(of: stranger)))
        case (.membership, 5): body = .leave(pins: [])
        case (.membership, _): body = .merge
        }
        return (body.type, body.encoded)
    }
}
