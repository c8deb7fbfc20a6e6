import Foundation
import LocalAPIModel
import Node

/// How soon others show that what somebody wrote lately is void: a removal takes back 1,000 messages, of which a page
/// is on the screen.
struct LateRemoval: Codable {
    static let messages = 1_000
    private static let (rounds, page) = (5, 50)

    /// Reading the page, before it.
    var readMilliseconds: Double
    /// From the command of the removal until another node shows the page as void.
    var shownMilliseconds: Double
    var maximumMilliseconds: Double

    static func measure(in folder: URL) async throws -> LateRemoval {
        let alice = try await BenchNode.start("Alice", in: folder)
        let address = try await alice.address
        let bob = try await BenchNode.start("Bob", in: folder, peers: [address])
        let carol = try await BenchNode.start("Carol", in: folder, peers: [address, try await bob.address])
        try await alice.meets(["Bob", "Carol"])
        let clock = ContinuousClock()
        var (reading, shown) = ([Double](), [Double]())
        for round in 0..<rounds {
            let group = try await alice.createGroup(name: "Group \(round)", members: ["Bob", "Carol"]).id
            try await BenchNode.wait("Bob and Carol are in it") {
                let theirs = [try await bob.node.conversations(), try await carol.node.conversations()]
                return theirs.allSatisfy { $0.contains { $0.id == group } }
            }
            let since = Date.now.ISO8601Format()
            for start in stride(from: 0, to: messages, by: 100) {
                _ = try await bob.node.send((start..<start + 100).map { "message \($0)" }, to: group)
            }
            let texts = {
                try await carol.node.messages(in: group, limit: 2 * messages).messages.filter { $0.kind == .text }
            }
            try await BenchNode.wait("Alice and Carol have them") {
                let held = try await alice.node.messages(in: group, limit: 2 * messages).messages
                guard held.count(where: { $0.kind == .text }) == messages else { return false }
                return try await texts().count == messages
            }
            var begin = clock.now
            _ = try await carol.node.messages(in: group, limit: page)
            reading.append(begin.duration(to: clock.now).milliseconds)
            begin = clock.now
            _ = try await alice.node.remove("Bob", from: group, since: since)
            try await BenchNode.wait("Carol shows them as void") {
                let shown = try await carol.node.messages(in: group, limit: page).messages.filter { $0.kind == .text }
                return shown.count >= page - 1 && shown.allSatisfy { $0.afterRemoval == true }
            }
            shown.append(begin.duration(to: clock.now).milliseconds)
        }
        for one in [alice, bob, carol] { await one.node.stop() }
        let statistics = Statistics(shown)
        return LateRemoval(
            readMilliseconds: Statistics(reading).median, shownMilliseconds: statistics.median,
            maximumMilliseconds: statistics.maximum)
    }
}
