import Hummingbird
import Node

extension Endpoint {
    /// Who the node's own user is.
    static let profile = [
        Endpoint(.get, "/profile") { _, node in
            try APIResponse.json(await node.identity())
        },
        Endpoint(.patch, "/profile", taking: ChangeProfile.self) { _, change, node in
            try APIResponse.json(
                await node.setProfile(
                    name: change.name, photo: node.photoChange(file: change.photo), receipts: change.receipts,
                    asksWhenAdded: change.asksWhenAdded))
        },
        Endpoint(.get, "/profile/contact") { _, node in
            try APIResponse.json(await node.contact())
        },
    ]
}
