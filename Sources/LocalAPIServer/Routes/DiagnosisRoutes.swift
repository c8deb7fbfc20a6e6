import HTTPTypes
import Hummingbird
import LocalAPIModel
import Node
import NodeCore

extension Route {
    /// What keeps hosts from seeing or reaching each other.
    static let diagnosis = [
        Route(.post, "/diagnosis", taking: Diagnose.self) { request, wanted, node in
            guard let diagnostician = request.state.diagnostician else {
                throw NodeError(
                    .invalidOperation, "The program that runs this node looks for no faults",
                    hint: "A node that moot up starts does. On any host: moot doctor")
            }
            // Who is meant is said before anything is measured.
            if let person = wanted.with { _ = try await node.person(person) }
            return try APIResponse.json(
                try await request.state.diagnosisTurn.take { try await diagnostician.diagnose(with: wanted.with) })
        }
    ]
}
