import Synchronization

/// The files that are on their way into the node.
final class Uploads: Sendable {
    private let paths = Mutex<[String]>([])

    /// The paths of those that did not get there yet.
    var underWay: [String] { paths.withLock { $0 } }

    /// Notes a file for as long as it takes to send it.
    func during<Value>(_ path: String, _ send: () async throws -> Value) async rethrows -> Value {
        paths.withLock { $0.append(path) }
        defer {
            paths.withLock { paths in
                if let place = paths.firstIndex(of: path) { paths.remove(at: place) }
            }
        }
        return try await send()
    }
}
