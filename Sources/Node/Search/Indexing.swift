import Conversations
import KeyStore
import Logging
import NodeCore
import OperationLog
import SQLiteStore
import Storage
import Time

/// What a node remembers of its work on the full-text index.
struct Indexing {
    /// Whether there is an index.
    var isWanted = false
    /// Whether the work goes on.
    var isUnderWay = false
    /// Whether something came that the work has not seen.
    var hasNews = false
    /// When a large commit last came, or a large part of a history went to somebody else.
    var lastBulk: ContinuousClock.Instant?

    /// Messages taken into the index at once.
    static let partCount = 512
    /// Bytes of their bodies: a mebibyte of short words is a second's work, during which nothing else is heard.
    static let partBytes = 128 << 10

    /// How many of the next messages are taken in at once: at least one.
    ///
    /// - Parameter lengths: the bytes of their bodies.
    static func part(of lengths: some Sequence<Int>) -> Int {
        var (count, bytes) = (0, 0)
        for length in lengths {
            bytes += length
            guard count == 0 || bytes <= partBytes && count < partCount else { break }
            count += 1
        }
        return count
    }
}

/// Fills the full-text index, a little at a time: live messages and catching up come first.
extension Node {
    /// How long what is new waits for more: a commit for every message would double what it costs to take it in. A
    /// search does not wait.
    private static let delay: Duration = .seconds(1)
    /// How long to rest between two parts while nobody waits.
    private static let rest: Duration = .milliseconds(10)
    /// How long no long history must have come or gone before the work goes on.
    private static let quiet: Duration = .milliseconds(500)
    /// Operations of a large commit.
    private static let bulk = 256
    /// Bytes of a large part of a history.
    private static let bulkBytes = 64 << 10

    static func wantsIndex(_ configuration: NodeConfiguration, _ home: Home) -> Bool {
        switch configuration.searchIndex {
        case .automatic: !home.isPassphraseProtected
        case .on: true
        case .off: false
        }
    }

    /// Sees to it that what came is indexed.
    ///
    /// - Parameter count: operations that came in one commit.
    func indexSoon(after count: Int = 0) {
        guard indexing.isWanted, !isStopped else { return }
        if count >= Self.bulk { indexing.lastBulk = .now }
        indexing.hasNews = true
        guard !indexing.isUnderWay else { return }
        indexing.isUnderWay = true
        Task { await self.indexInTheBackground() }
    }

    /// Lets somebody who gets a long history from here have the machine.
    func restIndexing(whileSending count: Int) {
        if count >= Self.bulkBytes { indexing.lastBulk = .now }
    }

    private func indexInTheBackground() async {
        defer { indexing.isUnderWay = false }
        while indexing.hasNews, !isStopped {
            do throws(StoreError) {
                try? await Task.sleep(for: Self.delay)
                indexing.hasNews = false
                repeat { await rest() } while try indexPart()
                while !isStopped, try store.compactIndex() { try? await Task.sleep(for: Self.rest) }
            } catch {
                logger.warning("the search index could not be written", metadata: ["code": "\(error.code)"])
            }
        }
    }

    /// Lets everything else go first, and waits while a long history comes or goes.
    private func rest() async {
        try? await Task.sleep(for: Self.rest)
        while !isStopped, let lastBulk = indexing.lastBulk, lastBulk.duration(to: .now) < Self.quiet {
            try? await Task.sleep(for: Self.quiet)
        }
    }

    /// Indexes everything that has come, before a search.
    func indexEverything() async throws(StoreError) {
        while try indexPart() { await Task.yield() }
    }

    /// Indexes the next messages; whether there were any.
    private func indexPart() throws(StoreError) -> Bool {
        guard !isStopped else { return false }
        let found = try store.unindexed(limit: Indexing.partCount)
        let next = found.prefix(Indexing.part(of: found.lazy.map { $0.operation.body?.count ?? 0 }))
        guard !next.isEmpty else { return false }
        let texts = try texts(of: next.map(\.operation))
        try store.index(next.map { ($0.arrival, texts[$0.operation.id].map(SearchTerms.indexed)) })
        return true
    }

    /// What messages say now; those that cannot be read here, or were deleted, are left out.
    func texts(of messages: [Operation]) throws(StoreError) -> [OperationID: String] {
        var texts: [OperationID: String] = [:]
        for (conversation, part) in Dictionary(grouping: messages, by: \.header.conversation) {
            guard let conversation else { continue }
            for (id, opened) in try core.open(part, in: conversation) {
                if case .text(let text, _, _) = opened.state.content { texts[id] = text }
            }
        }
        return texts
    }
}
