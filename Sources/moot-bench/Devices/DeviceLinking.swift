import Foundation
import LocalAPIModel
import Node

/// How soon a second host of a user has everything, and how soon what is read on one is read on the other.
struct DeviceLinking: Codable {
    /// How many conversations the first host has.
    static let conversations = 100

    var messages: Int
    /// From the code until the new host has its home. Both users agree at once, as no person does.
    var linkedSeconds: Double
    /// From the code until the newest page of every conversation can be read there.
    var readableSeconds: Double
    /// From the code until every message is there.
    var wholeSeconds: Double
    /// From reading on the new host until nothing is unread on the first.
    var clearedMedianMilliseconds: Double
    var clearedNinetyNineMilliseconds: Double

    /// How often something is read.
    private static let readings = 100

    /// Links a host to one that has many conversations.
    ///
    /// - Parameter messages: in all conversations together.
    static func measure(messages: Int, in folder: URL) async throws -> DeviceLinking {
        let begun = try await BenchNode.start("Alice", in: folder)
        await begun.node.stop()
        let each = max(1, messages / conversations)
        let people = History.people(History.authors - 1)
        for _ in 0..<conversations { _ = try History.write(each, to: begun.home, among: people) }
        let first = try await BenchNode.start("Alice", in: folder)
        for conversation in try await first.node.conversations() { _ = try await first.node.markRead(conversation.id) }

        let clock = ContinuousClock()
        let begin = clock.now
        func seconds() -> Double { begin.duration(to: clock.now).seconds }
        try await first.makeDevice("Laptop", in: folder)
        let linked = seconds()
        let second = try await BenchNode.start("Laptop", in: folder, peers: [try await first.address])
        try await BenchNode.wait("everything can be read") { try await isReadable(second.node) }
        let readable = seconds()
        try await BenchNode.wait("everything is there") {
            try await second.node.verify().conversations.count { $0.operations > each } == conversations
        }
        let whole = seconds()
        let cleared = try await clear(on: second, in: folder, watching: first)
        for node in [first, second] { await node.node.stop() }
        let statistics = Statistics(cleared)
        return DeviceLinking(
            messages: each * conversations, linkedSeconds: linked, readableSeconds: readable, wholeSeconds: whole,
            clearedMedianMilliseconds: statistics.median, clearedNinetyNineMilliseconds: statistics.quantile(0.99))
    }

    private static func isReadable(_ node: Node) async throws -> Bool {
        // Not the list, which counts what is unread and would be measured, too.
        let replicas = try await node.verify().conversations
        guard replicas.count == conversations else { return false }
        for replica in replicas {
            let page = try await node.messages(in: replica.conversation).messages.filter { $0.kind == .text }
            guard !page.isEmpty, page.allSatisfy({ $0.readability == .open }) else { return false }
        }
        return true
    }

    /// Lets somebody write, and reads it on one of the two.
    private static func clear(
        on second: BenchNode, in folder: URL, watching first: BenchNode
    ) async throws -> [Double] {
        let bob = try await BenchNode.start("Bob", in: folder, peers: [try await first.address])
        for node in [first, second] { try await node.meets(["Bob"]) }
        let group = try await first.node.openDirect(with: "Bob").id
        _ = try await first.node.send(["Hello"], to: group)
        try await BenchNode.wait("Bob has it") { try await !bob.node.conversations().isEmpty }
        func unread(_ node: BenchNode) async throws -> Int { try await node.node.conversation(group).unread }
        for node in [first, second] {
            try await BenchNode.wait("both have it") {
                try await node.node.verify().conversations.contains { $0.conversation == group }
            }
        }
        var milliseconds: [Double] = []
        for number in 0..<readings {
            _ = try await bob.node.send(["message \(number)"], to: group)
            for node in [first, second] {
                try await BenchNode.wait("it is unread") { try await unread(node) == 1 }
            }
            let begin = ContinuousClock.now
            _ = try await second.node.markRead(group)
            try await BenchNode.wait("it is read") { try await unread(first) == 0 }
            milliseconds.append(begin.duration(to: .now).milliseconds)
        }
        await bob.node.stop()
        return milliseconds
    }
}
