import Foundation
import LocalAPIModel
import Node

/// How soon a long conversation is shown and searched.
struct Reading: Codable {
    var messages: Int
    var firstPageMilliseconds: Double
    var indexSeconds: Double
    var rareWordMilliseconds: Double
    var commonWordMilliseconds: Double
    var scanMilliseconds: Double

    /// - Parameter home: the folder of a node that has caught up and stopped.
    static func measure(messages: Int, name: String, in folder: URL) async throws -> Reading {
        let clock = ContinuousClock()
        let found = try await BenchNode.start(name, in: folder)
        guard let conversation = try await found.node.conversations().first?.id else {
            throw BenchError("the history is gone")
        }
        let pages = try await samples(40) { _ in
            guard try await found.node.messages(in: conversation, limit: 50).messages.count == 50 else {
                throw BenchError("a page is not full")
            }
        }
        // The first search waits for the index.
        let begin = clock.now
        _ = try await found.node.search("message")
        let index = begin.duration(to: clock.now).seconds
        let rare = try await samples(40) { sample in
            let page = try await found.node.search("\(messages / 2 + sample) ")
            guard page.hits.count == 1 else { throw BenchError("a message is not found") }
        }
        let common = try await samples(40) { _ in
            guard try await found.node.search("message").hits.count == 20 else {
                throw BenchError("messages are not found")
            }
        }
        await found.node.stop()
        let open = try await BenchNode.start(name, in: folder, searchIndex: .off)
        let scan = try await samples(3) { _ in
            guard try await open.node.search("nowhere").hits.isEmpty else { throw BenchError("too much is found") }
        }
        await open.node.stop()
        return Reading(
            messages: messages, firstPageMilliseconds: Statistics(pages).median, indexSeconds: index,
            rareWordMilliseconds: Statistics(rare).median, commonWordMilliseconds: Statistics(common).median,
            scanMilliseconds: Statistics(scan).median)
    }

    private static func samples(_ count: Int, _ work: (Int) async throws -> Void) async throws -> [Double] {
        let clock = ContinuousClock()
        var samples: [Double] = []
        for sample in 0..<count {
            let begin = clock.now
            try await work(sample)
            samples.append(begin.duration(to: clock.now).milliseconds)
        }
        return samples
    }
}
