import LocalAPIClient
import LocalAPIModel
import Synchronization

/// Takes in what nodes tell.
protocol CrowdObserver: Sendable {
    /// Takes in an event of a node. It is called from several threads.
    func take(_ event: NodeEvent, at node: CrowdNode)
}

/// The event streams of some nodes, read in this process.
enum CrowdEvents {
    /// Follows the events of nodes while something runs.
    static func follow<Result>(
        _ nodes: [CrowdNode], for observer: some CrowdObserver, during body: () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { streams in
            let (opened, open) = AsyncThrowingStream<Void, any Error>.makeStream()
            for node in nodes {
                streams.addTask {
                    do {
                        try await node.api.follow(onConnected: { open.yield() }) { observer.take($0, at: node) }
                    } catch {
                        // Also at the end, when nobody listens any more.
                        open.finish(throwing: error)
                    }
                }
            }
            var openings = opened.makeAsyncIterator()
            for _ in nodes { _ = try await openings.next() }
            defer { streams.cancelAll() }
            return try await body()
        }
    }
}

/// When messages were asked for, and how long after that they were shown at the others.
final class CrowdArrivals: CrowdObserver {
    private struct State {
        var requests: [String: ContinuousClock.Instant] = [:]
        var milliseconds: [Double] = []
    }
    private let state = Mutex(State())

    /// Notes that a message is asked for now.
    func ask(_ text: String) {
        state.withLock { $0.requests[text] = .now }
    }

    /// Notes what a node tells, unless the message is its own.
    func take(_ event: NodeEvent, at node: CrowdNode) {
        guard event.type == .message, let message = event.message, message.sender != node.user else { return }
        let now = ContinuousClock.now
        state.withLock { state in
            guard let request = state.requests[message.text] else { return }
            state.milliseconds.append(request.duration(to: now).milliseconds)
        }
    }

    var milliseconds: [Double] { state.withLock { $0.milliseconds } }
    var count: Int { state.withLock { $0.milliseconds.count } }
}

/// Who has noticed that somebody is gone, and when.
final class CrowdLosses: CrowdObserver {
    private let lost: String
    private let times = Mutex<[Int: ContinuousClock.Instant]>([:])

    /// - Parameter lost: The id of the one who is to be missed.
    init(of lost: String) { self.lost = lost }

    /// Notes what a node tells.
    func take(_ event: NodeEvent, at node: CrowdNode) {
        guard let person = event.person, person.user == lost else { return }
        let now = ContinuousClock.now
        // Who comes back between two connections was not noticed to be gone.
        times.withLock { $0[node.number] = person.presence == .offline ? $0[node.number] ?? now : nil }
    }

    /// How many have noticed.
    var count: Int { times.withLock { $0.count } }
    /// When the last of them did.
    var last: ContinuousClock.Instant? { times.withLock { $0.values.max() } }
}
