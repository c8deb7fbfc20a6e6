import Foundation
import Membership
import Testing

/// One decision can make thousands of operations void, and the next one effective again: that costs about what they
/// are, not what they are times what they concern.
///
/// Processor time of this thread is compared, of one size with four times as much: linear costs grow by four, quadratic
/// ones by sixteen.
@Suite("Operations that become void and effective again", .serialized)
struct TurningTests {
    typealias Resolver = MembershipResolver<String, String, String>

    /// What Mallory wrote a number of times, each on its own branch.
    enum Shape: CaseIterable {
        /// Removals of Xenia, who did as much.
        case removalsOfAnActiveAdmin
        /// Removals of Xenia that had seen as much of what she did.
        case removalsThatKeepWhatTheySaw
        /// Additions of Xenia, and removals of her.
        case additionsAndRemovals
    }

    @Test(arguments: [Shape.removalsOfAnActiveAdmin, .additionsAndRemovals])
    func `cost about what they are`(shape: Shape) {
        let costs = [400, 1_600].map { Self.cost(ofTurning: shape, count: $0) }
        #expect(costs[1] < 9 * costs[0], "\(costs)")
    }

    @Test(arguments: Shape.allCases)
    func `are judged as they are at once`(shape: Shape) {
        var (resolver, operations) = Self.resolver(shape, count: 6)
        for turn in Self.turns {
            operations.append(turn)
            resolver.insert(turn)
            resolver.settle()
            let whole = Resolver(evaluating: operations, tieBreaker: Judgment.tieBreaker)
            #expect(Judgment(resolver, of: operations) == Judgment(whole, of: operations))
        }
    }

    /// What Mallory wrote becomes void, effective, void and effective again.
    private static let turns: [Ledger.Operation] = ["Bob", "Carol"].flatMap { guardian in
        [
            Ledger.Operation(
                id: "\(guardian) removes Mallory", author: guardian, parents: ["root"],
                action: .remove(.grant("promotes \(guardian)", slot: 1), "Mallory")),
            Ledger.Operation(
                id: "Alice removes \(guardian)", author: "Alice", parents: ["root"],
                action: .remove(.grant("0", slot: 0), guardian)),
        ]
    }

    private static func resolver(_ shape: Shape, count: Int) -> (Resolver, [Ledger.Operation]) {
        let admins = ["Bob", "Carol", "Mallory", "Xenia"]
        var operations = [Ledger.Operation(id: "0", author: "Alice", parents: [], action: .create)]
        func write(
            _ id: String, by author: String, after parents: [String],
            _ action: Action<String, String, String>
        ) { operations.append(Ledger.Operation(id: id, author: author, parents: parents, action: action)) }
        let founder = Authority.grant("0", slot: 0)
        write("1", by: "Alice", after: ["0"], .add(founder, admins))
        for admin in admins {
            let last = operations[operations.count - 1].id
            write("promotes \(admin)", by: "Alice", after: [last], .promote(founder, admin, .admin))
        }
        write("root", by: "Alice", after: ["promotes Xenia"], .merge)
        let (mallory, xenia) = (
            Authority.grant("promotes Mallory", slot: 1), Authority.grant("promotes Xenia", slot: 1)
        )
        func act(_ number: Int, after parent: String) {
            write("act \(number)", by: "Xenia", after: [parent], .set(xenia, field: "name", value: "\(number)"))
        }
        func remove(_ number: Int, after parents: [String]) {
            write("removal \(number)", by: "Mallory", after: parents, .remove(mallory, "Xenia"))
        }
        switch shape {
        case .removalsOfAnActiveAdmin:
            for number in 0..<count { remove(number, after: ["root"]) }
            for number in 0..<count { act(number, after: "root") }
        case .removalsThatKeepWhatTheySaw:
            for number in 0..<count { act(number, after: number == 0 ? "root" : "act \(number - 1)") }
            for number in 0..<count { remove(number, after: ["act \(count - 1)"]) }
        case .additionsAndRemovals:
            for number in 0..<count {
                write("addition \(number)", by: "Mallory", after: ["root"], .add(mallory, ["Xenia"]))
            }
            for number in 0..<count { remove(number, after: ["root"]) }
        }
        var resolver = Resolver(tieBreaker: Judgment.tieBreaker)
        for operation in operations { resolver.insert(operation) }
        resolver.settle()
        return (resolver, operations)
    }

    /// Nanoseconds of this thread's processor time, the least of two tries.
    private static func cost(ofTurning shape: Shape, count: Int) -> UInt64 {
        let (whole, _) = resolver(shape, count: count)
        return (0..<2).map { _ in
            var resolver = whole
            let begin = processorTime()
            for turn in turns {
                resolver.insert(turn)
                for id in resolver.settleReportingChanges() { _ = resolver.verdict(of: id) }
            }
            return processorTime() - begin
        }.min() ?? 0
    }

    private static func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
