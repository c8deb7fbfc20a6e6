import OperationLog
import OperationLogFixtures
import Testing

@testable import Simulation

@Suite("The naive log")
struct NaiveLogTests {
    private func lively(seed: UInt64, steps: Int = 60) throws -> Neighbors {
        var random = SplitMix64(seed: seed)
        var neighbors = try Neighbors(4, using: &random)
        try neighbors.live(steps: steps, using: &random)
        return neighbors
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `finds nothing in what honest replicas hold, at any moment`(seed: UInt64) throws {
        let neighbors = try lively(seed: seed)
        for person in neighbors.people.indices {
            #expect(neighbors.oracle(of: person).findings() == [], "seed \(seed)")
            let held = neighbors.held[person].map(\.operation)
            for count in stride(from: 0, to: held.count, by: 7) {
                let prefix = neighbors.oracle(holding: Array(held.prefix(count))).findings(verifyingSignatures: false)
                // A commit that was cut in two ends without a signature.
                #expect(prefix.allSatisfy { $0.hasSuffix("has no signature") }, "seed \(seed)")
            }
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `agrees with the log on times, frontiers and heads`(seed: UInt64) throws {
        let neighbors = try lively(seed: seed)
        for person in neighbors.people.indices {
            let oracle = neighbors.oracle(of: person)
            let log = neighbors.logs[person]
            let content = neighbors.held[person].filter { $0.operation.header.lane == .content }
            let times = Dictionary(uniqueKeysWithValues: content.map { ($0.operation.id, $0.hybridTime) })
            #expect(oracle.hybridTimes(of: .content) == times, "seed \(seed)")
            for lane in Lane.allCases {
                let tips = log.frontier(of: lane).tips.mapValues { chain in
                    Set(chain.map { NaiveTip(sequenceNumber: $0.sequenceNumber, id: $0.id) })
                }
                #expect(oracle.frontier(of: lane) == tips, "seed \(seed)")
            }
            #expect(oracle.heads(of: .content) == log.contentHeads.map(\.id).sorted(), "seed \(seed)")
            #expect(oracle.heads(of: .membership) == log.membership.heads.sorted(), "seed \(seed)")
            #expect(oracle.forks.isEmpty, "seed \(seed)")
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `orders messages after what they follow, whatever the clocks say`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let neighbors = try lively(seed: seed)
        let oracle = neighbors.oracle(of: 0)
        let order = oracle.messageOrder
        #expect(oracle.causalViolations(in: order) == [], "seed \(seed)")
        #expect(oracle.causalViolations(in: order.filter { _ in Bool.random(using: &random) }) == [], "seed \(seed)")
        let shuffled = neighbors.oracle(holding: oracle.claimed.shuffled(using: &random))
        #expect(shuffled.messageOrder == order, "seed \(seed)")
        #expect(shuffled.findings(verifyingSignatures: false) == [], "seed \(seed)")
    }

    @Test func `sees a message shown before what it follows, also across one that is not shown`() throws {
        var random = SplitMix64(seed: 1)
        var neighbors = try Neighbors(2, using: &random)
        try neighbors.writeMessages(3, by: 0)
        let oracle = neighbors.oracle(of: 0)
        let order = oracle.messageOrder
        #expect(order.count == 3)
        #expect(oracle.causalViolations(in: [order[1], order[0], order[2]]).count == 1)
        #expect(oracle.causalViolations(in: [order[2], order[0]]).count == 1)
        #expect(oracle.causalViolations(in: order.reversed()).count == 2)
    }

    @Test func `sees a fork, and both its ends`() throws {
        var random = SplitMix64(seed: 2)
        var neighbors = try Neighbors(2, using: &random)
        let twins = [1, 2].map { Forgery(of: neighbors).message(by: neighbors.people[1], body: [$0]) }
        for twin in twins {
            guard case .admitted = try neighbors.admit(twin, at: 0) else {
                Issue.record("a fork is no reason to refuse")
                return
            }
        }
        let oracle = neighbors.oracle(of: 0)
        #expect(oracle.findings() == [])
        #expect(oracle.forks.map(\.operations) == [twins.map(\.id).sorted()])
        #expect(oracle.forks.first?.sequenceNumber == 1)
        #expect(oracle.frontier(of: .content)[neighbors.people[1].device]?.count == 2)
        #expect(neighbors.logs[0].contentFrontier.hasForks)
    }
}
