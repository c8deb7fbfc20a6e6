import Hummingbird
import LocalAPIModel
import Node
import QRCodes

extension Route {
    /// Who the node's own user is.
    static let profile = [
        Route(.get, "/profile") { _, node in
            try APIResponse.json(await node.identity())
        },
        Route(.patch, "/profile", taking: ChangeProfile.self) { _, change, node in
            try APIResponse.json(
                await node.setProfile(
                    name: change.name, photo: node.photoChange(file: change.photo), receipts: change.receipts,
                    asksWhenAdded: change.asksWhenAdded))
        },
        Route(.delete, "/profile", byOwnerWith: ProveOwner.self) { _, _, passphrase, node in
            try APIResponse.json(await node.deleteIdentity(passphrase: passphrase))
        },
        Route(.get, "/profile/contact") { _, node in
            var contact = try await node.contact()
            contact.qr = QRCode(contact.code)?.svg
            return try APIResponse.json(contact)
        },
    ]
}
