import Conversations
import Foundation
import LocalAPIModel
import Node
import OperationLog
import SQLiteStore

/// How fast a history comes with encryption, and without it.
struct CatchUps: Codable {
    var open: CatchUp
    var closed: CatchUp
}

/// How fast a node that was away gets a long history over TCP into its database.
struct CatchUp: Codable {
    var messages: Int
    var seconds: Double
    var messagesPerSecond: Double
    var databaseBytesPerMessage: Double

    /// - Parameter isClosed: whether the history is encrypted.
    static func measure(messages: Int, isClosed: Bool, in folder: URL) async throws -> CatchUp {
        let writer = try await BenchNode.start("writer", in: folder)
        let reader = try await BenchNode.start("reader", in: folder)
        // Somebody brought into a group by a stranger takes little of it before they have agreed.
        _ = try await reader.node.add(contact: writer.node.contact().code)
        await writer.node.stop()
        await reader.node.stop()
        var credentials: Credentials?
        do {
            let store = try ReplicaStore(at: reader.home + "/replica.sqlite", replicaEpoch: [])
            let user = try BenchNode.keys(of: reader.home).author.device.user
            credentials = try store.credentials().first { $0.user == user }
            try store.close()
        }
        guard let credentials else { throw BenchError("the reader has no keys") }
        let conversation = try History.write(messages, to: writer.home, for: credentials, isClosed: isClosed)
        let source = try await BenchNode.start("writer", in: folder)
        let clock = ContinuousClock()
        let begin = clock.now
        let sink = try await BenchNode.start("reader", in: folder, peers: [try await source.address])
        try await BenchNode.wait("the history arrives") {
            // Not `status`, which counts what is unread and would be measured, too.
            try await sink.node.verify().conversations.contains {
                $0.conversation == conversation.description && $0.operations >= messages + 3
            }
        }
        let elapsed = begin.duration(to: clock.now).seconds
        let bytes = await sink.node.status().databaseBytes
        await sink.node.stop()
        await source.node.stop()
        return CatchUp(
            messages: messages, seconds: elapsed, messagesPerSecond: Double(messages) / elapsed,
            databaseBytesPerMessage: Double(bytes) / Double(messages))
    }
}
