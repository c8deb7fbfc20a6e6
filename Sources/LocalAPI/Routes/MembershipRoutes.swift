import Hummingbird
import Node

extension Endpoint {
    /// The membership lane with its verdicts, or only what is void and why.
    static let membership = [
        Endpoint(.get, "/conversations/{id}/membership", parameters: ["void", "person"]) { asked, node in
            let conversation = try asked.segment("id")
            guard try asked.flag("void") else {
                guard asked.parameter("person") == nil else {
                    throw RequestRefusal.invalid("The query parameter \"person\" goes with void=true")
                }
                return try APIResponse.json(await node.membershipHistory(of: conversation))
            }
            return try APIResponse.json(
                await node.membershipReasons(of: conversation, person: asked.parameter("person")))
        }
    ]
}
