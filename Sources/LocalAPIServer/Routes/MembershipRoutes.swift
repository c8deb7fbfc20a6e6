import Hummingbird
import Node

extension Route {
    /// The membership lane with its verdicts, or only what is void and why.
    static let membership = [
        Route(.get, "/conversations/{id}/membership", parameters: ["void", "person"]) { request, node in
            let conversation = try request.segment("id")
            guard try request.flag("void") else {
                guard request.parameter("person") == nil else {
                    throw RequestRefusal.invalid("The query parameter \"person\" goes with void=true")
                }
                return try APIResponse.json(await node.membershipHistory(of: conversation))
            }
            return try APIResponse.json(
                await node.membershipReasons(of: conversation, person: request.parameter("person")))
        }
    ]
}
