import Foundation
import LocalAPIModel
import LocalAPIServer
import Node

/// How long the list of conversations takes: each with its title, its members, its last message and how many are
/// unread.
struct ConversationList: Codable {
    /// How many there are in the list.
    static let count = 1_000

    var nodeMilliseconds: Double
    /// The fastest of all, which is what it takes where nobody else uses the machine.
    var leastMilliseconds: Double
    /// Writing them as JSON for the first time, and again when nothing has changed.
    var firstEncodingMilliseconds: Double
    var encodingMilliseconds: Double
    var megabytes: Double

    /// Lets Bob make the conversations and write in each of them, and Alice list them.
    static func measure(in folder: URL) async throws -> ConversationList {
        let alice = try await BenchNode.start("Alice", in: folder)
        let address = try await alice.address
        let bob = try await BenchNode.start("Bob", in: folder, peers: [address])
        let carol = try await BenchNode.start("Carol", in: folder, peers: [address])
        try await bob.meets(["Alice", "Carol"])
        // Strangers may introduce only so many conversations: Alice has checked who Bob is.
        try await alice.meets(["Bob"])
        _ = try await alice.node.setVerified(true, of: "Bob")
        var made = 0
        while made < count {
            // A few at a time: this is about listing them, not about how fast they come.
            for number in made + 1...made + 20 {
                let group = try await bob.createGroup(name: "Group \(number)", members: ["Alice", "Carol"])
                _ = try await bob.node.send(["One", "Two", "Three"], to: group.id)
            }
            made += 20
            try await BenchNode.wait("Alice has \(made)") {
                let listed = try await alice.node.conversations()
                return listed.count == made && listed.allSatisfy { $0.unread == 3 && $0.lastMessage?.text == "Three" }
            }
        }
        // Alone, so that nothing is measured but the list.
        for node in [bob, carol] { await node.node.stop() }
        try await BenchNode.wait("Alice is alone") { await alice.node.peers().isEmpty }
        let clock = ContinuousClock()
        var (listing, encoding, bytes) = ([Double](), [Double](), 0)
        let writer = ConversationListWriter()
        var first = 0.0
        for round in 0..<20 {
            let begin = clock.now
            let listed = try await alice.node.conversations()
            let middle = clock.now
            bytes = try writer.encode(listed).count
            listing.append(begin.duration(to: middle).milliseconds)
            encoding.append(middle.duration(to: clock.now).milliseconds)
            if round == 0 { first = encoding.removeLast() }
        }
        await alice.node.stop()
        return ConversationList(
            nodeMilliseconds: Statistics(listing).median, leastMilliseconds: listing.min() ?? 0,
            firstEncodingMilliseconds: first, encodingMilliseconds: Statistics(encoding).median,
            megabytes: Double(bytes) / 1e6)
    }
}
