import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Replication

/// Members of whom nothing comes stand between two others: what one of these writes follows something that only they
/// two have.
@Suite("What is pushed arrives, whatever others keep back")
struct SilentPeersTests {
    private static let slot = PeerMessage.LaneSlot(slot: 0, lane: .content)
    private static let everybody = [UInt8](repeating: 0xFF, count: 32)
    private let alice = 0
    private let bob = 1

    /// What the others do when Alice asks them.
    enum Answer: CaseIterable {
        /// They say nothing.
        case nothing
        /// One of them sends one new operation after the other, 32 in a second.
        case little
        /// They all say at once that there is nothing.
        case end
    }

    /// How long each of Bob's messages takes to Alice.
    ///
    /// - Parameters:
    ///   - devices: how many each liar has.
    ///   - honest: how many people there are besides Alice, Bob and the liars.
    ///   - arePushing: whether the liars push to Alice what follows something that she never gets.
    private func delays(
        ofMessages count: Int, liars devices: [Int], honest: Int, answering answer: Answer, arePushing: Bool
    ) throws -> [Duration] {
        var fixture = try ReplicatorFixture(hosts: 2 + honest, seed: 61, withMoreOf: devices)
        try fixture.connectAll()
        try fixture.run(for: .seconds(5))
        let liars = Array(2 + honest..<fixture.hosts.count)
        for liar in liars { fixture.hosts[liar].isStuck = true }
        var random = SplitMix64(seed: 62)
        var delays: [Duration] = []
        for number in 0..<count {
            // Bob alone gets it, and its author says that it reached everybody.
            let author = liars[number % liars.count]
            try fixture.push(
                try fixture.draft(at: author, isLast: true), reached: Self.everybody, from: author, to: bob)
            try lie(liars, answer, arePushing, &random, in: &fixture)
            try fixture.write(1, at: bob)
            let written = try #require(fixture.hosts[bob].held[.content]?.last?.id)
            let began = fixture.now
            while fixture.hosts[alice].held[.content]?.last(where: { $0.id == written }) == nil {
                guard fixture.now - began < .seconds(30) else { break }
                try lie(liars, answer, arePushing, &random, in: &fixture)
            }
            delays.append(fixture.now - began)
            for _ in 0..<10 { try lie(liars, answer, arePushing, &random, in: &fixture) }
        }
        return delays
    }

    /// The liars speak noise to Alice for 31 ms.
    private func lie(
        _ liars: [Int], _ answer: Answer, _ arePushing: Bool, _ random: inout SplitMix64,
        in fixture: inout ReplicatorFixture
    ) throws {
        for liar in liars {
            let noise = LaneDigest(bytes: random.bytes(LaneDigest.byteCount))
            try fixture.deliver(PeerMessage.lane(Self.slot, .status(noise)).encoded, from: liar, to: alice)
            try fixture.deliver(PeerMessage.presence(.ping(1)).encoded, from: liar, to: alice)
            if answer == .end { try fixture.deliver(PeerMessage.lane(Self.slot, .done).encoded, from: liar, to: alice) }
            if arePushing {
                _ = try fixture.draft(at: liar, isLast: true)
                try fixture.push(
                    try fixture.draft(at: liar, isLast: true), reached: Self.everybody, from: liar, to: alice)
            }
        }
        if answer == .little, !arePushing, let liar = liars.last {
            let batch = try fixture.draft(at: liar, isLast: true)
            let message = PeerMessage.lane(Self.slot, .batch(isAnswer: true, batch.encoded))
            try fixture.deliver(message.encoded, from: liar, to: alice)
        }
        try fixture.run(for: .milliseconds(31))
    }

    @Test(arguments: Answer.allCases, [false, true])
    func `within half a second where one has eight devices`(answer: Answer, arePushing: Bool) throws {
        let delays = try delays(
            ofMessages: 20, liars: [8], honest: 1, answering: answer, arePushing: arePushing)
        #expect(delays.allSatisfy { $0 <= .milliseconds(500) }, "\(delays)")
    }

    @Test(arguments: Answer.allCases)
    func `within two seconds where a third of 24 members keep it back`(answer: Answer) throws {
        let delays = try delays(
            ofMessages: 10, liars: Array(repeating: 1, count: 8), honest: 14, answering: answer, arePushing: false)
        #expect(delays.allSatisfy { $0 <= .seconds(2) }, "\(delays)")
    }
}
