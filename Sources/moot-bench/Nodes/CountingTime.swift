import Conversations
import Cryptography
import Foundation
import LocalAPIModel
import Node
import OperationLog

/// How soon a node says how much was written in a long conversation, when and by whom.
struct CountingTime: Codable {
    /// Days over which the messages are spread, and which are asked about.
    static let days = 30

    var messages: Int
    var milliseconds: Double

    static func measure(messages: Int, in folder: URL) async throws -> CountingTime {
        let fresh = try await BenchNode.start("writer", in: folder)
        await fresh.node.stop()
        let pace = Int64(days - 1) * 86_400_000 / Int64(messages)
        let conversation = try History.write(messages, to: fresh.home, pace: pace)
        let found = try await BenchNode.start("writer", in: folder)
        let clock = ContinuousClock()
        var samples: [Double] = []
        for _ in 0..<40 {
            let begin = clock.now
            let statistics = try await found.node.statistics(
                of: conversation.description, days: days, timeZone: "Asia/Kathmandu")
            samples.append(begin.duration(to: clock.now).milliseconds)
            guard statistics.messages == messages else { throw BenchError("messages are not counted") }
        }
        await found.node.stop()
        return CountingTime(messages: messages, milliseconds: Statistics(samples).median)
    }
}
