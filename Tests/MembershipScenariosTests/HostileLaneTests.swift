import Foundation
import Membership
import MembershipScenarios
import Testing

/// What is written to make judging slow costs no more than its square, in both evaluators, and whenever it is asked
/// about.
///
/// Processor time of this thread is compared, of one size with half of it: neither the machine nor what else it does
/// matters much. The shapes that once grew with the cube cost eight times as much.
@Suite("Hostile lanes", .serialized)
struct HostileLaneTests {
    @Test(arguments: HostileLane.Shape.allCases)
    func `are judged one by one as they are at once`(shape: HostileLane.Shape) {
        let operations = HostileLane(shape, count: Self.size(of: shape)).operations
        let oneByOne = Self.resolver(after: operations, isAskedAfterEach: true)
        let askedOnce = Self.resolver(after: operations, isAskedAfterEach: false)
        let whole = MembershipResolver<Int, Int, Int>(evaluating: operations, tieBreaker: Self.tieBreaker)
        for resolver in [oneByOne, askedOnce] {
            #expect(resolver.state == whole.state)
            #expect(resolver.void == whole.void)
            #expect(operations.allSatisfy { resolver.verdict(of: $0.id) == whole.verdict(of: $0.id) })
        }
    }

    @Test(arguments: HostileLane.Shape.allCases)
    func `cost at most the square of their length`(shape: HostileLane.Shape) {
        let lanes = [1, 2].map { HostileLane(shape, count: $0 * Self.size(of: shape)).operations }
        let oneByOne = lanes.map { lane in Self.leastCost { _ = Self.resolver(after: lane, isAskedAfterEach: true) } }
        let askedOnce = lanes.map { lane in Self.leastCost { _ = Self.resolver(after: lane, isAskedAfterEach: false) } }
        let whole = lanes.map { lane in
            Self.leastCost { _ = MembershipResolver<Int, Int, Int>(evaluating: lane, tieBreaker: Self.tieBreaker) }
        }
        #expect(oneByOne[1] < 7 * oneByOne[0], "one by one: \(oneByOne)")
        #expect(askedOnce[1] < 7 * askedOnce[0], "one by one, asked at the end: \(askedOnce)")
        #expect(whole[1] < 7 * whole[0], "at once: \(whole)")
    }

    /// Whoever joined by the same code outside a part of the graph outranks everybody in it.
    @Test func `make judging a part that they are not in no slower`() {
        let size = 200
        let costs = [1, 16].map { factor in
            let lane = HostileLane(.codes, count: factor * size).operations
            let resolver = Self.resolver(after: lane, isAskedAfterEach: false)
            return Self.leastCost {
                var part = PartialMembership()
                resolver.include(lane.prefix(size).map(\.id), in: &part)
                _ = resolver.members(in: &part)
            }
        }
        #expect(costs[1] < 4 * costs[0], "\(costs)")
    }

    private static func size(of shape: HostileLane.Shape) -> Int {
        switch shape {
        case .ratifications, .staleRatifications: 24
        default: 120
        }
    }

    private static func resolver(
        after operations: [HostileLane.Operation], isAskedAfterEach: Bool
    ) -> MembershipResolver<Int, Int, Int> {
        var resolver = MembershipResolver<Int, Int, Int>(tieBreaker: tieBreaker)
        for operation in operations {
            resolver.insert(operation)
            if isAskedAfterEach { resolver.settle() }
        }
        resolver.settle()
        return resolver
    }

    /// Nanoseconds of this thread's processor time, the least of three tries.
    private static func leastCost(_ body: () -> Void) -> UInt64 {
        (0..<3).map { _ in
            let begin = processorTime()
            body()
            return processorTime() - begin
        }.min() ?? 0
    }

    private static func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Orders people by number.
    @Sendable private static func tieBreaker(_ person: Int) -> TieBreaker {
        TieBreaker((0..<8).map { UInt8(truncatingIfNeeded: person >> (56 - 8 * $0)) })
    }
}
