import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@Suite("Frontiers")
struct FrontierTests {
    private func tip(_ sequenceNumber: UInt64, _ name: String) -> ChainTip {
        ChainTip(sequenceNumber: sequenceNumber, id: OperationID(digest: .hash("test", Array(name.utf8))))
    }

    private let alice = DeviceID(digest: .hash("alice"))
    private let bob = DeviceID(digest: .hash("bob"))

    @Test func `an operation takes the place of the one it follows`() {
        var frontier = Frontier()
        frontier.append(tip(1, "a1"), after: nil, of: alice)
        frontier.append(tip(2, "a2"), after: tip(1, "a1").id, of: alice)
        #expect(frontier.tips == [alice: [tip(2, "a2")]])
        #expect(!frontier.hasForks)
        frontier.append(tip(1, "b1"), after: nil, of: bob)
        #expect(frontier.operationCount == 3)
    }

    @Test func `a forked chain has every branch's end, in whatever order the branches came`() {
        var first = Frontier()
        first.append(tip(1, "a1"), after: nil, of: alice)
        first.append(tip(2, "a2"), after: tip(1, "a1").id, of: alice)
        first.append(tip(2, "b2"), after: tip(1, "a1").id, of: alice)
        first.append(tip(3, "b3"), after: tip(2, "b2").id, of: alice)
        var second = Frontier()
        second.append(tip(1, "a1"), after: nil, of: alice)
        second.append(tip(2, "b2"), after: tip(1, "a1").id, of: alice)
        second.append(tip(3, "b3"), after: tip(2, "b2").id, of: alice)
        second.append(tip(2, "a2"), after: tip(1, "a1").id, of: alice)
        #expect(first == second)
        #expect(first.digest == second.digest)
        #expect(first.hasForks)
        #expect(first.sequenceNumber(of: alice) == 3)
        #expect(first.operationCount == nil)
    }

    @Test func `the digest tells devices, numbers, names and branches apart`() {
        let frontiers = [
            Frontier(),
            Frontier([(alice, tip(1, "x"))]),
            Frontier([(bob, tip(1, "x"))]),
            Frontier([(alice, tip(2, "x"))]),
            Frontier([(alice, tip(1, "y"))]),
            Frontier([(alice, tip(1, "x")), (alice, tip(1, "y"))]),
            Frontier([(alice, tip(1, "x")), (bob, tip(1, "y"))]),
        ]
        #expect(Set(frontiers.map(\.digest)).count == frontiers.count)
    }

    @Test func `the digest does not depend on the order in which tips are given`() {
        let tips = [(alice, tip(4, "a")), (bob, tip(9, "b")), (bob, tip(3, "c"))]
        #expect(Frontier(tips).digest == Frontier(tips.reversed()).digest)
    }
}
