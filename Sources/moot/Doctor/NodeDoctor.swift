import LocalAPIClient
import LocalAPIModel
import LocalAPIServer
import NodeCore

/// The doctor in the process of a node, for those who ask by its API: it looks as `moot doctor` does.
///
/// It asks the node by its socket, so both find the same, and a node that answers nobody is seen by it, too.
struct NodeDoctor: Diagnostician {
    /// The folder of the node.
    let home: String
    /// Where its local API listens.
    let socketPath: String

    func diagnose(with person: String?) async throws(NodeError) -> DiagnosisDescription {
        let visit = DoctorVisit(home: home, client: LocalClient(socketPath: socketPath), person: person)
        do throws(LocalClientError) {
            if let outcome = try await visit.look() { return outcome.report }
        } catch {
            let detail = error.detail
            throw NodeError(
                NodeError.Code(rawValue: detail.code) ?? .networkError, detail.message, hint: detail.hint)
        }
        throw NodeError(.permissionDenied, "Nothing can be seen of the disk of \(home)")
    }
}
