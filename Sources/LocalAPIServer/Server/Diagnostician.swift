import LocalAPIModel
import NodeCore
import Synchronization

/// Looks for what keeps hosts from seeing or reaching each other; measuring is for whoever runs the process.
public protocol Diagnostician: Sendable {
    /// Looks at this host and at its node, which takes some seconds.
    ///
    /// - Parameter person: whose nodes are asked how they reach this one; nil for nobody's.
    /// - Throws: `permission_denied` where nothing can be seen of the disk; what asking the person throws.
    func diagnose(with person: String?) async throws(NodeError) -> DiagnosisDescription
}

/// Lets one look at a time happen: each sends packets, starts programs and writes to the disk.
final class DiagnosisTurn: Sendable {
    private let isTaken = Mutex(false)

    /// Looks, if nobody else does.
    ///
    /// - Throws: ``RequestRefusal/diagnosisUnderWay``; what looking throws.
    func take(_ look: () async throws -> DiagnosisDescription) async throws -> DiagnosisDescription {
        let isFree = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFree else { throw RequestRefusal.diagnosisUnderWay }
        defer { isTaken.withLock { $0 = false } }
        return try await look()
    }
}
